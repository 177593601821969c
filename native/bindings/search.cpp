#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings/parameters.h"
#include "bindings/parent_sets.h"
#include "solve/data_run.h"
#include "solve/search_run.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace anytimebn {
namespace {

using Variables = std::vector<std::vector<std::uint32_t>>;  // in groups or clusters

}  // namespace

void register_search(nb::module_& module) {
    nb::class_<Event>(module, "Event", "An improvement of the network or of the bound.")
        .def_ro("seconds", &Event::seconds)
        .def_ro("cost", &Event::cost)
        .def_ro("lower_bound", &Event::lower_bound)
        .def_ro("expanded", &Event::expanded);

    nb::class_<Snapshot>(module, "Snapshot", "Where a search stands.")
        .def_ro("seconds", &Snapshot::seconds)
        .def_ro("has_network", &Snapshot::has_network)
        .def_ro("cost", &Snapshot::cost)
        .def_ro("lower_bound", &Snapshot::lower_bound)
        .def_ro("expanded", &Snapshot::expanded)
        .def_ro("stored", &Snapshot::stored)
        .def_ro("memory_bytes", &Snapshot::memory_bytes)
        .def_ro("expected_nodes", &Snapshot::expected_nodes)
        .def_ro("planned_seconds", &Snapshot::planned_seconds,
                "That the algorithm will work since it last made a plan; 0 if there is none.")
        .def_ro("bounds_seconds", &Snapshot::bounds_seconds)
        .def_ro("algorithm_bound", &Snapshot::algorithm_bound,
                "Without what contributors proved, and the other way round.")
        .def_ro("contributed_bound", &Snapshot::contributed_bound)
        .def_ro("ruled_out", &Snapshot::ruled_out, "How many families are in no better network.")
        .def_prop_ro("stage", [](const Snapshot& self) { return stage_name(self.stage); })
        .def_ro("doing", &Snapshot::doing);

    nb::class_<RootCertificate>(module, "RootCertificate", "What proves a bound without search.")
        .def_ro("groups", &RootCertificate::groups)
        .def_ro("clusters", &RootCertificate::clusters)
        .def_ro("multipliers", &RootCertificate::multipliers)
        .def_ro("lower_bound", &RootCertificate::lower_bound);

    nb::class_<SearchOptions>(module, "SearchOptions", "How to search, limits included.")
        .def(
            "__init__",
            [](SearchOptions* self, const std::string& algorithm, const std::string& heuristic,
               const std::map<std::string, double>& parameters,
               const std::vector<std::vector<std::uint32_t>>& groups, bool components,
               bool path_extension, bool local_search, std::uint64_t seed, std::size_t jobs,
               bool certify_along, double seconds, std::uint64_t memory_bytes,
               std::uint64_t expansions, const std::string& disk, std::uint64_t disk_bytes,
               double gap, std::uint64_t stop_at_check, std::uint64_t refuse_memory_at,
               std::uint64_t refuse_disk_at) {
                new (self) SearchOptions{.algorithm = algorithm,
                                         .heuristic = heuristic,
                                         .parameters = parameters,
                                         .groups = groups,
                                         .components = components,
                                         .path_extension = path_extension,
                                         .local_search = local_search,
                                         .start = {},
                                         .seed = seed,
                                         .jobs = jobs,
                                         .certify_along = certify_along,
                                         .limits = {.seconds = seconds,
                                                    .memory_bytes = memory_bytes,
                                                    .expansions = expansions,
                                                    .disk = disk,
                                                    .disk_bytes = disk_bytes,
                                                    .gap = gap,
                                                    .stop_at_check = stop_at_check,
                                                    .refuse_memory_at = refuse_memory_at,
                                                    .refuse_disk_at = refuse_disk_at}};
            },
            nb::kw_only(), "algorithm"_a, "heuristic"_a, "parameters"_a, "groups"_a, "components"_a,
            "path_extension"_a, "local_search"_a, "seed"_a, "jobs"_a, "certify_along"_a = false,
            "seconds"_a, "memory_bytes"_a, "expansions"_a, "disk"_a = "", "disk_bytes"_a = 0,
            "gap"_a, "stop_at_check"_a = 0, "refuse_memory_at"_a = 0, "refuse_disk_at"_a = 0)
        .def_ro("jobs", &SearchOptions::jobs)
        .def_prop_rw(
            "hidden_cost", [](const SearchOptions& self) { return self.limits.hidden_cost; },
            [](SearchOptions& self, double units) { self.limits.hidden_cost = units; })
        .def_prop_rw(
            "start", [](const SearchOptions& self) { return numbers_of(self.start); },
            [](SearchOptions& self, const std::vector<std::size_t>& start) {
                self.start = ids_of(start);
            });

    nb::class_<Contributor>(module, "Contributor",
                            "What one more thread that works on a run goes by.")
        .def(
            "stopped",
            [](Contributor& self) {
                self.wait_for_turn();
                return self.stopped();
            },
            nb::call_guard<nb::gil_scoped_release>(),
            "Whether to end; asked before each unit of work. Waits while the work is held.")
        .def(
            "check",
            [](Contributor& self) {
                self.wait_for_turn();
                if (self.stopped()) throw WorkStopped();
            },
            nb::call_guard<nb::gil_scoped_release>(), "Raises WorkStopped where `stopped` is true.")
        .def(
            "hold", [](Contributor& self) { self.turn().hold(); },
            "Lets the work wait where it next asks whether to end.")
        .def("go_on", [](Contributor& self) { self.turn().go_on(); })
        .def("wait_for_turn", &Contributor::wait_for_turn, nb::call_guard<nb::gil_scoped_release>(),
             "Waits while the work is held.")
        .def("expand", &Contributor::expand, "Counts a unit of work; False when there may be none.")
        .def("use_memory", &Contributor::use_memory, "stored"_a, "memory_bytes"_a)
        .def_prop_ro(
            "most_memory_bytes",
            [](const Contributor& self) { return self.budget().limits().memory_bytes; },
            "The limit on memory of the whole run.");

    nb::class_<Run>(module, "Run", "One search; `run` it in a thread and watch.")
        .def("run", &Run::run, nb::call_guard<nb::gil_scoped_release>())
        .def("finish", &Run::finish)
        .def("stop", &Run::stop)
        .def_prop_ro("stop_requested", &Run::stop_requested)
        .def(
            "hold", [](Run& run) { run.turn().hold(); },
            "Lets the run's own algorithm wait, but not its contributors.")
        .def("go_on", [](Run& run) { run.turn().go_on(); })
        .def("tell", &Run::tell, "doing"_a, "Says what is being done, for those who watch.")
        .def("contributor", &Run::contributor, nb::rv_policy::reference_internal,
             "A budget for one more thread that works on this run.")
        .def(
            "offer_network",
            [](Run& run, const std::vector<std::size_t>& chosen) {
                return run.offer_network(ids_of(chosen));
            },
            "chosen"_a, "Ids of families, one a variable; whether it is better.")
        .def("offer_bound", &Run::offer_bound, "component"_a, "lower_bound"_a)
        .def(
            "rule_out",
            [](Run& run, const std::vector<std::size_t>& families) {
                run.rule_out(ids_of(families));
            },
            "families"_a)
        .def_prop_ro("component_costs", &Run::component_costs)
        .def_prop_ro("component_bounds", &Run::component_bounds)
        .def("solved", &Run::solved)
        .def_prop_ro("seconds_left", &Run::seconds_left)
        .def_prop_ro("jobs", &Run::jobs)
        .def_prop_ro("status", [](const Run& run) { return status_name(run.status()); })
        .def("drain_events", &Run::drain_events)
        .def("snapshot", &Run::snapshot)
        .def_prop_ro("peak_memory_bytes", &Run::peak_memory_bytes)
        .def_prop_ro("peak_disk_bytes", &Run::peak_disk_bytes)
        .def(
            "chosen_sets", [](const Run& run) { return numbers_of(run.chosen()); },
            "Ids of the best network's families; empty while there is none.")
        .def("parents", &Run::parents, "Of the best network; empty while there is none.")
        .def("certificate", &Run::certificate)
        .def("suggested", &Run::suggested,
             "The same, on the way to one: what it proves is to be computed.")
        .def_prop_ro("suggestions", &Run::suggestions, "How many there were.");

    nb::class_<SearchRun, Run>(module, "SearchRun", "A search over parent sets.")
        .def(
            "__init__",
            [](SearchRun* self, const PythonParentSets& sets, const SearchOptions& options) {
                new (self) SearchRun(sets.store, sets.sets, options);
            },
            "sets"_a, "options"_a)
        .def("prepare", &SearchRun::prepare, nb::call_guard<nb::gil_scoped_release>())
        .def("search", &SearchRun::search, nb::call_guard<nb::gil_scoped_release>())
        .def(
            "prove_again",
            [](SearchRun& run, const Variables& groups, const Variables& clusters,
               const std::vector<Cost>& multipliers) {
                const nb::gil_scoped_release release;
                run.prove_again({groups, clusters, multipliers});
            },
            "groups"_a, "clusters"_a, "multipliers"_a,
            "Computes what clusters prove that are known from before, and takes that as a bound.")
        .def_prop_ro("component_sizes", &SearchRun::component_sizes)
        .def_prop_ro("component_sets", &SearchRun::component_sets);

    nb::class_<DataRun, Run>(module, "DataRun",
                             "A search from a table: costs are counted on demand.")
        .def(nb::init<const ScoringTask&, SearchOptions, ParentLists>(), nb::keep_alive<1, 2>(),
             "task"_a, "options"_a, "start"_a = ParentLists{})
        .def("offer", &DataRun::offer, "network"_a,
             "Parents of each variable in a network that somebody else found.")
        .def("good_families", &DataRun::good_families,
             "Parent sets of each variable that good networks have; empty if nothing is told.")
        .def_prop_ro("came_down", &DataRun::came_down,
                     "Whether the first ways down are over, as far as the search tells.")
        .def("cost", &DataRun::cost, "child"_a, "parents"_a)
        .def("costs_without_each", &DataRun::costs_without_each, "child"_a, "parents"_a)
        .def("costs", &DataRun::costs);

    module.def(
        "registered_algorithms",
        [] {
            std::vector<std::tuple<std::string, std::string, std::string, bool, bool,
                                   std::vector<ParameterTuple>, bool>>
                all;
            for (const auto& [name, entry] : AlgorithmRegistry::entries())
                all.emplace_back(name, entry.description.summary, entry.description.paper,
                                 entry.make.uses_heuristic, entry.make.proves,
                                 parameter_tuples(entry.make.parameters),
                                 static_cast<bool>(entry.make.run_on_data));
            return all;
        },
        "Name, summary, paper, uses_heuristic, proves, parameters and from_data of every "
        "algorithm.");
}

}  // namespace anytimebn
