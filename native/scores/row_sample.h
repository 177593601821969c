// A part of the rows of a table, for first answers that need not be exact.
#pragma once

#include <cstdint>
#include <vector>

#include "scores/local_scores.h"

namespace anytimebn {

// What parameters cost in a sample: as in any table of so many rows, or such that what helps in all
// rows helps here. The latter leads to larger families.
enum class SamplePrice { of_these_rows, of_all_rows };

// One row of each `every`, drawn at random; tables are often sorted, or repeat something.
class RowSample {
 public:
    RowSample(const ScoringTask& task, std::size_t every, std::uint64_t seed,
              SamplePrice price = SamplePrice::of_these_rows);

    // The same question about these rows.
    const ScoringTask& task() const { return task_; }
    std::uint64_t memory_bytes() const { return codes_.size() * sizeof(std::uint16_t); }

    RowSample(const RowSample&) = delete;
    RowSample& operator=(const RowSample&) = delete;

 private:
    std::vector<std::uint16_t> codes_;
    ScoringTask task_;
};

}  // namespace anytimebn
