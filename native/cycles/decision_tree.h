// A tree of decisions about arcs, in few bytes a node, and what the decisions of a node allow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/growing_array.h"
#include "cycles/set_lists.h"

namespace anytimebn {

constexpr std::uint32_t no_variable = 0xffffffffu;

struct Arc {
    std::uint32_t parent, child;  // parent is no_variable in the mark before each list of arcs
};

// Nodes are what their parent is and one number: where in the list of all arcs that were branched
// on the forbidden one is. The required ones stand before it, back to a mark.
class DecisionTree {
 public:
    struct Open {
        Cost bound;
        std::uint32_t node;
        // As a heap: the smallest bound first; of equals the newest, which is deepest.
        bool operator<(const Open& other) const {
            return bound != other.bound ? bound > other.bound : node < other.node;
        }
    };

    DecisionTree() {
        nodes_.push_back({no_variable, no_variable});
        open_.push_back({0, 0});
    }

    bool empty() const { return open_.empty(); }
    Cost lowest_bound() const { return open_[0].bound; }
    Open take() {
        std::pop_heap(open_.begin(), open_.end());
        const Open open = open_.back();
        open_.pop_back();
        return open;
    }
    void begin_list() { arcs_.push_back({no_variable, no_variable}); }
    void add_arc(const Arc& arc) { arcs_.push_back(arc); }
    // A node that forbids the arc added last.
    void add_node(std::uint32_t parent, Cost bound) {
        nodes_.push_back({parent, static_cast<std::uint32_t>(arcs_.size() - 1)});
        open_.push_back({bound, static_cast<std::uint32_t>(nodes_.size() - 1)});
        std::push_heap(open_.begin(), open_.end());
    }
    // Calls decide(arc, required) for all decisions of a node and those above it.
    template <class Decide>
    void for_each_decision(std::uint32_t node, Decide&& decide) const {
        for (; node != 0; node = nodes_[node].parent) {
            decide(arcs_[nodes_[node].arc], false);
            for (std::uint32_t a = nodes_[node].arc - 1; arcs_[a].parent != no_variable; --a)
                decide(arcs_[a], true);
        }
    }

    std::uint64_t open() const { return open_.size(); }
    std::uint64_t stored() const { return nodes_.size(); }
    bool full() const { return nodes_.size() > 0xfffffff0u || arcs_.size() > 0xff000000u; }
    std::uint64_t memory_bytes() const {
        return nodes_.memory_bytes() + open_.memory_bytes() + arcs_.memory_bytes();
    }

 private:
    struct Node {
        std::uint32_t parent, arc;
    };
    GrowingArray<Node> nodes_;
    GrowingArray<Open> open_;
    GrowingArray<Arc> arcs_;
};

// What is allowed in a node: bits of forbidden and of required parents for each variable.
class Decisions {
 public:
    Decisions(const PossibleParents& possible)
        : possible_(possible),
          forbidden_(possible.all_words(), 0),
          required_(possible.all_words(), 0),
          concerned_(possible.variables(), false),
          required_children_(possible.variables()),
          seen_(possible.variables(), 0) {}

    // False if the required arcs make a cycle.
    bool load(const DecisionTree& tree, std::uint32_t node) {
        clear();
        tree.for_each_decision(node, [&](const Arc& arc, bool required) {
            if (required) {
                set(required_, arc.child, arc.parent);
                if (required_children_[arc.parent].empty()) sources_.push_back(arc.parent);
                required_children_[arc.parent].push_back(arc.child);
            } else {
                set(forbidden_, arc.child, arc.parent);
            }
        });
        // Nobody has a descendant by required arcs as a parent.
        for (const std::uint32_t source : sources_) {
            ++search_;
            stack_.assign(1, source);
            while (!stack_.empty()) {
                const std::uint32_t v = stack_.back();
                stack_.pop_back();
                for (const std::uint32_t child : required_children_[v]) {
                    if (child == source) return false;
                    if (seen_[child] == search_) continue;
                    seen_[child] = search_;
                    set(forbidden_, source, child);
                    stack_.push_back(child);
                }
            }
        }
        return true;
    }

    const std::vector<std::uint32_t>& variables() const { return variables_; }
    const std::uint64_t* forbidden(std::size_t v) const {
        return forbidden_.data() + possible_.first_word(v);
    }
    const std::uint64_t* required(std::size_t v) const {
        return required_.data() + possible_.first_word(v);
    }
    bool requires_arc(std::uint32_t child, std::uint32_t parent) const {
        const std::uint32_t bit = possible_.bit(child, parent);
        return required(child)[bit / 64] >> (bit % 64) & 1;
    }

 private:
    void set(std::vector<std::uint64_t>& bits, std::uint32_t child, std::uint32_t parent) {
        const std::uint32_t bit = possible_.bit(child, parent);
        if (bit == PossibleParents::none) return;  // it never is a parent
        bits[possible_.first_word(child) + bit / 64] |= std::uint64_t{1} << (bit % 64);
        if (!concerned_[child]) variables_.push_back(child);
        concerned_[child] = true;
    }
    void clear() {
        for (const std::uint32_t v : variables_) {
            concerned_[v] = false;
            const auto first = static_cast<std::ptrdiff_t>(possible_.first_word(v));
            const std::size_t words = possible_.words(v);
            std::fill_n(forbidden_.begin() + first, words, 0);
            std::fill_n(required_.begin() + first, words, 0);
        }
        variables_.clear();
        for (const std::uint32_t v : sources_) required_children_[v].clear();
        sources_.clear();
    }

    const PossibleParents& possible_;
    std::vector<std::uint64_t> forbidden_, required_;
    std::vector<bool> concerned_;
    std::vector<std::uint32_t> variables_;  // that some decision is about
    std::vector<std::vector<std::uint32_t>> required_children_;
    std::vector<std::uint32_t> sources_, stack_;
    std::vector<std::uint64_t> seen_;
    std::uint64_t search_ = 0;
};

}  // namespace anytimebn
