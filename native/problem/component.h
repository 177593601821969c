// The part of a problem that one search works on: a strongly connected component of the graph "y
// occurs in a parent set of x". Its variables are renumbered, members outside it (all placed
// before) are dropped from the parent sets, and costs are regrets: what a set costs above the
// cheapest of its child. Sets keep the ids of their families. Regrets are never negative, so that a
// search needs no special care for scores of either sign.
#pragma once

#include <cstddef>
#include <vector>

#include "problem/parent_sets.h"

namespace anytimebn {

struct Component {
    std::vector<std::size_t> variables;  // in the whole problem
    ParentSets sets;                     // of regrets
    Cost base = 0;                       // sum of the cheapest costs: cost = base + regret
    BestParents best;

    std::size_t size() const { return variables.size(); }
    Cost lowest_cost(std::size_t variable) const { return lowest_[variable]; }
    // What the best network of an ordering costs; infinite if it has none.
    Cost regret(const std::vector<std::uint32_t>& order) const;
    // The families chosen when variables are placed in this order.
    std::vector<Choice> choices(const std::vector<std::uint32_t>& order) const;

    Component(std::vector<std::size_t> variables, ParentSets local, std::vector<Cost> lowest);

 private:
    std::vector<Cost> lowest_;
};

// In an order in which parents come first; or everything as one component.
std::vector<Component> split_into_components(const ParentSets& sets, bool split);

}  // namespace anytimebn
