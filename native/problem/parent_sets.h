// The parent sets of every variable, cheapest first, immutable, and best(child, candidates). A
// sorted view of families (problem/family_store.h): a set has a position here, and the id of its
// family.
//
// A query wants the first set without a member outside the candidates. The sets are kept as bit
// columns: for each possible parent y of a child, which of the child's sets contain y. The columns
// of the variables that are not candidates, ORed, leave the sets that are allowed as zeros: 256
// sets are judged with one OR for each missing variable, instead of one comparison for each set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/fixed_point.h"
#include "problem/family.h"

namespace anytimebn {

class ParentSets {
 public:
    static constexpr std::size_t nowhere = SIZE_MAX;

    // As in LocalScores: first_set (variables + 1), costs ascending within a variable, first_member
    // (sets + 1), members. `families` has the id of each set; without it, ids are positions.
    ParentSets(std::span<const std::int64_t> first_set, std::span<const std::int64_t> costs,
               std::span<const std::int64_t> first_member, std::span<const std::int32_t> members,
               std::vector<FamilyId> families = {});

    std::size_t variables() const { return first_set_.size() - 1; }
    std::size_t size() const { return costs_.size(); }
    std::size_t first(std::size_t child) const {
        return static_cast<std::size_t>(first_set_[child]);
    }
    std::size_t count(std::size_t child) const { return first(child + 1) - first(child); }
    Cost cost(std::size_t set) const { return costs_[set]; }
    Cost lowest_cost(std::size_t child) const { return costs_[first(child)]; }
    std::span<const std::int32_t> members(std::size_t set) const {
        return {members_.data() + first_member_[set],
                static_cast<std::size_t>(first_member_[set + 1] - first_member_[set])};
    }
    FamilyId family(std::size_t set) const {
        return families_.empty() ? FamilyId{set} : families_[set];
    }
    // Of a family of this child; `nowhere` if it is not here.
    std::size_t position(std::size_t child, FamilyId family) const;

 private:
    std::vector<std::int64_t> first_set_, costs_, first_member_;
    std::vector<std::int32_t> members_;
    std::vector<FamilyId> families_;
};

// Bit columns over the sets of one problem.
class BestParents {
 public:
    explicit BestParents(const ParentSets& sets);

    static constexpr std::uint32_t none = 0xffffffffu;

    // Number (counted from the child's first) of the cheapest set inside the candidates, given as
    // bits; none when there is none, or none that costs less than `limit`.
    std::uint32_t find(std::size_t child, const std::uint64_t* candidates,
                       Cost limit = infinite_cost) const {
        return find_(*this, child, candidates, limit);
    }
    std::size_t words() const { return words_; }
    std::uint64_t memory_bytes() const { return columns_.size() * 8 + parents_.size() * 8; }

    // Internals shared with the kernels.
    static constexpr std::size_t block_words = 4;  // 256 sets
    struct Child {
        // In parents_: `words` words, the variables that occur in its sets.
        std::size_t first_parent;
        std::size_t first_block;   // in block_costs_
        std::size_t first_column;  // in columns_: block after block, parent after parent
        std::uint32_t block_count;
        std::uint32_t parent_count;
    };
    const Child& child(std::size_t c) const { return children_[c]; }
    const std::uint64_t* parents(const Child& c) const { return parents_.data() + c.first_parent; }
    // The columns of a block, and one more that marks the numbers beyond the last set.
    const std::uint64_t* block(const Child& c, std::size_t b) const {
        return columns_.data() + c.first_column + b * (c.parent_count + 1) * block_words;
    }
    Cost block_cost(const Child& c, std::size_t b) const { return block_costs_[c.first_block + b]; }
    Cost cost(std::size_t child_number, std::uint32_t set) const {
        return costs_[first_set_[child_number] + set];
    }

 private:
    using Find = std::uint32_t (*)(const BestParents&, std::size_t, const std::uint64_t*, Cost);
    std::size_t words_;
    std::vector<Child> children_;
    std::vector<std::uint64_t> parents_;
    std::vector<std::uint64_t> columns_;
    std::vector<Cost> block_costs_;  // of the first set of each block
    std::vector<std::size_t> first_set_;
    std::vector<Cost> costs_;
    Find find_;
};

}  // namespace anytimebn
