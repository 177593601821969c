// The engine itself: what others find while it runs counts at once.
#include <algorithm>
#include <functional>

#include "heuristics/heuristic.h"
#include "order_graph/engine.h"
#include "problems.h"
#include "test.h"

namespace anytimebn::test {
namespace {

// One component and all that a search of it needs; the first network is that of the given ordering.
struct Stage {
    Stage(const Problem& problem, const std::vector<std::uint32_t>& order)
        : components(split_into_components(*problem, false)),
          budget({}, control),
          progress(budget) {
        options.path_extension = false;
        progress.begin({components.front().base});
        context.offer(order);
    }

    std::vector<Component> components;
    SearchOptions options;
    Control control;
    Budget budget;
    Progress progress;
    SearchContext context{components.front(), 0, options, budget, progress};
};

// Breadth first. `meanwhile` is called after so many expansions, as if from another thread.
constexpr std::uint64_t expansions_before = 500;
std::uint64_t search(Stage& stage, const std::function<void()>& meanwhile) {
    const auto heuristic = HeuristicRegistry::find("simple").make.make(stage.context);
    bool called = false;
    search_order_graph(stage.context, *heuristic, [&](OrderGraph& graph) {
        graph.set_unordered();
        for (std::size_t layer = 0; layer < graph.layers(); ++layer)
            while (!graph.layer_empty(layer)) {
                if (!graph.expand_best(layer)) return;
                if (called || stage.budget.expanded() < expansions_before) continue;
                meanwhile();
                called = true;
            }
    });
    CHECK(called);
    return stage.budget.expanded();
}

std::vector<std::uint32_t> any_order(std::size_t variables) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t v = 0; v < variables; ++v) order.push_back(v);
    return order;
}

std::vector<std::uint32_t> optimal_order(const Problem& problem) {
    SearchOptions options;
    options.components = false;
    const auto run = make_run(problem, options);
    run->run();
    const auto chosen = chosen_sets(*run);
    std::vector<std::uint32_t> order;
    while (order.size() < problem->variables())
        for (const std::uint32_t v : any_order(problem->variables())) {
            const auto parents = problem->members(chosen[v]);
            const auto placed = [&](std::int64_t x) {
                return std::find(order.begin(), order.end(), x) != order.end();
            };
            if (!placed(v) && std::all_of(parents.begin(), parents.end(), placed))
                order.push_back(v);
        }
    return order;
}

constexpr std::size_t variables = 13;

TEST(order_graph_ends_when_others_close_the_gap) {
    const Problem problem = hard_problem(variables);
    Stage alone(problem, any_order(variables)), helped(problem, any_order(variables));
    const std::uint64_t whole = search(alone, [] {});
    CHECK(alone.context.solved());
    CHECK(whole > 4 * expansions_before);
    const std::uint64_t part =
        search(helped, [&] { helped.context.raise_bound(helped.context.incumbent()); });
    CHECK(helped.context.solved());
    CHECK(part <= expansions_before + 256);
}

TEST(order_graph_prunes_by_networks_of_others) {
    const Problem problem = hard_problem(variables);
    const auto best = optimal_order(problem);
    Stage alone(problem, any_order(variables)), helped(problem, any_order(variables));
    const std::uint64_t whole = search(alone, [] {});
    const std::uint64_t part = search(helped, [&] { helped.context.offer(best); });
    for (Stage* stage : {&alone, &helped}) {
        CHECK(stage->context.solved());
        CHECK(stage->progress.cost(0) == optimum_of(*problem));
    }
    CHECK(part < whole);
}

}  // namespace
}  // namespace anytimebn::test
