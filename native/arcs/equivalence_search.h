// Greedy equivalence search, for searches that begin with its network.
#pragma once

#include "arcs/graph_search.h"

namespace anytimebn {

// From the class of the network that it starts with, until nothing helps or the budget ends.
void search_classes(GraphSearch& search);

}  // namespace anytimebn
