// All families that are known, in the order in which they came: nothing is ever taken out or
// renumbered, so that an id means the same for as long as the store lives. Searches scan a sorted
// view of what there was when they began (problem/parent_sets.h).
//
// Families may be added while others look at those that there are.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "problem/family.h"
#include "problem/parent_sets.h"

namespace anytimebn {

class FamilyStore {
 public:
    explicit FamilyStore(std::size_t variables);
    // Begins with these, whose ids are their positions.
    explicit FamilyStore(std::shared_ptr<const ParentSets> first);

    std::size_t variables() const { return variables_; }
    std::size_t size() const;
    // Throws std::out_of_range if there is none.
    Family family(FamilyId id) const;

    // The id of a family: a new one if it was not there, otherwise the one it has, and the cost
    // that it has.
    FamilyId append(std::size_t child, const Parents& parents, Cost cost);

    // Those that there are now, cheapest first; of equal ones, the older first. Every variable
    // needs one.
    std::shared_ptr<const ParentSets> sorted() const;

 private:
    std::size_t first_size() const { return first_ == nullptr ? 0 : first_->size(); }
    FamilyId find_first(std::size_t child, const Parents& parents) const;

    std::size_t variables_;
    // What the store began with is its own view, and shared with it.
    std::shared_ptr<const ParentSets> first_;
    mutable std::mutex mutex_;
    std::vector<Family> added_;                     // their ids go on where `first_` ends
    std::vector<std::map<Parents, FamilyId>> ids_;  // of the added ones, by child
};

}  // namespace anytimebn
