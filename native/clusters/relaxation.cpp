#include "clusters/relaxation.h"

#include "clusters/group_tables.h"

namespace anytimebn {

MaskedSets::MaskedSets(const Component& component) : of(component.size()) {
    for (std::size_t x = 0; x < component.size(); ++x)
        for (std::size_t j = 0; j < component.sets.count(x); ++j) {
            const std::size_t s = component.sets.first(x) + j;
            std::uint64_t members = 0;
            for (const std::int32_t member : component.sets.members(s))
                members |= std::uint64_t{1} << member;
            of[x].push_back({members, component.sets.cost(s), static_cast<std::uint32_t>(j)});
        }
}

std::size_t MaskedSets::size() const {
    std::size_t sum = 0;
    for (const auto& sets : of) sum += sets.size();
    return sum;
}

namespace {

std::vector<std::vector<Cost>> adjusted_costs(const MaskedSets& sets, const Clusters& clusters) {
    std::vector<std::vector<Cost>> costs(sets.variables());
    for (std::size_t x = 0; x < sets.variables(); ++x) {
        for (const auto& set : sets.of[x]) costs[x].push_back(set.cost);
        for (std::size_t c = 0; c < clusters.members.size(); ++c) {
            if (!(clusters.members[c] >> x & 1)) continue;
            for (std::size_t j = 0; j < costs[x].size(); ++j)
                if ((sets.of[x][j].members & clusters.members[c]) == 0)
                    costs[x][j] -= clusters.multipliers[c];
        }
    }
    return costs;
}

Cost sum_of_multipliers(const Clusters& clusters) {
    Cost sum = 0;
    for (const Cost multiplier : clusters.multipliers) sum += multiplier;
    return sum;
}

}  // namespace

std::vector<Cost> cluster_database(const MaskedSets& sets, const Clusters& clusters,
                                   std::uint64_t group) {
    GroupTables<Cost> tables(sets, group);
    tables.compute(adjusted_costs(sets, clusters));
    return tables.rest();
}

Cost root_bound(const MaskedSets& sets, const Clusters& clusters) {
    const auto costs = adjusted_costs(sets, clusters);
    Cost bound = sum_of_multipliers(clusters);
    for (const std::uint64_t group : clusters.groups) {
        GroupTables<Cost> tables(sets, group);
        tables.compute(costs);
        bound += tables.rest()[0];
    }
    return bound;
}

std::size_t fix_parent_sets(MaskedSets& sets, const Clusters& clusters, Cost limit,
                            bool& possible) {
    const auto costs = adjusted_costs(sets, clusters);
    std::vector<GroupTables<Cost>> groups;
    Cost bound = sum_of_multipliers(clusters);
    for (const std::uint64_t group : clusters.groups) {
        groups.emplace_back(sets, group);
        groups.back().compute(costs);
        bound += groups.back().rest()[0];
    }
    std::size_t removed = 0;
    std::vector<Cost> without;
    for (const auto& group : groups) {
        const Cost others = bound - group.rest()[0];
        const auto first = group.first();
        for (std::size_t i = 0; i < group.variables().size(); ++i) {
            // without[A]: the cheapest way to place all but member i, which comes after A at least.
            without.assign(group.patterns(), unreachable<Cost>);
            for (std::size_t placed = 0; placed < group.patterns(); ++placed)
                if (!(placed >> i & 1))
                    without[placed] = first[placed] + group.rest()[placed | std::size_t{1} << i];
            for (std::size_t half = 1; half < group.patterns(); half *= 2)
                for (std::size_t begin = 0; begin < group.patterns(); begin += 2 * half)
                    for (std::size_t a = begin; a < begin + half; ++a)
                        without[a] = std::min(without[a], without[a + half]);
            const std::uint32_t x = group.variables()[i];
            auto& own = sets.of[x];
            std::size_t kept = 0;
            for (std::size_t j = 0; j < own.size(); ++j)
                if (costs[x][j] + without[group.inside(i)[j]] + others < limit)
                    own[kept++] = own[j];
            removed += own.size() - kept;
            own.resize(kept);
            possible &= kept > 0;
        }
    }
    return removed;
}

std::size_t largest_group_within(std::size_t variables, std::size_t wanted,
                                 std::uint64_t memory_bytes) {
    // At the peak `fix_parent_sets` holds, for each group, the best parents of every member and
    // some more tables, in whole units.
    const auto bytes = [&](std::size_t size) {
        const std::uint64_t groups = (variables + size - 1) / size;
        return groups * (size + 4) * 8 << size;
    };
    while (wanted > 2 && bytes(wanted) > memory_bytes) --wanted;
    return wanted;
}

}  // namespace anytimebn
