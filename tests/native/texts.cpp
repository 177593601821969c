// Distinct texts: numbered as a map of strings numbers them, wherever chunks begin and end.
#include <map>
#include <random>
#include <string>

#include "tables/distinct_texts.h"
#include "test.h"

namespace anytimebn::test {
namespace {

// Of all lengths around those that are compared as one number, with bytes of 0 and beyond ASCII.
std::vector<std::string> random_texts(std::size_t count, std::size_t distinct, std::mt19937& rng) {
    const std::string letters{'\0', 'a', 'b', '\xff'};
    std::vector<std::string> words(distinct);
    for (std::string& word : words) {
        const std::size_t length = rng() % (rng() % 4 == 0 ? 40 : 10);
        for (std::size_t i = 0; i < length; ++i) word += letters[rng() % letters.size()];
    }
    std::vector<std::string> texts(count);
    for (std::string& text : texts) text = words[rng() % distinct];
    return texts;
}

}  // namespace

TEST(texts_are_numbered_as_they_appear) {
    std::mt19937 rng(1);
    for (int round = 0; round < 300; ++round) {
        const auto texts = random_texts(rng() % 300, 1 + rng() % 200, rng);
        std::vector<std::vector<std::int32_t>> ends(1, {0});
        std::vector<std::string> bytes(1);
        for (const std::string& text : texts) {
            if (rng() % 20 == 0) {
                ends.push_back({0});
                bytes.emplace_back();
            }
            bytes.back() += text;
            ends.back().push_back(static_cast<std::int32_t>(bytes.back().size()));
        }
        std::vector<TextCells> chunks;
        for (std::size_t i = 0; i < ends.size(); ++i) {
            bytes[i].shrink_to_fit();  // so that a sanitizer sees what is read behind the end
            chunks.push_back({ends[i], bytes[i]});
        }
        std::vector<std::int32_t> numbers(texts.size(), -1);
        const DistinctTexts found = number_texts(chunks, numbers);
        std::map<std::string, std::int32_t> expected;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const auto known =
                expected.emplace(texts[i], static_cast<std::int32_t>(expected.size())).first;
            CHECK(numbers[i] == known->second);
        }
        CHECK(found.ends.size() == expected.size() + 1);
        for (const auto& [text, number] : expected) {
            const auto begin = found.bytes.begin() + found.ends[number];
            const auto end = found.bytes.begin() + found.ends[number + 1];
            const std::string told(begin, end);
            CHECK(told == text);
        }
    }
}

}  // namespace anytimebn::test
