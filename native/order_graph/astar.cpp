// A* and weighted A*: always the node of smallest f = g + weight * h next (Yuan, Malone & Wu 2011;
// Pohl 1970; section 4 of Malone & Yuan 2013).
#include "order_graph/engine.h"

namespace anytimebn {
namespace {

constexpr const char* weight_summary = "weight of the heuristic; 1 is A*";

void astar(SearchContext& context) {
    search_order_graph(context, [&](OrderGraph& graph) {
        graph.share_from(static_cast<std::size_t>(context.parameter("share-from")));
        for (std::size_t layer; (layer = graph.best_layer()) < graph.layers();)
            if (!graph.expand_best(layer)) return;
    });
}

// Ends with a network within `weight` of the optimum, if costs are not negative and the heuristic
// is consistent. Closed nodes stay closed, as that allows where nodes come in order; those reached
// more cheaply still count for the bound.
void weighted_astar(SearchContext& context) {
    search_order_graph(context, [&](OrderGraph& graph) {
        graph.share_from(static_cast<std::size_t>(context.parameter("share-from")));
        graph.set_weight(context.parameter("weight"));
        graph.set_reopen(Reopen::postpone_in_order);
        for (std::size_t layer; (layer = graph.best_layer()) < graph.layers();)
            if (graph.beaten(layer) || !graph.expand_best(layer)) return;
    });
}

// Hansen & Zhou 2007: goes on after the first network until nothing open can lead to a better one.
void anytime_weighted_astar(SearchContext& context) {
    search_order_graph(context, [&](OrderGraph& graph) {
        graph.share_from(static_cast<std::size_t>(context.parameter("share-from")));
        graph.set_weight(context.parameter("weight"));
        for (std::size_t layer; (layer = graph.best_layer()) < graph.layers();)
            if (!graph.expand_best(layer)) return;
    });
}

const AlgorithmRegistry register_astar(
    {"astar", "smallest f first: the optimum, when it ends", "Yuan, Malone & Wu 2011"},
    {.run = astar, .uses_heuristic = true, .proves = true, .parameters = {share_parameter()}});
const AlgorithmRegistry register_weighted(
    {"weighted-astar", "greedier A*: ends early, within `weight` of the optimum", "Pohl 1970"},
    {.run = weighted_astar,
     .uses_heuristic = true,
     .proves = false,
     .parameters = {{"weight", 1.25, 1, 100, weight_summary, false}, share_parameter()}});
const AlgorithmRegistry register_anytime(
    {"anytime-weighted-astar", "weighted A* that goes on to the optimum", "Hansen & Zhou 2007"},
    {.run = anytime_weighted_astar,
     .uses_heuristic = true,
     .proves = true,
     .parameters = {{"weight", 1.25, 1, 100, weight_summary, false}, share_parameter()}});

}  // namespace
}  // namespace anytimebn
