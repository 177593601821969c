// From set values to possibly optimal parent sets: P stays for x only if no proper subset of P
// costs as little or less. With some slack, what costs a little more than its best subset stays as
// well, and with infinite slack all do.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "base/control.h"
#include "base/untouched.h"
#include "scores/score.h"
#include "scores/set_function.h"

namespace anytimebn {

// Variables by their position in Columns. Subsets that miss a required parent are no candidates, so
// they prune nothing.
struct ChildConstraints {
    std::vector<std::size_t> required;  // ascending
    std::vector<std::size_t> free;      // other candidate parents, ascending
    std::size_t max_parents = 0;        // required ones included
    // Parent sets of so many configurations or more cost more than the required ones alone.
    double configurations_below = std::numeric_limits<double>::infinity();
    bool larger_ruled_out = false;  // by that: every parent set of more than max_parents
    // P stays if it costs less than its best subset and so many millionths of a nat.
    double slack = 0;
};

// Sets of so many free parents for which pruning may remember something: the first ones by rank.
std::size_t remembered_sets(const Columns& columns, const ChildConstraints& constraints,
                            std::size_t chosen, const Binomials& binomials);

struct ChildSets {
    struct ParentSet {
        double cost;
        std::uint32_t size;
        std::size_t first_member;  // in members
    };
    std::vector<ParentSet> sets;
    std::vector<std::uint32_t> members;
    bool limit_matters = false;  // a larger parent set than the limit allows might be optimal
};

class ChildPruner {
 public:
    ChildPruner(const Columns& columns, const Score& score, const SetValues& family_values,
                const std::vector<SetValues>& parent_terms, const Binomials& binomials);

    // `parent_term` is the index of the child's arity in parent_terms, if the score has such a
    // term.
    ChildSets prune(std::size_t child, const ChildConstraints& constraints, std::size_t parent_term,
                    Control& control);

 private:
    const Columns& columns_;
    const Score& score_;
    const SetValues& values_;
    const std::vector<SetValues>& parent_terms_;
    const Binomials& binomials_;
    UntouchedVector<double> previous_, current_;  // kept between children to avoid allocation
};

}  // namespace anytimebn
