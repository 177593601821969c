// Reads a layer of a sweep that is a sorted run on disk, block by block of the layer after it. The
// block with the high positions H is made from the blocks H without p, for each p in H. Where p is
// the same these come in ascending order, too: one cursor for each position reads the run once from
// its beginning to its end, and what the cursors have in common is what H is made from. So no index
// is needed, and what several blocks lead to is found when they are read (delayed duplicate
// detection).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "run/sorted_run.h"
#include "sweep/block_worker.h"

namespace anytimebn {

// Some blocks and what they are made from.
struct BlockBatch {
    struct Made {
        std::uint64_t high;
        std::size_t end;  // of its sources
    };
    struct From {
        std::uint64_t high;
        std::size_t end;  // of its nodes
    };
    std::vector<Made> made;
    std::vector<From> from;
    std::vector<std::uint64_t> nodes;

    void clear() {
        made.clear();
        from.clear();
        nodes.clear();
    }
};

class BlockMerge {
 public:
    // The blocks whose high positions are `positions` or fewer.
    BlockMerge(const SortedRun& layer, unsigned low, std::uint64_t positions);

    // The next blocks, ascending, until they have enough sources; false if there are none.
    bool next(BlockBatch& batch, std::size_t enough_nodes);

 private:
    using Nodes = std::vector<RunNode>;
    struct Cursor {
        unsigned position;
        std::size_t part = SIZE_MAX;
        std::shared_ptr<const Nodes> nodes;  // of the part; none at the end
        std::size_t at = 0;
    };

    std::uint64_t high_of(std::uint64_t set) const { return set >> low_ << low_; }
    void load(Cursor& cursor, std::size_t part);
    void go_to(Cursor& cursor, std::uint64_t set);
    // To the next block that has not yet placed the cursor's position.
    void find_block(Cursor& cursor);
    void copy_block(Cursor& cursor, std::vector<std::uint64_t>& nodes);

    const SortedRun& layer_;
    const unsigned low_;
    std::vector<Cursor> cursors_;
};

}  // namespace anytimebn
