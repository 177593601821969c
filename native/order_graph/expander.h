// What one node leads to. Only sets that are closed under optimal path extension
// (path_extension.h) are nodes, and what cannot lead to less than the incumbent is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/variable_set.h"
#include "heuristics/heuristic.h"
#include "order_graph/path_extension.h"
#include "order_graph/shard.h"

namespace anytimebn {

// Each thread has its own.
template <std::size_t Words>
class Expander {
 public:
    using Set = VariableSet<Words>;

    Expander(const Component& component, const Heuristic& heuristic,
             const PathExtension<Words>& extension)
        : component_(component),
          heuristic_(heuristic),
          extension_(extension),
          everything_(Set::all(component.size())) {}

    // Calls found(arrival) for each node, and goal(cost) for a complete network. The incumbent may
    // become cheaper by that.
    template <class Found, class Goal>
    void expand(const Set& set, Cost g, NodeId from, const Cost& incumbent, const Found& found,
                const Goal& goal) {
        missing_.clear();
        for_each_missing(set, component_.size(),
                         [&](std::size_t x) { missing_.push_back(static_cast<std::uint32_t>(x)); });
        values_.resize(missing_.size());
        heuristic_.evaluate_added(set.words, Words, missing_.data(), missing_.size(),
                                  values_.data());
        for (std::size_t i = 0; i < missing_.size(); ++i) {
            const std::uint32_t x = missing_[i];
            // What placing x may cost at most. Path extension adds no cost, and takes none off f.
            const Cost room = incumbent - g - values_[i];
            if (room <= 0) continue;
            const std::uint32_t best = component_.best.find(x, set.words, room);
            if (best == BestParents::none) continue;
            Arrival<Words> way{set, 0, g + component_.best.cost(x, best), values_[i], from};
            if (extension_.close_under(way.set, x)) {
                way.h = heuristic_.value(way.set.words);
                if (way.cost + way.h >= incumbent) continue;
            }
            if (way.set == everything_) {
                goal(way.cost);
                continue;
            }
            way.hash = way.set.hash();
            found(way);
        }
    }

 private:
    const Component& component_;
    const Heuristic& heuristic_;
    const PathExtension<Words>& extension_;
    const Set everything_;
    std::vector<std::uint32_t> missing_;  // scratch
    std::vector<Cost> values_;
};

}  // namespace anytimebn
