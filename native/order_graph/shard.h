// A part of the nodes of a search, with the open ones among them in lists by layer: all nodes, or
// those whose hash says so where several threads share them. Only one thread works with a part at a
// time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/checkpoint.h"
#include "base/fixed_point.h"
#include "base/variable_set.h"
#include "heuristics/heuristic.h"
#include "order_graph/bound_counter.h"
#include "order_graph/node_order.h"
#include "order_graph/node_table.h"
#include "order_graph/open_list.h"

namespace anytimebn {

// What to do with a closed node that is reached more cheaply: open it again, at once or in the next
// iteration; or the latter only as long as nodes come in order, which they do not where threads
// share them.
enum class Reopen { at_once, postpone, postpone_in_order };

// What holds for all parts.
struct ShardRules {
    Reopen reopen = Reopen::at_once;
    bool ordered = true;  // within a layer
    std::uint32_t iteration = 1;
};

// A way to a node.
template <std::size_t Words>
struct Arrival {
    VariableSet<Words> set;
    std::uint64_t hash;
    Cost cost, h;
    NodeId from;  // by its number in the whole search
};

template <std::size_t Words>
class Shard {
 public:
    using Set = VariableSet<Words>;

    Shard(const Heuristic& heuristic, const NodeOrder<Words>& order, const ShardRules& rules,
          std::size_t layers, BoundCounter bound)
        : bound(std::move(bound)),
          open(layers),
          heuristic_(heuristic),
          order_(order),
          rules_(rules) {}

    NodeTable<Words> nodes;
    BoundCounter bound;          // of the nodes that were not expanded since they were improved
    std::vector<OpenList> open;  // by layer
    std::vector<NodeId> postponed;

    Cost h_of(NodeId id) const { return heuristic_.value(nodes.set(id).words); }

    // Room for it must be there.
    void reach(const Arrival<Words>& way) {
        const Cost f = way.cost + way.h;
        NodeId id = nodes.find(way.set, way.hash);
        if (id == no_node) {
            id = nodes.add(way.set, way.hash, way.cost, way.from);
            nodes.set_state(id, NodeState::open, rules_.iteration);
            bound.add(f);
            push(id, way.set, way.h);
            return;
        }
        const Cost before = nodes.cost(id);
        if (way.cost >= before) return;
        const NodeState state = nodes.state(id);
        nodes.improve(id, way.cost, way.from);
        if (state != NodeState::closed) bound.remove(before + way.h);
        bound.add(f);
        if (state == NodeState::postponed) return;
        if (state == NodeState::open && !rules_.ordered) return;  // it is in its list already
        // A node closed before this iteration may be opened; one closed in it as the policy says.
        if (state == NodeState::closed && rules_.reopen != Reopen::at_once &&
            nodes.iteration(id) == (rules_.iteration & 0x3fff)) {
            nodes.set_state(id, NodeState::postponed, rules_.iteration);
            postponed.push_back(id);
            return;
        }
        nodes.set_state(id, NodeState::open, rules_.iteration);
        push(id, way.set, way.h);
    }

    // A node of another table, as it is there.
    void take_over(const NodeTable<Words>& from, NodeId there, NodeId predecessor) {
        const Set& set = from.set(there);
        const NodeId id = nodes.add(set, set.hash(), from.cost(there), predecessor);
        const NodeState state = from.state(there);
        nodes.set_state(id, state, from.iteration(there));
        if (state == NodeState::closed) return;
        const Cost h = h_of(id);
        bound.add(nodes.cost(id) + h);
        if (state == NodeState::open)
            push(id, set, h);
        else
            postponed.push_back(id);
    }

    void close(NodeId id) { nodes.set_state(id, NodeState::closed, rules_.iteration); }

    // Postponed nodes become open.
    void open_postponed(Checkpoint checkpoint) {
        for (const NodeId id : postponed) {
            checkpoint();
            if (nodes.state(id) != NodeState::postponed) continue;
            nodes.set_state(id, NodeState::open, rules_.iteration);
            push(id, nodes.set(id), h_of(id));
        }
        postponed.clear();
    }
    // The order has changed.
    void rebuild_open(Checkpoint checkpoint) {
        std::vector<OpenList> old(open.size());
        old.swap(open);
        for (const auto& layer : old)
            for (const std::uint64_t entry : layer) {
                checkpoint();
                const NodeId id = id_of(entry);
                if (nodes.state(id) == NodeState::open) push(id, nodes.set(id), h_of(id));
            }
    }

    // An entry orders by its upper half, the key; of equal keys the later node comes first.
    static NodeId id_of(std::uint64_t entry) { return ~static_cast<NodeId>(entry); }

    void push(NodeId id, const Set& set, Cost h) {
        const std::uint32_t key = order_.key(set, nodes.cost(id), h);
        const std::uint64_t entry = std::uint64_t{key} << 32 | static_cast<NodeId>(~id);
        OpenList& layer = open[set.size()];
        rules_.ordered ? layer.push(entry) : layer.append(entry);
    }
    NodeId pop(std::size_t layer) {
        return id_of(rules_.ordered ? open[layer].pop() : open[layer].take_last());
    }
    // The layer from `first` on whose best node comes first; `last` when all before it are empty.
    std::size_t best_layer(std::size_t first, std::size_t last) const {
        std::size_t best = last;
        std::uint64_t lowest = UINT64_MAX;
        for (std::size_t layer = first; layer < last; ++layer)
            if (!open[layer].empty() && open[layer].smallest() < lowest) {
                lowest = open[layer].smallest();
                best = layer;
            }
        return best;
    }

    // Without the index and the nodes themselves.
    std::uint64_t list_bytes() const {
        std::uint64_t bytes = postponed.size() * sizeof(NodeId) + bound.memory_bytes();
        for (const auto& layer : open) bytes += layer.memory_bytes();
        return bytes;
    }

 private:
    const Heuristic& heuristic_;
    const NodeOrder<Words>& order_;
    const ShardRules& rules_;
};

}  // namespace anytimebn
