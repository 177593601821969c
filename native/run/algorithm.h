// How an algorithm registers. An algorithm improves the incumbent and raises the bound of one
// component until the budget ends or the two meet; everything else is done for it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/parameters.h"
#include "base/registry.h"
#include "run/context.h"

namespace anytimebn {

struct GraphSearch;  // in arcs/graph_search.h

struct Algorithm {
    std::function<void(SearchContext&)> run;
    bool uses_heuristic = false;
    bool proves = true;  // given enough time and memory
    // A local search finds networks in its own way: insertion search does not improve the first.
    bool searches_locally = false;
    std::vector<Parameter> parameters;
    std::function<void(GraphSearch&)> run_on_data = {};  // if it needs no parent sets
};

using AlgorithmRegistry = Registry<Algorithm>;

// Runs one on a component, with its own parameters whoever calls it.
void run_algorithm(const std::string& name, const SearchContext& context);

}  // namespace anytimebn
