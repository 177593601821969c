#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <tuple>

#include "all_networks/network_list.h"
#include "all_networks/posterior.h"
#include "bindings/arrays.h"
#include "bindings/parent_sets.h"
#include "run/options.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace anytimebn {
namespace {

// With the flag that stops it.
class PythonNetworkList {
 public:
    PythonNetworkList(const PythonParentSets& sets, NetworkList::Options options, Limits limits)
        : list_(sets.sets, std::move(options), limits, control_) {}

    void stop() { control_.stop(); }
    bool find(std::size_t wanted) { return list_.find(wanted); }
    const NetworkList& list() const { return list_; }
    std::vector<std::tuple<Cost, std::vector<std::uint32_t>>> take_found() {
        std::vector<std::tuple<Cost, std::vector<std::uint32_t>>> all;
        for (auto& found : list_.take_found()) all.emplace_back(found.cost, std::move(found.sets));
        return all;
    }

 private:
    Control control_;
    NetworkList list_;
};

}  // namespace

void register_all_networks(nb::module_& module) {
    nb::class_<PosteriorSums>(module, "PosteriorSums", "Sums over all orders of the variables.")
        .def_ro("complete", &PosteriorSums::complete)
        .def_rw("log_total", &PosteriorSums::log_total)
        .def(
            "take_probabilities",
            [](PosteriorSums& sums) { return to_array(std::move(sums.probabilities)); },
            nb::sig("def take_probabilities(self) -> numpy.typing.NDArray[numpy.float64]"),
            "Of each family, if they were wanted; moved out, so only once.");
    module.def("posterior_memory", &posterior_memory, "variables"_a, "most_parents"_a, "families"_a,
               "jobs"_a, "Bytes that `sum_over_orders` takes.");
    module.def(
        "sum_over_orders",
        [](const Array<std::int64_t>& first_set, const Array<double>& log_weights,
           const Array<std::int64_t>& first_member, const Array<std::int32_t>& members,
           bool families, std::size_t jobs, Control& control) {
            const WeightedFamilies weights{span_of(first_set), span_of(log_weights),
                                           span_of(first_member), span_of(members)};
            if (weights.variables() > most_posterior_variables)
                throw std::invalid_argument("too many variables for sums over all orders");
            const nb::gil_scoped_release released;
            return sum_over_orders(weights, families, jobs, control);
        },
        "first_set"_a, "log_weights"_a, "first_member"_a, "members"_a, nb::kw_only(), "families"_a,
        "jobs"_a, "control"_a);
    module.attr("most_posterior_variables") = most_posterior_variables;

    nb::class_<PythonNetworkList>(module, "NetworkList",
                                  "All networks within a distance of the optimum, best first.")
        .def(
            "__init__",
            [](PythonNetworkList* self, const PythonParentSets& sets, const SearchOptions& options,
               Cost allowed, std::optional<Cost> optimum, std::vector<std::uint32_t> order,
               std::vector<std::vector<std::uint32_t>> clusters,
               std::vector<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>>
                   zero_half,
               std::vector<Cost> multipliers, std::size_t largest_table) {
                if (sets.sets->variables() > most_listed_variables)
                    throw std::invalid_argument("too many variables for a list of networks");
                PricedRows rows;
                rows.clusters = std::move(clusters);
                for (auto& [parts, variables] : zero_half)
                    rows.zero_half.push_back({std::move(parts), std::move(variables)});
                rows.multipliers = std::move(multipliers);
                if (rows.clusters.size() + rows.zero_half.size() != rows.multipliers.size() ||
                    rows.multipliers.size() > RowBound::most_rows)
                    throw std::invalid_argument("each row needs a multiplier, and 4096 are enough");
                const nb::gil_scoped_release released;
                new (self) PythonNetworkList(sets,
                                             {allowed, optimum, std::move(order), std::move(rows),
                                              options.jobs, largest_table},
                                             options.limits);
            },
            "sets"_a, "options"_a, nb::kw_only(), "allowed"_a, "optimum"_a = nb::none(),
            "order"_a = std::vector<std::uint32_t>{},
            "clusters"_a = std::vector<std::vector<std::uint32_t>>{},
            "zero_half"_a =
                std::vector<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>>{},
            "multipliers"_a = std::vector<Cost>{}, "largest_table"_a = most_group_variables,
            "Costs are regrets: those of each variable begin at 0. Of the options, limits and "
            "jobs are used.")
        .def("stop", &PythonNetworkList::stop)
        .def("find", &PythonNetworkList::find, "wanted"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Go on until so many wait to be taken; false when there are no more, or a limit was "
             "reached.")
        .def("take_found", &PythonNetworkList::take_found,
             "Cost and numbers of the parent sets of each network found since this was asked.")
        .def_prop_ro("is_exact", [](const PythonNetworkList& l) { return l.list().is_exact(); })
        .def_prop_ro("status",
                     [](const PythonNetworkList& l) { return status_name(l.list().status()); })
        .def_prop_ro("optimum", [](const PythonNetworkList& l) { return l.list().optimum(); })
        .def_prop_ro("next_cost", [](const PythonNetworkList& l) { return l.list().next_cost(); })
        .def_prop_ro("expanded", [](const PythonNetworkList& l) { return l.list().expanded(); })
        .def_prop_ro("memory_bytes",
                     [](const PythonNetworkList& l) { return l.list().memory_bytes(); });
    module.attr("most_listed_variables") = most_listed_variables;
}

}  // namespace anytimebn
