// Orderings to begin with: every variable in them has a parent set that fits. They miss variables
// exactly if there is no network at all. They take a look at each parent set.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "local/relations.h"

namespace anytimebn {

// Always the variable that loses least by coming next, so that what nobody fights about is settled.
std::vector<std::uint32_t> greedy_order(const ParentSets& sets, const Relations& relations,
                                        Random& random, Checkpoint checkpoint = {});

// The wanted ordering, except that who has no fitting parent set yet waits until it has.
std::vector<std::uint32_t> feasible_order(const ParentSets& sets, const Relations& relations,
                                          const std::vector<std::uint32_t>& wanted,
                                          Checkpoint checkpoint = {});

// Any ordering, repaired in the same way.
std::vector<std::uint32_t> random_order(const ParentSets& sets, const Relations& relations,
                                        Random& random, Checkpoint checkpoint = {});

}  // namespace anytimebn
