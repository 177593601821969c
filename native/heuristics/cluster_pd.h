#pragma once

#include <memory>

#include "clusters/cluster_bound.h"
#include "heuristics/heuristic.h"

namespace anytimebn {

// The bound of clusters/cluster_bound.h for every set of placed variables.
std::unique_ptr<Heuristic> make_cluster_heuristic(const MaskedSets& sets, const Clusters& clusters,
                                                  const Checkpoint& checkpoint = {});

}  // namespace anytimebn
