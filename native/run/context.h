// What an algorithm or a heuristic gets to work on one component.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/parameters.h"
#include "problem/component.h"
#include "run/budget.h"
#include "run/options.h"
#include "run/progress.h"

namespace anytimebn {

struct SearchContext {
    const Component& component;
    std::size_t number;  // of the component
    const SearchOptions& options;
    Budget& budget;
    Progress& progress;
    Parameters parameters = {};  // of the algorithm that runs

    // The same for another algorithm that takes over, or whose part is used, with its parameters.
    SearchContext for_algorithm(const std::string& name) const;
    // One that the algorithm declares: as the user set it, or its default.
    double parameter(const std::string& name) const { return parameters[name]; }

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

}  // namespace anytimebn
