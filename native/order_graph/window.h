// Anytime window A* (Aine, Chakrabarti & Kumar 2007; section 4 of Malone & Yuan 2013): A* inside a
// window of layers that slides down. Once a node of layer l is expanded, the nodes of layers up to
// l - w are frozen for this iteration. The first iteration (w = 0) dives straight to a network;
// each further one widens the window by one and starts from all frozen nodes. Open lists by layer
// make freezing free.
#pragma once

#include <cstddef>
#include <functional>

#include "order_graph/engine.h"

namespace anytimebn {

struct Windows {
    std::size_t first = 0, step = 1;     // layers
    std::function<bool()> stopped = {};  // asked now and then, if there is something to ask
};

void slide_windows(OrderGraph& graph, const Windows& windows);

}  // namespace anytimebn
