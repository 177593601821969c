// A sorted run: sets of up to 64 variables with a cost each, ascending, in some five bytes a node,
// in memory or on disk. Layers of the order graph are such runs (Malone, Yuan, Hansen & Bridges
// 2011): they are written once from beginning to end, and read in the same way.
//
// A run consists of parts of some hundred nodes that can be read by themselves. In a part, what a
// set is above the one before it is Rice coded, and costs are what they are above the part's
// lowest, in as few bits as the highest needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "run/disk_space.h"

namespace anytimebn {

struct RunNode {
    std::uint64_t set, cost;
};

// Nodes of a part, as many as go well with a memory limit.
std::size_t run_part_nodes(std::uint64_t memory_bytes);

class SortedRun {
 public:
    SortedRun() = default;
    SortedRun(SortedRun&&) = default;
    SortedRun& operator=(SortedRun&&) = default;

    std::uint64_t size() const { return nodes_; }
    bool empty() const { return nodes_ == 0; }
    std::size_t parts() const { return parts_.size(); }
    std::uint64_t first_set(std::size_t part) const { return parts_[part].first_set; }
    // The part that would hold a set; the first one for sets below all others.
    std::size_t part_of(std::uint64_t set) const;
    // Appends the nodes of a part. From any thread; throws DiskFailed.
    void read(std::size_t part, std::vector<RunNode>& nodes) const;
    // Takes a look at one part.
    std::optional<std::uint64_t> find(std::uint64_t set) const;

    std::uint64_t memory_bytes() const { return parts_.capacity() * sizeof(Part) + in_memory_; }
    // What moving it to disk would give back.
    std::uint64_t bytes_in_memory() const { return in_memory_; }
    std::uint64_t disk_bytes() const { return file_ ? file_->bytes() : 0; }
    // False if there is no room: the run then is as before.
    bool move_to_disk(DiskSpace& disk);

 private:
    friend class RunWriter;
    struct Part {
        std::uint64_t first_set, offset;  // in the file
        std::uint32_t count, bytes;
        std::unique_ptr<std::uint8_t[]> data;  // if it is not there
    };

    std::vector<Part> parts_;
    std::unique_ptr<DiskFile> file_;
    std::uint64_t nodes_ = 0, in_memory_ = 0;
};

// Makes a run of nodes that come in ascending order, in memory at first.
class RunWriter {
 public:
    explicit RunWriter(std::size_t part_nodes) : part_nodes_(part_nodes) {}

    // All of these say whether there was room on disk, if it is there. They may be called again
    // when there is some.
    bool add(const RunNode& node) {
        waiting_.push_back(node);
        return waiting_.size() < part_nodes_ || end_part();
    }
    bool end_part();
    // A run in memory whose sets are all above those that were added. Where there is no room, what
    // is not yet appended is left of it.
    bool append(SortedRun& run);
    // From now on parts go to disk, as those there are do.
    bool continue_on_disk(DiskSpace& disk);
    bool finish(SortedRun& run);

    std::uint64_t size() const { return run_.size() + waiting_.size(); }
    std::uint64_t memory_bytes() const {
        return run_.memory_bytes() + waiting_.capacity() * sizeof(RunNode) + words_.capacity() * 8;
    }

 private:
    std::size_t part_nodes_;
    std::vector<RunNode> waiting_;
    std::vector<std::uint64_t> words_;
    SortedRun run_;
};

// In memory, of nodes in ascending order.
SortedRun run_of(const std::vector<RunNode>& nodes, std::size_t part_nodes);

// Runs that several threads make, handed on in the order of their numbers 0, 1, ...: whoever brings
// the next one hands on those that wait for it as well.
class RunsInOrder {
 public:
    template <class Write>
    void bring(std::size_t number, SortedRun run, const Write& write) {
        const std::lock_guard lock(mutex_);
        waiting_.emplace(number, std::move(run));
        for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_;
             first = waiting_.erase(first), ++next_)
            write(first->second);
    }

 private:
    std::mutex mutex_;
    std::map<std::size_t, SortedRun> waiting_;
    std::size_t next_ = 0;
};

}  // namespace anytimebn
