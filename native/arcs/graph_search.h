// What a search over arcs gets, whether its costs come from parent sets or from a table.
#pragma once

#include <functional>
#include <optional>

#include "arcs/local_costs.h"
#include "run/algorithm.h"

namespace anytimebn {

struct GraphSearch {
    LocalCosts& costs;
    const SearchOptions& options;
    const Parameters& parameters;  // of the algorithm that runs
    Budget& budget;
    ParentLists start;  // a network that is allowed
    // To be told of every better network, with the cost of each variable; ones that are not allowed
    // are left out.
    std::function<void(const ParentLists& network, const std::vector<Cost>& costs)> improve;
    std::function<bool()> out_of_budget;
    std::function<void(std::uint64_t stored, std::uint64_t bytes)> note_work;
    // A network that somebody else found meanwhile, told once; searches may go on from it.
    std::function<std::optional<ParentLists>()> take_offer = [] { return std::nullopt; };
    // To be told, now and then, of families of each variable that good networks have.
    std::function<void(std::vector<ParentLists> families)> share = [](std::vector<ParentLists>) {};
    // To be told when the first ways down are over: until then a pause means little.
    std::function<void()> came_down = [] {};

    // Asks for the memory of the search, its costs included, and takes note of it.
    bool use_memory(std::uint64_t own_bytes) {
        const std::uint64_t bytes = own_bytes + costs.memory_bytes();
        if (!budget.allow_memory(bytes)) return false;
        note_work(costs.scores_kept(), bytes);
        return true;
    }
};

// The algorithm for both sources.
Algorithm search_of_graphs(std::function<void(GraphSearch&)> run,
                           std::vector<Parameter> parameters);

}  // namespace anytimebn
