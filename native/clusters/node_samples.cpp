#include "clusters/node_samples.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "base/parallel.h"
#include "clusters/group_tables.h"

namespace anytimebn {
namespace {

constexpr std::size_t per_size = 240;
// Larger sets hardly ever survive where smaller ones do not, and take long.
constexpr std::size_t largest_size = 14;

// The cheapest way to place exactly these variables, in nats.
double cost_of_placing(const MaskedSets& sets, std::uint64_t placed) {
    const auto size = static_cast<std::size_t>(std::popcount(placed));
    const std::size_t patterns = std::size_t{1} << size;
    const auto kernels = table_kernels<double>();
    std::vector<double> cost(patterns, never), best(size * patterns, never);
    cost[0] = 0;
    std::size_t i = 0;
    for (std::uint64_t left = placed; left != 0; left &= left - 1, ++i) {
        double* const table = best.data() + i * patterns;
        for (const auto& set : sets.of[static_cast<std::size_t>(std::countr_zero(left))])
            if ((set.members & ~placed) == 0) {
                double& entry = table[compress(set.members, placed)];
                entry = std::min(entry, static_cast<double>(set.cost));
            }
        kernels.min_over_subsets(table, patterns);
    }
    for (std::size_t before = 0; before < patterns; ++before)
        for (i = 0; i < size; ++i)
            if (!(before >> i & 1)) {
                double& after = cost[before | std::size_t{1} << i];
                after = std::min(after, cost[before] + best[i * patterns + before]);
            }
    return cost.back() * 1e-6;
}

}  // namespace

NodeSamples::NodeSamples(const MaskedSets& sets, Cost limit, std::uint64_t seed, std::size_t jobs,
                         const std::function<bool()>& stopped)
    : n_(sets.variables()), limit_(static_cast<double>(limit) * 1e-6) {
    std::mt19937_64 random(seed);
    by_size_.resize(std::min(largest_size + 1, n_));
    std::vector<Sample*> all;
    for (std::size_t size = 1; size < by_size_.size(); ++size) {
        by_size_[size].resize(per_size);
        for (Sample& sample : by_size_[size]) {
            std::uint64_t placed = 0;
            while (static_cast<std::size_t>(std::popcount(placed)) < size)
                placed |= std::uint64_t{1} << (random() % n_);
            sample = {{placed, 0}, 0};
            all.push_back(&sample);
        }
    }
    std::atomic<bool> halted{false};
    parallel_for(all.size(), jobs, [&](std::size_t s, std::size_t worker) {
        if (worker == 0 && stopped()) halted = true;
        if (halted) return;
        PlacedSample& sample = all[s]->placed;
        sample.cost = cost_of_placing(sets, sample.placed);
    });
}

void NodeSamples::add(const MaskedSets& sets, const Clusters& vector, std::size_t jobs,
                      const Checkpoint& checkpoint) {
    const auto databases = cluster_databases(sets, vector, jobs, checkpoint);
    for (auto& samples : by_size_)
        for (Sample& sample : samples) {
            double bound = 0;
            for (std::size_t g = 0; g < databases.size(); ++g)
                bound += databases[g][compress(sample.placed.placed, vector.groups[g])];
            for (std::size_t c = 0; c < vector.members.size(); ++c)
                if ((vector.members[c] & sample.placed.placed) == 0)
                    bound += static_cast<double>(vector.multipliers[c]);
            sample.bound = std::max(sample.bound, bound * 1e-6);
        }
}

double NodeSamples::expected_nodes() const {
    double expected = 0, subsets = 1;
    for (std::size_t size = 1; size < by_size_.size(); ++size) {
        subsets *= static_cast<double>(n_ - size + 1) / static_cast<double>(size);
        std::size_t alive = 0;
        for (std::size_t s = 0; s < per_size; s += 2) alive += survives(by_size_[size][s]);
        expected += subsets * static_cast<double>(alive) / (per_size / 2);
    }
    return expected;
}

std::vector<PlacedSample> NodeSamples::survivors(std::size_t most) const {
    std::vector<PlacedSample> all;
    // Of small sets there are few, and nothing prunes them.
    for (std::size_t size = 6; size < by_size_.size(); ++size)
        for (std::size_t s = 1; s < per_size; s += 2)
            if (survives(by_size_[size][s])) all.push_back(by_size_[size][s].placed);
    std::vector<PlacedSample> some;
    const std::size_t step = (all.size() + most - 1) / std::max<std::size_t>(1, most);
    for (std::size_t s = 0; s < all.size(); s += std::max<std::size_t>(1, step))
        some.push_back(all[s]);
    return some;
}

}  // namespace anytimebn
