// Cluster constraints for problems of any width: of the variables of a cluster, at least one has no
// parent among them. A network that keeps this pays each multiplier at least once, so that
//
//     sum of multipliers + for each variable, the least of (cost of a parent set - multipliers of
//     the clusters of the variable that the set has no parent in)
//
// is a lower bound whatever the multipliers are, as long as none is negative (Jaakkola, Sontag,
// Globerson & Meila 2010). Clusters are found on cycles of the cheapest sets; multipliers, whole
// numbers, are improved by steps along subgradients.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "cycles/set_lists.h"
#include "cycles/short_cycles.h"

namespace anytimebn {

class ClusterDiscounts {
 public:
    ClusterDiscounts(const ParentSets& sets, const PossibleParents& possible);

    struct Hooks {
        std::function<Cost()> incumbent;  // regret of the best network
        std::function<void(Cost)> raised;
        std::function<bool()> stopped;
    };
    void improve(std::size_t most_steps, const Hooks& hooks);

    // With the best multipliers so far.
    Cost bound() const { return best_bound_; }
    Cost sum_of_multipliers() const;
    std::vector<Cost> discounted_costs() const;  // of all sets
    std::uint64_t memory_bytes() const;

 private:
    struct Cluster {
        std::vector<std::uint32_t> members;
        std::vector<std::size_t> masks;  // of each member: where in masks_
        Cost multiplier = 0, best_multiplier = 0;
        double direction = 0;    // of the next step
        std::uint32_t idle = 0;  // steps without a multiplier
    };

    void add(const Cycle& cycle);
    void drop_idle();
    void attach();
    Cost discount(std::size_t child, const std::uint64_t* mask, Cost Cluster::* multiplier) const;
    Cost evaluate();
    bool step(double factor, Cost target);
    bool inside(std::size_t child, const Cluster& cluster, std::size_t member) const;

    const ParentSets& sets_;
    const PossibleParents& possible_;
    SetLists lists_;
    ShortCycles short_cycles_;
    std::vector<Cluster> clusters_;
    std::set<std::vector<std::uint32_t>> known_;
    std::vector<std::uint64_t> masks_;
    struct Part {
        std::uint32_t cluster;
        std::size_t mask;
    };
    std::vector<std::vector<Part>> parts_;  // clusters of each variable
    std::vector<std::uint32_t> chosen_;
    std::vector<std::vector<std::uint32_t>> parents_;
    std::vector<Cycle> cycles_;
    Cost best_bound_ = 0;
};

}  // namespace anytimebn
