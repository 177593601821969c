// Cluster bounds, then breadth-first branch and bound over blocks of subsets.
#include "solve/cluster_proof.h"

namespace anytimebn {
namespace {

void run_block_sweep(SearchContext& context) {
    if (context.component.size() > 64) {
        run_algorithm("breadth-first-bnb", context);
        return;
    }
    prove_with_clusters(context);
}

const AlgorithmRegistry block_sweep(
    {"block-sweep", "cluster bounds, then breadth-first branch and bound over blocks of subsets",
     ""},
    {.run = run_block_sweep,
     .uses_heuristic = false,
     .proves = true,
     .parameters = {{"block-bits", 12, 1, 16, "variables inside a block of subsets"}}});

}  // namespace
}  // namespace anytimebn
