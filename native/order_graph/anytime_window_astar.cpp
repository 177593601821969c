#include <algorithm>

#include "order_graph/window.h"

namespace anytimebn {

void slide_windows(OrderGraph& graph, const Windows& windows) {
    std::uint32_t expanded = 0;
    for (std::size_t window = windows.first;; window += windows.step) {
        std::size_t first_active = 0;
        for (std::size_t layer; (layer = graph.best_layer(first_active)) < graph.layers();) {
            if (!graph.expand_best(layer, first_active)) return;
            if ((++expanded & 255) == 0 && windows.stopped && windows.stopped()) return;
            if (layer + 1 > window) first_active = std::max(first_active, layer + 1 - window);
        }
        if (first_active == 0) return;  // nothing is frozen: nothing is left
        graph.next_iteration();
    }
}

namespace {

void anytime_window_astar(SearchContext& context) {
    search_order_graph(context, [&](OrderGraph& graph) {
        graph.share_from(static_cast<std::size_t>(context.parameter("share-from")));
        slide_windows(graph, {.first = static_cast<std::size_t>(context.parameter("window")),
                              .step = static_cast<std::size_t>(context.parameter("increase"))});
    });
}

const AlgorithmRegistry register_window(
    {"anytime-window-astar", "A* in a sliding window of layers that widens",
     "Aine, Chakrabarti & Kumar 2007"},
    {.run = anytime_window_astar,
     .uses_heuristic = true,
     .proves = true,
     .parameters = {{"window", 0, 0, 1024, "layers in the window of the first iteration"},
                    {"increase", 1, 1, 1024, "more layers in each further one"},
                    share_parameter()}});

}  // namespace
}  // namespace anytimebn
