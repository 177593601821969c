#include "sweep/block_merge.h"

#include <algorithm>
#include <bit>

namespace anytimebn {

BlockMerge::BlockMerge(const SortedRun& layer, unsigned low, std::uint64_t positions)
    : layer_(layer), low_(low) {
    for (std::uint64_t left = positions; left != 0; left &= left - 1)
        cursors_.push_back(
            {.position = static_cast<unsigned>(std::countr_zero(left)), .nodes = {}});
    for (Cursor& cursor : cursors_) {
        load(cursor, 0);
        find_block(cursor);
    }
}

bool BlockMerge::next(BlockBatch& batch, std::size_t enough_nodes) {
    batch.clear();
    while (batch.nodes.size() < enough_nodes) {
        std::uint64_t high = UINT64_MAX;
        const auto leads_to = [this](const Cursor& cursor) {
            return high_of((*cursor.nodes)[cursor.at].set) | std::uint64_t{1} << cursor.position;
        };
        for (const Cursor& cursor : cursors_)
            if (cursor.nodes) high = std::min(high, leads_to(cursor));
        if (high == UINT64_MAX) break;
        for (Cursor& cursor : cursors_) {
            if (!cursor.nodes || leads_to(cursor) != high) continue;
            copy_block(cursor, batch.nodes);
            batch.from.push_back(
                {high & ~(std::uint64_t{1} << cursor.position), batch.nodes.size()});
            find_block(cursor);
        }
        batch.made.push_back({high, batch.from.size()});
    }
    return !batch.made.empty();
}

void BlockMerge::load(Cursor& cursor, std::size_t part) {
    cursor.at = 0;
    cursor.part = part;
    cursor.nodes = nullptr;
    if (part >= layer_.parts()) return;
    // Cursors of low positions are close to each other.
    for (const Cursor& other : cursors_)
        if (other.part == part && other.nodes) {
            cursor.nodes = other.nodes;
            return;
        }
    auto nodes = std::make_shared<Nodes>();
    layer_.read(part, *nodes);
    cursor.nodes = std::move(nodes);
}

void BlockMerge::go_to(Cursor& cursor, std::uint64_t set) {
    const std::size_t part = layer_.part_of(set);
    if (part > cursor.part) load(cursor, part);
    const auto found = std::lower_bound(
        cursor.nodes->begin() + static_cast<std::ptrdiff_t>(cursor.at), cursor.nodes->end(), set,
        [](const RunNode& node, std::uint64_t wanted) { return node.set < wanted; });
    if (found == cursor.nodes->end())
        load(cursor, cursor.part + 1);
    else
        cursor.at = static_cast<std::size_t>(found - cursor.nodes->begin());
}

void BlockMerge::find_block(Cursor& cursor) {
    while (cursor.nodes) {
        const std::uint64_t above = (*cursor.nodes)[cursor.at].set >> cursor.position;
        if ((above & 1) == 0) return;
        if (above + 1 > UINT64_MAX >> cursor.position) {  // there is no set without it above
            cursor.nodes = nullptr;
            return;
        }
        go_to(cursor, (above + 1) << cursor.position);
    }
}

void BlockMerge::copy_block(Cursor& cursor, std::vector<std::uint64_t>& nodes) {
    const std::uint64_t high = high_of((*cursor.nodes)[cursor.at].set);
    while (cursor.nodes) {
        const RunNode& node = (*cursor.nodes)[cursor.at];
        if (high_of(node.set) != high) return;
        nodes.push_back(node.cost << position_bits | (node.set & ~high));
        if (++cursor.at == cursor.nodes->size()) load(cursor, cursor.part + 1);
    }
}

}  // namespace anytimebn
