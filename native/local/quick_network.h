// A network for when there is no time for any other: no ordering is looked for, and of long lists
// of parent sets only the beginning and the end are looked at.
#pragma once

#include <cstddef>
#include <vector>

#include "problem/parent_sets.h"

namespace anytimebn {

// The position of each variable's set; empty if there is no network at all.
std::vector<std::size_t> quick_network(const ParentSets& sets);

}  // namespace anytimebn
