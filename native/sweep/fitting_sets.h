// Parent sets by how much of them is placed. The positions above the low ones are cut into three
// parts, "middle", "upper" and "top": blocks come sorted, so that the top part hardly ever changes
// and the upper part seldom. For each top part, lists of the sets that fit it are made once, for
// all threads; many of their sets then have a cheaper one within what is left of them and are
// dropped, which makes everything after it short. Each thread keeps the sets that fit its present
// upper part, and looks for those that fit the middle one block by block.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "sweep/kernels.h"
#include "sweep/problem.h"

namespace anytimebn {

// Cheapest first. The vectors are longer than `cost` by what kernels read beyond the end.
struct SetList {
    std::vector<std::uint32_t> upper, middle;
    std::vector<std::uint16_t> low;
    std::vector<double> cost;

    void reserve(std::size_t count);
    void shrink(std::size_t count);
};

class FittingSets {
 public:
    // Of sets within `goal`. Making a list throws when the checkpoint ends it, in any thread.
    // They take not much more than `most_bytes`.
    FittingSets(const SweepProblem& problem, std::uint64_t goal, Checkpoint checkpoint = {},
                std::uint64_t most_bytes = UINT64_MAX);

    std::uint32_t middle(std::uint64_t set) const {
        return static_cast<std::uint32_t>(set >> problem_.low & mask(middle_bits_));
    }
    std::uint32_t upper(std::uint64_t set) const {
        return static_cast<std::uint32_t>(set >> (problem_.low + middle_bits_) & mask(upper_bits_));
    }
    std::size_t top(std::uint64_t set) const {
        return static_cast<std::size_t>(top_bits_ == 0 ? 0
                                                       : set >> (problem_.variables - top_bits_));
    }
    // From any thread.
    const SetList& fitting_top(unsigned position, std::size_t top);

    // The positions above the middle ones.
    std::uint64_t above_middle(std::uint64_t set) const {
        const unsigned begin = problem_.low + middle_bits_;
        return begin >= 64 ? 0 : set >> begin << begin;
    }
    std::uint64_t memory_bytes() const { return bytes_; }

 private:
    static std::uint64_t mask(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }
    std::unique_ptr<SetList> make(unsigned position, std::size_t top) const;

    const SweepProblem& problem_;
    const std::uint64_t goal_;
    const Checkpoint checkpoint_;
    unsigned top_bits_, upper_bits_, middle_bits_;
    const SweepKernels kernels_ = sweep_kernels();
    struct Lists {
        std::mutex mutex;
        std::vector<std::unique_ptr<SetList>> made;
        std::vector<std::atomic<const SetList*>> known;
    };
    std::vector<Lists> lists_;
    std::atomic<std::uint64_t> bytes_{0};
};

}  // namespace anytimebn
