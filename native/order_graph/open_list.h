// The open nodes of one layer: a heap of 64-bit entries, smallest first. Four children a node keep
// the path short and each step in one cache line. It can also serve as a plain list.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/growing_array.h"

namespace anytimebn {

class OpenList {
 public:
    bool empty() const { return entries_.empty(); }
    std::size_t size() const { return entries_.size(); }
    std::uint64_t smallest() const { return entries_[0]; }
    const std::uint64_t* begin() const { return entries_.begin(); }
    const std::uint64_t* end() const { return entries_.end(); }
    std::uint64_t memory_bytes() const { return entries_.memory_bytes(); }

    void release() { entries_.release(); }

    void append(std::uint64_t entry) { entries_.push_back(entry); }
    std::uint64_t take_last() {
        const std::uint64_t last = entries_.back();
        entries_.pop_back();
        return last;
    }

    void push(std::uint64_t entry) {
        entries_.push_back(entry);
        std::size_t hole = entries_.size() - 1;
        while (hole > 0) {
            const std::size_t parent = (hole - 1) / 4;
            if (entries_[parent] <= entry) break;
            entries_[hole] = entries_[parent];
            hole = parent;
        }
        entries_[hole] = entry;
    }
    std::uint64_t pop() {
        const std::uint64_t top = entries_[0];
        const std::uint64_t last = take_last();
        const std::size_t size = entries_.size();
        if (size == 0) return top;
        std::size_t hole = 0;
        while (true) {
            const std::size_t first = 4 * hole + 1;
            if (first >= size) break;
            std::size_t smallest = first;
            for (std::size_t child = first + 1; child < std::min(first + 4, size); ++child)
                if (entries_[child] < entries_[smallest]) smallest = child;
            if (entries_[smallest] >= last) break;
            entries_[hole] = entries_[smallest];
            hole = smallest;
        }
        entries_[hole] = last;
        return top;
    }

 private:
    GrowingArray<std::uint64_t> entries_;
};

}  // namespace anytimebn
