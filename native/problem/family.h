// A family is a child with its parents. Networks, rulings and start networks refer to families by
// id, never by where they stand in some sorted list: ids stay when families are added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/fixed_point.h"

namespace anytimebn {

using Parents = std::vector<std::uint32_t>;
using ParentLists = std::vector<Parents>;  // of each variable

// A type of its own, so that no position passes for an id.
enum class FamilyId : std::size_t {};

constexpr FamilyId no_family{SIZE_MAX};

constexpr std::size_t number_of(FamilyId id) { return static_cast<std::size_t>(id); }

struct Family {
    std::size_t child;
    Parents parents;
    Cost cost;
};

// The parents of one variable in a network.
struct Choice {
    std::size_t variable;
    FamilyId family;
};

}  // namespace anytimebn
