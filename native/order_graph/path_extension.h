// Optimal path extension (Yuan & Malone 2013): when the overall best parents of some x outside U
// are placed, placing x now loses nothing. Sets are therefore closed under such placements as soon
// as they are generated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "base/variable_set.h"
#include "problem/component.h"

namespace anytimebn {

template <std::size_t Words>
class PathExtension {
 public:
    using Set = VariableSet<Words>;

    // One that is turned off extends nothing.
    PathExtension(const Component& component, bool on)
        : component_(component), triggers_(component.size()) {
        if (!on) return;
        for (std::uint32_t v = 0; v < component_.size(); ++v)
            for (std::size_t s = component_.sets.first(v);
                 s < component_.sets.first(v + 1) && component_.sets.cost(s) == 0; ++s) {
                Trigger trigger{v, {}};
                for (const std::int32_t member : component_.sets.members(s))
                    trigger.best_parents.insert(static_cast<std::size_t>(member));
                for (const std::int32_t member : component_.sets.members(s))
                    triggers_[static_cast<std::size_t>(member)].push_back(trigger);
            }
        for (std::uint32_t v = 0; v < component_.size(); ++v)
            if (!root_.contains(v) && component_.best.find(v, Set{}.words, 1) != BestParents::none)
                close_under(root_, v);
    }

    // What is placed before anything is chosen.
    const Set& root() const { return root_; }

    // Places v and then all variables whose best parents are placed by that; whether there are any.
    bool close_under(Set& set, std::uint32_t v) const {
        set.insert(v);
        bool extended = false;
        for (const Trigger& trigger : triggers_[v])
            if (!set.contains(trigger.variable) && trigger.best_parents.is_subset_of(set)) {
                close_under(set, trigger.variable);
                extended = true;
            }
        return extended;
    }

    // Which variable was chosen on the way from one closed set to another, and what it cost: the
    // cheapest if several would do. Infinite if there is none.
    Cost chosen_between(const Set& before, const Set& after, std::uint32_t& chosen) const {
        Cost lowest = infinite_cost;
        for (std::uint32_t first = 0; first < component_.size(); ++first) {
            if (!after.contains(first) || before.contains(first)) continue;
            Set set = before;
            close_under(set, first);
            if (!(set == after)) continue;
            const std::uint32_t best = component_.best.find(first, before.words, lowest);
            if (best == BestParents::none) continue;
            lowest = component_.best.cost(first, best);
            chosen = first;
        }
        return lowest;
    }
    // Appends what was placed: the chosen variable, then each of the others as soon as its best
    // parents are there.
    void append_step(const Set& before, const Set& after, std::vector<std::uint32_t>& order) const {
        Set set = before;
        std::uint32_t chosen = 0;
        if (chosen_between(before, after, chosen) < infinite_cost) {
            set.insert(chosen);
            order.push_back(chosen);
        }
        append_free(set, after, order);
    }
    // From one set to another by placements that cost nothing.
    void append_free(Set set, const Set& after, std::vector<std::uint32_t>& order) const {
        for (bool placed = true; placed && !(set == after);) {
            placed = false;
            for (std::uint32_t v = 0; v < component_.size(); ++v) {
                if (!after.contains(v) || set.contains(v)) continue;
                if (component_.best.find(v, set.words, 1) == BestParents::none) continue;
                set.insert(v);
                order.push_back(v);
                placed = true;
            }
        }
        if (!(set == after)) throw std::logic_error("a path cannot be traced");
    }

 private:
    struct Trigger {
        std::uint32_t variable;
        Set best_parents;
    };

    const Component& component_;
    std::vector<std::vector<Trigger>> triggers_;  // by the variable that was placed
    Set root_;
};

}  // namespace anytimebn
