#include "orders/grow_shrink.h"

#include <algorithm>

namespace anytimebn {
namespace {

constexpr std::uint64_t bytes_of_a_node = 240;  // with its place in the index
constexpr std::uint64_t bytes_of_a_step = 12;

bool contains(const std::uint64_t* bits, std::uint32_t v) { return bits[v / 64] >> (v % 64) & 1; }
void insert(std::uint64_t* bits, std::uint32_t v) { bits[v / 64] |= std::uint64_t{1} << (v % 64); }

}  // namespace

GrowShrinkGraphs::GrowShrinkGraphs(LocalCosts& costs)
    : costs_(costs), words_((costs.variables() + 63) / 64), graphs_(costs.variables()) {
    for (auto& graph : graphs_) graph = std::make_unique<ChildGraph>();
}

std::size_t GrowShrinkGraphs::Hash::operator()(const Parents& parents) const {
    std::uint64_t mixed = parents.size();
    for (const std::uint32_t member : parents) {
        mixed = (mixed ^ member) * 0x9e3779b97f4a7c15u;
        mixed ^= mixed >> 32;
    }
    return mixed;
}

const Parents& GrowShrinkGraphs::parents(std::uint32_t child, const Traced& traced) const {
    return traced.pooled != Traced::none ? graphs_[child]->pool[traced.pooled].parents
                                         : graphs_[child]->nodes[traced.node].parents;
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
        graph->known.clear();
        std::vector<Node>().swap(graph->nodes);
    }
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

std::uint32_t GrowShrinkGraphs::node_of(std::uint32_t child, Parents parents, Cost cost) {
    ChildGraph& graph = *graphs_[child];
    if (const auto found = graph.known.find(parents); found != graph.known.end()) return *found;
    const auto number = static_cast<std::uint32_t>(graph.nodes.size());
    bytes_ += bytes_of_a_node + parents.size() * sizeof(std::uint32_t);
    Node& node = graph.nodes.emplace_back();
    node.cost = cost;
    node.parents = std::move(parents);
    graph.known.insert(number);
    return number;
}

void GrowShrinkGraphs::grow(std::uint32_t child, std::uint32_t number) {
    Node& node = graphs_[child]->nodes[number];
    steps_.clear();
    if (!costs_.extensions(child, node.parents, node.cost, steps_)) throw OutOfBudget{};
    std::sort(steps_.begin(), steps_.end());
    node.bits.assign(words_, 0);
    node.variables.reserve(steps_.size());
    node.costs.reserve(steps_.size());
    for (const Step& step : steps_) {
        node.variables.push_back(step.variable);
        node.costs.push_back(step.cost);
        insert(node.bits.data(), step.variable);
    }
    node.grown = true;
    bytes_ += steps_.size() * bytes_of_a_step + words_ * sizeof(std::uint64_t);
}

std::uint32_t GrowShrinkGraphs::next(std::uint32_t child, std::uint32_t number,
                                     std::size_t choice) {
    ChildGraph& graph = *graphs_[child];
    std::vector<std::uint32_t>& all = graph.nodes[number].next;
    if (all.empty()) {  // most nodes that are grown are never left
        all.assign(graph.nodes[number].variables.size(), Traced::none);
        bytes_ += all.size() * sizeof(std::uint32_t);
    }
    if (all[choice] != Traced::none) return all[choice];
    const Node& node = graph.nodes[number];
    const std::uint32_t larger =
        node_of(child, with(node.parents, node.variables[choice]), node.costs[choice]);
    graph.nodes[number].next[choice] = larger;
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
    if (graph.nodes[number].parents.size() > 1) {
        const Node& node = graph.nodes[number];
        const Step best = costs_.best_removal(child, node.parents);
        if (best.cost < node.cost)
            end = shrink(child, node_of(child, without(node.parents, best.variable), best.cost));
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
    Parents start = graphs_[child]->nodes[0].parents;
    for (const std::uint32_t parent : first)
        if (!std::binary_search(start.begin(), start.end(), parent)) start = with(start, parent);
    const Permissions& permissions = costs_.permissions();
    if (start.size() > permissions.most_parents[child]) return false;
    const Cost cost = costs_.cost(child, start);
    if (cost >= unaffordable) return false;
    std::vector<std::uint64_t> path(words_), skipped(words_);
    const std::uint32_t end =
        follow(child, node_of(child, std::move(start), cost), before, path.data(), skipped.data());
    const Node& node = graphs_[child]->nodes[end];
    if (node.cost >= below) return false;
    std::vector<Pooled>& pool = graphs_[child]->pool;
    pool.insert(std::upper_bound(pool.begin(), pool.end(), node.cost,
                                 [](Cost a, const Pooled& b) { return a < b.cost; }),
                pooled(node.cost, node.parents));
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
