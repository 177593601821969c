#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <tuple>

#include "bindings/parent_sets.h"
#include "local/insertion_search.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace anytimebn {
namespace {

void require_permutation(const std::vector<std::uint32_t>& order, std::size_t variables) {
    std::vector<bool> seen(variables, false);
    for (const std::uint32_t v : order) {
        if (v >= variables || seen[v])
            throw std::invalid_argument("the ordering must name every variable once");
        seen[v] = true;
    }
    if (order.size() != variables)
        throw std::invalid_argument("the ordering must name every variable once");
}

using Polished = std::tuple<Cost, std::vector<std::size_t>, std::vector<std::uint32_t>>;

std::optional<Polished> polish_order(PythonParentSets& python_sets,
                                     std::vector<std::uint32_t> order, std::uint64_t seed,
                                     std::optional<std::uint64_t> max_work) {
    const ParentSets& sets = *python_sets.sets;
    if (!order.empty()) require_permutation(order, sets.variables());
    const BestParents* const columns = python_sets.narrow_columns();
    const nb::gil_scoped_release release;
    InsertionSearch search;
    search.order = std::move(order);
    search.seed = seed;
    search.max_work = max_work.value_or(usual_work(sets.variables()));
    Polished polished;
    search.improved = [&](Cost regret, const std::vector<std::uint32_t>& better) {
        std::get<0>(polished) = regret;
        std::get<2>(polished) = better;
    };
    if (!search_orderings(sets, columns, search)) return std::nullopt;
    for (std::size_t v = 0; v < sets.variables(); ++v) std::get<0>(polished) += sets.lowest_cost(v);
    for (const std::size_t set : sets_of_order(sets, std::get<2>(polished)))
        std::get<1>(polished).push_back(number_of(sets.family(set)));
    return polished;
}

}  // namespace

void register_local(nb::module_& module) {
    module.def("polish_order", &polish_order, "sets"_a, "order"_a, "seed"_a = 0,
               "max_work"_a = nb::none(),
               "Improve an ordering (or, if it is empty, a greedy one) by local search. Gives the "
               "cost, the number of each variable's parent set, and the ordering; None if there is "
               "no network. The first local optimum is always reached unless there may be no work "
               "at all; an ordering that fits no network is repaired first.");
}

}  // namespace anytimebn
