// Finding good clusters, multipliers and groups by subgradient ascent of the bound, in steps that
// the caller can stop between when the bound is good enough.
//
// 1. Several small groups, multipliers from zero: cheap evaluations find the clusters that matter.
//    New clusters are the shortest cycles among the parents that the relaxation chooses.
// 2. Large groups that cut as little multiplier mass as possible (swap descent from many starts); a
//    short ascent on some of them tells the good ones apart, a long one finishes the best.
// 3. Parent sets that no better network can use are dropped as soon as the bound shows it.
// 4. Where many nodes have to be visited, a further vector is tuned for a sample of them.
//
// The result depends on the seed and the sets, not on time or threads, unless it is stopped.
#pragma once

#include <functional>
#include <random>

#include "clusters/cluster_bound.h"

namespace anytimebn {

// Multipliers in nats while they are looked for.
struct ClusterCandidate {
    std::vector<std::uint64_t> groups;
    std::vector<std::uint64_t> members;
    std::vector<double> multipliers;
    double value = -std::numeric_limits<double>::infinity();

    Clusters rounded() const;
};

struct AscentLimits {
    std::size_t largest_group = 18;
    std::size_t jobs = 1;
    std::function<bool()> stopped;     // asked by the calling thread
    Checkpoint checkpoint = {};        // asked by all, within one evaluation
    std::function<void(Cost)> raised;  // with each better exact bound
    // With each step that raises the bound of the empty set, as floating point has it.
    std::function<void(const ClusterCandidate&)> on_the_way = {};
};

// A set of placed variables and what placing them costs, in nats.
struct PlacedSample {
    std::uint64_t placed = 0;
    double cost = 0;
};

struct AscentSchedule {
    double step = 1.0;
    int patience = 12;  // iterations without improvement before the step shrinks
    double shrink = 0.6;
    double smallest_step = 0.01;
    int iterations = 100'000;
};

// Raises cost + h(placed) of the samples towards the limit (nats), from the candidate's
// multipliers.
void climb(ClusterCandidate& candidate, const MaskedSets& sets, double limit,
           const std::vector<PlacedSample>& samples, AscentSchedule schedule,
           const AscentLimits& limits);

class Ascent {
 public:
    // For networks that cost less than `limit`; drops parent sets from `sets` on the way.
    Ascent(MaskedSets& sets, Cost limit, std::uint64_t seed, AscentLimits limits);

    // Nothing better can be found: the bound reaches the limit, or it was stopped.
    bool done() const;
    // Whether any network costs less than the limit, as far as is known.
    bool possible() const { return possible_; }

    void scout();
    // Instead: goes on from clusters that an earlier ascent has found.
    void begin_with(const Clusters& known);
    bool has_partition() const { return !unfinished_.empty() || !finished_.empty(); }
    void try_partition();
    // A long ascent of the best partition that had none yet; false if there is none.
    bool finish_next();
    // Once more from the best, with the parent sets that are left.
    void refine();
    // What one evaluation of a large partition takes, in seconds of one core (a fixed formula).
    double evaluation_seconds() const;
    // All of these.
    void run();

    // The strongest found so far: of large groups, once there are some.
    const Clusters& best() const { return best_; }
    // A further vector for the same groups that is good for these sets.
    Clusters tuned(const Clusters& start, const std::vector<PlacedSample>& samples) const;

 private:
    std::vector<std::uint64_t> random_groups(std::size_t count);
    std::vector<std::uint64_t> groups_cutting_little(std::size_t count);
    void settle(const ClusterCandidate& candidate);
    std::size_t partition_groups() const;

    MaskedSets& sets_;
    std::size_t n_;
    double limit_;
    Cost exact_limit_;
    std::mt19937_64 random_;
    AscentLimits limits_;
    ClusterCandidate scout_;
    std::vector<ClusterCandidate> unfinished_, finished_;
    std::vector<std::vector<std::uint64_t>> tried_;
    Clusters best_;
    Cost best_bound_ = -infinite_cost;
    bool possible_ = true;
};

}  // namespace anytimebn
