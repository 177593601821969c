#include "arcs/equivalence_class.h"

#include <algorithm>
#include <bit>

namespace anytimebn {

std::vector<std::uint32_t> members(const std::uint64_t* bits, std::size_t words) {
    std::vector<std::uint32_t> found;
    for (std::size_t w = 0; w < words; ++w)
        for (std::uint64_t left = bits[w]; left != 0; left &= left - 1)
            found.push_back(static_cast<std::uint32_t>(w * 64) +
                            static_cast<std::uint32_t>(std::countr_zero(left)));
    return found;
}

void PartlyDirected::remove(std::uint32_t a, std::uint32_t b) {
    for (BitMatrix* const matrix : {&parents_, &children_, &neighbours_}) {
        matrix->reset(a, b);
        matrix->reset(b, a);
    }
}

bool PartlyDirected::same_around(std::uint32_t v, const PartlyDirected& other) const {
    const std::size_t words = parents_.words();
    return std::equal(parents_.row(v), parents_.row(v) + words, other.parents_.row(v)) &&
           std::equal(neighbours_.row(v), neighbours_.row(v) + words, other.neighbours_.row(v));
}

// Takes away, again and again, a variable without children whose undirected neighbours are adjacent
// to all that it is adjacent to: it can come last, with all its edges directed towards it.
ParentLists PartlyDirected::extension() const {
    PartlyDirected left = *this;
    const std::size_t words = parents_.words();
    ParentLists network(size_);
    std::vector<bool> gone(size_, false), waiting(size_, true);
    std::vector<std::uint32_t> queue;  // that may have become removable; the last is looked at next
    for (std::uint32_t v = 0; v < size_; ++v)
        queue.push_back(static_cast<std::uint32_t>(size_ - 1 - v));
    std::vector<std::uint64_t> around(words);
    std::size_t removed = 0;
    while (!queue.empty()) {
        const std::uint32_t v = queue.back();
        queue.pop_back();
        waiting[v] = false;
        if (gone[v]) continue;
        const std::uint64_t* const children = left.children_.row(v);
        if (std::any_of(children, children + words, [](std::uint64_t word) { return word != 0; }))
            continue;
        for (std::size_t w = 0; w < words; ++w)
            around[w] = left.parents_.row(v)[w] | left.neighbours_.row(v)[w];
        const auto sees_all = [&](std::uint32_t neighbour) {
            for (std::size_t w = 0; w < words; ++w) {
                std::uint64_t unseen = around[w] & ~(left.parents_.row(neighbour)[w] |
                                                     left.children_.row(neighbour)[w] |
                                                     left.neighbours_.row(neighbour)[w]);
                if (neighbour / 64 == w) unseen &= ~(std::uint64_t{1} << (neighbour % 64));
                if (unseen != 0) return false;
            }
            return true;
        };
        const auto undirected = members(left.neighbours_.row(v), words);
        if (!std::all_of(undirected.begin(), undirected.end(), sees_all)) continue;
        network[v] = members(around.data(), words);
        gone[v] = true;
        ++removed;
        for (const std::uint32_t other : network[v]) {
            left.remove(v, other);
            // Its own neighbours may be removable now, too.
            std::vector<std::uint32_t> again = members(left.neighbours_.row(other), words);
            again.push_back(other);
            for (const std::uint32_t u : again)
                if (!waiting[u]) {
                    waiting[u] = true;
                    queue.push_back(u);
                }
        }
    }
    return removed == size_ ? network : ParentLists{};
}

// Labels arcs, child by child in the order of the network and the last parent first, as compelled
// (all members of the class have it) or not (Chickering 1995, Find-Compelled).
PartlyDirected class_of(const ParentLists& network) {
    const std::size_t n = network.size();
    const std::vector<std::uint32_t> order = order_of(network);
    std::vector<std::uint32_t> position(n);
    for (std::uint32_t i = 0; i < n; ++i) position[order[i]] = i;
    PartlyDirected result(n);
    const auto is_parent = [&](std::uint32_t parent, std::uint32_t child) {
        return std::binary_search(network[child].begin(), network[child].end(), parent);
    };
    for (const std::uint32_t y : order) {
        Parents unknown = network[y];
        std::sort(unknown.begin(), unknown.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return position[a] > position[b]; });
        const auto compel = [&](std::uint32_t parent) { result.add_arc(parent, y); };
        const auto is_compelled = [&](std::uint32_t parent) {
            return result.parents().test(y, parent);
        };
        for (const std::uint32_t x : unknown) {
            if (is_compelled(x)) continue;
            const auto causes = members(result.parents().row(x), result.parents().words());
            bool all = false;
            for (const std::uint32_t w : causes) {
                if (!is_parent(w, y)) {
                    all = true;
                    break;
                }
                compel(w);
            }
            const bool collides =
                all || std::any_of(network[y].begin(), network[y].end(),
                                   [&](std::uint32_t z) { return z != x && !is_parent(z, x); });
            for (const std::uint32_t parent : network[y])
                if (!is_compelled(parent)) collides ? compel(parent) : result.add_edge(parent, y);
            break;
        }
    }
    return result;
}

}  // namespace anytimebn
