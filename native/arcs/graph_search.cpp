#include "arcs/graph_search.h"

#include "arcs/graph.h"
#include "arcs/stored_costs.h"

namespace anytimebn {
namespace {

// Without parents where that is possible, otherwise as in the first network: a part of its arcs
// makes no cycle either.
ParentLists start_in(const SearchContext& context, StoredCosts& costs) {
    const Component& component = context.component;
    const std::vector<std::size_t> chosen = context.progress.chosen_sets();
    ParentLists start(component.size());
    for (std::uint32_t v = 0; v < component.size(); ++v) {
        if (costs.cost(v, {}) < infinite_cost) continue;
        for (std::size_t s = component.sets.first(v); s < component.sets.first(v + 1); ++s)
            if (component.origin[s] == chosen[component.variables[v]])
                for (const std::int32_t member : component.sets.members(s))
                    start[v].push_back(static_cast<std::uint32_t>(member));
    }
    return start;
}

// The cheapest sets that fit the order of a network cost no more than the network.
void improve_by_order(SearchContext& context, const std::vector<std::uint32_t>& order) {
    const Component& component = context.component;
    std::vector<std::uint64_t> placed(component.best.words(), 0);
    Cost regret = 0;
    for (const std::uint32_t v : order) {
        const std::uint32_t set = component.best.find(v, placed.data());
        if (set == BestParents::none) return;
        regret += component.sets.cost(component.sets.first(v) + set);
        placed[v / 64] |= std::uint64_t{1} << (v % 64);
    }
    if (regret < context.incumbent()) context.improve(regret, order);
}

void run_on_sets(const std::function<void(GraphSearch&)>& run, SearchContext& context) {
    StoredCosts costs(context.component);
    GraphSearch search{
        costs,
        context.options,
        context.budget,
        start_in(context, costs),
        [&](const ParentLists& network, Cost) { improve_by_order(context, order_of(network)); },
        [&] {  // moves take long enough to look at the clock
            return context.solved() || context.out_of_budget() || context.budget.exhausted_now();
        },
        [&](std::uint64_t stored, std::uint64_t bytes) {
            context.progress.note_work(stored, bytes);
        }};
    run(search);
    context.progress.end_work();
}

}  // namespace

Algorithm search_of_graphs(std::function<void(GraphSearch&)> run,
                           std::vector<Parameter> parameters) {
    return {.run = [run](SearchContext& context) { run_on_sets(run, context); },
            .uses_heuristic = false,
            .proves = false,
            .parameters = std::move(parameters),
            .run_on_data = std::move(run),
            .starts_by_itself = true};
}

}  // namespace anytimebn
