// Breadth-first branch and bound (Malone, Yuan, Hansen & Bridges 2011): layer by layer, pruned by
// the incumbent that local search found. A node's cost is final when its layer comes, so no order
// within a layer is needed, and the index only holds the layers ahead.
//
// Small layers are expanded node by node in the table of the engine, which uses a better network at
// once. From the first large one on, or when memory ends and there is a disk, layers are sorted
// runs (frontier.h).
#include <memory>

#include "order_graph/engine.h"
#include "order_graph/frontier.h"

namespace anytimebn {
namespace {

void breadth_first_bnb(SearchContext& context) {
    const auto large = static_cast<std::size_t>(context.parameter("large-layer"));
    const bool one_word = context.component.size() <= 64;
    const auto heuristic = order_graph_heuristic(context);
    if (heuristic == nullptr) return;
    std::unique_ptr<Frontier> frontier;
    const auto policy = [&](OrderGraph& graph) {
        graph.set_unordered();
        if (one_word && context.budget.disk().enabled()) graph.set_continued_elsewhere();
        const auto continue_in_runs = [&] {
            frontier = std::make_unique<Frontier>(context, *heuristic);
            const std::uint64_t shared =
                heuristic->memory_bytes() + context.component.best.memory_bytes();
            frontier->set_other_memory(graph.memory_in_use() - shared);
            const auto add = [&](std::uint64_t set, Cost cost) { return frontier->add(set, cost); };
            if (graph.for_each_open(add)) {
                frontier->set_other_memory(0);
            } else {
                frontier.reset();
                context.budget.end(context.budget.no_room());
            }
        };
        for (std::size_t layer = 0; layer < graph.layers(); ++layer) {
            if (graph.layer_empty(layer)) continue;
            if (one_word && graph.layer_size(layer) >= large) return continue_in_runs();
            while (!graph.layer_empty(layer)) {
                if (graph.expand_best(layer)) continue;
                if (graph.out_of_memory()) continue_in_runs();
                return;
            }
            graph.forget_expanded_layers();
        }
    };
    search_order_graph(context, *heuristic, policy);
    if (frontier != nullptr) frontier->run();
}

const AlgorithmRegistry register_breadth_first(
    {"breadth-first-bnb", "layer by layer, pruned by the incumbent of local search",
     "Malone, Yuan, Hansen & Bridges 2011"},
    {.run = breadth_first_bnb,
     .uses_heuristic = true,
     .proves = true,
     .parameters = {{"large-layer", 1 << 15, 1, 1e12,
                     "nodes of a layer from which on layers are sorted, for all threads"}}});

}  // namespace
}  // namespace anytimebn
