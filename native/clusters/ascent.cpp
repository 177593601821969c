// Finding good clusters, multipliers and groups by subgradient ascent of the bound at the empty
// set.
//
// 1. Several small groups, multipliers from zero: cheap evaluations find the clusters that matter.
// New
//    clusters are the shortest cycles among the parents that the relaxation chooses.
// 2. Large groups that cut as little multiplier mass as possible (swap descent from many starts); a
//    short ascent on some of them tells the good ones apart, a long one finishes the best.
// 3. Parent sets that no better network can use are dropped as soon as the bound shows it.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "clusters/group_tables.h"
#include "clusters/relaxation.h"

namespace anytimebn {
namespace {

// Multipliers in nats while they are looked for.
struct Candidate {
    std::vector<std::uint64_t> groups;
    std::vector<std::uint64_t> members;
    std::vector<double> multipliers;
    double value = -std::numeric_limits<double>::infinity();

    Clusters rounded() const {
        Clusters clusters{groups, {}, {}};
        for (std::size_t c = 0; c < members.size(); ++c) {
            const auto units = static_cast<Cost>(std::llround(multipliers[c] * 1e6));
            if (units <= 0) continue;
            clusters.members.push_back(members[c]);
            clusters.multipliers.push_back(units);
        }
        return clusters;
    }
};

struct Schedule {
    double step = 1.0;
    int patience = 12;  // iterations without improvement before the step shrinks
    double shrink = 0.6;
    double smallest_step = 0.01;
    int iterations = 100'000;
};

class Evaluation {
 public:
    Evaluation(const MaskedSets& sets, const std::vector<std::uint64_t>& groups)
        : sets_(sets), costs_(sets.variables()), parents_(sets.variables()) {
        for (const std::uint64_t group : groups) tables_.emplace_back(sets, group);
        plain_.resize(sets.variables());
        low_.resize(sets.variables());
        high_.resize(sets.variables());
        for (std::size_t x = 0; x < sets.variables(); ++x)
            for (const auto& set : sets.of[x]) {
                plain_[x].push_back(static_cast<float>(static_cast<double>(set.cost) * 1e-6));
                low_[x].push_back(static_cast<std::uint32_t>(set.members));
                high_[x].push_back(static_cast<std::uint32_t>(set.members >> 32));
            }
    }

    // The bound in nats; `parents` are then what the relaxation chooses.
    double compute(const Candidate& candidate) {
        for (std::size_t x = 0; x < sets_.variables(); ++x) costs_[x] = plain_[x];
        double value = 0;
        for (std::size_t c = 0; c < candidate.members.size(); ++c) {
            const std::uint64_t cluster = candidate.members[c];
            const auto multiplier = static_cast<float>(candidate.multipliers[c]);
            if (multiplier <= 0) continue;
            value += candidate.multipliers[c];
            for (std::uint64_t left = cluster; left != 0; left &= left - 1) {
                const auto x = static_cast<std::size_t>(std::countr_zero(left));
                kernels_.discount(low_[x].data(), high_[x].data(), costs_[x].size(),
                                  static_cast<std::uint32_t>(cluster),
                                  static_cast<std::uint32_t>(cluster >> 32), multiplier,
                                  costs_[x].data());
            }
        }
        for (auto& table : tables_) {
            table.compute(costs_);
            value += static_cast<double>(table.rest()[0]);
            follow(table);
        }
        return value;
    }
    std::uint64_t parents(std::size_t x) const { return parents_[x]; }

 private:
    void follow(const GroupTables<float>& table) {
        const std::size_t k = table.variables().size();
        std::size_t placed = 0;
        while (placed + 1 < table.patterns()) {
            float lowest = unreachable<float>;
            std::size_t next = k;
            for (std::size_t i = 0; i < k; ++i) {
                if (placed >> i & 1) continue;
                const float cost =
                    table.best(i)[placed] + table.rest()[placed | std::size_t{1} << i];
                if (next == k || cost < lowest) {
                    lowest = cost;
                    next = i;
                }
            }
            const std::uint32_t x = table.variables()[next];
            float cheapest = std::numeric_limits<float>::infinity();
            for (std::size_t j = 0; j < sets_.of[x].size(); ++j)
                if ((table.inside(next)[j] & ~placed) == 0 && costs_[x][j] < cheapest) {
                    cheapest = costs_[x][j];
                    parents_[x] = sets_.of[x][j].members;
                }
            placed |= std::size_t{1} << next;
        }
    }

    const MaskedSets& sets_;
    std::vector<GroupTables<float>> tables_;
    std::vector<std::vector<float>> costs_, plain_;       // adjusted, and as they are
    std::vector<std::vector<std::uint32_t>> low_, high_;  // members of the sets, in two halves
    std::vector<std::uint64_t> parents_;
    AscentKernels kernels_ = ascent_kernels();
};

// The shortest cycle of chosen parents through each variable, as a set, and how many variables have
// it.
std::map<std::uint64_t, int> shortest_cycles(const Evaluation& evaluation, std::size_t n) {
    std::map<std::uint64_t, int> cycles;
    std::vector<std::uint32_t> queue(n), reached_from(n);
    for (std::uint32_t start = 0; start < n; ++start) {
        std::size_t head = 0, tail = 0;
        queue[tail++] = start;
        std::uint64_t seen = 0;
        bool found = false;
        std::uint32_t last = start;
        while (head < tail && !found) {
            const std::uint32_t x = queue[head++];
            std::uint64_t parents = evaluation.parents(x);
            if (parents >> start & 1) {
                last = x;
                found = true;
                break;
            }
            parents &= ~seen;
            seen |= parents;
            for (; parents != 0; parents &= parents - 1) {
                const auto y = static_cast<std::uint32_t>(std::countr_zero(parents));
                reached_from[y] = x;
                queue[tail++] = y;
            }
        }
        if (!found) continue;
        std::uint64_t cycle = std::uint64_t{1} << start;
        for (std::uint32_t x = last; x != start; x = reached_from[x])
            cycle |= std::uint64_t{1} << x;
        ++cycles[cycle];
    }
    return cycles;
}

class Ascent {
 public:
    Ascent(MaskedSets& sets, Cost limit, std::uint64_t seed, const AscentLimits& limits)
        : sets_(sets),
          n_(sets.variables()),
          limit_(static_cast<double>(limit) * 1e-6),
          exact_limit_(limit),
          random_(seed),
          limits_(limits) {}

    Clusters run(bool& possible) {
        possible_ = true;
        std::vector<Candidate> candidates;
        const std::size_t group_count = std::max<std::size_t>(
            n_ > 3 ? 2 : 1, (n_ + limits_.largest_group - 1) / limits_.largest_group);
        Candidate scout;
        for (int trial = 0; trial < 9 && !done(); ++trial) {
            if (trial % 3 == 0) {
                scout = Candidate{random_groups((n_ + 6) / 7), {}, {}};
                climb(scout, {});
                settle(scout);
                if (done()) break;
            }
            Candidate candidate{groups_cutting_little(scout, group_count), {}, {}};
            climb(candidate, {.smallest_step = 0.003, .iterations = 45});
            candidates.push_back(std::move(candidate));
            if (n_ <= 14) break;  // one partition is as good as another
        }
        const auto better = [](const Candidate& a, const Candidate& b) {
            return a.value > b.value;
        };
        std::sort(candidates.begin(), candidates.end(), better);
        candidates.resize(std::min<std::size_t>(2, candidates.size()));
        for (Candidate& candidate : candidates) {
            if (done()) break;
            climb(candidate, {.step = 0.6, .patience = 10});
            settle(candidate);
        }
        std::sort(candidates.begin(), candidates.end(), better);
        if (!candidates.empty() && !done()) {
            climb(candidates[0], {.step = 0.2, .smallest_step = 0.003});
            settle(candidates[0]);
        }
        possible = possible_;
        return best_;
    }

 private:
    bool done() const { return !possible_ || best_bound_ >= exact_limit_ || limits_.stopped(); }

    std::vector<std::uint64_t> random_groups(std::size_t count) {
        std::vector<std::uint32_t> order(n_);
        std::iota(order.begin(), order.end(), 0u);
        for (std::size_t i = n_; i > 1; --i) std::swap(order[i - 1], order[random_() % i]);
        std::vector<std::uint64_t> groups(count, 0);
        for (std::size_t i = 0; i < n_; ++i) groups[i % count] |= std::uint64_t{1} << order[i];
        return groups;
    }

    // Groups of nearly equal size; the clusters that they cut have little multiplier mass.
    std::vector<std::uint64_t> groups_cutting_little(const Candidate& scout, std::size_t count) {
        const auto mass_cut = [&](const std::vector<std::uint64_t>& groups) {
            double mass = 0;
            for (std::size_t c = 0; c < scout.members.size(); ++c) {
                bool inside = false;
                for (const std::uint64_t group : groups) inside |= (scout.members[c] & ~group) == 0;
                if (!inside) mass += scout.multipliers[c];
            }
            return mass;
        };
        std::vector<std::uint64_t> best;
        double lowest = std::numeric_limits<double>::infinity();
        for (int start = 0; start < 20 && !limits_.stopped(); ++start) {
            auto groups = random_groups(count);
            double mass = mass_cut(groups);
            for (bool improved = true; improved;) {
                improved = false;
                for (std::size_t a = 0; a < n_; ++a)
                    for (std::size_t b = a + 1; b < n_; ++b) {
                        const auto of = [&](std::size_t v) {
                            std::size_t g = 0;
                            while (!(groups[g] >> v & 1)) ++g;
                            return g;
                        };
                        const std::size_t ga = of(a), gb = of(b);
                        if (ga == gb) continue;
                        const std::uint64_t both = std::uint64_t{1} << a | std::uint64_t{1} << b;
                        groups[ga] ^= both;
                        groups[gb] ^= both;
                        const double changed = mass_cut(groups);
                        if (changed < mass - 1e-9) {
                            mass = changed;
                            improved = true;
                        } else {
                            groups[ga] ^= both;
                            groups[gb] ^= both;
                        }
                    }
            }
            std::vector<std::uint64_t> sorted = groups;
            std::sort(sorted.begin(), sorted.end());
            if (mass < lowest && std::find(tried_.begin(), tried_.end(), sorted) == tried_.end()) {
                lowest = mass;
                best = sorted;
            }
        }
        if (best.empty()) best = random_groups(count);
        tried_.push_back(best);
        return best;
    }

    // Polyak steps towards the limit along a smoothed subgradient, from the best point again
    // whenever the step shrinks.
    void climb(Candidate& candidate, Schedule schedule) {
        Evaluation evaluation(sets_, candidate.groups);
        Candidate best = candidate;
        best.value = -std::numeric_limits<double>::infinity();
        std::vector<double> direction(candidate.members.size(), 0);
        int idle = 0;
        for (int iteration = 0; iteration < schedule.iterations && !limits_.stopped();
             ++iteration) {
            const double value = candidate.value = evaluation.compute(candidate);
            const double gap = limit_ - value;
            idle = value > best.value + 1e-3 * (limit_ - best.value) ? 0 : idle + 1;
            if (value > best.value) best = candidate;
            if (gap <= 0) break;
            if (idle > schedule.patience) {
                schedule.step *= schedule.shrink;
                if (schedule.step < schedule.smallest_step) break;
                idle = 0;
                restart(candidate, best);
                direction.assign(candidate.members.size(), 0);
                continue;
            }
            auto gradient = subgradient(candidate, evaluation);
            add_clusters(candidate, gradient, evaluation);
            direction.resize(candidate.members.size(), 0);
            double norm = 0;
            for (std::size_t c = 0; c < direction.size(); ++c) {
                direction[c] = gradient[c] + 0.6 * direction[c];
                if (direction[c] < 0 && candidate.multipliers[c] <= 0) direction[c] = 0;
                norm += direction[c] * direction[c];
            }
            if (norm < 1e-12) break;  // the relaxation's choice is acyclic: nothing left to gain
            const double step = 0.3 * schedule.step * gap / norm;
            for (std::size_t c = 0; c < direction.size(); ++c)
                candidate.multipliers[c] =
                    std::max(0.0, candidate.multipliers[c] + step * direction[c]);
        }
        candidate = best;
        restart(candidate, best);
    }

    // The best point, with the clusters tried since then at multiplier 0, those without any
    // dropped.
    static void restart(Candidate& candidate, const Candidate& best) {
        Candidate next{best.groups, {}, {}, best.value};
        for (std::size_t c = 0; c < best.members.size(); ++c)
            if (best.multipliers[c] > 1e-9) {
                next.members.push_back(best.members[c]);
                next.multipliers.push_back(best.multipliers[c]);
            }
        for (std::size_t c = 0; c < candidate.members.size(); ++c)
            if (candidate.multipliers[c] > 1e-9 &&
                std::find(next.members.begin(), next.members.end(), candidate.members[c]) ==
                    next.members.end()) {
                next.members.push_back(candidate.members[c]);
                next.multipliers.push_back(0);
            }
        candidate = std::move(next);
    }

    // 1 - the number of members of the cluster whose chosen parents miss it
    static std::vector<double> subgradient(const Candidate& candidate,
                                           const Evaluation& evaluation) {
        std::vector<double> gradient;
        for (const std::uint64_t cluster : candidate.members) {
            int outside = 0;
            for (std::uint64_t left = cluster; left != 0; left &= left - 1)
                outside += (evaluation.parents(static_cast<std::size_t>(std::countr_zero(left))) &
                            cluster) == 0;
            gradient.push_back(1 - outside);
        }
        return gradient;
    }

    void add_clusters(Candidate& candidate, std::vector<double>& gradient,
                      const Evaluation& evaluation) const {
        std::vector<std::pair<int, std::uint64_t>> found;
        for (const auto& [cycle, count] : shortest_cycles(evaluation, n_))
            if (std::find(candidate.members.begin(), candidate.members.end(), cycle) ==
                candidate.members.end())
                found.emplace_back(count, cycle);
        std::sort(found.rbegin(), found.rend());
        constexpr std::size_t most_at_once = 20;
        for (std::size_t i = 0; i < std::min(most_at_once, found.size()); ++i) {
            candidate.members.push_back(found[i].second);
            candidate.multipliers.push_back(0);
            gradient.push_back(static_cast<double>(found[i].first) /
                               std::popcount(found[i].second));
        }
    }

    // Exactly: the bound in whole units, and the parent sets that it rules out.
    void settle(Candidate& candidate) {
        if (limits_.stopped()) return;
        const Clusters clusters = candidate.rounded();
        const Cost bound = root_bound(sets_, clusters);
        if (bound > best_bound_) {
            best_bound_ = bound;
            best_ = clusters;
            limits_.raised(bound);
        } else if (best_.groups.size() > candidate.groups.size()) {
            best_ = clusters;  // larger groups serve better below the root
        }
        fix_parent_sets(sets_, clusters, exact_limit_, possible_);
    }

    MaskedSets& sets_;
    std::size_t n_;
    double limit_;
    Cost exact_limit_;
    std::mt19937_64 random_;
    const AscentLimits& limits_;
    std::vector<std::vector<std::uint64_t>> tried_;
    Clusters best_;
    Cost best_bound_ = -infinite_cost;
    bool possible_ = true;
};

}  // namespace

Clusters ascend(MaskedSets& sets, Cost limit, std::uint64_t seed, const AscentLimits& limits,
                bool& possible) {
    return Ascent(sets, limit, seed, limits).run(possible);
}

}  // namespace anytimebn
