#include "orders/grow_shrink.h"

#include <algorithm>

namespace anytimebn {
namespace {

std::size_t hash_of(std::span<const std::uint32_t> parents) {
    std::uint64_t mixed = parents.size();
    for (const std::uint32_t member : parents) {
        mixed = (mixed ^ member) * 0x9e3779b97f4a7c15u;
        mixed ^= mixed >> 32;
    }
    return mixed;
}

bool contains(const std::uint64_t* bits, std::uint32_t v) { return bits[v / 64] >> (v % 64) & 1; }
void insert(std::uint64_t* bits, std::uint32_t v) { bits[v / 64] |= std::uint64_t{1} << (v % 64); }

}  // namespace

GrowShrinkGraphs::GrowShrinkGraphs(LocalCosts& costs)
    : costs_(costs), words_((costs.variables() + 63) / 64), graphs_(costs.variables()) {
    for (auto& graph : graphs_) graph = std::make_unique<ChildGraph>();
}

std::span<const std::uint32_t> GrowShrinkGraphs::parents(std::uint32_t child,
                                                         const Traced& traced) const {
    const ChildGraph& graph = *graphs_[child];
    if (traced.pooled != Traced::none) return graph.pool[traced.pooled].parents;
    return graph.nodes[traced.node].members();
}

Cost GrowShrinkGraphs::least_parents_cost(std::uint32_t child) {
    if (graphs_[child]->nodes.empty()) plant(child);
    return std::min(graphs_[child]->nodes[0].cost, unaffordable);
}

std::uint64_t GrowShrinkGraphs::nodes() const {
    std::uint64_t sum = 0;
    for (const auto& graph : graphs_) sum += graph->nodes.size();
    return sum;
}

void GrowShrinkGraphs::forget() {
    for (auto& graph : graphs_) {
        std::vector<std::uint32_t>().swap(graph->places);
        std::vector<Node>().swap(graph->nodes);
    }
    lists_.clear();
    bytes_ = 0;
    ++epoch_;
}

void GrowShrinkGraphs::clear_pools() {
    ++epoch_;
    for (auto& graph : graphs_) graph->pool.clear();
}

void GrowShrinkGraphs::set_pool(std::uint32_t child,
                                std::vector<std::pair<Cost, Parents>> families) {
    ++epoch_;
    std::sort(families.begin(), families.end());
    std::vector<Pooled>& pool = graphs_[child]->pool;
    pool.clear();
    for (auto& [cost, parents] : families) pool.push_back(pooled(cost, std::move(parents)));
}

GrowShrinkGraphs::Pooled GrowShrinkGraphs::pooled(Cost cost, Parents parents) const {
    std::vector<std::uint64_t> bits(words_, 0);
    for (const std::uint32_t parent : parents) insert(bits.data(), parent);
    return {cost, std::move(parents), std::move(bits)};
}

void GrowShrinkGraphs::plant(std::uint32_t child) {
    const Parents& required = costs_.permissions().required[child];
    node_of(child, required, costs_.cost(child, required));
}

// Where the node with these parents is, or would be.
std::size_t GrowShrinkGraphs::place_of(const ChildGraph& graph,
                                       std::span<const std::uint32_t> parents) {
    const std::size_t last = graph.places.size() - 1;  // a power of two less one
    std::size_t place = hash_of(parents) & last;
    for (; graph.places[place] != Traced::none; place = (place + 1) & last)
        if (std::ranges::equal(graph.nodes[graph.places[place]].members(), parents)) break;
    return place;
}

// At most half of the places are taken.
void GrowShrinkGraphs::make_places(ChildGraph& graph) {
    const std::size_t before = graph.places.size();
    if (2 * (graph.nodes.size() + 1) <= before) return;
    graph.places.assign(std::max<std::size_t>(16, 2 * before), Traced::none);
    bytes_ += (graph.places.size() - before) * sizeof(std::uint32_t);
    for (std::uint32_t number = 0; number < graph.nodes.size(); ++number)
        graph.places[place_of(graph, graph.nodes[number].members())] = number;
}

std::uint32_t GrowShrinkGraphs::node_of(std::uint32_t child, const Parents& parents, Cost cost) {
    ChildGraph& graph = *graphs_[child];
    make_places(graph);
    std::uint32_t& place = graph.places[place_of(graph, parents)];
    if (place != Traced::none) return place;
    place = static_cast<std::uint32_t>(graph.nodes.size());
    std::uint32_t* const members = lists_.take<std::uint32_t>(parents.size());
    std::copy(parents.begin(), parents.end(), members);
    const std::size_t room = graph.nodes.capacity();
    Node& node = graph.nodes.emplace_back();
    bytes_ += (graph.nodes.capacity() - room) * sizeof(Node);
    node.cost = cost;
    node.parents = members;
    node.parent_count = static_cast<std::uint32_t>(parents.size());
    return place;
}

// Until it is asked for the next one.
const Parents& GrowShrinkGraphs::listed(const Node& node) {
    listed_.assign(node.parents, node.parents + node.parent_count);
    return listed_;
}

void GrowShrinkGraphs::grow(std::uint32_t child, std::uint32_t number) {
    Node& node = graphs_[child]->nodes[number];
    steps_.clear();
    if (!costs_.extensions(child, listed(node), node.cost, steps_)) throw OutOfBudget{};
    std::sort(steps_.begin(), steps_.end());
    auto* const bits = lists_.take<std::uint64_t>(words_);
    auto* const costs = lists_.take<Cost>(steps_.size());
    auto* const variables = lists_.take<std::uint32_t>(steps_.size());
    std::fill(bits, bits + words_, 0);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        variables[i] = steps_[i].variable;
        costs[i] = steps_[i].cost;
        insert(bits, steps_[i].variable);
    }
    node.bits = bits;
    node.costs = costs;
    node.variables = variables;
    node.count = static_cast<std::uint32_t>(steps_.size());
    node.grown = true;
}

std::uint32_t GrowShrinkGraphs::next(std::uint32_t child, std::uint32_t number,
                                     std::size_t choice) {
    ChildGraph& graph = *graphs_[child];
    Node& node = graph.nodes[number];
    if (node.next == nullptr) {
        node.next = lists_.take<std::uint32_t>(node.count);
        std::fill(node.next, node.next + node.count, Traced::none);
    }
    std::uint32_t& larger = node.next[choice];  // lists stay where they are when nodes move
    if (larger == Traced::none)
        larger = node_of(child, with(listed(node), node.variables[choice]), node.costs[choice]);
    return larger;
}

// Leaves out the parent without which the child costs least, while it costs less.
std::uint32_t GrowShrinkGraphs::shrink(std::uint32_t child, std::uint32_t number) {
    ChildGraph& graph = *graphs_[child];
    if (graph.nodes[number].shrunk) {
        const std::uint32_t known = graph.nodes[number].smaller;
        return known == Traced::none ? number : known;
    }
    std::uint32_t end = number;
    if (graph.nodes[number].parent_count > 1) {
        const Node& node = graph.nodes[number];
        const Step best = costs_.best_removal(child, listed(node));
        if (best.cost < node.cost)
            end = shrink(child, node_of(child, without(listed(node), best.variable), best.cost));
    }
    graph.nodes[number].shrunk = true;
    if (end != number) graph.nodes[number].smaller = end;
    return end;
}

// From a node, grown and shrunk until nothing helps.
std::uint32_t GrowShrinkGraphs::follow(std::uint32_t child, std::uint32_t number,
                                       const std::uint64_t* before, std::uint64_t* path,
                                       std::uint64_t* skipped) {
    ChildGraph& graph = *graphs_[child];
    for (;;) {
        for (;;) {
            if (!graph.nodes[number].grown) grow(child, number);
            const Node& node = graph.nodes[number];
            std::uint64_t common = 0;
            for (std::size_t w = 0; w < words_; ++w) common |= node.bits[w] & before[w];
            if (common == 0) {
                for (std::size_t w = 0; w < words_; ++w) skipped[w] |= node.bits[w];
                break;
            }
            std::size_t choice = 0;
            for (; !contains(before, node.variables[choice]); ++choice)
                insert(skipped, node.variables[choice]);
            insert(path, node.variables[choice]);
            number = next(child, number, choice);
        }
        const std::uint32_t smaller = shrink(child, number);
        if (smaller == number) return number;
        number = smaller;
    }
}

bool GrowShrinkGraphs::grow_from(std::uint32_t child, const Parents& first,
                                 const std::uint64_t* before, Cost below) {
    if (graphs_[child]->nodes.empty()) plant(child);
    Parents start = listed(graphs_[child]->nodes[0]);
    for (const std::uint32_t parent : first)
        if (!std::binary_search(start.begin(), start.end(), parent)) start = with(start, parent);
    const Permissions& permissions = costs_.permissions();
    if (start.size() > permissions.most_parents[child]) return false;
    const Cost cost = costs_.cost(child, start);
    if (cost >= unaffordable) return false;
    std::vector<std::uint64_t> path(words_), skipped(words_);
    const std::uint32_t end =
        follow(child, node_of(child, start, cost), before, path.data(), skipped.data());
    const Node& node = graphs_[child]->nodes[end];
    if (node.cost >= below) return false;
    std::vector<Pooled>& pool = graphs_[child]->pool;
    pool.insert(std::upper_bound(pool.begin(), pool.end(), node.cost,
                                 [](Cost a, const Pooled& b) { return a < b.cost; }),
                pooled(node.cost, listed(node)));
    ++epoch_;
    return true;
}

Traced GrowShrinkGraphs::trace(std::uint32_t child, const std::uint64_t* before,
                               std::uint64_t* path, std::uint64_t* skipped) {
    ChildGraph& graph = *graphs_[child];
    if (graph.nodes.empty()) plant(child);
    Traced traced;
    traced.node = follow(child, 0, before, path, skipped);
    traced.cost = std::min(graph.nodes[traced.node].cost, unaffordable);
    for (std::uint32_t i = 0; i < graph.pool.size() && graph.pool[i].cost < traced.cost; ++i) {
        const Pooled& family = graph.pool[i];
        std::uint64_t missing = 0;
        for (std::size_t w = 0; w < words_; ++w) missing |= family.bits[w] & ~before[w];
        if (missing == 0) {
            traced.cost = family.cost;
            traced.pooled = i;
            for (std::size_t w = 0; w < words_; ++w) path[w] |= family.bits[w];
            break;
        }
        for (std::size_t w = 0; w < words_; ++w) skipped[w] |= family.bits[w] & ~before[w];
    }
    return traced;
}

}  // namespace anytimebn
