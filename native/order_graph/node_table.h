// The nodes of a search: their set, cost and predecessor, stored densely in the order of creation
// (the number of a node never changes), and a hash index to find a node by its set.
//
// A node takes 20 bytes (up to 64 variables). The index is made of cache lines: twelve one-byte
// tags and twelve node numbers, so that finding a number takes one miss, and only a tag that fits a
// second one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/builtins.h"
#include "base/checkpoint.h"
#include "base/fixed_point.h"
#include "base/growing_array.h"
#include "base/variable_set.h"

namespace anytimebn {

using NodeId = std::uint32_t;
constexpr NodeId no_node = std::numeric_limits<NodeId>::max();

enum class NodeState : std::uint8_t { open, closed, postponed };

template <std::size_t Words>
class NodeTable {
 public:
    using Set = VariableSet<Words>;

    std::size_t size() const { return nodes_.size(); }
    std::uint64_t memory_bytes() const {
        return nodes_.memory_bytes() + predecessors_.memory_bytes() + index_.memory_bytes();
    }

    const Set& set(NodeId id) const { return nodes_[id].set; }
    Cost cost(NodeId id) const { return static_cast<Cost>(nodes_[id].packed >> flag_bits); }
    NodeState state(NodeId id) const { return static_cast<NodeState>(nodes_[id].packed & 3); }
    std::uint32_t iteration(NodeId id) const {
        return static_cast<std::uint32_t>(nodes_[id].packed & flag_mask) >> 2;
    }
    NodeId predecessor(NodeId id) const { return predecessors_[id]; }

    // Iterations count modulo 2^14: enough to tell the present one from those before it.
    void set_state(NodeId id, NodeState state, std::uint32_t iteration) {
        nodes_[id].packed = (nodes_[id].packed & ~flag_mask) | flags(state, iteration);
    }
    void improve(NodeId id, Cost cost, NodeId predecessor) {
        nodes_[id].packed =
            static_cast<std::uint64_t>(cost) << flag_bits | (nodes_[id].packed & flag_mask);
        predecessors_[id] = predecessor;
    }

    // Memory that adding `more` nodes would take in all.
    std::uint64_t memory_with(std::size_t more) const {
        const std::uint64_t nodes = (nodes_.size() + more) * (sizeof(Node) + sizeof(NodeId));
        return nodes + lines_for(indexed_ + more) * sizeof(Line);
    }
    // Makes room for `more` nodes; to be called before `add`.
    // Throws when the checkpoint ends it: nodes can then no longer be found.
    void reserve(std::size_t more, const Checkpoint& checkpoint = {}) {
        if (lines_for(indexed_ + more) != index_.size())
            rebuild(lines_for(indexed_ + more), checkpoint);
    }

    void prefetch(std::uint64_t hash) const { __builtin_prefetch(&index_[line_of(hash)]); }
    // Where the node would be looked up next: starts loading it.
    void prefetch_node(std::uint64_t hash) const {
        const Line& line = index_[line_of(hash)];
        const unsigned candidates = line.matches(tag_of(hash));
        if (candidates != 0) __builtin_prefetch(&nodes_[line.ids[std::countr_zero(candidates)]]);
    }

    NodeId find(const Set& set, std::uint64_t hash) const {
        for (std::size_t l = line_of(hash);; l = l + 1 == index_.size() ? 0 : l + 1) {
            const Line& line = index_[l];
            for (unsigned candidates = line.matches(tag_of(hash)); candidates != 0;
                 candidates &= candidates - 1) {
                const NodeId id = line.ids[std::countr_zero(candidates)];
                if (nodes_[id].set == set) return id;
            }
            if (!line.is_full()) return no_node;
        }
    }

    NodeId add(const Set& set, std::uint64_t hash, Cost cost, NodeId predecessor) {
        const auto id = static_cast<NodeId>(nodes_.size());
        nodes_.push_back({set, static_cast<std::uint64_t>(cost) << flag_bits});
        predecessors_.push_back(predecessor);
        link(id, hash);
        return id;
    }

    // Forgets all nodes in the index but the given ones: the others can no longer be reached.
    template <class Ids>
    void index_only(const Ids& ids, std::size_t count, Checkpoint checkpoint = {}) {
        indexed_ = 0;
        index_.release();
        const std::size_t lines = lines_for(count);
        index_.resize(lines);
        std::memset(static_cast<void*>(index_.data()), 0, lines * sizeof(Line));
        ids([&](NodeId id) {
            checkpoint();
            link(id, nodes_[id].set.hash());
        });
        partial_ = true;
    }

 private:
    static constexpr unsigned flag_bits = 16;
    static constexpr std::uint64_t flag_mask = (std::uint64_t{1} << flag_bits) - 1;

    struct Node {
        Set set;
        std::uint64_t packed;  // cost, iteration, state
    };
    struct alignas(64) Line {
        std::uint8_t tags[16];  // the last four are always 0
        NodeId ids[12];

        unsigned matches(std::uint8_t tag) const {
#if defined(__SSE2__)
            const __m128i all = _mm_load_si128(reinterpret_cast<const __m128i*>(tags));
            const __m128i equal = _mm_cmpeq_epi8(all, _mm_set1_epi8(static_cast<char>(tag)));
            return static_cast<unsigned>(_mm_movemask_epi8(equal));
#else
            unsigned found = 0;
            for (unsigned i = 0; i < 12; ++i) found |= static_cast<unsigned>(tags[i] == tag) << i;
            return found;
#endif
        }
        bool is_full() const { return tags[11] != 0; }
    };

    static std::uint64_t flags(NodeState state, std::uint32_t iteration) {
        return (iteration & 0x3fff) << 2 | static_cast<std::uint64_t>(state);
    }
    static std::uint8_t tag_of(std::uint64_t hash) {
        const auto tag = static_cast<std::uint8_t>(hash);
        return tag == 0 ? 1 : tag;
    }
    std::size_t line_of(std::uint64_t hash) const {
        return static_cast<std::size_t>((hash >> 32) * index_.size() >> 32);
    }
    // The index grows by half whenever it is four fifths full.
    std::size_t lines_for(std::size_t count) const {
        std::size_t lines = index_.size() < 16 ? 16 : index_.size();
        while (count * 5 > lines * 12 * 4) lines += lines / 2;
        return lines;
    }

    void rebuild(std::size_t lines, const Checkpoint& checkpoint) {
        GrowingArray<NodeId> kept;  // only when the index does not hold all nodes
        if (partial_)
            for (const Line& line : index_)
                for (unsigned i = 0; i < 12; ++i)
                    if (line.tags[i] != 0) kept.push_back(line.ids[i]);
        index_.release();  // before the new one is taken: the nodes hold everything
        index_.resize(lines);
        std::memset(static_cast<void*>(index_.data()), 0, lines * sizeof(Line));
        indexed_ = 0;
        if (partial_)
            link_all(kept.size(), checkpoint, [&](std::size_t i) { return kept[i]; });
        else
            link_all(nodes_.size(), checkpoint,
                     [](std::size_t i) { return static_cast<NodeId>(i); });
    }

    // In batches, so that the cache misses of a batch overlap.
    template <class IdOf>
    void link_all(std::size_t count, Checkpoint checkpoint, IdOf&& id_of) {
        constexpr std::size_t batch = 32;
        std::uint64_t hashes[batch];
        for (std::size_t begin = 0; begin < count; begin += batch) {
            const std::size_t end = std::min(count, begin + batch);
            checkpoint(batch);
            for (std::size_t i = begin; i < end; ++i)
                prefetch(hashes[i - begin] = nodes_[id_of(i)].set.hash());
            for (std::size_t i = begin; i < end; ++i) link(id_of(i), hashes[i - begin]);
        }
    }

    void link(NodeId id, std::uint64_t hash) {
        ++indexed_;
        for (std::size_t l = line_of(hash);; l = l + 1 == index_.size() ? 0 : l + 1) {
            Line& line = index_[l];
            if (line.is_full()) continue;
            unsigned i = 0;
            while (line.tags[i] != 0) ++i;
            line.tags[i] = tag_of(hash);
            line.ids[i] = id;
            return;
        }
    }

    GrowingArray<Node> nodes_;
    GrowingArray<NodeId> predecessors_;
    GrowingArray<Line> index_;
    std::size_t indexed_ = 0;
    bool partial_ = false;
};

}  // namespace anytimebn
