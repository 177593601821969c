// What an algorithm gets, and how it registers. An algorithm improves the incumbent and raises the
// bound of one component until the budget ends or the two meet; everything else is done for it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/registry.h"
#include "search/component.h"
#include "search/progress.h"

namespace anytimebn {

struct SearchOptions {
    std::string algorithm = "dynamic-programming";
    std::string heuristic = "static-pd";
    std::map<std::string, double> parameters;        // of the algorithm and the heuristic, by name
    std::vector<std::vector<std::uint32_t>> groups;  // of static-pd, if the user chose them
    bool components = true;
    bool path_extension = true;
    bool local_search = true;        // for the first incumbent
    std::vector<std::size_t> start;  // a network to begin with, by the numbers of its parent sets
    std::uint64_t seed = 0;
    std::size_t jobs = 1;  // threads, for algorithms that can use several
    Limits limits;

    double parameter(const std::string& name, double otherwise) const {
        const auto found = parameters.find(name);
        return found == parameters.end() ? otherwise : found->second;
    }
};

struct SearchContext {
    const Component& component;
    std::size_t number;  // of the component
    const SearchOptions& options;
    Budget& budget;
    Progress& progress;

    // Regret that a new network of the component must stay below.
    Cost incumbent() const {
        const Cost cost = progress.cost(number);
        return cost >= infinite_cost ? infinite_cost : cost - component.base;
    }
    void improve(Cost regret, const std::vector<std::uint32_t>& order) {
        progress.improve(number, component.base + regret, component.choices(order));
    }
    // The network of an ordering, if it is better.
    void offer(const std::vector<std::uint32_t>& order) {
        const Cost regret = component.regret(order);
        if (regret < incumbent()) improve(regret, order);
    }
    void raise_bound(Cost regret) {
        progress.raise_bound(number,
                             regret >= infinite_cost ? infinite_cost : component.base + regret);
    }
    bool solved() const { return progress.bound(number) >= progress.cost(number); }
    // Ends the budget when the gap that was asked for is reached.
    bool out_of_budget() {
        if (progress.gap_reached()) budget.end(Status::gap);
        return budget.exhausted();
    }
};

struct Parameter {
    std::string name;
    double otherwise;
    double lowest;
    double highest;
    std::string summary;
    bool whole = true;  // or any number
};

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

}  // namespace anytimebn
