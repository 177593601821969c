// Breadth-first branch and bound over the order graph in blocks: the high positions of a subset
// name its block, blocks with the same number of them form a layer, and a layer is computed from
// the one before, block by block, by as many threads as there are. Inside a block nodes are array
// entries; between blocks they are 8 bytes each. No order of expansion, no open list, no hashing
// of single nodes: several times faster than best-first search when most nodes have to be visited
// anyway.
//
// The path is found from exact costs afterwards. Layers stay in memory for that as long as it
// suffices; the oldest are given up first, and swept again if the path leads into them. When not
// even two of them fit, and there is a disk, layers are sorted runs there from then on.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "run/sorted_run.h"
#include "sweep/block_worker.h"

namespace anytimebn {

struct SweepHooks {
    std::size_t jobs = 1;
    std::uint64_t memory_bytes = UINT64_MAX;  // for the nodes
    DiskSpace* disk = nullptr;                // for those that have no room there
    std::function<bool()> stopped;            // asked by the calling thread, once a block or so
    Checkpoint checkpoint = {};               // asked by all threads; what it ends throws
    std::function<void()> wait_for_turn;      // called by all threads, once a block
    // The surviving nodes of another part: false to stop.
    std::function<bool(std::uint64_t nodes)> swept;
    std::function<void(std::uint64_t nodes, std::uint64_t bytes)> stored;
    // No completion that costs less than the limit costs less than this.
    std::function<void(double bound)> raised;
};

enum class SweepEnd { complete, stopped, memory, disk };

class Sweep {
 public:
    Sweep(const SweepProblem& problem, SweepHooks hooks);

    // Looks for the cheapest way to place everything that costs less than `limit`. When it is
    // complete, cost() is that cost, or `limit` if there is none.
    SweepEnd run(double limit);
    double cost() const { return cost_; }
    // Positions in the order of placing, if it ends complete; after a complete run that found a
    // cost below the limit.
    SweepEnd trace(std::vector<unsigned>& order);

 private:
    struct Layer {
        std::vector<Block> blocks;  // sorted by their high positions
        std::vector<std::unique_ptr<std::uint64_t[]>> memory;
        std::uint64_t bytes = 0;
        SortedRun run;  // on disk, instead
    };
    struct Arena {  // of one thread, for the present layer
        std::vector<std::unique_ptr<std::uint64_t[]>> memory;
        std::size_t used = 0, capacity = 0, next_capacity = 512;
    };
    class BlockIndex;

    using Workers = std::vector<std::unique_ptr<BlockWorker>>;

    SweepEnd sweep_to(std::uint64_t goal, double limit, bool report);
    bool sweep_in_memory(std::uint64_t goal_high, Workers& workers, double& lowest);
    bool sweep_layer(const std::vector<std::uint64_t>& highs, const Layer& before,
                     const BlockIndex& index, Layer& layer, Workers& workers, double& lowest);
    bool move_to_disk();
    bool sweep_on_disk(std::uint64_t goal_high, Workers& workers, double& lowest);
    bool give_up_oldest();
    // Tells of nodes of the present layer, unless they were told before it was begun again.
    void tell_swept(std::uint64_t nodes);
    std::uint64_t* store(Arena& arena, const std::vector<std::uint64_t>& nodes);
    bool make_room(std::uint64_t bytes);
    std::uint64_t bytes_in_use() const;
    // The cost of a stored node, or `never`.
    double stored_cost(std::uint64_t set) const;
    std::size_t layer_of(std::uint64_t set) const;
    double cheapest_parents(unsigned position, std::uint64_t placed) const;

    const SweepProblem& problem_;
    SweepHooks hooks_;
    std::vector<Layer> layers_;
    std::size_t oldest_ = 0, current_ = 0;  // layers
    std::mutex memory_mutex_;
    std::atomic<std::uint64_t> bytes_{0};  // of the layers
    std::uint64_t always_bytes_ = 0;       // of the problem and the workers
    std::uint64_t working_bytes_ = 0;      // of everything else but `sets_`
    std::unique_ptr<FittingSets> sets_;
    std::uint64_t nodes_ = 0;    // of all sweeps since the run began
    std::uint64_t counted_ = 0;  // of the present layer, by whoever counts them all
    std::atomic<bool> halted_{false}, out_of_memory_{false}, out_of_disk_{false};
    bool on_disk_ = false;
    double cost_ = never;
};

}  // namespace anytimebn
