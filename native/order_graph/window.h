// Anytime window A* (Aine, Chakrabarti & Kumar 2007; section 4 of Malone & Yuan 2013): A* inside a
// window of layers that slides down. Once a node of layer l is expanded, the nodes of layers up to
// l - w are frozen for this iteration. The first iteration (w = 0) dives straight to a network;
// each further one widens the window by one and starts from all frozen nodes. Open lists by layer
// make freezing free.
#pragma once

#include <algorithm>
#include <cstddef>

namespace anytimebn {

template <class Graph>
void slide_windows(Graph& graph, std::size_t window = 0, std::size_t step = 1) {
    for (;; window += step) {
        std::size_t first_active = 0;
        for (std::size_t layer; (layer = graph.best_layer(first_active)) < graph.layers();) {
            if (!graph.expand_best(layer)) return;
            if (layer + 1 > window) first_active = std::max(first_active, layer + 1 - window);
        }
        if (first_active == 0) return;  // nothing is frozen: nothing is left
        graph.next_iteration();
    }
}

}  // namespace anytimebn
