// Random tables for tests of scoring, and of searches that count as they go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scores/local_scores.h"

namespace anytimebn::test {

// Columns with so many values each; a column follows the one before it half of the time.
class Table {
 public:
    Table(std::size_t rows, std::vector<int> arities, std::uint64_t seed);

    // Parents of everyone: all others, so many at most.
    ScoringTask task(const char* score, std::uint32_t max_parents, std::size_t jobs) const;

 private:
    std::vector<int> arities_;
    std::vector<std::vector<std::uint16_t>> codes_;
    std::size_t rows_;
};

}  // namespace anytimebn::test
