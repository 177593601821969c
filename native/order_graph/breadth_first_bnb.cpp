// Breadth-first branch and bound (Malone, Yuan, Hansen & Bridges 2011): layer by layer, pruned by
// the incumbent that local search found. A node's cost is final when its layer comes, so no order
// within a layer is needed, and the index only holds the layers ahead.
#include "order_graph/engine.h"

namespace anytimebn {
namespace {

void breadth_first_bnb(SearchContext& context) {
    search_order_graph(context, [](OrderGraph& graph) {
        graph.set_unordered();
        for (std::size_t layer = 0; layer < graph.layers(); ++layer) {
            if (graph.layer_empty(layer)) continue;
            while (!graph.layer_empty(layer))
                if (!graph.expand_best(layer)) return;
            graph.forget_expanded_layers();
        }
    });
}

const AlgorithmRegistry register_breadth_first(
    {"breadth-first-bnb", "layer by layer, pruned by the incumbent of local search",
     "Malone, Yuan, Hansen & Bridges 2011"},
    {.run = breadth_first_bnb, .uses_heuristic = true, .proves = true, .parameters = {}});

}  // namespace
}  // namespace anytimebn
