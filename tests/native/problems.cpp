#include "problems.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/random.h"
#include "heuristics/heuristic.h"
#include "test.h"

namespace anytimebn::test {
namespace {

using Members = std::set<std::int32_t>;

Problem problem_of(const std::vector<std::map<Members, Cost>>& variables) {
    std::vector<std::int64_t> first_set{0}, costs, first_member{0};
    std::vector<std::int32_t> members;
    for (const auto& own : variables) {
        std::vector<std::pair<Cost, Members>> sorted;
        for (const auto& [parents, cost] : own) sorted.emplace_back(cost, parents);
        std::stable_sort(sorted.begin(), sorted.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& [cost, parents] : sorted) {
            costs.push_back(cost);
            members.insert(members.end(), parents.begin(), parents.end());
            first_member.push_back(static_cast<std::int64_t>(members.size()));
        }
        first_set.push_back(static_cast<std::int64_t>(costs.size()));
    }
    return std::make_shared<ParentSets>(first_set, costs, first_member, members);
}

}  // namespace

Problem random_problem(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::map<Members, Cost>> variables(shape.variables);
    for (std::size_t x = 0; x < shape.variables; ++x) {
        std::vector<std::int32_t> others;
        for (std::size_t y = x % shape.blocks; y < shape.variables; y += shape.blocks)
            if (y != x) others.push_back(static_cast<std::int32_t>(y));
        const auto cost = [&] {
            return (shape.lowest + static_cast<Cost>(random.below(shape.levels))) * shape.scale;
        };
        auto& own = variables[x];
        for (std::size_t i = 0; i < shape.sets && !others.empty(); ++i) {
            random.shuffle(others);
            const std::size_t size = 1 + random.below(std::min(shape.largest, others.size()));
            own[Members(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(size))] =
                cost();
        }
        if (own.empty() || random.fraction() >= shape.without_empty)
            own[{}] = cost() + static_cast<Cost>(shape.levels) * shape.scale;
    }
    return problem_of(variables);
}

Problem hard_problem(std::size_t count) {
    constexpr std::size_t wanted = 6;
    Random random(1);
    std::vector<std::map<Members, Cost>> variables(count);
    for (std::size_t x = 0; x < count; ++x) {
        std::vector<std::int32_t> others;
        for (std::size_t y = 0; y < count; ++y)
            if (y != x) others.push_back(static_cast<std::int32_t>(y));
        random.shuffle(others);
        Cost prices[wanted];
        for (Cost& price : prices) price = 50 + static_cast<Cost>(random.below(50));
        for (std::size_t chosen = 0; chosen < std::size_t{1} << wanted; ++chosen) {
            Members parents;
            Cost cost = 100;
            for (std::size_t i = 0; i < wanted; ++i) {
                if (chosen >> i & 1)
                    parents.insert(others[i]);
                else
                    cost += prices[i];
            }
            variables[x][parents] = cost * unit;
        }
    }
    return problem_of(variables);
}

Cost optimum_of(const ParentSets& sets) {
    const std::size_t n = sets.variables();
    std::vector<Cost> cost(std::size_t{1} << n, infinite_cost);
    cost[0] = 0;
    for (std::size_t placed = 0; placed < cost.size(); ++placed) {
        if (cost[placed] >= infinite_cost) continue;
        for (std::size_t x = 0; x < n; ++x) {
            if (placed >> x & 1) continue;
            for (std::size_t s = sets.first(x); s < sets.first(x + 1); ++s) {
                const auto members = sets.members(s);
                if (!std::all_of(members.begin(), members.end(),
                                 [&](std::int32_t y) { return placed >> y & 1; }))
                    continue;
                Cost& next = cost[placed | std::size_t{1} << x];
                next = std::min(next, cost[placed] + sets.cost(s));
                break;  // the cheapest come first
            }
        }
    }
    return cost.back();
}

std::vector<Way> every_way() {
    std::vector<Way> ways;
    for (const auto& [algorithm, entry] : AlgorithmRegistry::entries())
        if (entry.make.uses_heuristic)
            for (const auto& [heuristic, _] : HeuristicRegistry::entries())
                ways.push_back({algorithm, heuristic});
        else
            ways.push_back({algorithm, SearchOptions{}.heuristic});
    return ways;
}

SearchOptions options_for(const Way& way) {
    SearchOptions options;
    options.algorithm = way.algorithm;
    options.heuristic = way.heuristic;
    return options;
}

std::unique_ptr<SearchRun> make_run(const Problem& problem, SearchOptions options) {
    auto store = std::make_shared<FamilyStore>(problem);
    auto sets = store->sorted();
    return std::make_unique<SearchRun>(std::move(store), std::move(sets), std::move(options));
}

// The ids of families that a store begins with are their numbers.
std::vector<std::size_t> chosen_sets(const SearchRun& run) {
    std::vector<std::size_t> sets;
    for (const FamilyId id : run.chosen()) sets.push_back(number_of(id));
    return sets;
}

void check_outcome(const Problem& problem, SearchRun& run, Cost optimum) {
    const ParentSets& sets = *problem;
    const Snapshot last = run.snapshot();
    const auto chosen = chosen_sets(run);
    if (optimum >= infinite_cost) {
        CHECK(chosen.empty() && !last.has_network);
        CHECK(run.status() != Status::optimal);
        return;
    }
    CHECK(chosen.size() == sets.variables());
    Cost sum = 0;
    std::vector<bool> placed(sets.variables(), false);
    for (std::size_t x = 0; x < sets.variables(); ++x) {
        CHECK(sets.first(x) <= chosen[x] && chosen[x] < sets.first(x + 1));
        sum += sets.cost(chosen[x]);
    }
    for (std::size_t round = 0; round < sets.variables(); ++round)
        for (std::size_t x = 0; x < sets.variables(); ++x) {
            const auto parents = sets.members(chosen[x]);
            placed[x] =
                placed[x] || std::all_of(parents.begin(), parents.end(), [&](std::int32_t y) {
                    return placed[static_cast<std::size_t>(y)];
                });
        }
    CHECK(std::all_of(placed.begin(), placed.end(), [](bool is) { return is; }));  // no cycle
    CHECK(sum == last.cost);
    CHECK(last.lower_bound <= optimum && optimum <= last.cost);
    CHECK((run.status() == Status::optimal) == (last.lower_bound == last.cost));
    const auto events = run.drain_events();
    CHECK(!events.empty());
    for (std::size_t i = 0; i < events.size(); ++i) {
        CHECK(events[i].lower_bound <= optimum && optimum <= events[i].cost);
        if (i == 0) continue;
        CHECK(events[i - 1].cost >= events[i].cost);
        CHECK(events[i - 1].lower_bound <= events[i].lower_bound);
        CHECK(events[i - 1].expanded <= events[i].expanded);
    }
    CHECK(events.back().cost == last.cost && events.back().lower_bound == last.lower_bound);
}

}  // namespace anytimebn::test
