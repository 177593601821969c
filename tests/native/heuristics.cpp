// Heuristics and the sweep of the whole order graph, beside exact costs of placing what is left.
#include <algorithm>

#include "evaluation/full_sweep.h"
#include "evaluation/standalone_heuristics.h"
#include "problems.h"
#include "test.h"

namespace anytimebn::test {
namespace {

// The regret of placing all others, by the set of placed variables.
std::vector<Cost> costs_to_go(const Component& component) {
    const std::size_t n = component.size();
    std::vector<Cost> cost(std::size_t{1} << n, infinite_cost);
    cost.back() = 0;
    for (std::size_t placed = cost.size() - 1; placed-- > 0;)
        for (std::uint32_t x = 0; x < n; ++x) {
            if (placed >> x & 1) continue;
            const std::uint64_t candidates = placed;
            const std::uint32_t set = component.best.find(x, &candidates);
            const Cost rest = cost[placed | std::size_t{1} << x];
            if (set == BestParents::none || rest >= infinite_cost) continue;
            cost[placed] = std::min(cost[placed], component.best.cost(x, set) + rest);
        }
    return cost;
}

TEST(heuristics_never_say_too_much) {
    const std::vector<Problem> problems{
        random_problem({.variables = 1}, 0),
        random_problem({.variables = 7, .sets = 12, .levels = 3}, 1),
        random_problem({.variables = 9, .sets = 25, .largest = 5, .levels = 1000}, 2),
        random_problem({.variables = 8, .sets = 10, .levels = 5, .scale = 3'000'000'000}, 3),
        hard_problem(9)};
    const Control control;
    with_each_instruction_set([&] {
        for (const Problem& problem : problems)
            for (const auto& [name, kind] : HeuristicRegistry::entries()) {
                StandaloneHeuristics source(*problem, {}, control);
                const auto exact = costs_to_go(source.component());
                const auto heuristic = source.make(name);
                CHECK(heuristic != nullptr);
                for (std::uint64_t placed = 0; placed < exact.size(); ++placed) {
                    CHECK(heuristic->value(&placed) <= exact[placed]);
                    std::vector<std::uint32_t> missing;
                    for (std::uint32_t x = 0; x < problem->variables(); ++x)
                        if (!(placed >> x & 1)) missing.push_back(x);
                    std::vector<Cost> values(missing.size());
                    heuristic->evaluate_added(&placed, 1, missing.data(), missing.size(),
                                              values.data());
                    for (std::size_t i = 0; i < missing.size(); ++i) {
                        const std::uint64_t next = placed | std::uint64_t{1} << missing[i];
                        CHECK(values[i] == heuristic->value(&next));
                    }
                }
            }
    });
}

TEST(heuristics_are_counted_over_the_whole_order_graph) {
    const Problem problem = hard_problem(10);
    Control control;
    StandaloneHeuristics source(*problem, {}, control);
    const auto simple = source.make("simple"), clusters = source.make("cluster-pd");
    const Component& component = source.component();
    const Cost optimum = optimum_of(*problem) - component.base;
    for (const std::size_t jobs : {1u, 3u}) {
        const FullSweep sweep = sweep_order_graph(component.sets, {simple.get(), clusters.get()},
                                                  optimum, jobs, control);
        CHECK(sweep.complete);
        CHECK(sweep.optimum == optimum);
        std::uint64_t nodes = 0, below = 0, below_stronger = 0;
        for (const OrderGraphLayer& layer : sweep.layers) nodes += layer.nodes;
        for (const std::uint64_t count : sweep.distributions[0].below) below += count;
        for (const std::uint64_t count : sweep.distributions[1].below) below_stronger += count;
        CHECK(nodes == std::uint64_t{1} << problem->variables());
        CHECK(below_stronger <= below && below < nodes);
    }
    control.stop();
    CHECK(!sweep_order_graph(component.sets, {}, optimum, 2, control).complete);
}

}  // namespace
}  // namespace anytimebn::test
