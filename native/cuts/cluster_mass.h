// A set of variables that gains and loses members one by one, and the mass of its members' sets
// without a parent in it: below 1, a solution of the linear program violates its row. What each
// single change would do is kept up to date: looking at all of them comes before each change.
#pragma once

#include <cstdint>
#include <vector>

#include "cuts/point.h"
#include "problem/joined_problem.h"

namespace anytimebn {

class ClusterMass {
 public:
    ClusterMass(const JoinedProblem& problem, const Point& point);

    void clear();
    void add(std::uint32_t variable);
    void remove(std::uint32_t variable);

    // Positions in the point.
    const std::vector<std::uint32_t>& sets_of(std::uint32_t v) const { return sets_of_[v]; }
    const std::vector<std::uint32_t>& members() const { return members_; }
    bool contains(std::uint32_t variable) const { return is_member_[variable]; }
    double outside() const { return outside_; }

    // All variables that would lower the mass by being added, in no special order.
    const std::vector<std::uint32_t>& candidates() const { return candidates_; }

    // How the mass would change.
    double change_by_adding(std::uint32_t v) const { return own_[v].mass - gained_[v].mass; }
    double change_by_removing(std::uint32_t v) const { return only_[v] - own_[v].mass; }

 private:
    // Of some parent sets. Without any it is nothing exactly, whatever was rounded before.
    struct Mass {
        double mass = 0;
        std::uint32_t sets = 0;

        void add(double value) {
            mass += value;
            ++sets;
        }
        void remove(double value) { mass = --sets == 0 ? 0 : mass - value; }
    };

    auto parents(std::uint32_t position) const {
        return problem_.sets.members(point_.sets[position]);
    }
    std::uint32_t member_among_parents(std::uint32_t position) const;
    void count_outside(std::uint32_t position);
    void count_inside(std::uint32_t position);

    const JoinedProblem& problem_;
    const Point& point_;
    std::vector<std::uint32_t> child_;  // by position in the point
    // Positions in the point, by variable.
    std::vector<std::vector<std::uint32_t>> sets_of_, containing_;

    std::vector<std::uint32_t> members_, candidates_;
    std::vector<bool> is_member_;
    std::vector<std::uint32_t> place_;   // of candidates among them
    std::vector<std::uint32_t> inside_;  // by position: how many parents are members
    double outside_ = 0;
    // By variable: of its sets without a member; of such sets of members that contain it; of sets
    // of members whose only member it is.
    std::vector<Mass> own_, gained_;
    std::vector<double> only_;
};

}  // namespace anytimebn
