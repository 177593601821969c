// What a sweep over blocks of subsets works on: the variables of a component renumbered so that
// those inside a block come first, parent sets as masks of these positions, and the cluster bounds
// (clusters/cluster_bound.h) as tables that a block can read in order.
//
// Costs are whole units in doubles (base/fixed_point.h).
#pragma once

#include <cstdint>
#include <vector>

#include "clusters/cluster_bound.h"

namespace anytimebn {

// One vector of multipliers, by positions.
struct SweepBound {
    std::vector<std::vector<double>> databases;  // by group, by its placed members
    std::vector<std::uint64_t> clusters;
    std::vector<double> multipliers;
};

struct SweepProblem {
    struct Set {
        std::uint64_t members;
        double cost;
    };
    struct Group {
        unsigned first, size;  // positions first ... first + size - 1
    };

    unsigned variables = 0;
    unsigned low = 0;  // positions 0 ... low - 1 lie inside a block
    std::vector<std::uint32_t> variable_at;
    std::vector<std::vector<Set>> sets;  // by position, cheapest first
    std::vector<Group> groups;           // the first one holds all low positions
    std::vector<SweepBound> bounds;

    // All bounds have the same groups. A block has at most 2^block_bits subsets; blocks are fewer
    // and fuller when variables that many surviving nodes have placed are inside: `early` says how
    // many.
    SweepProblem(const MaskedSets& sets, const std::vector<Clusters>& vectors,
                 const std::vector<double>& early, unsigned block_bits, std::size_t jobs,
                 Checkpoint checkpoint = {});

    std::uint64_t everything() const {
        return variables == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << variables) - 1;
    }
    // A lower bound of what placing all the others costs.
    double rest(std::uint64_t placed) const;
    std::uint64_t memory_bytes() const;
};

}  // namespace anytimebn
