#include "orders/greedy_network.h"

#include <utility>

#include "arcs/equivalence_search.h"
#include "orders/grow_shrink.h"

namespace anytimebn {

ParentLists greedy_network(GreedyTask task) {
    ParentLists best = task.start;
    Cost least = infinite_cost;
    const Parameters none("equivalence-search", {}, {});
    SearchOptions options = task.options;
    options.jobs = 1;  // the other threads have chains of their own
    GraphSearch search{task.costs,
                       options,
                       none,
                       task.budget,
                       std::move(task.start),
                       [&](const ParentLists& network, const std::vector<Cost>& costs) {
                           const Cost cost = sum_of(costs);
                           if (cost >= least || !task.costs.permissions().permit(network)) return;
                           least = cost;
                           best = network;
                           task.better(network, costs);
                       },
                       task.stopped,
                       [&](std::uint64_t, std::uint64_t bytes) { task.note_memory(bytes); }};
    search_classes(search);
    if (task.stopped()) throw OutOfBudget{};
    return best;
}

}  // namespace anytimebn
