// Everything around one linear program that should not be slow: rows, their separation, pricing,
// the exact bound, and networks from solutions. The program itself is solved elsewhere, by a solver
// that nobody here has to trust. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/random.h"
#include "cuts/point.h"
#include "cuts/rows.h"
#include "cuts/zero_half.h"
#include "local/relations.h"
#include "problem/joined_problem.h"

namespace anytimebn {

// Rows of a linear program as HiGHS takes them, by the columns that its sets have.
struct SparseRows {
    std::vector<double> lower, upper;
    std::vector<std::int32_t> starts, indices;
    std::vector<double> values;
};

class CuttingPlanes {
 public:
    // Everything that grows with the number of sets asks the checkpoint, and throws when it is to
    // end; what was ruled out until then stays ruled out.
    CuttingPlanes(const std::vector<Component>& components, std::uint64_t seed,
                  Checkpoint checkpoint = {});
    // The same problem, without any rows.
    CuttingPlanes(const CuttingPlanes& other, std::uint64_t seed, Checkpoint checkpoint);
    CuttingPlanes(const CuttingPlanes&) = delete;
    CuttingPlanes& operator=(const CuttingPlanes&) = delete;

    const JoinedProblem& problem() const { return *problem_; }
    Rows& rows() { return rows_; }
    const Rows& rows() const { return rows_; }

    // The most violated clusters, few of them through the same variable; rows that are `active`
    // already are left out.
    std::vector<RowNumber> separate_clusters(const Point& point, int effort, double least_violation,
                                             std::size_t most,
                                             const std::vector<RowNumber>& active);
    std::vector<RowNumber> separate_zero_half(const std::vector<RowNumber>& active,
                                              const Point& point, const ZeroHalfLimits& limits);
    std::vector<double> violations(const std::vector<RowNumber>& rows, const Point& point) const;

    // A cluster row can be written as "at least one member without parents inside" too; whichever
    // form has fewer entries is used. The lower bound tells which: it is 1, or minus infinity.
    SparseRows sparse_rows(const std::vector<RowNumber>& numbers,
                           const std::vector<std::int32_t>& column_of_set) const;
    // Columns of new sets: one-set-a-child rows come first, then `active`, of which some are
    // written as "at least".
    SparseRows sparse_columns(const std::vector<std::uint32_t>& sets,
                              const std::vector<RowNumber>& active,
                              const std::vector<std::uint8_t>& at_least) const;

    // A network near a solution, and better ones near that one: a family of each variable; none if
    // there is no network at all. Only sets that were left by `drop_ruled_out` are looked at: no
    // better network has others, and what is left is soon much less.
    std::vector<FamilyId> round(const Point& point, std::uint64_t work);
    // Forgets what was ruled out, wherever that saves work or memory.
    void drop_ruled_out();
    // Takes back whatever was ruled out.
    void allow_all();

    // The sets here of a network, one a variable. Where it has one that was left out because
    // another, that differs outside the component only, is no worse, it is that other one.
    std::vector<std::uint32_t> sets_of(const ParentLists& network) const;
    // No network better than the incumbent uses these.
    std::vector<FamilyId> ruled_out() const;
    // For each variable, which others occur in its possible sets.
    std::vector<std::vector<std::uint32_t>> possible_parents() const;

 private:
    void check_numbers(const std::vector<RowNumber>& numbers) const;
    // How many sets its variables have.
    std::size_t sets_of_row(const Row& row) const;
    // body(set) for the sets of the row's variables that have a column.
    template <class Body>
    void for_each_own_column(const Row& row, const std::vector<std::int32_t>& column_of_set,
                             Body&& body) const;

    // What networks are made of.
    struct Choices {
        explicit Choices(ParentSets given, Checkpoint checkpoint)
            : sets(std::move(given)), relations(sets, checkpoint) {}
        ParentSets sets;
        Relations relations;
    };
    ParentSets possible_sets() const;

    Checkpoint checkpoint_;
    std::shared_ptr<const JoinedProblem> problem_;
    Rows rows_;
    std::shared_ptr<const Relations> relations_;
    std::unique_ptr<const Choices> left_;  // when some were ruled out
    Random random_;
};

}  // namespace anytimebn
