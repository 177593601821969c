#include "arcs/graph_search.h"

#include "arcs/graph.h"
#include "arcs/stored_costs.h"

namespace anytimebn {
namespace {

// The network that the user gave. Otherwise without parents where that is possible, and as in the
// first network where it is not: a part of its arcs makes no cycle either.
ParentLists start_in(const SearchContext& context, StoredCosts& costs) {
    const Component& component = context.component;
    const std::vector<FamilyId> chosen = context.progress.chosen();
    ParentLists start(component.size());
    for (std::uint32_t v = 0; v < component.size(); ++v) {
        if (context.options.start.empty() && costs.cost(v, {}) < infinite_cost) continue;
        const std::size_t s = component.sets.position(v, chosen[component.variables[v]]);
        if (s != ParentSets::nowhere)
            for (const std::int32_t member : component.sets.members(s))
                start[v].push_back(static_cast<std::uint32_t>(member));
    }
    return start;
}

void run_on_sets(const std::function<void(GraphSearch&)>& run, SearchContext& context) {
    StoredCosts costs(context.component);
    GraphSearch search{
        costs, context.options, context.parameters, context.budget, start_in(context, costs),
        // The cheapest sets that fit the order of a network cost no more than the network.
        [&](const ParentLists& network, const std::vector<Cost>&) {
            context.offer(order_of(network));
        },
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
            .searches_locally = true,
            .parameters = std::move(parameters),
            .run_on_data = std::move(run)};
}

}  // namespace anytimebn
