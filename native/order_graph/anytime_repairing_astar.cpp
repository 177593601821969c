// Anytime repairing A* (Likhachev, Gordon & Thrun 2003; section 4 of Malone & Yuan 2013): weighted
// A* again and again with a falling weight. Within an iteration no node is expanded twice: closed
// nodes that are reached more cheaply wait for the next one. Only the last, plain A*, lets none
// wait; there are some if the heuristic is inconsistent, or where threads share the nodes.
#include "order_graph/engine.h"

namespace anytimebn {
namespace {

void anytime_repairing_astar(SearchContext& context) {
    search_order_graph(context, [&](OrderGraph& graph) {
        graph.share_from(static_cast<std::size_t>(context.parameter("share-from")));
        const double step = context.parameter("decrease");
        for (double weight = context.parameter("weight");; weight -= step) {
            weight = std::max(1.0, weight);
            graph.set_reopen(weight > 1 ? Reopen::postpone : Reopen::at_once);
            graph.next_iteration();
            graph.set_weight(weight);
            for (std::size_t layer; (layer = graph.best_layer()) < graph.layers();) {
                if (graph.beaten(layer)) break;
                if (!graph.expand_best(layer)) return;
            }
            if (weight == 1) return;
        }
    });
}

const AlgorithmRegistry register_repairing(
    {"anytime-repairing-astar", "weighted A* with a falling weight, repairing the last iteration",
     "Likhachev, Gordon & Thrun 2003"},
    {.run = anytime_repairing_astar,
     .uses_heuristic = true,
     .proves = true,
     .parameters = {
         {"weight", 1.25, 1, 100, "weight of the heuristic in the first iteration", false},
         {"decrease", 0.05, 0.001, 100, "taken off the weight for each further one", false},
         share_parameter()}});

}  // namespace
}  // namespace anytimebn
