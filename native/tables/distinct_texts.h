// The distinct texts of a column: for every cell the number of its text, in order of appearance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace anytimebn {

// Some cells that follow each other, as Arrow keeps them: text `i` is bytes ends[i] to ends[i + 1].
struct TextCells {
    std::span<const std::int32_t> ends;  // one more than there are cells
    std::span<const char> bytes;

    std::size_t size() const { return ends.empty() ? 0 : ends.size() - 1; }
};

// The texts themselves, one behind the other: text `k` is bytes ends[k] to ends[k + 1].
struct DistinctTexts {
    std::vector<std::int64_t> ends{0};
    std::vector<std::uint8_t> bytes;

    std::size_t size() const { return ends.size() - 1; }
    void add(std::string_view text) {
        bytes.insert(bytes.end(), text.begin(), text.end());
        ends.push_back(static_cast<std::int64_t>(bytes.size()));
    }
};

// Writes the number of each cell's text to `numbers`, which has room for all cells.
DistinctTexts number_texts(const std::vector<TextCells>& chunks, std::span<std::int32_t> numbers);

}  // namespace anytimebn
