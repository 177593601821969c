#include "cuts/cluster_separation.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace anytimebn {
namespace {

constexpr double tiny = 1e-12;
constexpr std::uint32_t none = 0xffffffffu;

}  // namespace

ClusterSeparator::ClusterSeparator(const JoinedProblem& problem, const Point& point,
                                   double least_violation, Random& random, Checkpoint checkpoint)
    : problem_(problem),
      point_(point),
      least_violation_(least_violation),
      random_(random),
      checkpoint_(std::move(checkpoint)),
      n_(problem.variables()),
      arcs_(n_),
      cluster_(problem, point),
      free_from_(n_, 0),
      distance_(n_),
      previous_(n_),
      visited_(n_, 0) {
    for (std::uint32_t child = 0; child < n_; ++child)
        for (const std::uint32_t i : cluster_.sets_of(child))
            for (const std::int32_t member : problem.sets.members(point.sets[i])) {
                const auto parent = static_cast<std::size_t>(member);
                auto& arcs = arcs_[parent];
                if (arcs.empty() || arcs.back().child != child) arcs.push_back({child, 0});
                arcs.back().mass += point.values[i];
            }
}

std::vector<ViolatedCluster> ClusterSeparator::find(int effort) {
    constexpr std::size_t enough = 40;
    auto starts = variables_in_cycles();
    random_.shuffle(starts);
    std::set<std::vector<std::uint32_t>> tried;
    std::vector<std::uint32_t> cycle;
    const auto attempt = [&](int tabu_steps) {
        auto sorted = cycle;
        std::sort(sorted.begin(), sorted.end());
        if (tried.insert(std::move(sorted)).second) improve(cycle, tabu_steps);
    };
    for (int round = 0; round <= effort; ++round) {
        for (const std::uint32_t v : starts)
            if (find_cycle(v, 0.15 * round, cycle)) attempt(round >= 2 ? 20 : round == 1 ? 6 : 0);
        if (round >= 1 && found_.size() >= enough) break;
    }
    if (found_.empty() && effort >= 3 && !starts.empty())
        for (std::size_t i = 0; i < 4 * starts.size(); ++i)
            if (walk_cycle(starts[random_.below(starts.size())], cycle)) attempt(30);
    std::stable_sort(found_.begin(), found_.end(),
                     [](const auto& a, const auto& b) { return a.violation > b.violation; });
    return std::move(found_);
}

// Those in a strongly connected part of the support graph: what is left when sources and sinks are
// taken away again and again contains them all, and is found more simply.
std::vector<std::uint32_t> ClusterSeparator::variables_in_cycles() const {
    std::vector<std::uint32_t> parents(n_, 0), children(n_, 0);
    std::vector<std::vector<std::uint32_t>> parents_of(n_);
    for (std::uint32_t y = 0; y < n_; ++y)
        for (const Arc& arc : arcs_[y]) {
            ++parents[arc.child];
            ++children[y];
            parents_of[arc.child].push_back(y);
        }
    std::vector<bool> gone(n_, false);
    std::vector<std::uint32_t> stack;
    const auto drop = [&](std::uint32_t v) {
        if (gone[v] || (parents[v] > 0 && children[v] > 0)) return;
        gone[v] = true;
        stack.push_back(v);
    };
    for (std::uint32_t v = 0; v < n_; ++v) drop(v);
    while (!stack.empty()) {
        const std::uint32_t v = stack.back();
        stack.pop_back();
        for (const Arc& arc : arcs_[v])
            if (!gone[arc.child]) {
                --parents[arc.child];
                drop(arc.child);
            }
        for (const std::uint32_t y : parents_of[v])
            if (!gone[y]) {
                --children[y];
                drop(y);
            }
    }
    std::vector<std::uint32_t> left;
    for (std::uint32_t v = 0; v < n_; ++v)
        if (!gone[v]) left.push_back(v);
    return left;
}

// The shortest cycle through a variable, if it is shorter than 1: longer ones are not violated.
bool ClusterSeparator::find_cycle(std::uint32_t through, double noise,
                                  std::vector<std::uint32_t>& cycle) {
    using Entry = std::pair<double, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    ++visit_;
    const auto relax = [&](std::uint32_t from, double travelled) {
        for (const Arc& arc : arcs_[from]) {
            double next = travelled + std::max(0.0, 1 - arc.mass) + 1e-6;
            if (noise > 0) next += noise * random_.fraction();
            if (next >= 1 + noise) continue;
            if (visited_[arc.child] == visit_ && next >= distance_[arc.child] - tiny) continue;
            visited_[arc.child] = visit_;
            distance_[arc.child] = next;
            previous_[arc.child] = from;
            queue.emplace(next, arc.child);
        }
    };
    relax(through, 0);
    while (!queue.empty()) {
        const auto [travelled, v] = queue.top();
        checkpoint_(arcs_[v].size());
        queue.pop();
        if (travelled > distance_[v] + tiny) continue;
        if (v != through) {
            relax(v, travelled);
            continue;
        }
        cycle = {through};
        for (std::uint32_t w = previous_[through]; w != through; w = previous_[w]) {
            if (cycle.size() > n_) return false;
            cycle.push_back(w);
        }
        return true;
    }
    return false;
}

// Follows random parents, as likely as their values, until a variable comes again.
bool ClusterSeparator::walk_cycle(std::uint32_t from, std::vector<std::uint32_t>& cycle) {
    std::vector<std::uint32_t> path;
    std::uint32_t v = from;
    ++visit_;
    while (visited_[v] != visit_) {
        visited_[v] = visit_;
        previous_[v] = static_cast<std::uint32_t>(path.size());
        path.push_back(v);
        double left = random_.fraction();
        std::uint32_t chosen = none;
        for (const std::uint32_t i : cluster_.sets_of(v)) {
            left -= point_.values[i];
            if (left <= 0) {
                chosen = i;
                break;
            }
        }
        if (chosen == none) return false;
        const auto parents = problem_.sets.members(point_.sets[chosen]);
        if (parents.empty()) return false;
        v = static_cast<std::uint32_t>(parents[random_.below(parents.size())]);
    }
    cycle.assign(path.begin() + previous_[v], path.end());
    return cycle.size() >= 2;
}

void ClusterSeparator::improve(const std::vector<std::uint32_t>& cluster, int tabu_steps) {
    cluster_.clear();
    for (const std::uint32_t v : cluster) cluster_.add(v);
    record();
    std::fill(free_from_.begin(), free_from_.end(), 0);
    for (int step = 0; step < 60 + 4 * tabu_steps; ++step) {
        double best_change = 1e9;
        std::uint32_t best = none;
        const auto consider = [&](std::uint32_t v, double change) {
            if (free_from_[v] > step) return;
            const bool tie = change < best_change + tiny;
            if (change < best_change - tiny || (tie && random_.below(2) == 0)) {
                best_change = change;
                best = v;
            }
        };
        checkpoint_(16 * cluster_.candidates().size());
        for (const std::uint32_t v : cluster_.candidates())
            consider(v, cluster_.change_by_adding(v));
        if (cluster_.members().size() > 2)
            for (const std::uint32_t v : cluster_.members())
                consider(v, cluster_.change_by_removing(v) - 1e-9);
        if (best == none || (best_change > -1e-8 && step >= tabu_steps)) return;
        if (cluster_.contains(best))
            cluster_.remove(best);
        else
            cluster_.add(best);
        free_from_[best] = step + 3 + static_cast<int>(random_.below(3));
        record();
    }
}

void ClusterSeparator::record() {
    if (cluster_.outside() >= 1 - least_violation_) return;
    auto members = cluster_.members();
    std::sort(members.begin(), members.end());
    if (!seen_.insert(members).second) return;
    found_.push_back({1 - cluster_.outside(), std::move(members)});
}

}  // namespace anytimebn
