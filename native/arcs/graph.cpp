#include "arcs/graph.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace anytimebn {
namespace {

ParentLists children_of(const ParentLists& parents) {
    ParentLists children(parents.size());
    for (std::uint32_t child = 0; child < parents.size(); ++child)
        for (const std::uint32_t parent : parents[child]) children[parent].push_back(child);
    return children;
}

}  // namespace

std::vector<std::uint32_t> order_of(const ParentLists& parents) {
    const ParentLists children = children_of(parents);
    std::vector<std::size_t> waiting_for(parents.size());
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
    for (std::uint32_t v = 0; v < parents.size(); ++v)
        if ((waiting_for[v] = parents[v].size()) == 0) ready.push(v);
    std::vector<std::uint32_t> order;
    while (!ready.empty()) {
        order.push_back(ready.top());
        ready.pop();
        for (const std::uint32_t child : children[order.back()])
            if (--waiting_for[child] == 0) ready.push(child);
    }
    return order;
}

Graph::Graph(const ParentLists& parents)
    : parents_(parents), children_(children_of(parents)), ancestors_(parents.size()) {
    for (const std::uint32_t v : order_of(parents))
        for (const std::uint32_t parent : parents_[v]) {
            for (std::size_t w = 0; w < ancestors_.words(); ++w)
                ancestors_.row(v)[w] |= ancestors_.row(parent)[w];
            ancestors_.set(v, parent);
        }
}

std::size_t Graph::arcs() const {
    std::size_t sum = 0;
    for (const Parents& own : parents_) sum += own.size();
    return sum;
}

bool Graph::has(std::uint32_t child, std::uint32_t parent) const {
    return std::binary_search(parents_[child].begin(), parents_[child].end(), parent);
}

bool Graph::can_reverse(std::uint32_t child, std::uint32_t parent) const {
    return std::none_of(parents_[child].begin(), parents_[child].end(), [&](std::uint32_t other) {
        return other != parent && is_ancestor(parent, other);
    });
}

void Graph::add(std::uint32_t child, std::uint32_t parent) {
    parents_[child] = with(parents_[child], parent);
    children_[parent] = with(children_[parent], child);
    if (is_ancestor(parent, child)) return;
    const auto inherit = [&](std::uint32_t v) {
        for (std::size_t w = 0; w < ancestors_.words(); ++w)
            ancestors_.row(v)[w] |= ancestors_.row(parent)[w];
        ancestors_.set(v, parent);
    };
    inherit(child);
    for (std::uint32_t v = 0; v < parents_.size(); ++v)
        if (is_ancestor(child, v)) inherit(v);
}

// The ancestors of the child and its descendants are found anew, parents first.
void Graph::remove(std::uint32_t child, std::uint32_t parent) {
    parents_[child] = without(parents_[child], parent);
    children_[parent] = without(children_[parent], child);
    std::vector<std::uint32_t> waiting_for(parents_.size(), 0);
    for (std::uint32_t v = 0; v < parents_.size(); ++v)
        if (is_ancestor(child, v))
            for (const std::uint32_t own : parents_[v])
                waiting_for[v] += own == child || is_ancestor(child, own);
    std::vector<std::uint32_t> ready{child};
    while (!ready.empty()) {
        const std::uint32_t v = ready.back();
        ready.pop_back();
        std::fill(ancestors_.row(v), ancestors_.row(v) + ancestors_.words(), 0);
        for (const std::uint32_t own : parents_[v]) {
            for (std::size_t w = 0; w < ancestors_.words(); ++w)
                ancestors_.row(v)[w] |= ancestors_.row(own)[w];
            ancestors_.set(v, own);
        }
        for (const std::uint32_t next : children_[v])
            if (--waiting_for[next] == 0) ready.push_back(next);
    }
}

}  // namespace anytimebn
