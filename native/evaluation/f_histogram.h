// How many nodes have which f: bins of equal width from 0, twice as wide whenever a value lies
// beyond the last, so that no range has to be known beforehand. Any order of adding and joining
// gives the same bins.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/fixed_point.h"

namespace anytimebn {

class FHistogram {
 public:
    static constexpr std::size_t bins = 512;

    void add(Cost value) {
        if (const auto units = static_cast<std::uint64_t>(value); units >> shift_ >= bins)
            widen(static_cast<unsigned>(std::bit_width(units / bins)));
        ++counts_[static_cast<std::uint64_t>(value) >> shift_];
    }
    void join(FHistogram other) {
        widen(other.shift_);
        other.widen(shift_);
        for (std::size_t i = 0; i < bins; ++i) counts_[i] += other.counts_[i];
    }

    Cost width() const { return Cost{1} << shift_; }
    const std::vector<std::uint64_t>& counts() const { return counts_; }

 private:
    void widen(unsigned shift) {
        for (; shift_ < shift; ++shift_) {
            for (std::size_t i = 0; i < bins / 2; ++i)
                counts_[i] = counts_[2 * i] + counts_[2 * i + 1];
            std::fill(counts_.begin() + bins / 2, counts_.end(), 0);
        }
    }

    unsigned shift_ = 0;
    std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(bins, 0);
};

}  // namespace anytimebn
