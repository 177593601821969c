// Pattern databases strengthened by clusters: see clusters/cluster_bound.h.
#include "heuristics/cluster_pd.h"

#include <algorithm>
#include <bit>

#include "clusters/ascent.h"
#include "clusters/table_kernels.h"
#include "heuristics/group_index.h"

namespace anytimebn {
namespace {

std::vector<std::vector<std::uint32_t>> member_lists(const std::vector<std::uint64_t>& groups) {
    std::vector<std::vector<std::uint32_t>> lists;
    for (const std::uint64_t group : groups) {
        lists.emplace_back();
        for (std::uint64_t left = group; left != 0; left &= left - 1)
            lists.back().push_back(static_cast<std::uint32_t>(std::countr_zero(left)));
    }
    return lists;
}

class ClusterPatternDatabases final : public Heuristic {
 public:
    ClusterPatternDatabases(const MaskedSets& sets, const Clusters& clusters)
        : clusters_(clusters), index_(sets.variables(), member_lists(clusters.groups)) {
        for (const auto& exact : cluster_databases(sets, clusters, 1)) {
            databases_.emplace_back();
            for (const double cost : exact) databases_.back().push_back(static_cast<Cost>(cost));
        }
        const std::size_t padded = (clusters.members.size() + 3) / 4 * 4;
        members_ = clusters.members;
        members_.resize(padded, 0);
        multipliers_.assign(clusters.multipliers.begin(), clusters.multipliers.end());
        multipliers_.resize(padded, 0);
    }

    void evaluate(const std::uint64_t* sets, std::size_t count, Cost* values) const override {
        for (std::size_t s = 0; s < count; ++s) {
            Cost sum = 0;
            index_.for_each(sets[s],
                            [&](std::size_t g, std::uint64_t i) { sum += databases_[g][i]; });
            sum += static_cast<Cost>(
                sum_unmet_(members_.data(), multipliers_.data(), members_.size(), sets[s]));
            values[s] = std::max<Cost>(0, sum);  // regrets are never negative
        }
    }

    // Adding x changes the table of its group and loses the clusters with x that are not met yet.
    void evaluate_added(const std::uint64_t* placed, std::size_t, const std::uint32_t* added,
                        std::size_t count, Cost* values) const override {
        std::uint64_t index[64];
        Cost sum = 0;
        index_.for_each(*placed, [&](std::size_t g, std::uint64_t i) {
            index[g] = i;
            sum += databases_[g][i];
        });
        Cost lost[64] = {};
        for (std::size_t c = 0; c < clusters_.members.size(); ++c) {
            if ((clusters_.members[c] & *placed) != 0) continue;
            sum += clusters_.multipliers[c];
            for (std::uint64_t left = clusters_.members[c]; left != 0; left &= left - 1)
                lost[std::countr_zero(left)] += clusters_.multipliers[c];
        }
        for (std::size_t i = 0; i < count; ++i) {
            const auto [group, bit] = index_.place(added[i]);
            const auto& database = databases_[group];
            values[i] = std::max<Cost>(0, sum - lost[added[i]] - database[index[group]] +
                                              database[index[group] | std::uint64_t{1} << bit]);
        }
    }

    std::uint64_t memory_bytes() const override {
        std::uint64_t bytes = clusters_.members.size() * 16;
        for (const auto& database : databases_) bytes += database.size() * 8;
        return bytes;
    }

 private:
    Clusters clusters_;
    std::vector<std::uint64_t> members_;  // of the clusters, as kernels want them
    std::vector<double> multipliers_;
    const SumUnmet sum_unmet_ = sum_unmet_kernel();
    GroupIndex index_;
    std::vector<std::vector<Cost>> databases_;
};

std::unique_ptr<Heuristic> make_cluster_pd(SearchContext& context) {
    // Without an incumbent there is nothing to aim at, and wider sets are not made for this.
    if (context.component.size() > 64 || context.incumbent() >= infinite_cost)
        return HeuristicRegistry::find("static-pd").make.make(context);
    const MaskedSets all(context.component);
    MaskedSets reduced = all;
    AscentLimits limits;
    limits.largest_group = largest_group_within(
        context.component.size(),
        static_cast<std::size_t>(heuristic_parameter(context, "cluster-pd", "largest-group")),
        context.budget.limits().memory_bytes);
    limits.jobs = context.options.jobs;
    limits.stopped = BuildingStopped(context);
    limits.raised = [&](Cost bound) { context.raise_bound(bound); };
    Ascent ascent(reduced, context.incumbent(), context.options.seed, limits);
    ascent.run();
    const Clusters& clusters = ascent.best();
    if (!ascent.possible()) context.raise_bound(context.incumbent());
    if (clusters.groups.empty()) return nullptr;  // stopped first
    // On all parent sets, so that the bound holds whatever the incumbent.
    return make_cluster_heuristic(all, clusters);
}

const HeuristicRegistry cluster_pd(
    {"cluster-pd", "pattern databases strengthened by cluster multipliers",
     "joins Yuan & Malone 2012 with the cluster cuts of Jaakkola et al. 2010"},
    {.make = make_cluster_pd,
     .consistent = true,
     .parameters = {{"largest-group", 18, 2, 22, "most variables in a group"}}});

}  // namespace

std::unique_ptr<Heuristic> make_cluster_heuristic(const MaskedSets& sets,
                                                  const Clusters& clusters) {
    return std::make_unique<ClusterPatternDatabases>(sets, clusters);
}

}  // namespace anytimebn
