#include "sweep/problem.h"

#include <algorithm>
#include <bit>

namespace anytimebn {
namespace {

std::uint64_t to_positions(std::uint64_t set, const std::vector<std::uint32_t>& position_of) {
    std::uint64_t result = 0;
    for (; set != 0; set &= set - 1)
        result |= std::uint64_t{1} << position_of[static_cast<std::size_t>(std::countr_zero(set))];
    return result;
}

}  // namespace

SweepProblem::SweepProblem(const MaskedSets& masked, const std::vector<Clusters>& vectors,
                           const std::vector<double>& early, unsigned block_bits, std::size_t jobs,
                           Checkpoint checkpoint)
    : variables(static_cast<unsigned>(masked.variables())), sets(masked.variables()) {
    std::vector<std::vector<std::uint32_t>> ordered;  // members of each group
    for (std::uint64_t group : vectors.at(0).groups) {
        ordered.emplace_back();
        for (; group != 0; group &= group - 1)
            ordered.back().push_back(static_cast<std::uint32_t>(std::countr_zero(group)));
        std::stable_sort(ordered.back().begin(), ordered.back().end(),
                         [&](std::uint32_t a, std::uint32_t b) { return early[a] > early[b]; });
    }
    const auto earliness = [&](const std::vector<std::uint32_t>& group) {
        double sum = 0;
        for (std::size_t i = 0; i < std::min<std::size_t>(block_bits, group.size()); ++i)
            sum += early[group[i]];
        return sum;
    };
    std::stable_sort(ordered.begin(), ordered.end(), [&](const auto& a, const auto& b) {
        const std::size_t inside_a = std::min<std::size_t>(block_bits, a.size()),
                          inside_b = std::min<std::size_t>(block_bits, b.size());
        return inside_a != inside_b ? inside_a > inside_b : earliness(a) > earliness(b);
    });
    std::vector<std::uint32_t> position_of(variables);
    std::vector<std::uint64_t> group_masks;
    for (const auto& group : ordered) {
        groups.push_back(
            {static_cast<unsigned>(variable_at.size()), static_cast<unsigned>(group.size())});
        group_masks.push_back(0);
        for (const std::uint32_t v : group) {
            position_of[v] = static_cast<std::uint32_t>(variable_at.size());
            group_masks.back() |= std::uint64_t{1} << position_of[v];
            variable_at.push_back(v);
        }
    }
    low = std::min(block_bits, groups[0].size);

    MaskedSets renumbered = masked;
    for (unsigned p = 0; p < variables; ++p) {
        renumbered.of[p] = masked.of[variable_at[p]];
        for (auto& set : renumbered.of[p]) {
            checkpoint();
            set.members = to_positions(set.members, position_of);
            sets[p].push_back({set.members, static_cast<double>(set.cost)});
        }
    }
    for (const Clusters& vector : vectors) {
        Clusters clusters{group_masks, {}, vector.multipliers};
        for (const std::uint64_t cluster : vector.members)
            clusters.members.push_back(to_positions(cluster, position_of));
        bounds.push_back({cluster_databases(renumbered, clusters, jobs, checkpoint),
                          clusters.members,
                          {clusters.multipliers.begin(), clusters.multipliers.end()}});
    }
}

double SweepProblem::rest(std::uint64_t placed) const {
    double highest = 0;
    for (const SweepBound& bound : bounds) {
        double sum = 0;
        for (std::size_t g = 0; g < groups.size(); ++g)
            sum += bound.databases[g][placed >> groups[g].first &
                                      ((std::uint64_t{1} << groups[g].size) - 1)];
        for (std::size_t c = 0; c < bound.clusters.size(); ++c)
            if ((bound.clusters[c] & placed) == 0) sum += bound.multipliers[c];
        highest = std::max(highest, sum);
    }
    return highest;
}

std::uint64_t SweepProblem::memory_bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& own : sets) bytes += own.size() * sizeof(Set);
    for (const SweepBound& bound : bounds) {
        bytes += bound.clusters.size() * 16;
        for (const auto& database : bound.databases) bytes += database.size() * 8;
    }
    return bytes;
}

}  // namespace anytimebn
