// Anytime window A* (Aine, Chakrabarti & Kumar 2007; section 4 of Malone & Yuan 2013): A* inside a
// window of layers that slides down. Once a node of layer l is expanded, the nodes of layers up to
// l - w are frozen for this iteration. The first iteration (w = 0) dives straight to a network;
// each further one widens the window by one and starts from all frozen nodes. Open lists by layer
// make freezing free.
#include "search/engine.h"

namespace anytimebn {
namespace {

void anytime_window_astar(SearchContext& context) {
    search_order_graph(context, [&](auto& graph) {
        const auto step = static_cast<std::size_t>(context.options.parameter("increase", 1));
        for (auto window = static_cast<std::size_t>(context.options.parameter("window", 0));;
             window += step) {
            std::size_t first_active = 0;
            for (std::size_t layer; (layer = graph.best_layer(first_active)) < graph.layers();) {
                if (!graph.expand_best(layer)) return;
                if (layer + 1 > window) first_active = std::max(first_active, layer + 1 - window);
            }
            if (first_active == 0) return;  // nothing is frozen: nothing is left
            graph.next_iteration();
        }
    });
}

const AlgorithmRegistry register_window(
    {"anytime-window-astar", "A* in a sliding window of layers that widens",
     "Aine, Chakrabarti & Kumar 2007"},
    {.run = anytime_window_astar,
     .uses_heuristic = true,
     .proves = true,
     .parameters = {{"window", 0, 0, 1024, "layers in the window of the first iteration"},
                    {"increase", 1, 1, 1024, "more layers in each further one"}}});

}  // namespace
}  // namespace anytimebn
