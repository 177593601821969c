// Costs are whole millionths of a nat: sums are associative and comparisons need no tolerance.
#pragma once

#include <cstdint>
#include <limits>

namespace anytimebn {

using Cost = std::int64_t;

// More than any network costs, and safe to add a cost to.
constexpr Cost infinite_cost = std::numeric_limits<Cost>::max() / 4;

}  // namespace anytimebn
