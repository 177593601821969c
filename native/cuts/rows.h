// The rows of the linear program, and the exact bound that multipliers of rows give.
//
// The program has a variable z(x, P) for each parent set and asks for one set a child. Every row
// here holds for every acyclic graph, and is kept as  sum of coefficient * z <= right-hand side:
//
// * a cluster row of a set C of variables: at most |C| - 1 members have a parent in C, because some
//   member has all its parents outside (Jaakkola et al. 2010);
// * a zero-half row (Caprara & Fischetti 1996) of some rows and some one-set-a-child rows: half of
//   their sum, everything rounded down. Coefficients and z are whole and not negative, so it holds
//   whatever rows it is made of.
//
// With a multiplier of at least 0 for each row, no network costs less than
//     - sum of multiplier * right-hand side
//     + for each child, the least of: cost of a set + sum of multiplier * coefficient.
// Multipliers are whole numbers of 1/2^shift of the unit of costs and sums are exact, so that a
// linear program solver may be as wrong as it likes: what is computed here is a bound. (Costs are
// whole, so a bound may be rounded up.) A row touches the sets of one component only, so that the
// bound is one a component.
//
// A set that would raise the bound of its component to the incumbent's cost is ruled out: no better
// network uses it. From then on bounds say what networks better than the incumbent cost.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "cuts/point.h"
#include "problem/joined_problem.h"

namespace anytimebn {

using RowNumber = std::uint32_t;

// The first five say what the row is, and hold whatever parent sets there are. The coefficients of
// the sets at hand follow from them (`Rows::fill`).
struct Row {
    std::vector<std::uint32_t> variables;  // a cluster's members, or the children it touches
    std::vector<RowNumber> parents;        // of a zero-half row; a cluster row has none
    std::vector<std::uint32_t> children;   // one-set-a-child rows that a zero-half row is made of
    int rank = 0;                          // 0 for clusters, else one more than the highest parent
    std::int64_t right_hand_side = 0;
    // Sets that are not ruled out (and some that are) with coefficients above 0, ascending.
    std::vector<std::uint32_t> sets;
    std::vector<std::int32_t> coefficients;

    bool is_cluster() const { return rank == 0; }
};

class Rows {
 public:
    static constexpr RowNumber none = 0xffffffffu;

    explicit Rows(std::shared_ptr<const JoinedProblem> problem, Checkpoint checkpoint = {});

    const JoinedProblem& problem() const { return *problem_; }
    std::size_t size() const { return rows_.size(); }
    const Row& operator[](RowNumber number) const { return rows_[number]; }
    std::uint64_t memory_bytes() const { return memory_bytes_; }
    // For others who look at all coefficients.
    const Checkpoint& checkpoint() const { return checkpoint_; }

    // The number of the row; `none` if it reaches from one component into another.
    RowNumber add_cluster(std::vector<std::uint32_t> members);
    RowNumber add_zero_half(std::vector<RowNumber> parents, std::vector<std::uint32_t> children);

    // Computes adjusted costs and the bound; false, and no change, where the sums could overflow.
    bool evaluate(const std::vector<RowNumber>& rows, const std::vector<Cost>& multipliers,
                  int shift);
    // Of the last evaluation, as regrets by component: of all networks when nothing is ruled out,
    // else of those better than the incumbent; at most infinite_cost.
    const std::vector<Cost>& bounds() const { return bounds_; }
    // Rules out sets by the last evaluation, given the incumbent's regret by component: how many.
    // Those to keep (of the incumbent, which the linear program needs) are left.
    std::size_t rule_out(const std::vector<Cost>& incumbents,
                         const std::vector<std::uint32_t>& keep = {});
    bool possible(std::size_t set) const { return possible_[set]; }
    std::size_t possible_count() const { return possible_count_; }
    Cost largest_possible_cost() const;

    // Sets outside the linear program that its multipliers miss: they cost less, adjusted, than all
    // sets of the child inside it. The best few of each child, by the last evaluation.
    std::vector<std::uint32_t> price(const std::vector<std::int32_t>& column_of_set,
                                     std::size_t most_of_a_child) const;

    // Sum of coefficient * value - right-hand side.
    double violation(RowNumber row, const SortedPoint& point) const;
    // Forgets the coefficients of sets that are ruled out.
    void drop_ruled_out();
    // Makes all sets possible again, and computes what rows have forgotten.
    void allow_all();

 private:
    // The number of the new row, its coefficients computed.
    RowNumber add(Row row);
    // Computes the coefficients of the possible sets from what the row is. Those of the rows that
    // it is made of must be there.
    void fill(Row& row);
    void fill_cluster(Row& row);
    void fill_zero_half(Row& row);

    std::shared_ptr<const JoinedProblem> problem_;
    mutable Checkpoint checkpoint_;
    std::vector<Row> rows_;
    std::map<std::vector<std::uint32_t>, RowNumber> clusters_;
    std::map<std::pair<std::vector<RowNumber>, std::vector<std::uint32_t>>, RowNumber> zero_halves_;
    std::vector<bool> possible_;
    std::size_t possible_count_;
    bool rows_are_complete_ = true;
    std::vector<Cost> adjusted_;  // by set, in units of 1/2^shift_
    std::vector<Cost> least_;     // by child
    std::vector<Cost> bounds_;
    std::vector<Cost> exact_bounds_;  // in units of 1/2^shift_
    int shift_ = 0;
    std::vector<std::int32_t> sum_of_set_;  // scratch, all 0
    mutable std::vector<bool> in_cluster_;  // scratch, all false
    std::uint64_t memory_bytes_ = 0;
};

}  // namespace anytimebn
