// Distinct texts: numbered as a map of strings numbers them, wherever chunks begin and end. Plain
// text files: read as they were written.
#include <map>
#include <random>
#include <string>

#include "tables/distinct_texts.h"
#include "tables/plain_cells.h"
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

// Whether these are the texts, numbered as they appear.
bool tells(const DistinctTexts& found, std::span<const std::int32_t> numbers,
           const std::vector<std::string>& texts) {
    std::map<std::string, std::int32_t> expected;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto known =
            expected.emplace(texts[i], static_cast<std::int32_t>(expected.size())).first;
        if (numbers[i] != known->second) return false;
    }
    if (numbers.size() != texts.size() || found.size() != expected.size()) return false;
    for (const auto& [text, number] : expected)
        if (std::string(found.bytes.begin() + found.ends[number],
                        found.bytes.begin() + found.ends[number + 1]) != text)
            return false;
    return true;
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
        CHECK(tells(found, numbers, texts));
    }
}

TEST(texts_of_plain_files_are_those_that_were_written) {
    std::mt19937 rng(2);
    for (int round = 0; round < 300; ++round) {
        const std::size_t rows = 1 + rng() % 100, columns = 2 + rng() % 4, skipped = rng() % 3;
        const std::string letters = "ab,\xff ";
        std::vector<std::vector<std::string>> cells(columns, std::vector<std::string>(rows));
        std::string text = rng() % 2 == 0 ? "" : "\xef\xbb\xbf";
        for (std::size_t line = 0; line < skipped; ++line) text += "a\"line\n";
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t column = 0; column < columns; ++column) {
                std::string& cell = cells[column][row];
                for (std::size_t length = rng() % (rng() % 8 == 0 ? 30 : 3); length > 0; --length)
                    cell += letters[rng() % letters.size()];
                const bool quoted = cell.find(',') != cell.npos || rng() % 8 == 0;
                text += (column > 0 ? "," : "") + (quoted ? '"' + cell + '"' : cell);
            }
            if (row + 1 < rows || rng() % 2 == 0) text += rng() % 4 == 0 ? "\r\n" : "\n";
        }
        text.shrink_to_fit();
        const auto found = read_plain_cells(text, ',', skipped, columns, 1 + rng() % 3, 16);
        CHECK(found.has_value());
        for (std::size_t column = 0; column < columns; ++column)
            CHECK(tells((*found)[column].texts, (*found)[column].numbers, cells[column]));
        CHECK(!read_plain_cells(text, ',', skipped, columns + 1, 2, 16));
        CHECK(!read_plain_cells(text + "\na", ',', skipped, columns, 2, 16));
    }
}

TEST(texts_of_other_files_are_left_to_others) {
    const std::string plain = "x,y\na,b\n";
    CHECK(read_plain_cells(plain, ',', 1, 2, 1).has_value());
    for (const char* const line :
         {"a", "a,b,c", "\n", " \n", "a\"b,c", "\"a\"\"b\",c", "\"a\"b,c", "\"a,b", "\"a\nb\",c",
          "a\rb,c", "a,b\r", "a,b\r\r\n", "\"a\rb\",c"})
        CHECK(!read_plain_cells(plain + line, ',', 1, 2, 1));
    using namespace std::string_literals;
    CHECK(!read_plain_cells(plain + "a,\0"s, ',', 1, 2, 1));
    CHECK(!read_plain_cells(plain + "a,\"\0\""s, ',', 1, 2, 1));
    CHECK(!read_plain_cells("x\ry\n" + plain, ',', 1, 2, 1));
    std::string different;  // tables of so many texts would take too much memory
    for (int row = 0; row < 100'000; ++row) different += std::to_string(row) + ",a\n";
    CHECK(!read_plain_cells(different, ',', 0, 2, 2));
    CHECK(!read_plain_cells(plain, ',', 2, 2, 1));
    CHECK(!read_plain_cells(plain, ',', 3, 2, 1));
}

}  // namespace anytimebn::test
