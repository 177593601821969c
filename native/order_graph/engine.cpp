// How the order-graph engine stores and expands nodes. All costs are regrets (see
// problem/component.h).
//
// * Only sets that are closed under optimal path extension (path_extension.h) are stored.
// * A successor whose f = g + h is not below the incumbent is not stored: it can lead to nothing
//   better.
// * Another thread may find a better network or bound of the same component: the engine prunes by
//   it, and ends when that closes the gap.
// * The lower bound is the smallest unweighted f of every node not expanded since it was last
//   improved, capped by the incumbent. It holds at every moment, whatever ended the search.
// * Threads share the nodes by their hashes (Kishimoto, Fukunaga & Botea 2009), but in rounds: each
//   part gives its best nodes, and hands what they lead to to the parts that these belong to. So
//   nothing depends on timing.
#include "order_graph/engine.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/team.h"
#include "base/variable_set.h"
#include "order_graph/expander.h"

namespace anytimebn {
namespace {

template <std::size_t Words>
class OrderGraphOf final : public OrderGraph {
 public:
    using Set = VariableSet<Words>;

    OrderGraphOf(SearchContext& context, const Heuristic& heuristic)
        : OrderGraph(context.component.size()),
          context_(context),
          checkpoint_(context.checkpoint()),
          component_(context.component),
          heuristic_(heuristic),
          everything_(Set::all(n_)),
          extension_(context.component, context.options.path_extension),
          incumbent_(context.incumbent()),
          root_f_(heuristic.value(extension_.root().words)),
          highest_f_(incumbent_ < infinite_cost ? std::max(incumbent_, root_f_)
                                                : root_f_ + infinite_cost / 1'000'000),
          order_(context.component, root_f_) {
        parts_.push_back(std::make_unique<Part>(*this, 0, 1));
        const Set root = extension_.root();
        if (root == everything_) {  // path extension alone solves it
            reached_goal(no_node, 0, root);
            return;
        }
        order_.set_weight(1, incumbent_);
        Shard<Words>& shard = parts_.front()->shard;
        shard.nodes.reserve(1);
        shard.reach({root, root.hash(), 0, root_f_, no_node});
        report();
    }

    void set_weight(double weight) override {
        order_.set_weight(weight, incumbent_);
        in_all_parts(
            [](Part& part, const Checkpoint& checkpoint) { part.shard.rebuild_open(checkpoint); });
    }
    void share_from(std::size_t nodes) override {
        // What ends after so many expansions has to be the same for any number of threads.
        const bool counted = context_.budget.limits().expansions != Limits{}.expansions;
        if (context_.options.jobs > 1 && !counted) share_from_ = nodes;
    }
    void next_iteration() override {
        ++rules_.iteration;
        in_all_parts([](Part& part, const Checkpoint& checkpoint) {
            part.shard.open_postponed(checkpoint);
        });
    }

    bool layer_empty(std::size_t layer) const override { return layer_size(layer) == 0; }
    std::size_t layer_size(std::size_t layer) const override {
        std::size_t size = 0;
        for (const auto& part : parts_) size += part->shard.open[layer].size();
        return size;
    }
    std::size_t best_layer(std::size_t first) const override {
        std::size_t best = n_;
        for (const auto& part : parts_) {
            const std::size_t own = part->shard.best_layer(first, n_);
            if (own < n_ && (best == n_ || key_of_best(*part, own) < smallest_key(best)))
                best = own;
        }
        return best;
    }
    bool beaten(std::size_t layer) const override {
        return order_.weight() > 1 && incumbent_ < infinite_cost &&
               smallest_key(layer) >= order_.key(incumbent_);
    }

    bool expand_best(std::size_t layer, std::size_t first) override {
        if (context_.budget.exhausted()) return false;
        if (parts_.size() > 1) return expand_round(first);
        Part& part = *parts_.front();
        Shard<Words>& shard = part.shard;
        if (solved_by_others() || !make_room()) return false;
        const NodeId id = shard.pop(layer);
        if (shard.nodes.state(id) == NodeState::closed) return true;  // expanded by a cheaper entry
        const Set set = shard.nodes.set(id);
        const Cost g = shard.nodes.cost(id), f = g + heuristic_.value(set.words);
        if (f < incumbent_) {
            if (!context_.budget.expand()) {
                shard.push(id, set, f - g);
                return false;
            }
            expand(part, id, set, g);
        }
        shard.bound.remove(f);
        shard.close(id);
        if ((++steps_ & 1023) == 0) report();
        if (shard.nodes.size() >= share_from_) share_out();
        return bound() < incumbent_;
    }

    void forget_expanded_layers() override {
        Shard<Words>& shard = parts_.front()->shard;
        std::size_t pending = 0;
        for (auto& layer : shard.open) {
            if (layer.empty()) layer.release();
            pending += layer.size();
        }
        shard.nodes.index_only(
            [&](auto&& keep) {
                for (const auto& layer : shard.open)
                    for (const std::uint64_t entry : layer) keep(shard.id_of(entry));
            },
            pending, checkpoint_);
    }

    std::uint64_t memory_in_use() const override { return memory_bytes(); }

    bool for_each_open(const std::function<bool(std::uint64_t, Cost)>& body) const override {
        for (const auto& part : parts_)
            for (const auto& layer : part->shard.open)
                for (const std::uint64_t entry : layer) {
                    const auto& nodes = part->shard.nodes;
                    const NodeId id = Shard<Words>::id_of(entry);
                    if (nodes.state(id) == NodeState::open &&
                        !body(nodes.set(id).words[0], nodes.cost(id)))
                        return false;
                }
        return true;
    }

    void report() override {
        std::size_t stored = 0;
        for (const auto& part : parts_) stored += part->shard.nodes.size();
        context_.raise_bound(std::min(bound(), incumbent_));
        context_.progress.note_work(stored, memory_bytes());
        if (context_.progress.gap_reached()) context_.budget.end(Status::gap);
    }

 private:
    // The cheapest way to a complete network.
    struct Goal {
        Cost cost = infinite_cost;
        NodeId from = no_node;
    };
    // Nodes that one thread works with, and its share of a round.
    struct Part {
        Part(const OrderGraphOf& graph, std::size_t place, std::size_t parts)
            : place(place),
              shard(graph.heuristic_, graph.order_, graph.rules_, graph.n_ + 1,
                    BoundCounter(graph.root_f_, graph.highest_f_)),
              expander(graph.component_, graph.heuristic_, graph.extension_),
              found(parts) {}

        const std::size_t place;  // among the parts
        Shard<Words> shard;
        Expander<Words> expander;
        std::vector<Cost> expanded;                      // f of each
        std::vector<std::vector<Arrival<Words>>> found;  // by the part that it belongs to
        Goal goal;
    };

    Cost bound() const {
        Cost lowest = infinite_cost;
        for (const auto& part : parts_) lowest = std::min(lowest, part->shard.bound.bound());
        return lowest;
    }
    static std::uint32_t key_of_best(const Part& part, std::size_t layer) {
        return static_cast<std::uint32_t>(part.shard.open[layer].smallest() >> 32);
    }
    std::uint32_t smallest_key(std::size_t layer) const {
        std::uint32_t smallest = UINT32_MAX;
        for (const auto& part : parts_)
            if (!part->shard.open[layer].empty())
                smallest = std::min(smallest, key_of_best(*part, layer));
        return smallest;
    }

    // Others may work on the same component. Once in a while takes over their network, to prune by,
    // and tells whether what they found closes the gap.
    bool solved_by_others() {
        if ((steps_ & 255) != 0) return false;
        incumbent_ = std::min(incumbent_, context_.incumbent());
        return context_.solved();
    }

    // ---- one node at a time ----

    void expand(Part& part, NodeId id, const Set& set, Cost g) {
        Shard<Words>& shard = part.shard;
        successors_.clear();
        part.expander.expand(
            set, g, id, incumbent_,
            [&](const Arrival<Words>& way) {
                shard.nodes.prefetch(way.hash);
                successors_.push_back(way);
            },
            [&](Cost cost) { reached_goal(id, cost, everything_); });
        for (const auto& way : successors_) shard.nodes.prefetch_node(way.hash);
        for (const auto& way : successors_)
            if (way.cost + way.h < incumbent_) shard.reach(way);
    }

    // ---- rounds ----

    // A node's number in the whole search tells its part, and its number there.
    NodeId number(std::size_t part, NodeId id) const {
        return static_cast<NodeId>(id * parts_.size() + part);
    }
    const NodeTable<Words>& nodes_with(NodeId number) const {
        return parts_[number % parts_.size()]->shard.nodes;
    }
    // By bits of the hash that the index of a part does not go by.
    static std::size_t part_of(std::uint64_t hash, std::size_t parts) {
        return static_cast<std::size_t>((hash >> 8 & 0xffff) * parts >> 16);
    }

    // Shares the nodes out to as many parts as there are threads.
    void share_out() {
        share_from_ = never;
        const std::size_t parts = context_.options.jobs;
        // For the nodes once more, and for what each part has besides.
        if (!context_.budget.has_memory((1 + parts) * memory_bytes())) return;
        const auto whole = std::move(parts_.front());
        parts_.clear();
        while (parts_.size() < parts)
            parts_.push_back(std::make_unique<Part>(*this, parts_.size(), parts));
        const NodeTable<Words>& nodes = whole->shard.nodes;
        std::vector<NodeId> sizes(parts, 0), number_of(nodes.size());
        for (NodeId id = 0; id < nodes.size(); ++id) {
            const std::size_t part = part_of(nodes.set(id).hash(), parts);
            number_of[id] = number(part, sizes[part]++);
        }
        for (std::size_t part = 0; part < parts; ++part)
            parts_[part]->shard.nodes.reserve(sizes[part]);
        for (NodeId id = 0; id < nodes.size(); ++id) {
            const NodeId before = nodes.predecessor(id);
            parts_[number_of[id] % parts]->shard.take_over(
                nodes, id, before == no_node ? no_node : number_of[before]);
        }
        team_ = std::make_unique<Team>(parts);
        if (rules_.reopen == Reopen::postpone_in_order) {
            rules_.reopen = Reopen::at_once;
            for (const auto& part : parts_) part->shard.open_postponed(checkpoint_);
        }
    }

    // Nodes that each part gives to a round: few enough beside those that are open for these to
    // come in order, and for a round to end soon, but not so few that threads wait for each other.
    std::size_t most_of_round(std::size_t first) const {
        constexpr std::size_t rounds = 16, most = 256;
        std::size_t open = 0;
        for (std::size_t layer = first; layer < n_; ++layer) open += layer_size(layer);
        return std::clamp<std::size_t>(open / (rounds * parts_.size()), 1, most);
    }

    bool expand_round(std::size_t first) {
        incumbent_ = std::min(incumbent_, context_.incumbent());
        const std::size_t most = most_of_round(first);
        if (context_.solved() || !make_room_for_round(most)) return false;
        constexpr std::size_t worth_threads = 64;
        const bool alone = most * parts_.size() < worth_threads;
        const auto expand = [&](Part& part, const Checkpoint& checkpoint) {
            expand_some(part, first, most, checkpoint);
        };
        try {
            in_all_parts(expand, alone);
        } catch (...) {  // stopped, or out of memory
            take_goals();
            throw;
        }
        take_goals();
        in_all_parts([&](Part& part, const Checkpoint& checkpoint) { gather(part, checkpoint); },
                     alone);
        // Only now that all parts have what the expanded nodes lead to, these count no longer. What
        // was stopped before counts both, which is as true.
        const std::uint64_t before = steps_;
        for (const auto& part : parts_) {
            for (const Cost f : part->expanded) part->shard.bound.remove(f);
            steps_ += part->expanded.size();
        }
        context_.budget.expand(steps_ - before);
        if (steps_ >> 10 != before >> 10) report();
        return bound() < incumbent_;
    }

    // The cheapest network of a round; the bound holds only once it is known.
    void take_goals() {
        Goal goal;
        for (const auto& part : parts_)
            if (part->goal.cost < goal.cost) goal = part->goal;
        reached_goal(goal.from, goal.cost, everything_);
    }

    // The best nodes of a part. They count for the bound until all that they lead to does.
    void expand_some(Part& part, std::size_t first, std::size_t most, Checkpoint checkpoint) {
        Shard<Words>& shard = part.shard;
        part.expanded.clear();
        for (auto& ways : part.found) ways.clear();
        part.goal = {};
        while (part.expanded.size() < most) {
            const std::size_t layer = shard.best_layer(first, n_);
            if (layer == n_) return;
            const NodeId id = shard.pop(layer);
            if (shard.nodes.state(id) == NodeState::closed) continue;
            const Set set = shard.nodes.set(id);
            const Cost g = shard.nodes.cost(id), f = g + heuristic_.value(set.words);
            shard.close(id);
            if (f >= incumbent_) {
                shard.bound.remove(f);
                continue;
            }
            checkpoint(work_of_expansion);
            part.expanded.push_back(f);
            const NodeId from = number(part.place, id);
            part.expander.expand(
                set, g, from, incumbent_,
                [&](const Arrival<Words>& way) {
                    part.found[part_of(way.hash, parts_.size())].push_back(way);
                },
                [&](Cost cost) {
                    if (cost < part.goal.cost) part.goal = {cost, from};
                });
        }
    }

    // What was found for a part.
    void gather(Part& part, const Checkpoint& checkpoint) {
        Shard<Words>& shard = part.shard;
        std::size_t count = 0;
        for (const auto& other : parts_) count += other->found[part.place].size();
        checkpoint.ask();
        shard.nodes.reserve(count, checkpoint);
        constexpr std::size_t ahead = 8;  // so many cache misses overlap
        for (const auto& other : parts_) {
            const auto& ways = other->found[part.place];
            for (std::size_t i = 0; i < ways.size() + 2 * ahead; ++i) {
                if (i < ways.size()) shard.nodes.prefetch(ways[i].hash);
                if (i >= ahead && i - ahead < ways.size())
                    shard.nodes.prefetch_node(ways[i - ahead].hash);
                if (i >= 2 * ahead) shard.reach(ways[i - 2 * ahead]);
            }
        }
    }

    // By all threads, unless it is too little work for them.
    void in_all_parts(const std::function<void(Part&, const Checkpoint&)>& work,
                      bool alone = false) {
        if (team_ == nullptr || alone) {
            for (const auto& part : parts_) work(*part, checkpoint_);
            return;
        }
        try {
            team_->run(parts_.size(), [&](std::size_t part) {
                work(*parts_[part], context_.budget.checkpoint_of_others());
            });
        } catch (const WorkStopped&) {
            context_.budget.exhausted_now();  // takes note of why
            throw;
        }
    }

    // ---- networks ----

    void reached_goal(NodeId from, Cost cost, const Set& goal) {
        if (cost >= incumbent_) return;
        const auto order = traced_order(from, goal);
        // Nodes on the way may have been improved since: the ordering itself tells what it costs.
        const Cost actual = cost_of(order);
        if (actual > cost) throw std::logic_error("a traced ordering costs more than its path");
        incumbent_ = actual;
        context_.improve(incumbent_, order);
        report();
    }
    Cost cost_of(const std::vector<std::uint32_t>& order) const {
        Set placed;
        Cost cost = 0;
        for (const std::uint32_t v : order) {
            cost += component_.best.cost(v, component_.best.find(v, placed.words));
            placed.insert(v);
        }
        return cost;
    }

    // The ordering that led to a set: what each step placed, the chosen variable first.
    std::vector<std::uint32_t> traced_order(NodeId from, const Set& set) const {
        std::vector<Set> sets{set};  // backwards
        for (; from != no_node;) {
            const NodeTable<Words>& nodes = nodes_with(from);
            const auto id = static_cast<NodeId>(from / parts_.size());
            sets.push_back(nodes.set(id));
            from = nodes.predecessor(id);
        }
        std::vector<std::uint32_t> order;
        extension_.append_free(Set{}, sets.back(), order);  // the root's own extension
        for (std::size_t i = sets.size() - 1; i-- > 0;)
            extension_.append_step(sets[i + 1], sets[i], order);
        return order;
    }

    // ---- memory ----

    std::uint64_t bytes_of_nodes() const {
        std::uint64_t bytes = 0;
        for (const auto& part : parts_) bytes += part->shard.nodes.memory_bytes();
        return bytes;
    }
    std::uint64_t memory_bytes() const {
        std::uint64_t bytes =
            bytes_of_nodes() + heuristic_.memory_bytes() + component_.best.memory_bytes();
        for (const auto& part : parts_) {
            bytes += part->shard.list_bytes();
            for (const auto& ways : part->found) bytes += ways.capacity() * sizeof(ways[0]);
        }
        return bytes;
    }
    // Asks before anything grows; the successors of one node must all find room.
    bool make_room() {
        NodeTable<Words>& nodes = parts_.front()->shard.nodes;
        if ((steps_ & 255) == 0) {
            const std::uint64_t others = memory_bytes() - bytes_of_nodes();
            const std::uint64_t wanted = others + nodes.memory_with(n_ * 256);
            if (continued_elsewhere_ && !context_.budget.has_memory(wanted)) {
                out_of_memory_ = true;
                return false;
            }
            if (!continued_elsewhere_ && !context_.budget.allow_memory(wanted)) return false;
        }
        nodes.reserve(n_, checkpoint_);
        if (nodes.size() + n_ < no_node) return true;
        context_.budget.end(Status::memory);  // out of node numbers
        return false;
    }
    // The same for all that the nodes of a round may lead to, wherever it belongs.
    bool make_room_for_round(std::size_t most) {
        const std::size_t ways = most * parts_.size() * n_;
        std::uint64_t wanted = memory_bytes() - bytes_of_nodes() + ways * sizeof(Arrival<Words>);
        std::size_t largest = 0;
        for (const auto& part : parts_) {
            wanted += part->shard.nodes.memory_with(ways);
            largest = std::max(largest, part->shard.nodes.size());
        }
        if (!context_.budget.allow_memory(wanted)) return false;
        if ((largest + ways) * parts_.size() < no_node) return true;
        context_.budget.end(Status::memory);  // out of node numbers
        return false;
    }

    static constexpr std::size_t never = SIZE_MAX;
    static constexpr std::uint64_t work_of_expansion = 1 << 10;  // in units of a checkpoint

    SearchContext& context_;
    const Checkpoint checkpoint_;  // nodes that are missing in lists after it do not matter
    const Component& component_;
    const Heuristic& heuristic_;
    const Set everything_;
    const PathExtension<Words> extension_;
    Cost incumbent_;
    const Cost root_f_, highest_f_;
    NodeOrder<Words> order_;
    std::vector<std::unique_ptr<Part>> parts_;  // one, until threads share the nodes
    std::unique_ptr<Team> team_;
    std::size_t share_from_ = never;
    std::uint64_t steps_ = 0;
    std::vector<Arrival<Words>> successors_;  // scratch
};

constexpr std::size_t most_variables = 1024;  // of a component: 2^1024 nodes fit nowhere

template <std::size_t Words>
void run_policy(SearchContext& context, const Heuristic& heuristic,
                const OrderGraphPolicy& policy) {
    OrderGraphOf<Words> graph(context, heuristic);
    graph.report();
    try {
        if (!context.solved()) policy(graph);
    } catch (const WorkStopped&) {  // the bound counts all nodes, and is as good as before
    }
    graph.report();
    context.progress.end_work();
}

}  // namespace

void search_order_graph(SearchContext& context, const Heuristic& heuristic,
                        const OrderGraphPolicy& policy) {
    const std::size_t n = context.component.size();
    if (n <= 64)
        run_policy<1>(context, heuristic, policy);
    else if (n <= 128)
        run_policy<2>(context, heuristic, policy);
    else if (n <= 256)
        run_policy<4>(context, heuristic, policy);
    else
        run_policy<most_variables / 64>(context, heuristic, policy);
}

Parameter share_parameter() {
    return {"share-from", 1 << 15, 1, 1e12, "nodes from which on all threads share them"};
}

std::unique_ptr<Heuristic> order_graph_heuristic(SearchContext& context) {
    if (context.component.size() > most_variables) {
        context.budget.end(Status::memory);
        return nullptr;
    }
    auto heuristic = HeuristicRegistry::find(context.options.heuristic).make.make(context);
    return context.solved() ? nullptr : std::move(heuristic);
}

void search_order_graph(SearchContext& context, const OrderGraphPolicy& policy) {
    if (const auto heuristic = order_graph_heuristic(context))
        search_order_graph(context, *heuristic, policy);
}

}  // namespace anytimebn
