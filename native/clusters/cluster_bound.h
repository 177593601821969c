// The cluster relaxation (docs/method.md): in an acyclic graph every cluster C of variables
// has a member whose parents all lie outside C. With a multiplier for each cluster of a collection,
// a child pays less for parents that miss the clusters it belongs to, and each cluster pays its
// multiplier back once; pattern databases over groups of variables, computed on these adjusted
// costs, give a bound that joins the cutting planes of integer programming with the exact groups of
// static pattern databases:
//
//   s'(x, P) = s(x, P) - sum of multipliers of the C with x in C and no member of P in C
//   h(U)     = sum over groups G of D'_G[placed part of G]
//              + sum of multipliers of the C disjoint from U
//
// For any multipliers >= 0 the bound is admissible and consistent (placing x takes away exactly the
// clusters C with x in C that U does not meet, each of which was taken off s'(x, P)). Multipliers
// are found with floating point (ascent.h), then rounded to whole units: what is used as a bound is
// exact.
#pragma once

#include <cstdint>
#include <vector>

#include "base/fixed_point.h"
#include "problem/component.h"

namespace anytimebn {

struct Clusters {
    std::vector<std::uint64_t> groups;   // a partition of the variables
    std::vector<std::uint64_t> members;  // of each cluster
    std::vector<Cost> multipliers;       // whole units, > 0
};

// Parent sets of a component of at most 64 variables as masks.
struct MaskedSets {
    struct Set {
        std::uint64_t members;
        Cost cost;
        std::uint32_t number;  // in the component, counted from the child's first
    };
    std::vector<std::vector<Set>> of;  // by child, cheapest first

    explicit MaskedSets(const Component& component, Checkpoint checkpoint = {});
    std::size_t variables() const { return of.size(); }
    std::size_t size() const;
};

// D'_G of each group, by its placed members (bit i is the i-th lowest member of the group), in
// whole units; `never` and more where parents are missing. Each of the threads here and below asks
// a copy of the checkpoint.
std::vector<std::vector<double>> cluster_databases(const MaskedSets& sets, const Clusters& clusters,
                                                   std::size_t jobs,
                                                   const Checkpoint& checkpoint = {});

// The exact bound at the empty set.
Cost root_bound(const MaskedSets& sets, const Clusters& clusters, std::size_t jobs,
                const Checkpoint& checkpoint = {});

// The same, and removes the parent sets that no network of cost below `limit` uses, by what the
// bound would be if they were chosen. False in `possible` when some child has none left: no such
// network.
Cost root_bound_and_fix(MaskedSets& sets, const Clusters& clusters, Cost limit, std::size_t jobs,
                        bool& possible, const Checkpoint& checkpoint = {});

// The largest groups, up to `wanted`, whose tables fit into this much memory.
std::size_t largest_group_within(std::size_t variables, std::size_t wanted,
                                 std::uint64_t memory_bytes);

}  // namespace anytimebn
