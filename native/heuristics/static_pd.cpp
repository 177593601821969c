// Static pattern databases (Yuan & Malone 2012): the variables are partitioned into groups; for
// each group the cheapest way to place what remains of it, when all variables of the other groups
// may be parents, is solved exactly for every subset. The sum over groups is a consistent bound.
//
// Cycles inside a group are avoided, cycles across groups are not, so groups should hold variables
// that want each other as parents. The default rule weighs a pair by the regret that both cannot
// have the other as parent, and keeps as much of that weight inside groups as swaps can.
#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "heuristics/group_index.h"
#include "heuristics/heuristic.h"

namespace anytimebn {
namespace {

using Groups = std::vector<std::vector<std::uint32_t>>;

// Regrets are stored in 32 bits; larger ones are cut off, which keeps the bound valid and
// consistent.
constexpr Cost cut_off = std::numeric_limits<std::uint32_t>::max();

// By the placed members of a group: the regret of placing the others.
std::vector<std::uint32_t> pattern_database(const ParentSets& sets,
                                            const std::vector<std::uint32_t>& group,
                                            const std::function<bool()>& stopped) {
    const std::size_t k = group.size(), patterns = std::size_t{1} << k;
    std::vector<std::int32_t> position(sets.variables(), -1);
    for (std::size_t i = 0; i < k; ++i) position[group[i]] = static_cast<std::int32_t>(i);

    // best[i * patterns + A]: regret of member i when A, and all variables outside, are placed.
    std::vector<std::uint32_t> best(k * patterns, static_cast<std::uint32_t>(cut_off));
    for (std::size_t i = 0; i < k; ++i) {
        if (stopped()) return {};
        std::uint32_t* const table = best.data() + i * patterns;
        for (std::size_t s = sets.first(group[i]); s < sets.first(group[i] + 1); ++s) {
            std::size_t inside = 0;
            for (const std::int32_t member : sets.members(s))
                if (position[static_cast<std::size_t>(member)] >= 0)
                    inside |= std::size_t{1} << position[static_cast<std::size_t>(member)];
            const auto cost = static_cast<std::uint32_t>(std::min(sets.cost(s), cut_off));
            table[inside] = std::min(table[inside], cost);
        }
        for (std::size_t half = 1; half < patterns; half *= 2)
            for (std::size_t begin = 0; begin < patterns; begin += 2 * half)
                for (std::size_t a = begin; a < begin + half; ++a)
                    table[a + half] = std::min(table[a + half], table[a]);
    }

    std::vector<std::uint32_t> database(patterns, static_cast<std::uint32_t>(cut_off));
    database.back() = 0;
    for (std::size_t placed = patterns - 1; placed-- > 0;) {
        std::uint64_t lowest = static_cast<std::uint64_t>(cut_off);
        for (std::size_t i = 0; i < k; ++i)
            if (!(placed >> i & 1))
                lowest = std::min(lowest, std::uint64_t{best[i * patterns + placed]} +
                                              database[placed | std::size_t{1} << i]);
        database[placed] = static_cast<std::uint32_t>(lowest);
    }
    return database;
}

class StaticPatternDatabases final : public Heuristic {
 public:
    StaticPatternDatabases(std::size_t variables, const Groups& groups,
                           std::vector<std::vector<std::uint32_t>> databases)
        : variables_(variables),
          words_((variables + 63) / 64),
          databases_(std::move(databases)),
          index_(variables, groups) {}

    void evaluate(const std::uint64_t* sets, std::size_t count, Cost* values) const override {
        for (std::size_t s = 0; s < count; ++s)
            values[s] = words_ == 1 ? narrow(sets[s]) : wide(sets + s * words_);
    }

    // Only the group of the added variable changes.
    void evaluate_added(const std::uint64_t* placed, std::size_t words, const std::uint32_t* added,
                        std::size_t count, Cost* values) const override {
        if (words_ > 1) return Heuristic::evaluate_added(placed, words, added, count, values);
        std::uint64_t index[64];
        Cost sum = 0;
        index_.for_each(*placed, [&](std::size_t g, std::uint64_t i) {
            index[g] = i;
            sum += databases_[g][i];
        });
        for (std::size_t i = 0; i < count; ++i) {
            const auto [group, bit] = index_.place(added[i]);
            const auto& database = databases_[group];
            values[i] =
                sum - database[index[group]] + database[index[group] | std::uint64_t{1} << bit];
        }
    }

    std::uint64_t memory_bytes() const override {
        std::uint64_t bytes = 0;
        for (const auto& database : databases_) bytes += database.size() * 4;
        return bytes;
    }

 private:
    Cost narrow(std::uint64_t placed) const {
        Cost sum = 0;
        index_.for_each(placed, [&](std::size_t g, std::uint64_t i) { sum += databases_[g][i]; });
        return sum;
    }
    Cost wide(const std::uint64_t* placed) const {
        std::vector<std::size_t> index(databases_.size(), 0);
        for (std::size_t v = 0; v < variables_; ++v)
            if (placed[v / 64] >> (v % 64) & 1)
                index[index_.place(v).group] |= std::size_t{1} << index_.place(v).bit;
        Cost sum = 0;
        for (std::size_t g = 0; g < databases_.size(); ++g) sum += databases_[g][index[g]];
        return sum;
    }

    std::size_t variables_, words_;
    std::vector<std::vector<std::uint32_t>> databases_;
    GroupIndex index_;
};

// The regret that x suffers when y is not among its parents.
std::vector<std::vector<Cost>> regrets_without(const ParentSets& sets) {
    const std::size_t n = sets.variables();
    std::vector<std::vector<Cost>> regret(n, std::vector<Cost>(n, 0));
    for (std::size_t x = 0; x < n; ++x) {
        std::vector<bool> settled(n, false);
        std::size_t unsettled = n;
        for (std::size_t s = sets.first(x); s < sets.first(x + 1) && unsettled > 0; ++s) {
            std::vector<bool> inside(n, false);
            for (const std::int32_t member : sets.members(s))
                inside[static_cast<std::size_t>(member)] = true;
            for (std::size_t y = 0; y < n; ++y)
                if (!settled[y] && !inside[y]) {
                    settled[y] = true;
                    --unsettled;
                    regret[x][y] = sets.cost(s);
                }
        }
        for (std::size_t y = 0; y < n; ++y)
            if (!settled[y]) regret[x][y] = cut_off;
    }
    return regret;
}

// Groups of nearly equal size with much conflict inside, by swaps from a random start.
Groups random_good_groups(const std::vector<std::vector<Cost>>& weight, std::size_t group_count,
                          std::mt19937_64& random) {
    const std::size_t n = weight.size();
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    std::vector<std::size_t> group(n);
    for (std::size_t i = 0; i < n; ++i) group[order[i]] = i * group_count / n;

    std::vector<std::vector<Cost>> pull(n, std::vector<Cost>(group_count, 0));
    for (std::size_t x = 0; x < n; ++x)
        for (std::size_t y = 0; y < n; ++y) pull[x][group[y]] += weight[x][y];
    for (bool improved = true; improved;) {
        improved = false;
        for (std::size_t x = 0; x < n; ++x)
            for (std::size_t y = x + 1; y < n; ++y) {
                if (group[x] == group[y]) continue;
                const Cost gain = pull[x][group[y]] - pull[x][group[x]] + pull[y][group[x]] -
                                  pull[y][group[y]] - 2 * weight[x][y];
                if (gain <= 0) continue;
                improved = true;
                for (std::size_t z = 0; z < n; ++z) {
                    pull[z][group[x]] += weight[z][y] - weight[z][x];
                    pull[z][group[y]] += weight[z][x] - weight[z][y];
                }
                std::swap(group[x], group[y]);
            }
    }
    Groups groups(group_count);
    for (std::uint32_t v = 0; v < n; ++v) groups[group[v]].push_back(v);
    return groups;
}

std::unique_ptr<Heuristic> build(const ParentSets& sets, const Groups& groups,
                                 const std::function<bool()>& stopped) {
    std::vector<std::vector<std::uint32_t>> databases;
    for (const auto& group : groups) {
        databases.push_back(pattern_database(sets, group, stopped));
        if (databases.back().empty()) return nullptr;
    }
    return std::make_unique<StaticPatternDatabases>(sets.variables(), groups, std::move(databases));
}

// The user's groups, as far as they lie in this component.
Groups chosen_groups(const SearchContext& context) {
    std::vector<std::int64_t> local;
    for (std::size_t i = 0; i < context.component.size(); ++i) {
        const std::size_t v = context.component.variables[i];
        if (v >= local.size()) local.resize(v + 1, -1);
        local[v] = static_cast<std::int64_t>(i);
    }
    Groups groups;
    for (const auto& group : context.options.groups) {
        std::vector<std::uint32_t> inside;
        for (const std::uint32_t v : group)
            if (v < local.size() && local[v] >= 0)
                inside.push_back(static_cast<std::uint32_t>(local[v]));
        if (!inside.empty()) groups.push_back(std::move(inside));
    }
    return groups;
}

std::unique_ptr<Heuristic> make_static_pd(SearchContext& context) {
    const ParentSets& sets = context.component.sets;
    const std::size_t n = context.component.size();
    const BuildingStopped stopped(context);
    const auto memory_of = [](std::size_t largest) {
        return std::uint64_t{4} * (largest + 2) << largest;
    };
    if (!context.options.groups.empty()) {
        Groups groups = chosen_groups(context);
        std::size_t largest = 0;
        for (const auto& group : groups) largest = std::max(largest, group.size());
        if (!context.budget.allow_memory(largest > 40 ? UINT64_MAX : memory_of(largest)))
            return nullptr;
        return build(sets, groups, stopped);
    }

    // Two groups, as in the paper, unless their databases would be too large to be worth building.
    constexpr std::size_t largest_group = 18;
    const auto wanted =
        static_cast<std::size_t>(heuristic_parameter(context, "static-pd", "groups"));
    std::size_t group_count =
        wanted > 0 ? wanted : std::max<std::size_t>(2, (n + largest_group - 1) / largest_group);
    group_count = std::min(group_count, n);
    const std::size_t largest = (n + group_count - 1) / group_count;
    if (!context.budget.allow_memory(largest > 40 ? UINT64_MAX : memory_of(largest)))
        return nullptr;

    const auto regret = regrets_without(sets);
    auto weight = regret;
    for (std::size_t x = 0; x < n; ++x)
        for (std::size_t y = 0; y < n; ++y)
            weight[x][y] = x == y ? 0 : std::min(regret[x][y], regret[y][x]);
    std::mt19937_64 random(context.options.seed + 1);
    const std::vector<std::uint64_t> nothing((n + 63) / 64, 0);
    std::unique_ptr<Heuristic> best;
    // Large databases cost more than a better partition gains.
    const int trials = largest <= 12 ? 8 : largest <= 16 ? 4 : 2;
    for (int trial = 0; trial < trials; ++trial) {
        auto candidate = build(sets, random_good_groups(weight, group_count, random), stopped);
        if (candidate == nullptr) break;
        if (best == nullptr || candidate->value(nothing.data()) > best->value(nothing.data()))
            best = std::move(candidate);
    }
    return best;
}

const HeuristicRegistry static_pd(
    {"static-pd", "groups of variables solved exactly, the sum over the groups",
     "Yuan & Malone 2012"},
    {.make = make_static_pd,
     .consistent = true,
     .parameters = {
         {"groups", 0, 0, 64, "number of groups; 0: two, or more beyond 36 variables"}}});

}  // namespace
}  // namespace anytimebn
