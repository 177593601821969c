#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>
#include <utility>

#include "bindings/arrays.h"
#include "bindings/parameters.h"
#include "bindings/parent_sets.h"
#include "scores/family_counter.h"
#include "scores/local_scores.h"
#include "scores/neighbourhood.h"
#include "scores/score.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace anytimebn {
namespace {

using Codes = nb::ndarray<const std::uint16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Counter counter_named(const std::string& name) {
    if (name == "automatic") return Counter::automatic;
    if (name == "bitwise") return Counter::bitwise;
    if (name == "rowwise") return Counter::rowwise;
    throw std::invalid_argument("counter must be 'automatic', 'bitwise' or 'rowwise'");
}

ScoringTask make_task(const Codes& codes, std::vector<int> arities, ParentLists required,
                      const ParentLists& refused, std::vector<std::uint32_t> max_parents,
                      std::string score, std::map<std::string, double> parameters, std::size_t jobs,
                      const std::string& counter, std::optional<double> margin) {
    ScoringTask task;
    task.rows = codes.shape(1);
    for (std::size_t v = 0; v < codes.shape(0); ++v)
        task.codes.push_back(codes.data() + v * codes.shape(1));
    task.arities = std::move(arities);
    task.required = std::move(required);
    // Few are refused: lists of all others would take Python seconds with thousands of variables.
    task.allowed.resize(refused.size());
    for (std::size_t v = 0; v < refused.size(); ++v) {
        auto next = refused[v].begin();
        for (std::uint32_t other = 0; other < refused.size(); ++other) {
            if (next != refused[v].end() && *next == other)
                ++next;
            else
                task.allowed[v].push_back(other);
        }
    }
    task.max_parents = std::move(max_parents);
    task.score = std::move(score);
    task.parameters = std::move(parameters);
    task.jobs = jobs;
    task.counter = counter_named(counter);
    task.margin = margin;
    return task;
}

}  // namespace

void register_scores(nb::module_& module) {
    nb::class_<ScoringTask>(module, "ScoringTask", "A table and what is wanted of it.")
        .def(
            "__init__",
            [](ScoringTask* self, const Codes& codes, std::vector<int> arities,
               ParentLists required, const ParentLists& refused,
               std::vector<std::uint32_t> max_parents, std::string score,
               std::map<std::string, double> parameters, std::size_t jobs,
               const std::string& counter, std::optional<double> margin) {
                new (self) ScoringTask(make_task(codes, std::move(arities), std::move(required),
                                                 refused, std::move(max_parents), std::move(score),
                                                 std::move(parameters), jobs, counter, margin));
            },
            nb::keep_alive<1, 2>(), "codes"_a, "arities"_a, "required"_a, "refused"_a,
            "max_parents"_a, "score"_a, "parameters"_a, "jobs"_a, "counter"_a = "automatic",
            "margin"_a = nb::none());

    nb::class_<ScoringEstimate>(module, "ScoringEstimate", "What scoring will take.")
        .def_ro("sets", &ScoringEstimate::sets)
        .def_ro("parent_sets", &ScoringEstimate::parent_sets)
        .def_ro("memory_bytes", &ScoringEstimate::memory_bytes)
        .def_ro("cell_visits", &ScoringEstimate::cell_visits);

    nb::class_<ScoringResult>(module, "ScoringResult", "Possibly optimal parent sets.")
        .def(
            "take_arrays",
            [](ScoringResult& result) {
                return nb::make_tuple(
                    to_array(std::move(result.first_set)), to_array(std::move(result.costs)),
                    to_array(std::move(result.first_member)), to_array(std::move(result.members)));
            },
            nb::sig("def take_arrays(self) -> tuple[numpy.typing.NDArray[numpy.int64], "
                    "numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int64], "
                    "numpy.typing.NDArray[numpy.int32]]"),
            "first_set, costs, first_member, members; moved out, so only once.")
        .def_ro("limit_matters", &ScoringResult::limit_matters)
        .def_ro("sets_counted", &ScoringResult::sets_counted)
        .def_ro("counting_seconds", &ScoringResult::counting_seconds)
        .def_ro("pruning_seconds", &ScoringResult::pruning_seconds)
        .def_ro("complete", &ScoringResult::complete);

    module.def("estimate_scoring", &estimate_scoring, "task"_a);
    module.def("most_useful_parents", &most_useful_parents, "task"_a,
               "Most parents of each variable that can be optimal, known before counting.");
    module.def(
        "compute_local_scores",
        [](const ScoringTask& task, Control& control,
           const std::vector<std::pair<std::vector<std::uint32_t>, Array<double>>>& parts) {
            std::vector<PartView> views;
            for (const auto& [columns, values] : parts) views.push_back({columns, span_of(values)});
            const nb::gil_scoped_release released;
            return compute_local_scores(task, control, views);
        },
        "task"_a, "control"_a,
        "parts"_a = std::vector<std::pair<std::vector<std::uint32_t>, Array<double>>>{},
        "Parts are those of `count_part`, all of them, or none to count here.");
    module.def("sets_by_highest_column", &sets_by_highest_column, "task"_a,
               "How many sets there are to count with each highest column, of those that vary.");
    module.def(
        "count_part",
        [](const ScoringTask& task, std::vector<std::uint32_t> columns, Control& control) {
            CountedPart part;
            {
                const nb::gil_scoped_release released;
                part = count_part(task, std::move(columns), control);
            }
            return to_array(std::move(part.values));
        },
        "task"_a, "columns"_a, "control"_a,
        nb::sig("def count_part(task: ScoringTask, columns: collections.abc.Sequence[int], "
                "control: Control) -> numpy.typing.NDArray[numpy.float64]"),
        "Values of the sets with these highest columns, for `compute_local_scores`.");
    module.def(
        "score_families",
        [](const ScoringTask& task, std::vector<ParentLists> networks, bool further,
           std::vector<ParentLists> others, const Array<std::int64_t>& first_set,
           const Array<double>& costs, const Array<std::int64_t>& first_member,
           const Array<std::int32_t>& members, std::uint64_t table_bytes, Control& control) {
            const FamilyRequest request{
                std::move(networks),
                further,
                std::move(others),
                {span_of(first_set), span_of(costs), span_of(first_member), span_of(members)}};
            const nb::gil_scoped_release released;
            return score_families(task, request, table_bytes, control);
        },
        "task"_a, "networks"_a, "further"_a, "others"_a, "first_set"_a, "costs"_a, "first_member"_a,
        "members"_a, "table_bytes"_a, "control"_a,
        "Families within one change of networks, and others, that no smaller one beats.");
    module.def(
        "family_costs",
        [](const ScoringTask& task, std::uint32_t child, const std::vector<std::uint32_t>& parents,
           const std::vector<std::uint32_t>& candidates, bool planes, bool merge_rows) {
            const Control control;
            const CountedTable table(task, planes ? UINT64_MAX : 0, merge_rows);
            FamilyCounter counter(table, control);
            std::vector<double> costs(candidates.size());
            counter.additions(child, parents, candidates, costs.data(), [] { return false; });
            costs.push_back(counter.cost(child, parents));
            return costs;
        },
        "task"_a, "child"_a, "parents"_a, "candidates"_a, "planes"_a = true, "merge_rows"_a = true,
        "Cost of a child with its parents and each candidate, and with its parents alone.");
    module.def(
        "registered_scores",
        [] {
            std::vector<std::tuple<std::string, std::string, std::string,
                                   std::vector<ParameterTuple>, double>>
                all;
            for (const auto& [name, entry] : ScoreRegistry::entries())
                all.emplace_back(name, entry.description.summary, entry.description.paper,
                                 parameter_tuples(entry.make.parameters),
                                 make_score(name, 1, {})->most_cells());
            return all;
        },
        "Name, summary, paper, parameters and largest joint table of every score.");
}

}  // namespace anytimebn
