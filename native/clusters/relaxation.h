// The cluster relaxation (docs/how-it-works.md): in an acyclic graph every cluster C of variables
// has a member whose parents all lie outside C. With a multiplier for each cluster of a collection,
// a child pays less for parents that miss the clusters it belongs to, and each cluster pays its
// multiplier back once; pattern databases over groups of variables, computed on these adjusted
// costs, give a bound that joins the cutting planes of integer programming with the exact groups of
// static pattern databases:
//
//   s'(x, P) = s(x, P) - sum of multipliers of the C with x in C and no member of P in C
//   h(U)     = sum over groups G of D'_G[placed part of G] + sum of multipliers of the C disjoint
//   from U
//
// For any multipliers >= 0 the bound is admissible and consistent (placing x takes away exactly the
// clusters C with x in C that U does not meet, each of which was taken off s'(x, P)). Multipliers
// are found with floating point, then rounded to whole units: what is used as a bound is exact.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/fixed_point.h"
#include "search/component.h"

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

    explicit MaskedSets(const Component& component);
    std::size_t variables() const { return of.size(); }
    std::size_t size() const;
};

// D'_G for one group, by its placed members (bit i is the i-th lowest member of the group).
std::vector<Cost> cluster_database(const MaskedSets& sets, const Clusters& clusters,
                                   std::uint64_t group);

// The exact bound at the empty set.
Cost root_bound(const MaskedSets& sets, const Clusters& clusters);

// Removes the parent sets that no network of cost below `limit` uses, by what the bound would be if
// they were chosen; returns how many. False in `possible` when some child has none left: no such
// network.
std::size_t fix_parent_sets(MaskedSets& sets, const Clusters& clusters, Cost limit, bool& possible);

struct AscentLimits {
    std::size_t largest_group = 18;
    std::function<bool()> stopped;
    std::function<void(Cost)> raised;  // with each better exact bound
};

// The largest groups, up to `wanted`, whose tables fit into this much memory.
std::size_t largest_group_within(std::size_t variables, std::size_t wanted,
                                 std::uint64_t memory_bytes);

// Chooses groups, clusters and multipliers for a strong bound below `limit`, dropping parent sets
// from `sets` on the way. The result depends on the seed and the sets, not on time, unless it is
// stopped.
Clusters ascend(MaskedSets& sets, Cost limit, std::uint64_t seed, const AscentLimits& limits,
                bool& possible);

}  // namespace anytimebn
