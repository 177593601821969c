#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>

#include "bindings/arrays.h"
#include "bindings/parent_sets.h"
#include "cuts/cluster_separation.h"
#include "cuts/rounding.h"
#include "cuts/rows.h"
#include "cuts/zero_half.h"
#include "local/insertion_search.h"
#include "local/relations.h"
#include "search/run.h"

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

void check_numbers(const std::vector<RowNumber>& numbers, const Rows& rows) {
    for (const RowNumber number : numbers)
        if (number >= rows.size()) throw std::invalid_argument("no such row");
}

// Rows of a linear program as HiGHS takes them, by the columns that its sets have.
struct SparseRows {
    std::vector<double> lower, upper;
    std::vector<std::int32_t> starts, indices;
    std::vector<double> values;
};

// Everything around one linear program that should not be slow: rows, their separation, pricing,
// the exact bound, and networks from solutions. Calls release the GIL; one thread at a time.
class CuttingPlanes {
 public:
    CuttingPlanes(const SearchRun& run, std::uint64_t seed)
        : problem_(std::make_shared<JoinedProblem>(run.components())),
          rows_(problem_),
          relations_(problem_->sets),
          random_(seed) {}

    const JoinedProblem& problem() const { return *problem_; }
    Rows& rows() { return rows_; }
    const Rows& rows() const { return rows_; }

    // The most violated clusters, few of them through the same variable; rows that are `active`
    // already are left out.
    std::vector<RowNumber> separate_clusters(const Point& point, int effort, double least_violation,
                                             std::size_t most,
                                             const std::vector<RowNumber>& active) {
        constexpr int most_of_a_variable = 8;
        const auto found =
            ClusterSeparator(*problem_, point, least_violation, random_).find(effort);
        std::vector<bool> taken(found.size(), false);
        std::vector<int> uses(problem_->variables(), 0);
        std::vector<bool> is_active(rows_.size(), false);
        check_numbers(active, rows_);
        for (const RowNumber row : active) is_active[row] = true;
        std::vector<RowNumber> chosen;
        for (const bool limited : {true, false})
            for (std::size_t i = 0; i < found.size() && chosen.size() < most; ++i) {
                if (taken[i]) continue;
                int most_uses = 0;
                for (const std::uint32_t x : found[i].members)
                    most_uses = std::max(most_uses, uses[x]);
                if (limited && most_uses >= most_of_a_variable) continue;
                taken[i] = true;
                const RowNumber row = rows_.add_cluster(found[i].members);
                if (row == Rows::none || (row < is_active.size() && is_active[row])) continue;
                for (const std::uint32_t x : found[i].members) ++uses[x];
                chosen.push_back(row);
            }
        return chosen;
    }

    std::vector<double> violations(const std::vector<RowNumber>& rows, const Point& point) const {
        const SortedPoint sorted(point);
        std::vector<double> all;
        for (const RowNumber row : rows) all.push_back(rows_.violation(row, sorted));
        return all;
    }

    // A cluster row can be written as "at least one member without parents inside" too; whichever
    // form has fewer entries is used. The lower bound tells which: it is 1, or minus infinity.
    SparseRows sparse_rows(const std::vector<RowNumber>& numbers,
                           const std::vector<std::int32_t>& column_of_set) const {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        if (column_of_set.size() != problem_->sets.size())
            throw std::invalid_argument("each set needs its column, or -1");
        check_numbers(numbers, rows_);
        SparseRows sparse;
        std::vector<bool> inside(problem_->sets.size(), false);
        for (const RowNumber number : numbers) {
            const Row& row = rows_[number];
            sparse.starts.push_back(static_cast<std::int32_t>(sparse.indices.size()));
            std::size_t meeting = 0, avoiding = 0;
            for (const std::uint32_t set : row.sets) {
                inside[set] = true;
                meeting += column_of_set[set] >= 0;
            }
            if (row.is_cluster())
                for_each_own_column(row, column_of_set,
                                    [&](std::size_t set) { avoiding += !inside[set]; });
            if (row.is_cluster() && avoiding <= meeting) {
                sparse.lower.push_back(1);
                sparse.upper.push_back(infinity);
                for_each_own_column(row, column_of_set, [&](std::size_t set) {
                    if (inside[set]) return;
                    sparse.indices.push_back(column_of_set[set]);
                    sparse.values.push_back(1);
                });
            } else {
                sparse.lower.push_back(-infinity);
                sparse.upper.push_back(static_cast<double>(row.right_hand_side));
                for (std::size_t k = 0; k < row.sets.size(); ++k) {
                    if (column_of_set[row.sets[k]] < 0) continue;
                    sparse.indices.push_back(column_of_set[row.sets[k]]);
                    sparse.values.push_back(row.coefficients[k]);
                }
            }
            for (const std::uint32_t set : row.sets) inside[set] = false;
        }
        return sparse;
    }

    // Columns of new sets: one-set-a-child rows come first, then `active`, of which some are
    // written as "at least".
    SparseRows sparse_columns(const std::vector<std::uint32_t>& sets,
                              const std::vector<RowNumber>& active,
                              const std::vector<std::uint8_t>& at_least) const {
        if (active.size() != at_least.size())
            throw std::invalid_argument("each row needs its form");
        check_numbers(active, rows_);
        std::vector<std::int32_t> place(problem_->sets.size(), -1);
        for (std::size_t i = 0; i < sets.size(); ++i)
            place.at(sets[i]) = static_cast<std::int32_t>(i);
        struct Entry {
            std::int32_t row;
            double value;
        };
        std::vector<std::vector<Entry>> entries(sets.size());
        for (std::size_t i = 0; i < sets.size(); ++i)
            entries[i].push_back({static_cast<std::int32_t>(problem_->child_of[sets[i]]), 1});
        std::vector<bool> inside(problem_->sets.size(), false);
        for (std::size_t r = 0; r < active.size(); ++r) {
            const Row& row = rows_[active[r]];
            const auto number = static_cast<std::int32_t>(problem_->variables() + r);
            if (!at_least[r]) {
                for (std::size_t k = 0; k < row.sets.size(); ++k)
                    if (const std::int32_t i = place[row.sets[k]]; i >= 0)
                        entries[static_cast<std::size_t>(i)].push_back(
                            {number, static_cast<double>(row.coefficients[k])});
                continue;
            }
            for (const std::uint32_t set : row.sets) inside[set] = true;
            for_each_own_column(row, place, [&](std::size_t set) {
                if (!inside[set])
                    entries[static_cast<std::size_t>(place[set])].push_back({number, 1});
            });
            for (const std::uint32_t set : row.sets) inside[set] = false;
        }
        SparseRows sparse;
        for (const auto& column : entries) {
            sparse.starts.push_back(static_cast<std::int32_t>(sparse.indices.size()));
            for (const Entry& entry : column) {
                sparse.indices.push_back(entry.row);
                sparse.values.push_back(entry.value);
            }
        }
        return sparse;
    }

    std::vector<RowNumber> separate_zero_half(const std::vector<RowNumber>& active,
                                              const Point& point, const ZeroHalfLimits& limits) {
        check_numbers(active, rows_);
        return anytimebn::separate_zero_half(rows_, active, point, limits, random_);
    }

    // A network near a solution, and better ones near that one: numbers of the whole problem's
    // sets; none if there is no network at all.
    std::vector<std::size_t> round(const Point& point, std::uint64_t work) {
        InsertionSearch search;
        search.max_work = work;
        search.seed = random_.below(0xffffffffu);
        search.order = order_of_point(*problem_, point, random_);
        std::vector<std::uint32_t> best;
        search.improved = [&](Cost, const std::vector<std::uint32_t>& order) { best = order; };
        std::vector<std::size_t> chosen;
        if (!search_orderings(problem_->sets, nullptr, relations_, search)) return chosen;
        for (const std::size_t set : sets_of_order(problem_->sets, best))
            chosen.push_back(problem_->origin[set]);
        return chosen;
    }

    // The sets here that stand for sets of the whole problem, one a variable. A network may use one
    // that was left out because another, that differs outside the component only, is no worse.
    std::vector<std::uint32_t> sets_of(const std::vector<std::size_t>& chosen) const {
        if (chosen.size() != problem_->variables())
            throw std::invalid_argument("each variable needs one set");
        std::vector<std::uint32_t> found;
        for (std::size_t x = 0; x < chosen.size(); ++x)
            for (std::size_t s = problem_->sets.first(x); s < problem_->sets.first(x + 1); ++s)
                if (problem_->origin[s] == chosen[x])
                    found.push_back(static_cast<std::uint32_t>(s));
        return found;
    }

 private:
    template <class Body>
    void for_each_own_column(const Row& row, const std::vector<std::int32_t>& column_of_set,
                             Body&& body) const {
        for (const std::uint32_t x : row.variables)
            for (std::size_t s = problem_->sets.first(x); s < problem_->sets.first(x + 1); ++s)
                if (column_of_set[s] >= 0) body(s);
    }

    std::shared_ptr<const JoinedProblem> problem_;
    Rows rows_;
    Relations relations_;
    Random random_;
};

}  // namespace

void register_cuts(nb::module_& module) {
    using Sets = Array<std::uint32_t>;
    using Values = Array<double>;
    using Columns = Array<std::int32_t>;

    nb::class_<CuttingPlanes>(
        module, "CuttingPlanes",
        "Rows, separation, pricing and the exact bound of one linear program.")
        .def(nb::init<const SearchRun&, std::uint64_t>(), "run"_a, "seed"_a)
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
        .def("sets_of", &CuttingPlanes::sets_of, "chosen"_a)
        .def_prop_ro("row_count", [](const CuttingPlanes& self) { return self.rows().size(); })
        .def_prop_ro("memory_bytes",
                     [](const CuttingPlanes& self) { return self.rows().memory_bytes(); })
        .def(
            "row",
            [](const CuttingPlanes& self, RowNumber number) {
                if (number >= self.rows().size()) throw std::invalid_argument("no such row");
                const Row& row = self.rows()[number];
                return std::tuple(row.variables, row.parents, row.children, row.rank,
                                  row.right_hand_side, row.sets, row.coefficients);
            },
            "number"_a,
            "Variables, parent rows, children, rank, right-hand side, sets and coefficients.")
        .def(
            "origin",
            [](const CuttingPlanes& self, RowNumber number) {
                if (number >= self.rows().size()) throw std::invalid_argument("no such row");
                const Row& row = self.rows()[number];
                return std::tuple(row.variables, row.parents, row.children, row.rank);
            },
            "number"_a, "The first four of `row`: what it is made of.")
        .def(
            "add_cluster",
            [](CuttingPlanes& self, std::vector<std::uint32_t> members) {
                return self.rows().add_cluster(std::move(members));
            },
            "members"_a)
        .def(
            "add_zero_half",
            [](CuttingPlanes& self, std::vector<RowNumber> parents,
               std::vector<std::uint32_t> children) {
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
        .def_prop_ro("possible_count",
                     [](const CuttingPlanes& self) { return self.rows().possible_count(); })
        .def(
            "hand_over",
            [](const CuttingPlanes& self, SearchRun& run) {
                std::vector<std::size_t> ruled_out;
                for (std::size_t s = 0; s < self.problem().sets.size(); ++s)
                    if (!self.rows().possible(s)) ruled_out.push_back(self.problem().origin[s]);
                run.rule_out(ruled_out);
            },
            "run"_a, "Tells a run which sets are ruled out.")
        .def("allow_all", [](CuttingPlanes& self) { self.rows().allow_all(); })
        .def("drop_ruled_out", [](CuttingPlanes& self) { self.rows().drop_ruled_out(); })
        .def(
            "price",
            [](const CuttingPlanes& self, const Columns& column_of_set,
               std::size_t most_of_a_child) {
                return to_array(self.rows().price(vector_of(column_of_set), most_of_a_child));
            },
            "column_of_set"_a, "most_of_a_child"_a)
        .def(
            "round",
            [](CuttingPlanes& self, const Sets& sets, const Values& values, std::uint64_t work) {
                const Point point = point_of(sets, values, self.problem());
                const nb::gil_scoped_release release;
                return self.round(point, work);
            },
            "sets"_a, "values"_a, "work"_a);
}

}  // namespace anytimebn
