// The order-graph engine: nodes, open lists, incumbent, bound and budget, written once. An
// algorithm is a few lines that decide which open node comes next, and what happens to a closed
// node that is reached more cheaply; see the files beside this one.
//
// A node is a set U of placed variables; its cost g(U) the cheapest ordering of U found so far;
// placing x next costs best(x, U). The open lists are kept by layer (number of placed variables): a
// window of layers, a single layer and all of them are the same structure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "base/fixed_point.h"
#include "heuristics/heuristic.h"
#include "order_graph/open_list.h"
#include "run/algorithm.h"

namespace anytimebn {

// What to do with a closed node that is reached more cheaply.
enum class Reopen { at_once, postpone };

// What algorithms see of the engine. How nodes are stored depends on the number of variables and is
// known to engine.cpp alone; an algorithm calls it once an expansion, which costs nothing beside
// one.
class OrderGraph {
 public:
    virtual ~OrderGraph() = default;

    // Nodes are ordered by g + weight * h, both with the cheapest costs that regrets leave out: the
    // weighted f of the paper. Changing it orders all open nodes anew.
    virtual void set_weight(double weight) = 0;
    void set_reopen(Reopen reopen) { reopen_ = reopen; }
    // For sweeps that need no order within a layer.
    void set_unordered() { ordered_ = false; }
    // Closed nodes of earlier iterations may be reopened in this one; postponed nodes become open.
    virtual void next_iteration() = 0;
    virtual bool has_postponed() const = 0;

    std::size_t layers() const { return n_; }
    bool layer_empty(std::size_t layer) const { return open_[layer].empty(); }
    // Entries; more than nodes if some were reached again.
    std::size_t layer_size(std::size_t layer) const { return open_[layer].size(); }

    // The layer from `first` on whose best node comes first by (weighted) f; layers() when all are
    // empty.
    std::size_t best_layer(std::size_t first = 0) const {
        std::size_t best = n_;
        std::uint64_t lowest = UINT64_MAX;
        for (std::size_t layer = first; layer < n_; ++layer)
            if (!open_[layer].empty() && open_[layer].smallest() < lowest) {
                lowest = open_[layer].smallest();
                best = layer;
            }
        return best;
    }
    // Whether no node of this layer can lead, within the weight, to less than the incumbent.
    bool beaten(std::size_t layer) const {
        return weight_ > 1 && incumbent_ < infinite_cost &&
               static_cast<std::uint32_t>(open_[layer].smallest() >> 32) >= key(incumbent_);
    }

    // Expands the best node of a layer. False when the search has to end: solved, or out of budget.
    virtual bool expand_best(std::size_t layer) = 0;

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
    OrderGraph(std::size_t variables, Cost incumbent)
        : n_(variables), incumbent_(incumbent), open_(variables + 1) {}

    // 32 bits of (weighted) f above the root's, in steps fine enough for an order; they are the
    // upper half of an entry in an open list. What is left to place counts once more with the
    // weight.
    std::uint32_t key(Cost f, Cost remaining = 0) const {
        Cost above = f - root_f_;
        if (weight_ > 1) above += static_cast<Cost>((weight_ - 1) * static_cast<double>(remaining));
        return static_cast<std::uint32_t>(
            std::clamp<Cost>(above >> key_shift_, 0, std::numeric_limits<std::uint32_t>::max()));
    }

    const std::size_t n_;
    Cost incumbent_;
    std::vector<OpenList> open_;  // by layer
    Cost root_f_ = 0;
    double weight_ = 1;
    unsigned key_shift_ = 0;
    Reopen reopen_ = Reopen::at_once;
    bool ordered_ = true;
    bool continued_elsewhere_ = false, out_of_memory_ = false;
};

using OrderGraphPolicy = std::function<void(OrderGraph&)>;

// Runs policy(graph) on the order graph of a component.
void search_order_graph(SearchContext& context, const Heuristic& heuristic,
                        const OrderGraphPolicy& policy);
// The heuristic that was asked for; none when time or memory end before it is there.
std::unique_ptr<Heuristic> order_graph_heuristic(SearchContext& context);
// The same with that one. Without it there is no search; what is known stays valid.
void search_order_graph(SearchContext& context, const OrderGraphPolicy& policy);

}  // namespace anytimebn
