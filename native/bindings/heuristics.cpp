#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "bindings/parameters.h"
#include "bindings/parent_sets.h"
#include "evaluation/standalone_heuristics.h"
#include "sweep/problem.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace anytimebn {
namespace {

std::vector<Cost> heuristic_values(const PythonParentSets& sets, const std::string& heuristic,
                                   const std::map<std::string, double>& parameters,
                                   const std::vector<std::vector<std::uint32_t>>& groups,
                                   const std::vector<std::vector<std::uint32_t>>& placed) {
    SearchOptions options;
    options.parameters = parameters;
    options.groups = groups;
    const Control control;
    StandaloneHeuristics heuristics(*sets.sets, options, control);
    const auto made = heuristics.make(heuristic);
    if (made == nullptr) throw std::runtime_error("the heuristic could not be built");
    std::vector<Cost> values;
    for (const auto& members : placed) {
        std::vector<std::uint64_t> set(heuristics.component().best.words(), 0);
        for (const std::uint32_t v : members) set.at(v / 64) |= std::uint64_t{1} << (v % 64);
        values.push_back(made->value(set.data()));
    }
    return values;
}

// The bound of a sweep with one vector of multipliers or several.
std::vector<double> cluster_bounds(const PythonParentSets& sets,
                                   const std::vector<std::vector<std::uint32_t>>& groups,
                                   const std::vector<std::vector<std::uint32_t>>& clusters,
                                   const std::vector<std::vector<Cost>>& multipliers,
                                   const std::vector<std::vector<std::uint32_t>>& placed) {
    const auto mask_of = [](const std::vector<std::uint32_t>& members) {
        std::uint64_t mask = 0;
        for (const std::uint32_t v : members) mask |= std::uint64_t{1} << v;
        return mask;
    };
    const auto components = split_into_components(*sets.sets, false);
    std::vector<Clusters> vectors(multipliers.size());
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        for (const auto& group : groups) vectors[i].groups.push_back(mask_of(group));
        for (const auto& cluster : clusters) vectors[i].members.push_back(mask_of(cluster));
        vectors[i].multipliers = multipliers[i];
    }
    const std::size_t n = components[0].size();
    const SweepProblem problem(MaskedSets(components[0]), vectors, std::vector<double>(n), 2, 1);
    std::vector<double> bounds;
    for (const auto& members : placed) {
        const std::uint64_t set = mask_of(members);
        std::uint64_t positions = 0;
        for (std::size_t p = 0; p < n; ++p) positions |= (set >> problem.variable_at[p] & 1) << p;
        bounds.push_back(problem.rest(positions));
    }
    return bounds;
}

}  // namespace

void register_heuristics(nb::module_& module) {
    module.def(
        "heuristic_values", &heuristic_values, "sets"_a, "heuristic"_a, "parameters"_a, "groups"_a,
        "placed"_a,
        "Bounds, in millionths of a nat above the cheapest parent sets, on placing the variables "
        "that are not in each placed set.");
    module.def("cluster_bounds", &cluster_bounds, "sets"_a, "groups"_a, "clusters"_a,
               "multipliers"_a, "placed"_a,
               "As heuristic_values, of a block sweep with these clusters and one vector of "
               "multipliers or several.");
    module.def(
        "registered_heuristics",
        [] {
            std::vector<std::tuple<std::string, std::string, std::string, bool,
                                   std::vector<ParameterTuple>>>
                all;
            for (const auto& [name, entry] : HeuristicRegistry::entries())
                all.emplace_back(name, entry.description.summary, entry.description.paper,
                                 entry.make.consistent, parameter_tuples(entry.make.parameters));
            return all;
        },
        "Name, summary, paper, consistent and parameters of every heuristic.");
}

}  // namespace anytimebn
