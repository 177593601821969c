#include "clusters/ascent.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_set>

#include "base/parallel.h"
#include "clusters/group_tables.h"

namespace anytimebn {
namespace {

// Where a variable is: in which group, as which member.
struct Place {
    std::size_t group, member;
};

// The bound for one vector of multipliers after another, in nats.
class Evaluation {
 public:
    Evaluation(const MaskedSets& sets, const std::vector<std::uint64_t>& groups, std::size_t jobs,
               Checkpoint checkpoint)
        : sets_(sets),
          jobs_(jobs),
          checkpoint_(std::move(checkpoint)),
          place_(sets.variables()),
          costs_(sets.variables()) {
        std::size_t patterns = 0;
        for (const std::uint64_t group : groups) {
            tables_.emplace_back(sets, group, checkpoint_);
            patterns += tables_.back().patterns();
            for (std::size_t i = 0; i < tables_.back().variables().size(); ++i)
                place_[tables_.back().variables()[i]] = {tables_.size() - 1, i};
        }
        // Small tables take less time than starting a thread.
        constexpr std::size_t enough_for_threads = 200'000;
        if (patterns * 16 + sets.size() * 64 < enough_for_threads) jobs_ = 1;
        plain_.resize(sets.variables());
        low_.resize(sets.variables());
        high_.resize(sets.variables());
        for (std::size_t x = 0; x < sets.variables(); ++x)
            for (const auto& set : sets.of[x]) {
                plain_[x].push_back(static_cast<float>(static_cast<double>(set.cost) * 1e-6));
                low_[x].push_back(static_cast<std::uint32_t>(set.members));
                high_[x].push_back(static_cast<std::uint32_t>(set.members >> 32));
                checkpoint_();
            }
    }

    void compute(const ClusterCandidate& candidate) {
        parallel_for(sets_.variables(), jobs_, [&](std::size_t x, std::size_t) {
            Checkpoint checkpoint = checkpoint_;
            costs_[x] = plain_[x];
            for (std::size_t c = 0; c < candidate.members.size(); ++c) {
                const std::uint64_t cluster = candidate.members[c];
                const auto multiplier = static_cast<float>(candidate.multipliers[c]);
                if (multiplier <= 0 || !(cluster >> x & 1)) continue;
                checkpoint(costs_[x].size() / 16);
                discount_(low_[x].data(), high_[x].data(), costs_[x].size(),
                          static_cast<std::uint32_t>(cluster),
                          static_cast<std::uint32_t>(cluster >> 32), multiplier, costs_[x].data());
            }
            tables_[place_[x].group].compute_best(place_[x].member, costs_[x]);
        });
        parallel_for(tables_.size(), jobs_,
                     [&](std::size_t g, std::size_t) { tables_[g].compute_rest(); });
    }

    // h(placed)
    double value(const ClusterCandidate& candidate, std::uint64_t placed) const {
        double value = 0;
        for (const auto& table : tables_)
            value += static_cast<double>(table.rest()[compress(placed, table.group())]);
        for (std::size_t c = 0; c < candidate.members.size(); ++c)
            if ((candidate.members[c] & placed) == 0) value += candidate.multipliers[c];
        return value;
    }

    // The parents that the relaxation chooses for the variables that are not placed.
    void choose(std::uint64_t placed, std::vector<std::uint64_t>& parents) const {
        Checkpoint checkpoint = checkpoint_;
        for (const auto& table : tables_)
            choose(table, compress(placed, table.group()), parents, checkpoint);
    }

    std::size_t jobs() const { return jobs_; }

 private:
    void choose(const GroupTables<float>& table, std::size_t placed,
                std::vector<std::uint64_t>& parents, Checkpoint& checkpoint) const {
        const std::size_t k = table.variables().size();
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
            const float wanted = table.best(next)[placed];
            const auto& inside = table.inside(next);
            checkpoint(inside.size() / 4);
            for (std::size_t j = 0; j < inside.size(); ++j)
                if (costs_[x][j] == wanted && (inside[j] & ~placed) == 0) {
                    parents[x] = sets_.of[x][j].members;
                    break;
                }
            placed |= std::size_t{1} << next;
        }
    }

    const MaskedSets& sets_;
    std::size_t jobs_;
    Checkpoint checkpoint_;
    std::vector<Place> place_;
    std::vector<GroupTables<float>> tables_;
    std::vector<std::vector<float>> costs_, plain_;       // adjusted, and as they are
    std::vector<std::vector<std::uint32_t>> low_, high_;  // members of the sets, in two halves
    Discount discount_ = discount_kernel();
};

// The shortest cycle of chosen parents through each variable that is not placed, as a set, and how
// many variables have it.
void count_shortest_cycles(const std::vector<std::uint64_t>& chosen, std::uint64_t free,
                           std::map<std::uint64_t, int>& cycles) {
    std::uint32_t queue[64], reached_from[64];
    for (std::uint64_t starts = free; starts != 0; starts &= starts - 1) {
        const auto start = static_cast<std::uint32_t>(std::countr_zero(starts));
        std::size_t head = 0, tail = 0;
        queue[tail++] = start;
        std::uint64_t seen = 0;
        bool found = false;
        std::uint32_t last = start;
        while (head < tail && !found) {
            const std::uint32_t x = queue[head++];
            std::uint64_t parents = chosen[x] & free;
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
}

// What raises the samples that lie below the limit.
struct Gradient {
    std::vector<double> of_clusters;
    std::map<std::uint64_t, int> cycles;  // and how often they occur: clusters to be added
};

Gradient find_gradient(const ClusterCandidate& candidate, const Evaluation& evaluation,
                       const std::vector<std::uint64_t>& below, std::uint64_t everything) {
    std::vector<Gradient> parts(
        std::max<std::size_t>(1, std::min(evaluation.jobs(), below.size())));
    for (Gradient& part : parts) part.of_clusters.resize(candidate.members.size());
    parallel_for(below.size(), parts.size(), [&](std::size_t s, std::size_t worker) {
        Gradient& part = parts[worker];
        std::vector<std::uint64_t> chosen(64, 0);
        evaluation.choose(below[s], chosen);
        const std::uint64_t free = everything & ~below[s];
        for (std::size_t c = 0; c < candidate.members.size(); ++c) {
            const std::uint64_t cluster = candidate.members[c];
            int change = (cluster & below[s]) == 0;
            for (std::uint64_t left = cluster & free; left != 0; left &= left - 1)
                change -= (chosen[static_cast<std::size_t>(std::countr_zero(left))] & cluster) == 0;
            part.of_clusters[c] += change;
        }
        count_shortest_cycles(chosen, free, part.cycles);
    });
    for (std::size_t w = 1; w < parts.size(); ++w) {
        for (std::size_t c = 0; c < candidate.members.size(); ++c)
            parts[0].of_clusters[c] += parts[w].of_clusters[c];
        for (const auto& [cycle, count] : parts[w].cycles) parts[0].cycles[cycle] += count;
    }
    return std::move(parts[0]);
}

void add_clusters(ClusterCandidate& candidate, Gradient& gradient) {
    const std::unordered_set<std::uint64_t> known(candidate.members.begin(),
                                                  candidate.members.end());
    std::vector<std::pair<int, std::uint64_t>> found;
    for (const auto& [cycle, count] : gradient.cycles)
        if (!known.contains(cycle)) found.emplace_back(count, cycle);
    std::sort(found.rbegin(), found.rend());
    constexpr std::size_t most_at_once = 20;
    for (std::size_t i = 0; i < std::min(most_at_once, found.size()); ++i) {
        candidate.members.push_back(found[i].second);
        candidate.multipliers.push_back(0);
        gradient.of_clusters.push_back(static_cast<double>(found[i].first) /
                                       std::popcount(found[i].second));
    }
}

// The best point, with the clusters tried since then at multiplier 0, those without any dropped.
void restart(ClusterCandidate& candidate, const ClusterCandidate& best) {
    ClusterCandidate next{best.groups, {}, {}, best.value};
    for (std::size_t c = 0; c < best.members.size(); ++c)
        if (best.multipliers[c] > 1e-9) {
            next.members.push_back(best.members[c]);
            next.multipliers.push_back(best.multipliers[c]);
        }
    const std::unordered_set<std::uint64_t> kept(next.members.begin(), next.members.end());
    for (std::size_t c = 0; c < candidate.members.size(); ++c)
        if (candidate.multipliers[c] > 1e-9 && !kept.contains(candidate.members[c])) {
            next.members.push_back(candidate.members[c]);
            next.multipliers.push_back(0);
        }
    candidate = std::move(next);
}

ClusterCandidate in_nats(const Clusters& clusters) {
    ClusterCandidate candidate{clusters.groups, clusters.members, {}};
    for (const Cost multiplier : clusters.multipliers)
        candidate.multipliers.push_back(static_cast<double>(multiplier) * 1e-6);
    return candidate;
}

}  // namespace

Clusters ClusterCandidate::rounded() const {
    // No table entry is further from a sum of costs than this; doubles must still hold it exactly.
    double mass = 0;
    for (std::size_t c = 0; c < members.size(); ++c)
        mass += multipliers[c] * 1e6 * std::popcount(members[c]);
    const double scale = mass > never ? 1e6 * never / mass : 1e6;
    Clusters clusters{groups, {}, {}};
    for (std::size_t c = 0; c < members.size(); ++c) {
        const auto units = static_cast<Cost>(std::llround(multipliers[c] * scale));
        if (units <= 0) continue;
        clusters.members.push_back(members[c]);
        clusters.multipliers.push_back(units);
    }
    return clusters;
}

// Polyak steps towards the limit along a smoothed subgradient, from the best point again whenever
// the step shrinks.
void climb(ClusterCandidate& candidate, const MaskedSets& sets, double limit,
           const std::vector<PlacedSample>& samples, AscentSchedule schedule,
           const AscentLimits& limits) {
    const std::size_t n = sets.variables();
    const std::uint64_t everything = n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
    Evaluation evaluation(sets, candidate.groups, limits.jobs, limits.checkpoint);
    ClusterCandidate best = candidate;
    best.value = -std::numeric_limits<double>::infinity();
    std::vector<double> direction(candidate.members.size(), 0);
    std::vector<std::uint64_t> below;
    int idle = 0;
    for (int iteration = 0; iteration < schedule.iterations && !limits.stopped(); ++iteration) {
        evaluation.compute(candidate);
        double missing = 0;
        below.clear();
        for (const PlacedSample& sample : samples) {
            const double here = limit - sample.cost - evaluation.value(candidate, sample.placed);
            if (here <= 0) continue;
            missing += here;
            below.push_back(sample.placed);
        }
        candidate.value = limit - missing;  // with one sample, the empty set, this is the bound
        idle = candidate.value > best.value + 1e-3 * (limit - best.value) ? 0 : idle + 1;
        if (candidate.value > best.value) {
            best = candidate;
            if (limits.on_the_way) limits.on_the_way(best);
        }
        if (missing <= 0) break;
        if (idle > schedule.patience) {
            schedule.step *= schedule.shrink;
            if (schedule.step < schedule.smallest_step) break;
            idle = 0;
            restart(candidate, best);
            direction.assign(candidate.members.size(), 0);
            continue;
        }
        Gradient gradient = find_gradient(candidate, evaluation, below, everything);
        add_clusters(candidate, gradient);
        direction.resize(candidate.members.size(), 0);
        double norm = 0;
        for (std::size_t c = 0; c < direction.size(); ++c) {
            direction[c] = gradient.of_clusters[c] + 0.6 * direction[c];
            if (direction[c] < 0 && candidate.multipliers[c] <= 0) direction[c] = 0;
            norm += direction[c] * direction[c];
        }
        if (norm < 1e-12) break;  // the relaxation's choice is acyclic: nothing left to gain
        const double step = 0.3 * schedule.step * missing / norm;
        for (std::size_t c = 0; c < direction.size(); ++c)
            candidate.multipliers[c] =
                std::max(0.0, candidate.multipliers[c] + step * direction[c]);
    }
    candidate = best;
    restart(candidate, best);
}

Ascent::Ascent(MaskedSets& sets, Cost limit, std::uint64_t seed, AscentLimits limits)
    : sets_(sets),
      n_(sets.variables()),
      limit_(static_cast<double>(limit) * 1e-6),
      exact_limit_(limit),
      random_(seed),
      limits_(std::move(limits)) {}

bool Ascent::done() const { return !possible_ || best_bound_ >= exact_limit_ || limits_.stopped(); }

void Ascent::scout() {
    scout_ = {random_groups((n_ + 6) / 7), {}, {}};
    climb(scout_, sets_, limit_, {{}}, {}, limits_);
    settle(scout_);
}

void Ascent::begin_with(const Clusters& known) {
    scout_ = in_nats(known);
    if (known.groups.size() > partition_groups()) {  // it was still scouting
        climb(scout_, sets_, limit_, {{}}, {}, limits_);
        settle(scout_);
        return;
    }
    settle(scout_);
    if (best_bound_ == -infinite_cost) return;  // it was stopped
    scout_.value = static_cast<double>(best_bound_) * 1e-6;
    unfinished_.push_back(scout_);
    tried_.push_back(known.groups);
    std::sort(tried_.back().begin(), tried_.back().end());
}

void Ascent::try_partition() {
    ClusterCandidate candidate{groups_cutting_little(partition_groups()), {}, {}};
    climb(candidate, sets_, limit_, {{}}, {.smallest_step = 0.003, .iterations = 45}, limits_);
    settle(candidate);
    unfinished_.push_back(std::move(candidate));
}

bool Ascent::finish_next() {
    if (unfinished_.empty()) return false;
    const auto next = std::max_element(
        unfinished_.begin(), unfinished_.end(),
        [](const ClusterCandidate& a, const ClusterCandidate& b) { return a.value < b.value; });
    ClusterCandidate candidate = std::move(*next);
    unfinished_.erase(next);
    climb(candidate, sets_, limit_, {{}}, {.step = 0.6, .patience = 10}, limits_);
    settle(candidate);
    finished_.push_back(std::move(candidate));
    return true;
}

void Ascent::refine() {
    if (finished_.empty()) return;
    const auto best = std::max_element(
        finished_.begin(), finished_.end(),
        [](const ClusterCandidate& a, const ClusterCandidate& b) { return a.value < b.value; });
    climb(*best, sets_, limit_, {{}}, {.step = 0.2, .smallest_step = 0.003}, limits_);
    settle(*best);
}

void Ascent::run() {
    const int partitions = n_ <= 14 ? 1 : 3;  // of few variables one is as good as another
    for (int round = 0; round < 2 && !done(); ++round) {
        scout();
        for (int trial = 0; trial < partitions && !done(); ++trial) try_partition();
        if (n_ <= 14) break;
    }
    for (int i = 0; i < 2 && !done(); ++i) finish_next();
    if (!done()) refine();
}

Clusters Ascent::tuned(const Clusters& start, const std::vector<PlacedSample>& samples) const {
    ClusterCandidate candidate = in_nats(start);
    AscentLimits limits = limits_;
    limits.on_the_way = {};  // it is not the bound of the empty set that is raised
    climb(candidate, sets_, limit_, samples, {.patience = 8}, limits);
    return candidate.rounded();
}

std::size_t Ascent::partition_groups() const {
    return std::max<std::size_t>(n_ > 3 ? 2 : 1,
                                 (n_ + limits_.largest_group - 1) / limits_.largest_group);
}

double Ascent::evaluation_seconds() const {
    const auto groups = static_cast<double>(partition_groups());
    const double size = static_cast<double>(n_) / groups;
    return groups * size * size * std::exp2(size) * 2e-10 +
           static_cast<double>(sets_.size()) * 4e-8;
}

std::vector<std::uint64_t> Ascent::random_groups(std::size_t count) {
    std::vector<std::uint32_t> order(n_);
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t i = n_; i > 1; --i) std::swap(order[i - 1], order[random_() % i]);
    std::vector<std::uint64_t> groups(count, 0);
    for (std::size_t i = 0; i < n_; ++i) groups[i % count] |= std::uint64_t{1} << order[i];
    return groups;
}

// Groups of nearly equal size; the clusters of the scout that they cut have little multiplier mass.
std::vector<std::uint64_t> Ascent::groups_cutting_little(std::size_t count) {
    const auto mass_cut = [&](const std::vector<std::uint64_t>& groups) {
        double mass = 0;
        for (std::size_t c = 0; c < scout_.members.size(); ++c) {
            bool inside = false;
            for (const std::uint64_t group : groups) inside |= (scout_.members[c] & ~group) == 0;
            if (!inside) mass += scout_.multipliers[c];
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

// Exactly: the bound in whole units, and the parent sets that it rules out.
void Ascent::settle(const ClusterCandidate& candidate) {
    if (limits_.stopped()) return;
    const Clusters clusters = candidate.rounded();
    const Cost bound = root_bound_and_fix(sets_, clusters, exact_limit_, limits_.jobs, possible_,
                                          limits_.checkpoint);
    if (bound > best_bound_) {
        best_bound_ = bound;
        best_ = clusters;
        limits_.raised(bound);
    } else if (best_.groups.size() > candidate.groups.size()) {
        best_ = clusters;  // larger groups serve better below the root
    }
}

}  // namespace anytimebn
