#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <stdexcept>

#include "bindings/parent_sets.h"
#include "evaluation/full_sweep.h"
#include "evaluation/standalone_heuristics.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace anytimebn {
namespace {

struct PythonSweep {
    FullSweep sweep;
    Cost base = 0;
    std::uint64_t memory_bytes = 0;
    bool out_of_memory = false;
};

// Counts f against the optimum. Where that is not known beforehand a second sweep may be needed:
// the first, against the best network of a local search, tells it.
PythonSweep run(const PythonParentSets& sets, const std::vector<std::string>& names,
                const std::vector<std::map<std::string, double>>& parameters,
                std::optional<Cost> known_optimum, std::uint64_t seed, std::size_t jobs,
                std::uint64_t memory_bytes, Control& control) {
    if (sets.sets->variables() > most_swept_variables)
        throw std::invalid_argument("too many variables for a sweep of the whole order graph");
    PythonSweep result;
    result.memory_bytes = full_sweep_memory(sets.sets->variables(), jobs);
    if (result.memory_bytes > memory_bytes) {
        result.out_of_memory = true;
        return result;
    }
    std::vector<std::unique_ptr<Heuristic>> made;
    std::vector<const Heuristic*> heuristics;
    Cost limit = infinite_cost;
    for (std::size_t i = 0; i < names.size(); ++i) {
        SearchOptions options;
        options.parameters = parameters[i];
        options.seed = seed;
        options.jobs = jobs;
        options.limits.memory_bytes = memory_bytes - result.memory_bytes;
        StandaloneHeuristics source(*sets.sets, options, control);
        limit = source.incumbent();
        made.push_back(source.make(names[i]));
        if (made.back() == nullptr) {
            result.out_of_memory = !control.stopped();
            return result;
        }
        heuristics.push_back(made.back().get());
        result.memory_bytes += made.back()->memory_bytes();
    }
    const auto components = split_into_components(*sets.sets, false);
    result.base = components.front().base;
    if (known_optimum) limit = *known_optimum - result.base;
    result.sweep = sweep_order_graph(components.front().sets, heuristics, limit, jobs, control);
    if (result.sweep.complete && result.sweep.optimum != limit && !heuristics.empty())
        result.sweep = sweep_order_graph(components.front().sets, heuristics, result.sweep.optimum,
                                         jobs, control);
    return result;
}

}  // namespace

void register_evaluation(nb::module_& module) {
    nb::class_<OrderGraphLayer>(module, "OrderGraphLayer", "Sums over the nodes of a layer.")
        .def_ro("nodes", &OrderGraphLayer::nodes)
        .def_ro("reachable", &OrderGraphLayer::reachable)
        .def_ro("last_parents", &OrderGraphLayer::last_parents)
        .def_ro("network_parents", &OrderGraphLayer::network_parents)
        .def_ro("steps", &OrderGraphLayer::steps)
        .def_ro("step_parents", &OrderGraphLayer::step_parents);
    nb::class_<FDistribution>(module, "FDistribution", "f of all nodes, for one heuristic.")
        .def_ro("below", &FDistribution::below)
        .def_ro("at_limit", &FDistribution::at_limit)
        .def_ro("dead", &FDistribution::dead)
        .def_prop_ro("bin_width", [](const FDistribution& d) { return d.histogram.width(); })
        .def_prop_ro("bins", [](const FDistribution& d) { return d.histogram.counts(); });
    nb::class_<PythonSweep>(module, "OrderGraphSweep", "Every node of the order graph, summed up.")
        .def_ro("base", &PythonSweep::base)
        .def_ro("memory_bytes", &PythonSweep::memory_bytes)
        .def_ro("out_of_memory", &PythonSweep::out_of_memory)
        .def_prop_ro("complete", [](const PythonSweep& s) { return s.sweep.complete; })
        .def_prop_ro("feasible",
                     [](const PythonSweep& s) { return s.sweep.optimum < infinite_cost; })
        .def_prop_ro("optimum", [](const PythonSweep& s) { return s.base + s.sweep.optimum; })
        .def_prop_ro("counts_networks",
                     [](const PythonSweep& s) { return s.sweep.counts_networks; })
        .def_prop_ro("cheapest_parents",
                     [](const PythonSweep& s) { return s.sweep.cheapest_parents; })
        .def_prop_ro("layers", [](const PythonSweep& s) { return s.sweep.layers; })
        .def_prop_ro("distributions", [](const PythonSweep& s) { return s.sweep.distributions; });
    module.def("sweep_order_graph", &run, "sets"_a, nb::kw_only(), "heuristics"_a, "parameters"_a,
               "known_optimum"_a, "seed"_a, "jobs"_a, "memory_bytes"_a, "control"_a,
               nb::call_guard<nb::gil_scoped_release>());
    module.attr("most_swept_variables") = most_swept_variables;
}

}  // namespace anytimebn
