#include "problem/component.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace anytimebn {
namespace {

// Tarjan's algorithm without recursion. Components come out with those they depend on first.
class ComponentFinder {
 public:
    explicit ComponentFinder(std::vector<std::vector<std::uint32_t>> parents)
        : parents_(std::move(parents)),
          number_(parents_.size(), unseen),
          lowest_(parents_.size()),
          on_stack_(parents_.size(), false) {
        for (std::uint32_t v = 0; v < parents_.size(); ++v)
            if (number_[v] == unseen) explore(v);
    }
    std::vector<std::vector<std::size_t>> components;

 private:
    static constexpr std::uint32_t unseen = 0xffffffffu;

    void explore(std::uint32_t root) {
        struct Frame {
            std::uint32_t vertex;
            std::size_t next_parent;
        };
        std::vector<Frame> frames{{root, 0}};
        while (!frames.empty()) {
            const std::uint32_t v = frames.back().vertex;
            if (frames.back().next_parent == 0) {
                number_[v] = lowest_[v] = counter_++;
                stack_.push_back(v);
                on_stack_[v] = true;
            }
            if (frames.back().next_parent < parents_[v].size()) {
                const std::uint32_t w = parents_[v][frames.back().next_parent++];
                if (number_[w] == unseen)
                    frames.push_back({w, 0});
                else if (on_stack_[w])
                    lowest_[v] = std::min(lowest_[v], number_[w]);
                continue;
            }
            if (lowest_[v] == number_[v]) pop_component(v);
            frames.pop_back();
            if (!frames.empty()) {
                const std::uint32_t below = frames.back().vertex;
                lowest_[below] = std::min(lowest_[below], lowest_[v]);
            }
        }
    }

    void pop_component(std::uint32_t root) {
        std::vector<std::size_t> members;
        for (std::uint32_t v = unseen; v != root;) {
            v = stack_.back();
            stack_.pop_back();
            on_stack_[v] = false;
            members.push_back(v);
        }
        std::sort(members.begin(), members.end());
        components.push_back(std::move(members));
    }

    std::vector<std::vector<std::uint32_t>> parents_;
    std::vector<std::uint32_t> number_, lowest_, stack_;
    std::vector<bool> on_stack_;
    std::uint32_t counter_ = 0;
};

std::vector<std::vector<std::uint32_t>> candidate_parents(const ParentSets& sets) {
    std::vector<std::vector<std::uint32_t>> parents(sets.variables());
    for (std::size_t v = 0; v < sets.variables(); ++v) {
        std::vector<bool> seen(sets.variables(), false);
        for (std::size_t s = sets.first(v); s < sets.first(v + 1); ++s)
            for (const std::int32_t member : sets.members(s))
                seen[static_cast<std::size_t>(member)] = true;
        for (std::uint32_t y = 0; y < sets.variables(); ++y)
            if (seen[y]) parents[v].push_back(y);
    }
    return parents;
}

Component make_component(const ParentSets& all, std::vector<std::size_t> variables) {
    std::vector<std::int32_t> local(all.variables(), -1);
    for (std::size_t i = 0; i < variables.size(); ++i)
        local[variables[i]] = static_cast<std::int32_t>(i);
    std::vector<std::int64_t> first_set{0}, costs, first_member{0};
    std::vector<std::int32_t> members;
    std::vector<FamilyId> families;
    std::vector<Cost> lowest;
    for (const std::size_t v : variables) {
        lowest.push_back(all.lowest_cost(v));
        // Sets that differ outside the component only: the first is the cheapest.
        std::set<std::vector<std::int32_t>> seen;
        for (std::size_t s = all.first(v); s < all.first(v + 1); ++s) {
            std::vector<std::int32_t> inside;
            for (const std::int32_t member : all.members(s))
                if (local[static_cast<std::size_t>(member)] >= 0)
                    inside.push_back(local[static_cast<std::size_t>(member)]);
            const bool complete = inside.empty();
            if (!seen.insert(inside).second) continue;
            costs.push_back(all.cost(s) - lowest.back());
            members.insert(members.end(), inside.begin(), inside.end());
            first_member.push_back(static_cast<std::int64_t>(members.size()));
            families.push_back(all.family(s));
            if (complete) break;  // no later set can be chosen
        }
        first_set.push_back(static_cast<std::int64_t>(costs.size()));
    }
    return Component(std::move(variables),
                     ParentSets(first_set, costs, first_member, members, std::move(families)),
                     std::move(lowest));
}

}  // namespace

Component::Component(std::vector<std::size_t> variables_in, ParentSets local,
                     std::vector<Cost> lowest)
    : variables(std::move(variables_in)),
      sets(std::move(local)),
      base(std::accumulate(lowest.begin(), lowest.end(), Cost{0})),
      best(sets),
      lowest_(std::move(lowest)) {}

Cost Component::regret(const std::vector<std::uint32_t>& order) const {
    std::vector<std::uint64_t> placed(best.words(), 0);
    Cost sum = 0;
    for (const std::uint32_t v : order) {
        const std::uint32_t number = best.find(v, placed.data());
        if (number == BestParents::none) return infinite_cost;
        sum += sets.cost(sets.first(v) + number);
        placed[v / 64] |= std::uint64_t{1} << (v % 64);
    }
    return sum;
}

std::vector<Choice> Component::choices(const std::vector<std::uint32_t>& order) const {
    std::vector<std::uint64_t> placed(best.words(), 0);
    std::vector<Choice> chosen;
    for (const std::uint32_t v : order) {
        chosen.push_back({variables[v], sets.family(sets.first(v) + best.find(v, placed.data()))});
        placed[v / 64] |= std::uint64_t{1} << (v % 64);
    }
    return chosen;
}

std::vector<Component> split_into_components(const ParentSets& sets, bool split) {
    std::vector<Component> components;
    if (split) {
        ComponentFinder finder(candidate_parents(sets));
        for (auto& variables : finder.components)
            components.push_back(make_component(sets, std::move(variables)));
    } else {
        std::vector<std::size_t> everything(sets.variables());
        std::iota(everything.begin(), everything.end(), std::size_t{0});
        components.push_back(make_component(sets, std::move(everything)));
    }
    return components;
}

}  // namespace anytimebn
