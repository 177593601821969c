// The network of a greedy equivalence search, for a chain to begin with.
#pragma once

#include <cstdint>
#include <functional>

#include "arcs/graph_search.h"

namespace anytimebn {

struct GreedyTask {
    LocalCosts& costs;
    ParentLists start;  // allowed
    const SearchOptions& options;
    Budget& budget;  // of the thread
    std::function<bool()> stopped;
    std::function<void(std::uint64_t bytes)> note_memory;
    // Hears of every better network that is allowed.
    std::function<void(const ParentLists& network, const std::vector<Cost>& costs)> better;
};

// The best network that it finds; throws OutOfBudget if it is stopped before its end.
ParentLists greedy_network(GreedyTask task);

}  // namespace anytimebn
