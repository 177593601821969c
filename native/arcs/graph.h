// A directed acyclic graph that knows all ancestors, so that it takes no search to see whether an
// arc would close a cycle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arcs/local_costs.h"

namespace anytimebn {

// A set of variables for each variable.
class BitMatrix {
 public:
    explicit BitMatrix(std::size_t size) : words_((size + 63) / 64), bits_(size * words_, 0) {}

    std::size_t words() const { return words_; }
    std::uint64_t* row(std::size_t v) { return bits_.data() + v * words_; }
    const std::uint64_t* row(std::size_t v) const { return bits_.data() + v * words_; }
    bool test(std::size_t v, std::size_t member) const {
        return row(v)[member / 64] >> (member % 64) & 1;
    }
    void set(std::size_t v, std::size_t member) {
        row(v)[member / 64] |= std::uint64_t{1} << (member % 64);
    }
    void reset(std::size_t v, std::size_t member) {
        row(v)[member / 64] &= ~(std::uint64_t{1} << (member % 64));
    }
    bool operator==(const BitMatrix&) const = default;
    std::uint64_t memory_bytes() const { return bits_.size() * sizeof(std::uint64_t); }

 private:
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

class Graph {
 public:
    explicit Graph(const ParentLists& parents);

    const ParentLists& parents() const { return parents_; }
    const Parents& parents(std::uint32_t child) const { return parents_[child]; }
    std::size_t arcs() const;
    bool has(std::uint32_t child, std::uint32_t parent) const;
    bool is_ancestor(std::uint32_t ancestor, std::uint32_t of) const {
        return ancestors_.test(of, ancestor);
    }
    bool can_add(std::uint32_t child, std::uint32_t parent) const {
        return parent != child && !is_ancestor(child, parent);
    }
    // Whether the arc is the only way from its parent to its child.
    bool can_reverse(std::uint32_t child, std::uint32_t parent) const;

    void add(std::uint32_t child, std::uint32_t parent);
    void remove(std::uint32_t child, std::uint32_t parent);
    std::uint64_t memory_bytes() const { return ancestors_.memory_bytes(); }

 private:
    ParentLists parents_, children_;
    BitMatrix ancestors_;
};

// Parents first; the first by number of those that can come next.
std::vector<std::uint32_t> order_of(const ParentLists& parents);

}  // namespace anytimebn
