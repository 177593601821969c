// Exact costs of the best networks over all subsets of a group of variables, when all others may be
// parents: E[A] = min over x in A of E[A - x] + best(x, A - x and all outside the group). If no
// variable outside has a parent in the group, these are the costs themselves; otherwise the sum
// over several groups is a lower bound (static pattern databases, from the other end of the order
// graph).
#pragma once

#include <cstdint>
#include <vector>

#include "base/checkpoint.h"
#include "base/fixed_point.h"
#include "base/untouched.h"

namespace anytimebn {

// Parents inside the group, as bits.
struct GroupFamily {
    std::uint32_t parents;
    Cost cost;
};

constexpr std::size_t most_group_variables = 30;

// Not cleared beforehand: gigabytes would take seconds.
using CostTable = UntouchedVector<Cost>;

inline std::uint64_t cost_table_memory(std::size_t variables, std::size_t jobs) {
    return (std::uint64_t{8} << variables) + jobs * (std::uint64_t{13} << 15);
}

// By set of variables of the group; families of each variable in any order.
CostTable make_cost_table(const std::vector<std::vector<GroupFamily>>& families, std::size_t jobs,
                          const Checkpoint& checkpoint);

}  // namespace anytimebn
