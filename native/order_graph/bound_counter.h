// How many unexpanded nodes have which f: the smallest is the lower bound. Counts are kept in steps
// of f, so that an update costs a few instructions whatever the order of expansion; a step is so
// small a part of the gap that rounding down to it is never seen, and it is always valid.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/fixed_point.h"

namespace anytimebn {

class BoundCounter {
 public:
    // For f from `lowest` up; everything from `highest` on counts as one.
    BoundCounter(Cost lowest, Cost highest) : lowest_(lowest) {
        constexpr Cost most_steps = 1 << 15;  // counts that stay in the cache
        width_ = std::max<Cost>(1, (highest - lowest) / most_steps + 1);
        counts_.assign(static_cast<std::size_t>((highest - lowest) / width_ + 2), 0);
        first_ = counts_.size();
    }
    void add(Cost f) {
        const std::size_t step = step_of(f);
        ++counts_[step];
        first_ = std::min(first_, step);
    }
    void remove(Cost f) {
        --counts_[step_of(f)];
        while (first_ < counts_.size() && counts_[first_] == 0) ++first_;
    }
    // Not above the f of any counted node; infinite when there is none.
    Cost bound() const {
        return first_ == counts_.size() ? infinite_cost
                                        : lowest_ + static_cast<Cost>(first_) * width_;
    }
    std::uint64_t memory_bytes() const { return counts_.size() * 4; }

 private:
    std::size_t step_of(Cost f) const {
        const Cost above = std::max<Cost>(0, f - lowest_) / width_;
        return static_cast<std::size_t>(
            std::min<Cost>(above, static_cast<Cost>(counts_.size()) - 1));
    }

    Cost lowest_, width_;
    std::vector<std::uint32_t> counts_;
    std::size_t first_;
};

}  // namespace anytimebn
