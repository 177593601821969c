#include "clusters/cluster_bound.h"

#include "base/parallel.h"
#include "clusters/group_tables.h"

namespace anytimebn {

MaskedSets::MaskedSets(const Component& component, Checkpoint checkpoint) : of(component.size()) {
    for (std::size_t x = 0; x < component.size(); ++x) {
        of[x].reserve(component.sets.count(x));
        for (std::size_t j = 0; j < component.sets.count(x); ++j) {
            const std::size_t s = component.sets.first(x) + j;
            std::uint64_t members = 0;
            for (const std::int32_t member : component.sets.members(s))
                members |= std::uint64_t{1} << member;
            of[x].push_back({members, component.sets.cost(s), static_cast<std::uint32_t>(j)});
            checkpoint();
        }
    }
}

std::size_t MaskedSets::size() const {
    std::size_t sum = 0;
    for (const auto& sets : of) sum += sets.size();
    return sum;
}

namespace {

// All tables in whole units.
class ExactTables {
 public:
    ExactTables(const MaskedSets& sets, const Clusters& clusters, std::size_t jobs,
                const Checkpoint& checkpoint)
        : jobs_(jobs), costs_(sets.variables()) {
        struct Member {
            std::size_t group, place;
        };
        std::vector<Member> members;
        for (const std::uint64_t group : clusters.groups) {
            for (int i = 0; i < std::popcount(group); ++i)
                members.push_back({groups.size(), static_cast<std::size_t>(i)});
            groups.emplace_back(sets, group, checkpoint);
        }
        parallel_for(members.size(), jobs, [&](std::size_t m, std::size_t) {
            auto& group = groups[members[m].group];
            const std::uint32_t x = group.variables()[members[m].place];
            costs_[x] = adjusted_costs(x, sets.of[x], clusters, checkpoint);
            group.compute_best(members[m].place, costs_[x]);
        });
        parallel_for(groups.size(), jobs,
                     [&](std::size_t g, std::size_t) { groups[g].compute_rest(); });
        for (const Cost multiplier : clusters.multipliers) bound += static_cast<double>(multiplier);
        for (const auto& group : groups) bound += group.rest()[0];
    }

    std::vector<GroupTables<double>> groups;
    double bound = 0;

    void fix(MaskedSets& sets, double limit, bool& possible) const {
        for (const auto& group : groups) {
            const double others = bound - group.rest()[0];
            const auto first = group.first();
            std::vector<std::vector<double>> without(std::min(jobs_, group.variables().size()));
            parallel_for(group.variables().size(), jobs_, [&](std::size_t i, std::size_t worker) {
                fix_member(sets.of[group.variables()[i]], group, i, first, limit - others,
                           without[worker]);
            });
            for (const std::uint32_t x : group.variables()) possible &= !sets.of[x].empty();
        }
    }

 private:
    static std::vector<double> adjusted_costs(std::size_t x,
                                              const std::vector<MaskedSets::Set>& sets,
                                              const Clusters& clusters, Checkpoint checkpoint) {
        std::vector<double> costs;
        for (const auto& set : sets) costs.push_back(static_cast<double>(set.cost));
        for (std::size_t c = 0; c < clusters.members.size(); ++c) {
            if (!(clusters.members[c] >> x & 1)) continue;
            const auto multiplier = static_cast<double>(clusters.multipliers[c]);
            checkpoint(costs.size() / 8);
            for (std::size_t j = 0; j < costs.size(); ++j)
                costs[j] -= (sets[j].members & clusters.members[c]) == 0 ? multiplier : 0;
        }
        return costs;
    }

    void fix_member(std::vector<MaskedSets::Set>& own, const GroupTables<double>& group,
                    std::size_t i, const std::vector<double>& first, double limit,
                    std::vector<double>& without) const {
        // without[A]: the cheapest way to place all but member i, which comes after A at least.
        without.assign(group.patterns(), never);
        for (std::size_t placed = 0; placed < group.patterns(); ++placed)
            if (!(placed >> i & 1))
                without[placed] = first[placed] + group.rest()[placed | std::size_t{1} << i];
        for (std::size_t half = 1; half < group.patterns(); half *= 2)
            for (std::size_t begin = 0; begin < group.patterns(); begin += 2 * half)
                for (std::size_t a = begin; a < begin + half; ++a)
                    without[a] = std::min(without[a], without[a + half]);
        const auto& costs = costs_[group.variables()[i]];
        std::size_t kept = 0;
        for (std::size_t j = 0; j < own.size(); ++j)
            if (costs[j] + without[group.inside(i)[j]] < limit) own[kept++] = own[j];
        own.resize(kept);
    }

    std::size_t jobs_;
    std::vector<std::vector<double>> costs_;
};

}  // namespace

std::vector<std::vector<double>> cluster_databases(const MaskedSets& sets, const Clusters& clusters,
                                                   std::size_t jobs, const Checkpoint& checkpoint) {
    std::vector<std::vector<double>> databases;
    for (const auto& group : ExactTables(sets, clusters, jobs, checkpoint).groups)
        databases.push_back(group.rest());
    return databases;
}

Cost root_bound(const MaskedSets& sets, const Clusters& clusters, std::size_t jobs,
                const Checkpoint& checkpoint) {
    return static_cast<Cost>(ExactTables(sets, clusters, jobs, checkpoint).bound);
}

Cost root_bound_and_fix(MaskedSets& sets, const Clusters& clusters, Cost limit, std::size_t jobs,
                        bool& possible, const Checkpoint& checkpoint) {
    const ExactTables tables(sets, clusters, jobs, checkpoint);
    tables.fix(sets, static_cast<double>(limit), possible);
    return static_cast<Cost>(tables.bound);
}

std::size_t largest_group_within(std::size_t variables, std::size_t wanted,
                                 std::uint64_t memory_bytes) {
    // At the peak ExactTables holds, for each group, the best parents of every member and
    // some more tables, in whole units.
    const auto bytes = [&](std::size_t size) {
        const std::uint64_t groups = (variables + size - 1) / size;
        return groups * (size + 4) * 8 << size;
    };
    while (wanted > 2 && bytes(wanted) > memory_bytes) --wanted;
    return wanted;
}

}  // namespace anytimebn
