#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>
#include <tuple>

#include "bindings/arrays.h"
#include "bindings/parent_sets.h"
#include "cuts/cutting_planes.h"
#include "solve/search_run.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace anytimebn {
namespace {

template <class T>
std::vector<T> vector_of(const Array<T>& array) {
    return {array.data(), array.data() + array.shape(0)};
}

Point point_of(const Array<std::uint32_t>& sets, const Array<double>& values,
               const JoinedProblem& problem) {
    if (sets.shape(0) != values.shape(0)) throw std::invalid_argument("each set needs one value");
    Point point{vector_of(sets), vector_of(values)};
    for (const std::uint32_t set : point.sets)
        if (set >= problem.sets.size()) throw std::invalid_argument("no such set");
    return point;
}

// A row by its number, so that asking for one of its fields copies that field only.
struct PythonRow {
    const CuttingPlanes& cuts;
    RowNumber number;
    const Row& row() const { return cuts.rows()[number]; }
};

}  // namespace

void register_cuts(nb::module_& module) {
    using Sets = Array<std::uint32_t>;
    using Values = Array<double>;
    using Columns = Array<std::int32_t>;

    nb::exception<WorkStopped>(module, "WorkStopped");
    nb::class_<PythonRow>(module, "Row", "A row of the linear program, as it is now.")
        .def_prop_ro(
            "variables", [](const PythonRow& self) { return self.row().variables; },
            "A cluster's members, or the children that it touches.")
        .def_prop_ro(
            "parents", [](const PythonRow& self) { return self.row().parents; },
            "Numbers of the rows that a zero-half row is made of.")
        .def_prop_ro(
            "children", [](const PythonRow& self) { return self.row().children; },
            "Whose one-set-a-child rows a zero-half row is made of.")
        .def_prop_ro("rank", [](const PythonRow& self) { return self.row().rank; })
        .def_prop_ro("is_cluster", [](const PythonRow& self) { return self.row().is_cluster(); })
        .def_prop_ro("right_hand_side",
                     [](const PythonRow& self) { return self.row().right_hand_side; })
        .def_prop_ro("component",
                     [](const PythonRow& self) {
                         return self.cuts.problem().component_of[self.row().variables[0]];
                     })
        .def_prop_ro(
            "sets", [](const PythonRow& self) { return self.row().sets; },
            "With coefficients above 0.")
        .def_prop_ro("coefficients", [](const PythonRow& self) { return self.row().coefficients; });

    nb::class_<CuttingPlanes>(
        module, "CuttingPlanes",
        "Rows, separation, pricing and the exact bound of one linear program.")
        .def(
            "__init__",
            [](CuttingPlanes* self, const SearchRun& run, std::uint64_t seed,
               Contributor* contributor) {
                const nb::gil_scoped_release release;
                new (self) CuttingPlanes(run.components(), seed,
                                         contributor ? contributor->checkpoint() : Checkpoint());
            },
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 4>(), "run"_a, "seed"_a,
            "contributor"_a.none() = nb::none(),
            "Raises WorkStopped, as all that follows does, when the contributor is to stop.")
        .def(
            "without_rows",
            [](const CuttingPlanes& self, const Run& run) {
                const nb::gil_scoped_release release;
                return std::make_unique<CuttingPlanes>(self, 0, run.last_words());
            },
            nb::keep_alive<0, 2>(), "run"_a,
            "The same problem, for work that may go on for a moment when the run is to end.")
        .def_prop_ro("sets", [](const CuttingPlanes& self) { return self.problem().sets.size(); })
        .def_prop_ro("variables",
                     [](const CuttingPlanes& self) { return self.problem().variables(); })
        .def_prop_ro(
            "child_of",
            [](const CuttingPlanes& self) {
                return to_array(std::vector<std::uint32_t>(self.problem().child_of));
            },
            nb::rv_policy::move)
        .def_prop_ro(
            "first_set",
            [](const CuttingPlanes& self) {
                std::vector<std::int64_t> first;
                for (std::size_t x = 0; x <= self.problem().variables(); ++x)
                    first.push_back(static_cast<std::int64_t>(self.problem().sets.first(x)));
                return to_array(std::move(first));
            },
            nb::rv_policy::move)
        .def_prop_ro(
            "regrets",
            [](const CuttingPlanes& self) {
                std::vector<std::int64_t> regrets;
                for (std::size_t s = 0; s < self.problem().sets.size(); ++s)
                    regrets.push_back(self.problem().sets.cost(s));
                return to_array(std::move(regrets));
            },
            nb::rv_policy::move)
        .def_prop_ro("component_of",
                     [](const CuttingPlanes& self) { return self.problem().component_of; })
        .def_prop_ro("base", [](const CuttingPlanes& self) { return self.problem().base; })
        .def("members",
             [](const CuttingPlanes& self, std::size_t set) {
                 if (set >= self.problem().sets.size()) throw std::invalid_argument("no such set");
                 const auto members = self.problem().sets.members(set);
                 return std::vector<std::int32_t>(members.begin(), members.end());
             })
        .def("sets_of", &CuttingPlanes::sets_of, "network"_a)
        .def("possible_parents", &CuttingPlanes::possible_parents,
             nb::call_guard<nb::gil_scoped_release>(),
             "For each variable, which others occur in its possible sets.")
        .def_prop_ro("memory_bytes",
                     [](const CuttingPlanes& self) { return self.rows().memory_bytes(); })
        .def(
            "row",
            [](const CuttingPlanes& self, RowNumber number) {
                if (number >= self.rows().size()) throw std::invalid_argument("no such row");
                return PythonRow{self, number};
            },
            nb::keep_alive<0, 1>(), "number"_a)
        .def(
            "origin",
            [](const CuttingPlanes& self, RowNumber number) {
                if (number >= self.rows().size()) throw std::invalid_argument("no such row");
                const Row& row = self.rows()[number];
                return std::tuple(row.variables, row.parents, row.children, row.rank);
            },
            "number"_a, "Variables, parents, children and rank of a row: what it is made of.")
        .def(
            "add_cluster",
            [](CuttingPlanes& self, std::vector<std::uint32_t> members) {
                const nb::gil_scoped_release release;
                return self.rows().add_cluster(std::move(members));
            },
            "members"_a)
        .def(
            "add_zero_half",
            [](CuttingPlanes& self, std::vector<RowNumber> parents,
               std::vector<std::uint32_t> children) {
                const nb::gil_scoped_release release;
                return self.rows().add_zero_half(std::move(parents), std::move(children));
            },
            "parents"_a, "children"_a)
        .def(
            "separate_clusters",
            [](CuttingPlanes& self, const Sets& sets, const Values& values, int effort,
               double least_violation, std::size_t most, const std::vector<RowNumber>& active) {
                const Point point = point_of(sets, values, self.problem());
                const nb::gil_scoped_release release;
                return self.separate_clusters(point, effort, least_violation, most, active);
            },
            "sets"_a, "values"_a, "effort"_a, "least_violation"_a, "most"_a, "active"_a)
        .def(
            "separate_zero_half",
            [](CuttingPlanes& self, const Sets& sets, const Values& values,
               const std::vector<RowNumber>& active, std::size_t most, int highest_rank,
               int repetitions) {
                const Point point = point_of(sets, values, self.problem());
                ZeroHalfLimits limits;
                limits.most_rows = most;
                limits.highest_rank = highest_rank;
                limits.repetitions = repetitions;
                const nb::gil_scoped_release release;
                return self.separate_zero_half(active, point, limits);
            },
            "sets"_a, "values"_a, "active"_a, "most"_a, "highest_rank"_a, "repetitions"_a)
        .def(
            "violations",
            [](const CuttingPlanes& self, const std::vector<RowNumber>& rows, const Sets& sets,
               const Values& values) {
                const Point point = point_of(sets, values, self.problem());
                std::vector<double> all;
                {
                    const nb::gil_scoped_release release;
                    all = self.violations(rows, point);
                }
                return to_array(std::move(all));
            },
            "rows"_a, "sets"_a, "values"_a)
        .def(
            "sparse_rows",
            [](const CuttingPlanes& self, const std::vector<RowNumber>& rows,
               const Columns& column_of_set) {
                SparseRows sparse = self.sparse_rows(rows, vector_of(column_of_set));
                return nb::make_tuple(
                    to_array(std::move(sparse.lower)), to_array(std::move(sparse.upper)),
                    to_array(std::move(sparse.starts)), to_array(std::move(sparse.indices)),
                    to_array(std::move(sparse.values)));
            },
            "rows"_a, "column_of_set"_a,
            nb::sig("def sparse_rows(self, rows: Sequence[int], column_of_set: "
                    "numpy.typing.NDArray[numpy.int32]) -> "
                    "tuple[numpy.typing.NDArray[numpy.float64], "
                    "numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int32], "
                    "numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64]]"),
            "Lower and upper bounds, starts, columns and values.")
        .def(
            "sparse_columns",
            [](const CuttingPlanes& self, const Sets& sets, const std::vector<RowNumber>& active,
               const Array<std::uint8_t>& at_least) {
                SparseRows sparse =
                    self.sparse_columns(vector_of(sets), active, vector_of(at_least));
                return nb::make_tuple(to_array(std::move(sparse.starts)),
                                      to_array(std::move(sparse.indices)),
                                      to_array(std::move(sparse.values)));
            },
            "sets"_a, "active"_a, "at_least"_a,
            nb::sig("def sparse_columns(self, sets: numpy.typing.NDArray[numpy.uint32], active: "
                    "Sequence[int], at_least: numpy.typing.NDArray[numpy.uint8]) -> "
                    "tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32], "
                    "numpy.typing.NDArray[numpy.float64]]"),
            "Starts, rows and values.")
        .def(
            "evaluate",
            [](CuttingPlanes& self, const std::vector<RowNumber>& rows,
               const Array<std::int64_t>& multipliers, int shift) {
                const std::vector<Cost> chosen = vector_of(multipliers);
                if (shift < 0 || shift > 40)
                    throw std::invalid_argument("shift must be between 0 and 40");
                const nb::gil_scoped_release release;
                return self.rows().evaluate(rows, chosen, shift);
            },
            "rows"_a, "multipliers"_a, "shift"_a,
            "Computes the exact bound of these multipliers; False where it cannot.")
        .def_prop_ro("bounds", [](const CuttingPlanes& self) { return self.rows().bounds(); })
        .def(
            "rule_out",
            [](CuttingPlanes& self, const std::vector<Cost>& incumbents,
               const std::vector<std::uint32_t>& keep) {
                const nb::gil_scoped_release release;
                return self.rows().rule_out(incumbents, keep);
            },
            "incumbents"_a, "keep"_a = std::vector<std::uint32_t>{})
        .def_prop_ro(
            "possible",
            [](const CuttingPlanes& self) {
                std::vector<std::uint8_t> possible(self.problem().sets.size());
                for (std::size_t s = 0; s < possible.size(); ++s)
                    possible[s] = self.rows().possible(s);
                return to_array(std::move(possible));
            },
            nb::rv_policy::move)
        .def(
            "is_possible",
            [](const CuttingPlanes& self, std::size_t set) {
                if (set >= self.problem().sets.size()) throw std::invalid_argument("no such set");
                return self.rows().possible(set);
            },
            "set"_a)
        .def_prop_ro("possible_count",
                     [](const CuttingPlanes& self) { return self.rows().possible_count(); })
        .def(
            "hand_over",
            [](const CuttingPlanes& self, Run& run) { run.rule_out(self.ruled_out()); },
            nb::call_guard<nb::gil_scoped_release>(), "run"_a,
            "Tells a run which sets are ruled out.")
        .def("allow_all", &CuttingPlanes::allow_all, nb::call_guard<nb::gil_scoped_release>())
        .def("drop_ruled_out", &CuttingPlanes::drop_ruled_out,
             nb::call_guard<nb::gil_scoped_release>())
        .def(
            "price",
            [](const CuttingPlanes& self, const Columns& column_of_set,
               std::size_t most_of_a_child) {
                const std::vector<std::int32_t> columns = vector_of(column_of_set);
                std::vector<std::uint32_t> found;
                {
                    const nb::gil_scoped_release release;
                    found = self.rows().price(columns, most_of_a_child);
                }
                return to_array(std::move(found));
            },
            "column_of_set"_a, "most_of_a_child"_a)
        .def(
            "round",
            [](CuttingPlanes& self, const Sets& sets, const Values& values, std::uint64_t work) {
                const Point point = point_of(sets, values, self.problem());
                const nb::gil_scoped_release release;
                return numbers_of(self.round(point, work));
            },
            "sets"_a, "values"_a, "work"_a);
}

}  // namespace anytimebn
