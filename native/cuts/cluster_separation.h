// Clusters whose row a solution of the linear program violates. A cycle of arcs that carry almost
// all of their children's mass is one: shortest cycles by Dijkstra's algorithm, where an arc weighs
// 1 - (mass of the sets of the child that contain it). Each is then improved as a set, by adding
// and removing single members with a short tabu list. Heuristic: what is found is violated, but
// finding nothing proves nothing.
#pragma once

#include <set>
#include <vector>

#include "base/random.h"
#include "cuts/cluster_mass.h"
#include "cuts/point.h"
#include "problem/joined_problem.h"

namespace anytimebn {

struct ViolatedCluster {
    double violation;
    std::vector<std::uint32_t> members;  // ascending
};

class ClusterSeparator {
 public:
    ClusterSeparator(const JoinedProblem& problem, const Point& point, double least_violation,
                     Random& random, Checkpoint checkpoint = {});

    // Most violated first. Effort 0 takes one cycle through each variable; more of it adds noise to
    // the weights, which gives other cycles, and longer tabu walks.
    std::vector<ViolatedCluster> find(int effort);

 private:
    struct Arc {
        std::uint32_t child;
        double mass;
    };

    std::vector<std::uint32_t> variables_in_cycles() const;
    bool find_cycle(std::uint32_t through, double noise, std::vector<std::uint32_t>& cycle);
    bool walk_cycle(std::uint32_t from, std::vector<std::uint32_t>& cycle);
    void improve(const std::vector<std::uint32_t>& cluster, int tabu_steps);
    void record();

    const JoinedProblem& problem_;
    const Point& point_;
    double least_violation_;
    Random& random_;
    Checkpoint checkpoint_;
    std::size_t n_;
    std::vector<std::vector<Arc>> arcs_;  // by parent

    ClusterMass cluster_;
    std::vector<int> free_from_;  // the step from which a variable may be moved again

    std::set<std::vector<std::uint32_t>> seen_;
    std::vector<ViolatedCluster> found_;

    std::vector<double> distance_;
    std::vector<std::uint32_t> previous_, visited_;
    std::uint32_t visit_ = 0;
};

}  // namespace anytimebn
