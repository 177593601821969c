// Costs are whole millionths of a nat: sums are associative and comparisons need no tolerance.
#pragma once

#include <cstdint>
#include <limits>

namespace anytimebn {

using Cost = std::int64_t;

// More than any network costs, and safe to add a cost to.
constexpr Cost infinite_cost = std::numeric_limits<Cost>::max() / 4;

// Costs as doubles: sums of whole units are exact up to 2^53, and processors add and compare four
// at a time. More than any network costs, with sums of a few still exact:
constexpr double never = 0x1p51;

}  // namespace anytimebn
