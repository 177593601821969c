#pragma once

#include <memory>

#include "clusters/relaxation.h"
#include "heuristics/heuristic.h"

namespace anytimebn {

// The bound of clusters/relaxation.h for every set of placed variables.
std::unique_ptr<Heuristic> make_cluster_heuristic(const MaskedSets& sets, const Clusters& clusters);

}  // namespace anytimebn
