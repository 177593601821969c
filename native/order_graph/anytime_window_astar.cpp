#include "order_graph/engine.h"
#include "order_graph/window.h"

namespace anytimebn {
namespace {

void anytime_window_astar(SearchContext& context) {
    search_order_graph(context, [&](auto& graph) {
        slide_windows(graph, static_cast<std::size_t>(context.options.parameter("window", 0)),
                      static_cast<std::size_t>(context.options.parameter("increase", 1)));
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
