// The cells of a text file that is plain: as many of them in every line, each as it stands or in
// one pair of quotes. Most files are; what is not is for a reader that knows all rules, and tells
// what is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tables/distinct_texts.h"

namespace anytimebn {

struct NumberedCells {
    std::vector<std::int32_t> numbers;  // for each row that of its text, in order of appearance
    DistinctTexts texts;
};

// The columns of the text after its first `skipped` lines; none unless it is plain. Bytes are taken
// as they are: whether the texts are UTF-8 is left to the caller. Threads share pieces of the text
// that have at least so many bytes.
std::optional<std::vector<NumberedCells>> read_plain_cells(
    std::string_view text, char separator, std::size_t skipped, std::size_t columns,
    std::size_t jobs, std::size_t smallest_piece = std::size_t{1} << 20);

}  // namespace anytimebn
