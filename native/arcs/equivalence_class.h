// Classes of networks that imply the same independences, as completed partially directed graphs: an
// arc that all members share is directed, one that differs between them is not (Chickering 1995).
#pragma once

#include "arcs/graph.h"

namespace anytimebn {

class PartlyDirected {
 public:
    explicit PartlyDirected(std::size_t size)
        : parents_(size), children_(size), neighbours_(size), size_(size) {}

    std::size_t size() const { return size_; }
    const BitMatrix& parents() const { return parents_; }
    const BitMatrix& children() const { return children_; }
    const BitMatrix& neighbours() const { return neighbours_; }  // by edges without direction
    bool adjacent(std::uint32_t a, std::uint32_t b) const {
        return parents_.test(a, b) || children_.test(a, b) || neighbours_.test(a, b);
    }

    void add_arc(std::uint32_t from, std::uint32_t to) {
        parents_.set(to, from);
        children_.set(from, to);
    }
    void add_edge(std::uint32_t a, std::uint32_t b) {
        neighbours_.set(a, b);
        neighbours_.set(b, a);
    }
    void remove(std::uint32_t a, std::uint32_t b);
    void direct(std::uint32_t from, std::uint32_t to) {
        remove(from, to);
        add_arc(from, to);
    }
    bool same_around(std::uint32_t v, const PartlyDirected& other) const;
    std::uint64_t memory_bytes() const { return 3 * parents_.memory_bytes(); }

    // A network with these arcs, the other edges directed without new colliders (Dor & Tarsi 1992);
    // empty if there is none.
    ParentLists extension() const;

 private:
    BitMatrix parents_, children_, neighbours_;
    std::size_t size_;
};

// The class of a network.
PartlyDirected class_of(const ParentLists& network);

std::vector<std::uint32_t> members(const std::uint64_t* bits, std::size_t words);

}  // namespace anytimebn
