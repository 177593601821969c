#include "cycles/short_cycles.h"

#include <algorithm>

namespace anytimebn {

ShortCycles::ShortCycles(std::size_t variables)
    : children_(variables),
      waiting_(variables),
      child_count_(variables),
      child_on_path_(variables),
      core_(variables),
      covered_(variables),
      seen_(variables, 0) {}

// Leaves the core: who has a parent and a child in it.
void ShortCycles::trim(const std::vector<std::vector<std::uint32_t>>& parents) {
    const auto n = static_cast<std::uint32_t>(parents.size());
    order_.clear();
    for (auto& own : children_) own.clear();
    for (std::uint32_t v = 0; v < n; ++v) {
        waiting_[v] = static_cast<std::uint32_t>(parents[v].size());
        if (waiting_[v] == 0) order_.push_back(v);
        for (const std::uint32_t parent : parents[v]) children_[parent].push_back(v);
    }
    for (std::size_t i = 0; i < order_.size(); ++i)
        for (const std::uint32_t child : children_[order_[i]])
            if (--waiting_[child] == 0) order_.push_back(child);
    core_.assign(n, true);
    for (const std::uint32_t v : order_) core_[v] = false;
    if (order_.size() == n) return;
    queue_.clear();
    for (std::uint32_t v = 0; v < n; ++v) {
        child_count_[v] = static_cast<std::uint32_t>(children_[v].size());
        if (core_[v] && child_count_[v] == 0) queue_.push_back(v);
    }
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        core_[queue_[i]] = false;
        for (const std::uint32_t parent : parents[queue_[i]])
            if (--child_count_[parent] == 0 && core_[parent]) queue_.push_back(parent);
    }
}

void ShortCycles::find(const std::vector<std::vector<std::uint32_t>>& parents,
                       std::vector<Cycle>& cycles) {
    cycles.clear();
    trim(parents);
    const auto n = static_cast<std::uint32_t>(parents.size());
    if (order_.size() == n) return;
    covered_.assign(n, false);
    for (std::uint32_t v = 0; v < n; ++v) {
        if (!core_[v]) continue;
        for (const std::uint32_t parent : parents[v])
            if (parent < v && std::find(parents[parent].begin(), parents[parent].end(), v) !=
                                  parents[parent].end()) {
                cycles.push_back({v, parent});
                covered_[v] = covered_[parent] = true;
            }
    }
    for (std::uint32_t v = 0; v < n; ++v)
        if (core_[v] && !covered_[v]) shortest_through(v, parents, cycles);
}

void ShortCycles::shortest_through(std::uint32_t variable,
                                   const std::vector<std::vector<std::uint32_t>>& parents,
                                   std::vector<Cycle>& cycles) {
    ++search_;
    queue_.assign(1, variable);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        const std::uint32_t v = queue_[i];
        for (const std::uint32_t parent : parents[v]) {
            if (parent == variable) {
                Cycle cycle;
                for (std::uint32_t w = v; w != variable; w = child_on_path_[w]) cycle.push_back(w);
                cycle.push_back(variable);
                std::reverse(cycle.begin(), cycle.end());
                for (const std::uint32_t w : cycle) covered_[w] = true;
                cycles.push_back(std::move(cycle));
                return;
            }
            if (!core_[parent] || seen_[parent] == search_) continue;
            seen_[parent] = search_;
            child_on_path_[parent] = v;
            queue_.push_back(parent);
        }
    }
}

}  // namespace anytimebn
