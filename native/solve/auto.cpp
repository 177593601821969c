// The order-graph part of `auto`. Local search has given a network by now. Easy components are
// proven by A* with plain pattern databases at once; the others are worth the effort of cluster
// bounds and a sweep (solve/cluster_proof.h). Components beyond the reach of these get anytime
// window A*.
#include "order_graph/engine.h"
#include "order_graph/window.h"
#include "solve/cluster_proof.h"

namespace anytimebn {
namespace {

// A* closes a gap ever more slowly, since there are ever more nodes to the next higher f. So it is
// given up as soon as the gap, at its present rate, would not be closed by all expansions that are
// left. The rate is that of the last doubling.
void try_astar(SearchContext& context) {
    search_order_graph(context, [&](OrderGraph& graph) {
        const auto gap = [&] {
            graph.report();
            return context.progress.cost(context.number) - context.progress.bound(context.number);
        };
        double gap_before = static_cast<double>(gap());
        const auto most = static_cast<std::uint64_t>(context.parameter("easy-expansions"));
        constexpr std::uint64_t first_look = 1024;  // nodes; fewer say little
        std::uint64_t next_look = first_look;
        std::size_t layer;
        for (std::uint64_t i = 1; i <= most && (layer = graph.best_layer()) < graph.layers(); ++i) {
            if (!graph.expand_best(layer)) return;
            if (i < next_look) continue;
            const auto gap_now = static_cast<double>(gap());
            const double rate =
                (gap_before - gap_now) / static_cast<double>(i == first_look ? i : i / 2);
            if (gap_now > rate * static_cast<double>(most - i)) return;
            gap_before = gap_now;
            next_look = 2 * i;
        }
    });
}

void run_auto(SearchContext& context) {
    const std::size_t n = context.component.size();
    if (n > 64 || context.incumbent() >= infinite_cost) {
        context.progress.enter(Stage::plain_windows);
        // One thread: others work beside it.
        search_order_graph(context, [](OrderGraph& graph) { slide_windows(graph, {}); });
        return;
    }
    if (context.parameter("easy-expansions") > 0) {
        context.progress.enter(Stage::nodes);
        try_astar(context);
    }
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
