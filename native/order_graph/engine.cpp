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
#include "order_graph/engine.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/variable_set.h"
#include "order_graph/bound_counter.h"
#include "order_graph/node_table.h"
#include "order_graph/path_extension.h"

namespace anytimebn {
namespace {

template <std::size_t Words>
class OrderGraphOf final : public OrderGraph {
 public:
    using Set = VariableSet<Words>;

    OrderGraphOf(SearchContext& context, const Heuristic& heuristic)
        : OrderGraph(context.component.size(), context.incumbent()),
          context_(context),
          checkpoint_(context.checkpoint()),
          component_(context.component),
          heuristic_(heuristic),
          everything_(Set::all(n_)),
          extension_(context.component, context.options.path_extension),
          bound_(0, 0) {
        const Set root = extension_.root();
        const Cost h = heuristic_.value(root.words);
        root_f_ = h;
        bound_ = BoundCounter(h, incumbent_ < infinite_cost ? std::max(incumbent_, h)
                                                            : h + infinite_cost / 1'000'000);
        place_all_lowest();
        if (root == everything_) {  // path extension alone solves it
            reached_goal(no_node, 0, root);
            return;
        }
        nodes_.reserve(1);
        const NodeId id = nodes_.add(root, root.hash(), 0, no_node);
        bound_.add(h);
        set_keys();
        push(id, root, h);
        report();
    }

    void set_weight(double weight) override {
        weight_ = weight;
        set_keys();
        rebuild_open();
    }
    void next_iteration() override {
        ++iteration_;
        Checkpoint checkpoint = checkpoint_;
        for (const NodeId id : postponed_) {
            checkpoint();
            if (nodes_.state(id) != NodeState::postponed) continue;
            nodes_.set_state(id, NodeState::open, iteration_);
            push(id, nodes_.set(id), heuristic_.value(nodes_.set(id).words));
        }
        postponed_.clear();
    }

    bool has_postponed() const override { return !postponed_.empty(); }

    bool expand_best(std::size_t layer) override {
        if (context_.budget.exhausted() || solved_by_others() || !make_room()) return false;
        const NodeId id = pop(layer);
        if (nodes_.state(id) == NodeState::closed) return true;  // expanded by a cheaper entry
        const Set set = nodes_.set(id);
        const Cost f = nodes_.cost(id) + heuristic_.value(set.words);
        if (f >= incumbent_) {
            bound_.remove(f);
            nodes_.set_state(id, NodeState::closed, iteration_);
        } else {
            if (!context_.budget.expand()) {
                push(id, set, f - nodes_.cost(id));
                return false;
            }
            expand(id, set);
            bound_.remove(f);
            nodes_.set_state(id, NodeState::closed, iteration_);
        }
        if ((++steps_ & 1023) == 0) report();
        return bound_.bound() < incumbent_;
    }

    void forget_expanded_layers() override {
        std::size_t pending = 0;
        for (auto& layer : open_) {
            if (layer.empty()) layer.release();
            pending += layer.size();
        }
        nodes_.index_only(
            [&](auto&& keep) {
                for (const auto& layer : open_)
                    for (const std::uint64_t entry : layer) keep(id_of(entry));
            },
            pending, checkpoint_);
    }

    std::uint64_t memory_in_use() const override { return memory_bytes(); }

    bool for_each_open(const std::function<bool(std::uint64_t, Cost)>& body) const override {
        for (const auto& layer : open_)
            for (const std::uint64_t entry : layer) {
                const NodeId id = id_of(entry);
                if (nodes_.state(id) == NodeState::open &&
                    !body(nodes_.set(id).words[0], nodes_.cost(id)))
                    return false;
            }
        return true;
    }

    void report() override {
        context_.raise_bound(std::min(bound_.bound(), incumbent_));
        context_.progress.note_work(nodes_.size(), memory_bytes());
        if (context_.progress.gap_reached()) context_.budget.end(Status::gap);
    }

 private:
    struct Successor {
        Set set;
        std::uint64_t hash;
        Cost cost, h;
    };

    // Others may work on the same component. Once in a while takes over their network, to prune by,
    // and tells whether what they found closes the gap.
    bool solved_by_others() {
        if ((steps_ & 255) != 0) return false;
        incumbent_ = std::min(incumbent_, context_.incumbent());
        return context_.solved();
    }

    // ---- expansion ----

    void expand(NodeId id, const Set& set) {
        const Cost g = nodes_.cost(id);
        missing_.clear();
        for_each_missing(set, n_,
                         [&](std::size_t x) { missing_.push_back(static_cast<std::uint32_t>(x)); });
        values_.resize(missing_.size());
        heuristic_.evaluate_added(set.words, Words, missing_.data(), missing_.size(),
                                  values_.data());
        successors_.clear();
        for (std::size_t i = 0; i < missing_.size(); ++i) {
            const std::uint32_t x = missing_[i];
            // What placing x may cost at most. Path extension adds no cost, and takes none off f.
            const Cost room = incumbent_ - g - values_[i];
            if (room <= 0) continue;
            const std::uint32_t best = component_.best.find(x, set.words, room);
            if (best == BestParents::none) continue;
            Successor successor{set, 0, g + component_.best.cost(x, best), values_[i]};
            if (extension_.close_under(successor.set, x)) {
                successor.h = heuristic_.value(successor.set.words);
                if (successor.cost + successor.h >= incumbent_) continue;
            }
            if (successor.set == everything_) {
                reached_goal(id, successor.cost, successor.set);
                continue;
            }
            successor.hash = successor.set.hash();
            nodes_.prefetch(successor.hash);
            successors_.push_back(successor);
        }
        for (const Successor& successor : successors_) nodes_.prefetch_node(successor.hash);
        for (const Successor& successor : successors_)
            if (successor.cost + successor.h < incumbent_) reach(id, successor);
    }

    void reach(NodeId from, const Successor& successor) {
        const Cost h = successor.h, f = successor.cost + h;
        NodeId id = nodes_.find(successor.set, successor.hash);
        if (id == no_node) {
            id = nodes_.add(successor.set, successor.hash, successor.cost, from);
            nodes_.set_state(id, NodeState::open, iteration_);
            bound_.add(f);
            push(id, successor.set, h);
            return;
        }
        const Cost before = nodes_.cost(id);
        if (successor.cost >= before) return;
        const NodeState state = nodes_.state(id);
        nodes_.improve(id, successor.cost, from);
        if (state != NodeState::closed) bound_.remove(before + h);
        bound_.add(f);
        if (state == NodeState::postponed) return;
        if (state == NodeState::open && !ordered_) return;  // it is in its list already
        // A node closed before this iteration may be opened; one closed in it as the policy says.
        if (state == NodeState::closed && reopen_ == Reopen::postpone &&
            nodes_.iteration(id) == (iteration_ & 0x3fff)) {
            nodes_.set_state(id, NodeState::postponed, iteration_);
            postponed_.push_back(id);
            return;
        }
        nodes_.set_state(id, NodeState::open, iteration_);
        push(id, successor.set, h);
    }

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
        for (; from != no_node; from = nodes_.predecessor(from)) sets.push_back(nodes_.set(from));
        std::vector<std::uint32_t> order;
        extension_.append_free(Set{}, sets.back(), order);  // the root's own extension
        for (std::size_t i = sets.size() - 1; i-- > 0;)
            extension_.append_step(sets[i + 1], sets[i], order);
        return order;
    }

    // ---- open lists ----

    // An entry orders by its upper half, the key; of equal keys the later node comes first.
    static NodeId id_of(std::uint64_t entry) { return ~static_cast<NodeId>(entry); }

    // Cheapest costs of a set's variables, a byte of the set at a time.
    void place_all_lowest() {
        for (std::size_t v = 0; v < n_; ++v) total_lowest_ += component_.lowest_cost(v);
        lowest_sums_.assign(Words * 8 * 256, 0);
        for (std::size_t v = 0; v < n_; ++v)
            for (std::size_t byte = 0; byte < 256; ++byte)
                if (byte >> (v % 8) & 1)
                    lowest_sums_[v / 8 * 256 + byte] += component_.lowest_cost(v);
    }
    Cost lowest_of(const Set& set) const {
        Cost sum = 0;
        for (std::size_t b = 0; b * 8 < n_; ++b)
            sum += lowest_sums_[b * 256 + (set.words[b / 8] >> (b % 8 * 8) & 255)];
        return sum;
    }
    // Steps of f so fine that the highest still has a key.
    void set_keys() {
        const Cost highest = incumbent_ < infinite_cost ? incumbent_ : root_f_ + (Cost{1} << 32);
        const auto extra = static_cast<Cost>(
            (weight_ - 1) * static_cast<double>(std::abs(total_lowest_) + highest));
        key_shift_ = 0;
        while ((highest - root_f_ + extra) >> key_shift_ >= (Cost{1} << 31)) ++key_shift_;
    }
    void push(NodeId id, const Set& set, Cost h) {
        const Cost remaining = weight_ > 1 ? h + total_lowest_ - lowest_of(set) : 0;
        const std::uint64_t entry =
            std::uint64_t{key(nodes_.cost(id) + h, remaining)} << 32 | static_cast<NodeId>(~id);
        OpenList& layer = open_[set.size()];
        ordered_ ? layer.push(entry) : layer.append(entry);
    }
    NodeId pop(std::size_t layer) {
        return id_of(ordered_ ? open_[layer].pop() : open_[layer].take_last());
    }
    void rebuild_open() {
        std::vector<OpenList> old(n_ + 1);
        old.swap(open_);
        Checkpoint checkpoint = checkpoint_;
        for (const auto& layer : old)
            for (const std::uint64_t entry : layer) {
                checkpoint();
                const NodeId id = id_of(entry);
                if (nodes_.state(id) == NodeState::open)
                    push(id, nodes_.set(id), heuristic_.value(nodes_.set(id).words));
            }
    }

    // ---- memory ----

    std::uint64_t memory_bytes() const {
        std::uint64_t open = 0;
        for (const auto& layer : open_) open += layer.memory_bytes();
        return nodes_.memory_bytes() + open + postponed_.size() * sizeof(NodeId) +
               bound_.memory_bytes() + heuristic_.memory_bytes() + component_.best.memory_bytes();
    }
    // Asks before anything grows; the successors of one node must all find room.
    bool make_room() {
        if ((steps_ & 255) == 0) {
            const std::uint64_t others = memory_bytes() - nodes_.memory_bytes();
            const std::uint64_t wanted = others + nodes_.memory_with(n_ * 256);
            if (continued_elsewhere_ && !context_.budget.has_memory(wanted)) {
                out_of_memory_ = true;
                return false;
            }
            if (!continued_elsewhere_ && !context_.budget.allow_memory(wanted)) return false;
        }
        nodes_.reserve(n_, checkpoint_);
        if (nodes_.size() + n_ < no_node) return true;
        context_.budget.end(Status::memory);  // out of node numbers
        return false;
    }

    SearchContext& context_;
    const Checkpoint checkpoint_;  // nodes that are missing in lists after it do not matter
    const Component& component_;
    const Heuristic& heuristic_;
    const Set everything_;
    NodeTable<Words> nodes_;
    std::vector<NodeId> postponed_;
    const PathExtension<Words> extension_;
    BoundCounter bound_;
    Cost total_lowest_ = 0;
    std::vector<Cost> lowest_sums_;
    std::uint32_t iteration_ = 1;
    std::uint64_t steps_ = 0;

    std::vector<std::uint32_t> missing_;  // scratch of expand
    std::vector<Successor> successors_;
    std::vector<Cost> values_;
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
