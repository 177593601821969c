// The rows of a table that differ, each with how often it occurs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scores/set_function.h"

namespace anytimebn {

struct DistinctRows {
    std::vector<std::vector<std::uint16_t>> codes;  // by column
    std::vector<std::uint32_t> weights;

    // Of the columns of a table. Gives up as soon as there are more than so many, and is empty
    // then.
    DistinctRows(const std::vector<const std::uint16_t*>& columns, std::size_t rows,
                 std::size_t most);

    bool found() const { return !weights.empty(); }
};

// The columns of a table by its distinct rows, which must live as long.
Columns with_weights(const Columns& columns, const DistinctRows& distinct);

// Rows to count if each counts once, else binary digits of their weights.
std::size_t bits_to_count(const Columns& columns);

}  // namespace anytimebn
