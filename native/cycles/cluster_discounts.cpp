#include "cycles/cluster_discounts.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace anytimebn {
namespace {

constexpr double first_factor = 1.5, last_factor = 0.02;
constexpr Cost least_gain = 100;         // of a pass from long to short steps: this part of the gap
constexpr double momentum = 0.7;         // of the last direction in the next one
constexpr std::size_t patience = 12;     // steps without a better bound, then shorter ones
constexpr std::uint32_t most_idle = 30;  // steps until a cluster that does nothing goes
constexpr std::size_t tidy_every = 20;   // steps

std::vector<Cost> costs_of(const ParentSets& sets) {
    std::vector<Cost> costs(sets.size());
    for (std::size_t s = 0; s < sets.size(); ++s) costs[s] = sets.cost(s);
    return costs;
}

}  // namespace

ClusterDiscounts::ClusterDiscounts(const ParentSets& sets, const PossibleParents& possible)
    : sets_(sets),
      possible_(possible),
      lists_(sets, possible, costs_of(sets), std::vector<bool>(sets.size(), true)),
      short_cycles_(sets.variables()),
      parts_(sets.variables()),
      chosen_(sets.variables()),
      parents_(sets.variables()) {}

void ClusterDiscounts::improve(std::size_t most_steps, const Hooks& hooks) {
    double factor = first_factor;
    std::size_t last_better = 0;
    Cost before_pass = 0;
    for (std::size_t number = 0; number < most_steps; ++number) {
        if (hooks.stopped()) return;
        const Cost bound = evaluate();
        const Cost target = hooks.incumbent();
        if (bound > best_bound_ || number == 0) {
            best_bound_ = bound;
            for (Cluster& cluster : clusters_) cluster.best_multiplier = cluster.multiplier;
            hooks.raised(std::min(bound, target));
            last_better = number;
        }
        if (best_bound_ >= target) return;
        if (number - last_better >= patience) {
            factor /= 2;
            last_better = number;
            if (factor < last_factor) {
                const Cost gain = best_bound_ - before_pass;
                if (gain < (target - best_bound_) / least_gain) return;
                before_pass = best_bound_;
                factor = first_factor;
            }
            for (Cluster& cluster : clusters_) {
                cluster.multiplier = cluster.best_multiplier;
                cluster.direction = 0;
            }
            evaluate();
        }
        short_cycles_.find(parents_, cycles_);
        const std::size_t before = clusters_.size();
        for (const Cycle& cycle : cycles_) add(cycle);
        if (number % tidy_every == tidy_every - 1) drop_idle();
        if (!step(factor, target) && clusters_.size() == before) return;  // nothing to improve
    }
}

void ClusterDiscounts::add(const Cycle& cycle) {
    std::vector<std::uint32_t> members = cycle;
    std::sort(members.begin(), members.end());
    if (!known_.insert(members).second) return;
    clusters_.emplace_back();
    Cluster& cluster = clusters_.back();
    cluster.members = std::move(members);
    for (const std::uint32_t v : cluster.members) {
        cluster.masks.push_back(masks_.size());
        parts_[v].push_back({static_cast<std::uint32_t>(clusters_.size() - 1), masks_.size()});
        masks_.resize(masks_.size() + possible_.words(v), 0);
        possible_.mark(v, cluster.members, masks_.data() + cluster.masks.back());
    }
}

void ClusterDiscounts::drop_idle() {
    std::vector<Cluster> left;
    for (Cluster& cluster : clusters_)
        if (cluster.idle <= most_idle || cluster.best_multiplier > 0)
            left.push_back(std::move(cluster));
        else
            known_.erase(cluster.members);
    clusters_.swap(left);
    attach();
}

void ClusterDiscounts::attach() {
    std::vector<std::uint64_t> masks;
    for (auto& parts : parts_) parts.clear();
    for (std::uint32_t c = 0; c < clusters_.size(); ++c)
        for (std::size_t i = 0; i < clusters_[c].members.size(); ++i) {
            const std::uint32_t v = clusters_[c].members[i];
            const auto from = masks_.begin() + static_cast<std::ptrdiff_t>(clusters_[c].masks[i]);
            clusters_[c].masks[i] = masks.size();
            parts_[v].push_back({c, masks.size()});
            masks.insert(masks.end(), from, from + static_cast<std::ptrdiff_t>(possible_.words(v)));
        }
    masks_.swap(masks);
}

Cost ClusterDiscounts::discount(std::size_t child, const std::uint64_t* mask,
                                Cost Cluster::* multiplier) const {
    const std::size_t words = possible_.words(child);
    Cost sum = 0;
    for (const Part& part : parts_[child]) {
        std::uint64_t common = 0;
        for (std::size_t w = 0; w < words; ++w) common |= mask[w] & masks_[part.mask + w];
        if (common == 0) sum += clusters_[part.cluster].*multiplier;
    }
    return sum;
}

// Chooses the cheapest set of every variable with the present multipliers.
Cost ClusterDiscounts::evaluate() {
    Cost bound = 0;
    for (const Cluster& cluster : clusters_) bound += cluster.multiplier;
    for (std::size_t v = 0; v < sets_.variables(); ++v) {
        Cost most = 0;
        for (const Part& part : parts_[v]) most += clusters_[part.cluster].multiplier;
        Cost lowest = infinite_cost;
        for (std::uint32_t i = 0; i < lists_.count(v) && lists_.cost(v, i) - most < lowest; ++i) {
            const Cost cost =
                lists_.cost(v, i) - discount(v, lists_.mask(v, i), &Cluster::multiplier);
            if (cost < lowest) {
                lowest = cost;
                chosen_[v] = i;
            }
        }
        bound += lowest;
        parents_[v].clear();
        const std::uint64_t* const mask = lists_.mask(v, chosen_[v]);
        for (std::size_t w = 0; w < possible_.words(v); ++w)
            for (std::uint64_t left = mask[w]; left != 0; left &= left - 1)
                parents_[v].push_back(
                    possible_.of(v)[w * 64 + static_cast<std::size_t>(std::countr_zero(left))]);
    }
    return bound;
}

bool ClusterDiscounts::inside(std::size_t child, const Cluster& cluster, std::size_t member) const {
    const std::uint64_t* const mask = lists_.mask(child, chosen_[child]);
    std::uint64_t common = 0;
    for (std::size_t w = 0; w < possible_.words(child); ++w)
        common |= mask[w] & masks_[cluster.masks[member] + w];
    return common != 0;
}

// Polyak's step towards the incumbent, in a direction that remembers those before; false if there
// is none.
bool ClusterDiscounts::step(double factor, Cost target) {
    double square = 0;
    Cost bound = 0;
    for (std::size_t v = 0; v < sets_.variables(); ++v)
        bound += lists_.cost(v, chosen_[v]) -
                 discount(v, lists_.mask(v, chosen_[v]), &Cluster::multiplier);
    for (Cluster& cluster : clusters_) {
        bound += cluster.multiplier;
        int outside = 0;
        for (std::size_t i = 0; i < cluster.members.size(); ++i)
            outside += !inside(cluster.members[i], cluster, i);
        cluster.direction = 1 - outside + momentum * cluster.direction;
        if (cluster.multiplier == 0 && cluster.direction < 0) cluster.direction = 0;
        cluster.idle = cluster.multiplier == 0 && outside > 0 ? cluster.idle + 1 : 0;
        square += cluster.direction * cluster.direction;
    }
    if (square == 0) return false;
    const double length = factor * static_cast<double>(target - bound) / square;
    for (Cluster& cluster : clusters_) {
        const double moved = static_cast<double>(cluster.multiplier) + length * cluster.direction;
        cluster.multiplier = std::min<Cost>(target, std::llround(std::clamp(moved, 0.0, 0x1p60)));
    }
    return true;
}

Cost ClusterDiscounts::sum_of_multipliers() const {
    Cost sum = 0;
    for (const Cluster& cluster : clusters_) sum += cluster.best_multiplier;
    return sum;
}

std::vector<Cost> ClusterDiscounts::discounted_costs() const {
    std::vector<Cost> costs(sets_.size());
    std::vector<std::uint64_t> mask;
    for (std::size_t v = 0; v < sets_.variables(); ++v)
        for (std::size_t s = sets_.first(v); s < sets_.first(v + 1); ++s) {
            mask.assign(possible_.words(v), 0);
            for (const std::int32_t member : sets_.members(s)) {
                const std::uint32_t b = possible_.bit(v, static_cast<std::uint32_t>(member));
                mask[b / 64] |= std::uint64_t{1} << (b % 64);
            }
            costs[s] = sets_.cost(s) - discount(v, mask.data(), &Cluster::best_multiplier);
        }
    return costs;
}

std::uint64_t ClusterDiscounts::memory_bytes() const {
    return lists_.memory_bytes() + masks_.size() * 24 + clusters_.size() * 128;
}

}  // namespace anytimebn
