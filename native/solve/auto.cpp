// The order-graph part of `auto`. Local search has given a network by now. Easy components are
// proven by A* with plain pattern databases at once; the others are worth the effort of cluster
// bounds and a sweep (solve/cluster_proof.h). Components beyond the reach of these get anytime
// window A*.
#include "order_graph/engine.h"
#include "solve/cluster_proof.h"

namespace anytimebn {
namespace {

// A* closes the gap of an easy component fast: one that is not half closed after a fifth of the
// expansions will not be closed by the others.
void try_astar(SearchContext& context) {
    search_order_graph(context, [&](OrderGraph& graph) {
        const auto gap = [&] {
            graph.report();
            return context.progress.cost(context.number) - context.progress.bound(context.number);
        };
        const Cost gap_before = gap();
        const auto most = static_cast<std::uint64_t>(context.parameter("easy-expansions"));
        std::size_t layer;
        for (std::uint64_t i = 0; i < most && (layer = graph.best_layer()) < graph.layers(); ++i) {
            if (!graph.expand_best(layer)) return;
            if (i == most / 5 && gap() > gap_before / 2) return;
        }
    });
}

void run_auto(SearchContext& context) {
    const std::size_t n = context.component.size();
    if (n > 64 || context.incumbent() >= infinite_cost) {
        context.progress.enter(Stage::plain_windows);
        run_algorithm("anytime-window-astar", context);
        return;
    }
    context.progress.enter(Stage::nodes);
    try_astar(context);
    if (context.solved() || context.out_of_budget()) return;
    prove_with_clusters(context);
}

const AlgorithmRegistry automatic({"auto", "whatever suits the problem; the default", ""},
                                  {.run = run_auto,
                                   .uses_heuristic = true,
                                   .proves = true,
                                   .parameters = {
                                       // A third of a second, less than the multipliers take.
                                       {"easy-expansions", 100'000, 0, 1e12,
                                        "of plain A* at most, before clusters are tried"}}});

}  // namespace
}  // namespace anytimebn
