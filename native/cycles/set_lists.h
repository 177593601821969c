// Parent sets of each variable in the order of some costs, and the first one that has all required
// parents and no forbidden one.
//
// Arcs are bits: each variable numbers its possible parents, which are few even among thousands of
// variables, and a parent set is a mask of these.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem/parent_sets.h"

namespace anytimebn {

class PossibleParents {
 public:
    explicit PossibleParents(const ParentSets& sets);

    static constexpr std::uint32_t none = 0xffffffffu;

    std::size_t variables() const { return first_word_.size() - 1; }
    // Words of all variables, one after the other.
    std::size_t first_word(std::size_t child) const { return first_word_[child]; }
    std::size_t words(std::size_t child) const {
        return first_word_[child + 1] - first_word_[child];
    }
    std::size_t all_words() const { return first_word_.back(); }
    // By bit, ascending.
    std::span<const std::uint32_t> of(std::size_t child) const {
        return {parents_.data() + first_parent_[child],
                first_parent_[child + 1] - first_parent_[child]};
    }
    std::uint32_t bit(std::size_t child, std::uint32_t parent) const;  // or none
    // Sets the bits of those of the variables that can be parents of the child.
    void mark(std::size_t child, std::span<const std::uint32_t> variables,
              std::uint64_t* words) const;

 private:
    std::vector<std::size_t> first_parent_, first_word_;
    std::vector<std::uint32_t> parents_;
};

class SetLists {
 public:
    static constexpr std::uint32_t none = BestParents::none;

    // Of those sets of a problem that are kept.
    SetLists(const ParentSets& sets, const PossibleParents& possible,
             const std::vector<Cost>& costs, const std::vector<bool>& kept);

    std::uint32_t count(std::size_t child) const {
        return static_cast<std::uint32_t>(first_[child + 1] - first_[child]);
    }
    Cost cost(std::size_t child, std::uint32_t number) const {
        return number == none ? infinite_cost : costs_[first_[child] + number];
    }
    const std::uint64_t* mask(std::size_t child, std::uint32_t number) const {
        return masks_.data() + first_mask_[child] + number * possible_.words(child);
    }
    // From a number on.
    std::uint32_t find(std::size_t child, const std::uint64_t* forbidden,
                       const std::uint64_t* required, std::uint32_t from = 0) const;
    std::uint64_t memory_bytes() const { return masks_.size() * 8 + costs_.size() * 8; }

 private:
    const PossibleParents& possible_;
    std::vector<std::size_t> first_, first_mask_;
    std::vector<Cost> costs_;
    std::vector<std::uint64_t> masks_;
};

}  // namespace anytimebn
