// Local search over orderings: incumbents only. A move takes one variable out of the ordering and
// puts it back where it costs least; a local optimum is perturbed and improved again.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "search/component.h"

namespace anytimebn {

struct InsertionSearch {
    std::uint64_t max_queries = 0;  // of best(x, U): work, not time, so that results repeat
    std::uint64_t seed = 0;
    // Called with each better network; told to stop by returning true from `stopped`.
    std::function<void(Cost regret, const std::vector<std::uint32_t>& order)> improved;
    std::function<bool()> stopped;
};

// False if there is no network at all: some variables can never be placed.
bool search_orderings(const Component& component, const InsertionSearch& search);

}  // namespace anytimebn
