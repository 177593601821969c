// Local search over orderings: incumbents only. A move takes one variable out of the ordering and
// puts it back where it costs least; a local optimum is perturbed nearby, improved again, and kept
// unless it became too much worse.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "local/relations.h"
#include "problem/component.h"

namespace anytimebn {

struct InsertionSearch {
    // Work, not time, so that results repeat. The first local optimum is reached whatever the limit
    // and `stopped` say, unless the checkpoint ends it; with no work at all the greedy ordering is
    // all.
    std::uint64_t max_work = 0;
    std::uint64_t seed = 0;
    std::vector<std::uint32_t> order;  // to start with; or empty
    // Called with better networks, the best one included.
    std::function<void(Cost regret, const std::vector<std::uint32_t>& order)> improved;
    std::function<bool()> stopped = [] { return false; };
    // Before there is an ordering, a search that it ends throws; later it ends with what it has.
    Checkpoint checkpoint = {};
};

// Enough for most problems of a size; about 1e8 is done in a second.
std::uint64_t usual_work(std::size_t variables);

// False if there is no network at all: some variables can never be placed. The columns, of the same
// sets, may be missing.
bool search_orderings(const ParentSets& sets, const BestParents* columns,
                      const InsertionSearch& search);
// With the relations of these sets, which take longer to find than a short search.
bool search_orderings(const ParentSets& sets, const BestParents* columns,
                      const Relations& relations, const InsertionSearch& search);
bool search_orderings(const Component& component, const InsertionSearch& search);

// The network of an ordering that has one: the number of each variable's set.
std::vector<std::size_t> sets_of_order(const ParentSets& sets,
                                       const std::vector<std::uint32_t>& order,
                                       Checkpoint checkpoint = {});

}  // namespace anytimebn
