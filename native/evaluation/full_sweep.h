// Every node of the order graph, none pruned: its exact cost g*(U), its f = g* + h for any number
// of heuristics, and the sizes of the cheapest parent sets, all summed up by layer. What a search
// visits at best, and why, can be read from these.
//
// Dense, in blocks: the low variables of U are the position in a block, the high ones name it.
// Blocks with the same number of high variables form a layer, which is computed from the one
// before, by as many threads as there are; two such layers are in memory at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/control.h"
#include "evaluation/f_histogram.h"
#include "heuristics/heuristic.h"
#include "problem/parent_sets.h"

namespace anytimebn {

constexpr std::size_t most_swept_variables = 32;

// Of the nodes U with so many variables placed. A step places one more: U has as many as variables
// that some parent set inside U fits.
struct OrderGraphLayer {
    std::uint64_t nodes = 0;            // all subsets of this size
    std::uint64_t reachable = 0;        // those that can be placed at all
    std::uint64_t last_parents = 0;     // of the last variable on a cheapest way to each, summed up
    std::uint64_t network_parents = 0;  // of all variables of its cheapest network, summed up
    std::uint64_t steps = 0;
    std::uint64_t step_parents = 0;  // members of the cheapest parent sets of the steps, summed up
};

// Of one heuristic.
struct FDistribution {
    std::vector<std::uint64_t> below;  // by layer: nodes with f < limit
    std::uint64_t at_limit = 0;        // nodes with f = limit
    std::uint64_t dead = 0;            // nodes that, by g* and h, no network goes through
    FHistogram histogram;              // of all others, by regret
};

struct FullSweep {
    bool complete = false;               // false when it was stopped
    Cost optimum = 0;                    // regret; infinite if there is no network
    bool counts_networks = false;        // whether there was room for network_parents
    std::uint64_t cheapest_parents = 0;  // of all variables, if cycles were allowed
    std::vector<OrderGraphLayer> layers;
    std::vector<FDistribution> distributions;  // one a heuristic
};

// Bytes, beside the heuristics.
std::uint64_t full_sweep_memory(std::size_t variables, std::size_t jobs);

// Costs, limit and f are regrets. `advance` is called on the control, `stop` obeyed within
// milliseconds.
FullSweep sweep_order_graph(const ParentSets& sets, const std::vector<const Heuristic*>& heuristics,
                            Cost limit, std::size_t jobs, Control& control);

}  // namespace anytimebn
