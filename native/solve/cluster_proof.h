// The strong way to a proof, for components of up to 64 variables that have a network already:
// cluster multipliers (clusters/cluster_bound.h) raise the bound and rule out parent sets, then a
// sweep (sweep/sweep.h) or A* visits the few nodes that are left. Whoever calls it, the parameters
// are those of `block-sweep`.
#pragma once

#include "run/algorithm.h"

namespace anytimebn {

void prove_with_clusters(SearchContext& context);

// Raises the bound by what clusters prove that are known from before, and keeps these as a
// certificate. What is proven is computed from all parent sets, whatever was said about them.
// Nothing happens where they are not about this component.
void prove_with_known_clusters(SearchContext& context, const RootCertificate& known);

}  // namespace anytimebn
