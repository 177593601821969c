// The order-graph engine: nodes, open lists, incumbent, bound and budget, written once. An
// algorithm is a few lines that decide which open node comes next, and what happens to a closed
// node that is reached more cheaply; see the files beside this one.
//
// A node is a set U of placed variables; its cost g(U) the cheapest ordering of U found so far;
// placing x next costs best(x, U). The open lists are kept by layer (number of placed variables): a
// window of layers, a single layer and all of them are the same structure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/fixed_point.h"
#include "heuristics/heuristic.h"
#include "order_graph/shard.h"
#include "run/algorithm.h"

namespace anytimebn {

// What algorithms see of the engine. How nodes are stored depends on the number of variables and is
// known to engine.cpp alone; an algorithm calls it once an expansion, which costs nothing beside
// one.
class OrderGraph {
 public:
    virtual ~OrderGraph() = default;

    // Of the heuristic in the order of nodes (node_order.h). Changing it orders all open nodes
    // anew.
    virtual void set_weight(double weight) = 0;
    void set_reopen(Reopen reopen) { rules_.reopen = reopen; }
    // For sweeps that need no order within a layer.
    void set_unordered() { rules_.ordered = false; }
    // From so many nodes on, all threads that the search has share them. Nodes come in another
    // order then, in which a few more are expanded; what is proven in the end is the same.
    virtual void share_from(std::size_t nodes) = 0;
    // Closed nodes of earlier iterations may be reopened in this one; postponed nodes become open.
    virtual void next_iteration() = 0;

    std::size_t layers() const { return n_; }
    virtual bool layer_empty(std::size_t layer) const = 0;
    // Entries; more than nodes if some were reached again.
    virtual std::size_t layer_size(std::size_t layer) const = 0;

    // The layer from `first` on whose best node comes first by (weighted) f; layers() when all are
    // empty.
    virtual std::size_t best_layer(std::size_t first = 0) const = 0;
    // Whether no node of this layer can lead, within the weight, to less than the incumbent.
    virtual bool beaten(std::size_t layer) const = 0;

    // Expands the best node of a layer; where threads share the nodes, good ones of all layers from
    // `first` on. False when the search has to end: solved, or out of budget.
    virtual bool expand_best(std::size_t layer, std::size_t first = 0) = 0;

    // When memory ends, somebody else is there who can go on with the open nodes: the search ends,
    // but not the budget.
    void set_continued_elsewhere() { continued_elsewhere_ = true; }
    bool out_of_memory() const { return out_of_memory_; }
    // The open nodes of a component with at most 64 variables, in no order, in a search without
    // one. Ends when the body says so, and tells that.
    virtual bool for_each_open(
        const std::function<bool(std::uint64_t set, Cost cost)>& body) const = 0;
    virtual std::uint64_t memory_in_use() const = 0;

    // All nodes below a layer are expanded and will not come again: only later ones need be found.
    virtual void forget_expanded_layers() = 0;

    // Tells the caller's watcher where the search stands; also the last thing an algorithm does.
    virtual void report() = 0;

 protected:
    explicit OrderGraph(std::size_t variables) : n_(variables) {}

    const std::size_t n_;
    ShardRules rules_;
    bool continued_elsewhere_ = false, out_of_memory_ = false;
};

using OrderGraphPolicy = std::function<void(OrderGraph&)>;

// From how many nodes on threads share them, for algorithms to declare.
Parameter share_parameter();

// Runs policy(graph) on the order graph of a component.
void search_order_graph(SearchContext& context, const Heuristic& heuristic,
                        const OrderGraphPolicy& policy);
// The heuristic that was asked for; none when time or memory end before it is there.
std::unique_ptr<Heuristic> order_graph_heuristic(SearchContext& context);
// The same with that one. Without it there is no search; what is known stays valid.
void search_order_graph(SearchContext& context, const OrderGraphPolicy& policy);

}  // namespace anytimebn
