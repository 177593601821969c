#include "cuts/cluster_mass.h"

#include <algorithm>

namespace anytimebn {

ClusterMass::ClusterMass(const JoinedProblem& problem, const Point& point)
    : problem_(problem),
      point_(point),
      child_(point.size()),
      sets_of_(problem.variables()),
      containing_(problem.variables()),
      is_member_(problem.variables(), false),
      place_(problem.variables(), 0),
      inside_(point.size(), 0),
      own_(problem.variables()),
      gained_(problem.variables()),
      only_(problem.variables(), 0) {
    for (std::uint32_t i = 0; i < point.size(); ++i) {
        const std::uint32_t child = problem.child_of[point.sets[i]];
        child_[i] = child;
        sets_of_[child].push_back(i);
        own_[child].add(point.values[i]);
        for (const std::int32_t parent : parents(i))
            containing_[static_cast<std::size_t>(parent)].push_back(i);
    }
}

void ClusterMass::clear() {
    while (!members_.empty()) remove(members_.back());
    outside_ = 0;
}

void ClusterMass::add(std::uint32_t variable) {
    outside_ += change_by_adding(variable);
    for (const std::uint32_t i : containing_[variable]) {
        const double value = point_.values[i];
        if (inside_[i] == 0) {
            own_[child_[i]].remove(value);
            if (is_member_[child_[i]]) {
                count_inside(i);
                only_[variable] += value;
            }
        } else if (inside_[i] == 1 && is_member_[child_[i]]) {
            only_[member_among_parents(i)] -= value;
        }
        ++inside_[i];
    }
    is_member_[variable] = true;
    members_.push_back(variable);
    for (const std::uint32_t i : sets_of_[variable])
        if (inside_[i] == 0)
            count_outside(i);
        else if (inside_[i] == 1)
            only_[member_among_parents(i)] += point_.values[i];
}

void ClusterMass::remove(std::uint32_t variable) {
    outside_ += change_by_removing(variable);
    for (const std::uint32_t i : sets_of_[variable])
        if (inside_[i] == 0)
            count_inside(i);
        else if (inside_[i] == 1)
            only_[member_among_parents(i)] -= point_.values[i];
    is_member_[variable] = false;
    members_.erase(std::find(members_.begin(), members_.end(), variable));
    for (const std::uint32_t i : containing_[variable]) {
        const double value = point_.values[i];
        --inside_[i];
        if (inside_[i] == 0) {
            own_[child_[i]].add(value);
            if (is_member_[child_[i]]) count_outside(i);
        } else if (inside_[i] == 1 && is_member_[child_[i]]) {
            only_[member_among_parents(i)] += value;
        }
    }
    only_[variable] = 0;
}

std::uint32_t ClusterMass::member_among_parents(std::uint32_t position) const {
    for (const std::int32_t parent : parents(position))
        if (is_member_[static_cast<std::size_t>(parent)]) return static_cast<std::uint32_t>(parent);
    return child_[position];  // never: it is asked for where there is one
}

// A set of a member that has no parent among the members.
void ClusterMass::count_outside(std::uint32_t position) {
    for (const std::int32_t parent : parents(position)) {
        const auto v = static_cast<std::uint32_t>(parent);
        if (gained_[v].sets == 0) {
            place_[v] = static_cast<std::uint32_t>(candidates_.size());
            candidates_.push_back(v);
        }
        gained_[v].add(point_.values[position]);
    }
}

void ClusterMass::count_inside(std::uint32_t position) {
    for (const std::int32_t parent : parents(position)) {
        const auto v = static_cast<std::uint32_t>(parent);
        gained_[v].remove(point_.values[position]);
        if (gained_[v].sets > 0) continue;
        place_[candidates_.back()] = place_[v];
        candidates_[place_[v]] = candidates_.back();
        candidates_.pop_back();
    }
}

}  // namespace anytimebn
