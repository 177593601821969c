// Which variables can matter to each other: x and y are neighbours when one occurs in a parent set
// of the other. Moving x in an ordering past anyone else changes nothing, so a move costs what its
// neighbours cost, however many variables there are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem/parent_sets.h"

namespace anytimebn {

class Relations {
 public:
    explicit Relations(const ParentSets& sets, Checkpoint checkpoint = {});

    // A list of numbers of parent sets (counted from the child's first, ascending) by its place.
    using List = std::uint32_t;
    static constexpr List empty = 0;

    struct Neighbour {
        std::uint32_t variable;
        List as_child;   // the sets of the neighbour that contain the variable itself
        List as_parent;  // the sets of the variable itself that contain the neighbour
    };
    std::span<const Neighbour> neighbours(std::uint32_t variable) const {
        return {neighbours_.data() + first_neighbour_[variable],
                first_neighbour_[variable + 1] - first_neighbour_[variable]};
    }
    std::span<const std::uint32_t> numbers(List list) const {
        return {numbers_.data() + first_number_[list],
                first_number_[list + 1] - first_number_[list]};
    }

 private:
    std::vector<std::size_t> first_neighbour_;
    std::vector<Neighbour> neighbours_;
    std::vector<std::size_t> first_number_;
    std::vector<std::uint32_t> numbers_;
};

}  // namespace anytimebn
