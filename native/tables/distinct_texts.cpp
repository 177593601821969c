#include "tables/distinct_texts.h"

#include "tables/text_table.h"

namespace anytimebn {

DistinctTexts number_texts(const std::vector<TextCells>& chunks, std::span<std::int32_t> numbers) {
    TextTable table;
    DistinctTexts texts;
    auto number = numbers.begin();
    for (const TextCells& chunk : chunks) {
        const char* const bytes = chunk.bytes.data();
        const char* const end_of_bytes = bytes + chunk.bytes.size();
        for (std::size_t i = 0; i < chunk.size(); ++i) {
            const std::string_view text{bytes + chunk.ends[i], bytes + chunk.ends[i + 1]};
            *number++ = table.number_of(text, end_of_bytes);
            if (table.size() > texts.size()) texts.add(text);
        }
    }
    return texts;
}

}  // namespace anytimebn
