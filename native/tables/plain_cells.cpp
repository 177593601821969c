// Pieces of the text, which end with a line, are read by all threads. Each numbers the texts of
// its own; these numbers are then made those of the whole, piece by piece, so that the order of
// appearance is that of the text.
#include "tables/plain_cells.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "base/parallel.h"
#include "tables/text_table.h"

namespace anytimebn {
namespace {

struct Piece {
    std::string_view text;
    std::size_t first_row = 0, rows = 0;
    std::vector<TextTable> tables;  // by column
};

// Which bytes may end a cell, or are not plain.
class Stops {
 public:
    explicit Stops(char separator) {
        for (const char stop : {separator, '\n', '\r', '"', '\0'})
            stops_[static_cast<unsigned char>(stop)] = true;
    }
    // The first one from `at` on, or the end.
    const char* next(const char* at, const char* end) const {
        while (at < end && !stops_[static_cast<unsigned char>(*at)]) ++at;
        return at;
    }

 private:
    std::array<bool, 256> stops_{};
};

class Reader {
 public:
    Reader(std::string_view text, char separator, std::size_t columns)
        : separator_(separator), stops_(separator), end_(text.data() + text.size()) {
        cells_.resize(columns);
    }

    // False if the text is not plain.
    bool read(std::string_view text, std::size_t jobs, std::size_t smallest_piece) {
        const std::size_t size = std::max(smallest_piece, text.size() / (4 * jobs) + 1);
        std::vector<Piece> pieces = pieces_of(text, size);
        parallel_for(pieces.size(), jobs, [&](std::size_t piece, std::size_t) {
            Piece& own = pieces[piece];
            own.rows = static_cast<std::size_t>(std::count(own.text.begin(), own.text.end(), '\n'));
            if (!own.text.ends_with('\n')) ++own.rows;
        });
        std::size_t rows = 0;
        for (Piece& piece : pieces) {
            piece.first_row = rows;
            rows += piece.rows;
        }
        parallel_for(cells_.size(), jobs,
                     [&](std::size_t column, std::size_t) { cells_[column].numbers.resize(rows); });
        std::atomic<bool> plain = true;
        parallel_for(pieces.size(), jobs, [&](std::size_t piece, std::size_t) {
            if (plain && !read_piece(pieces[piece])) plain = false;
        });
        if (!plain) return false;
        parallel_for(cells_.size(), jobs,
                     [&](std::size_t column, std::size_t) { unite(column, pieces); });
        return true;
    }

    std::vector<NumberedCells> take() { return std::move(cells_); }

 private:
    static std::vector<Piece> pieces_of(std::string_view text, std::size_t size) {
        std::vector<Piece> pieces;
        while (!text.empty()) {
            std::size_t stop = text.size() > size ? text.find('\n', size) : text.npos;
            stop = stop == text.npos ? text.size() : stop + 1;
            pieces.emplace_back().text = text.substr(0, stop);
            text.remove_prefix(stop);
        }
        return pieces;
    }

    // Columns get some rows at a time: a row at a time would be a cache miss each.
    bool read_piece(Piece& piece) {
        constexpr std::size_t most = 32;
        // Where most cells differ, as measurements do, tables of them would take too much memory.
        constexpr std::size_t enough = std::size_t{1} << 20, times_as_much = 4;
        const std::size_t columns = cells_.size();
        piece.tables.resize(columns);
        std::vector<std::int32_t> block(most * columns);
        const char* at = piece.text.data();
        for (std::size_t first = 0; first < piece.rows; first += most) {
            const std::size_t count = std::min(most, piece.rows - first);
            for (std::size_t row = 0; row < count; ++row)
                if (!read_row(at, piece, &block[row], most)) return false;
            std::size_t in_tables = 0;
            for (std::size_t column = 0; column < columns; ++column) {
                std::copy_n(&block[column * most], count,
                            &cells_[column].numbers[piece.first_row + first]);
                in_tables += piece.tables[column].memory_bytes();
            }
            const auto read = static_cast<std::size_t>(at - piece.text.data());
            if (in_tables > enough + times_as_much * read) return false;
        }
        return at == piece.text.data() + piece.text.size();
    }

    // The texts of a line, whose numbers go to every `step`-th place.
    bool read_row(const char*& at, Piece& piece, std::int32_t* numbers, std::size_t step) const {
        const char* const end = piece.text.data() + piece.text.size();
        const std::size_t columns = piece.tables.size();
        for (std::size_t column = 0; column < columns; ++column, numbers += step) {
            const char* from = at;
            const char* to = stops_.next(at, end);
            at = to;
            if (to < end && *to == '"') {
                if (to != from) return false;
                ++from;
                to = at = std::find_if(from, end, [](char c) { return c == '"' || c == '\n'; });
                if (at == end || *at != '"') return false;
                if (std::find(from, to, '\r') != to || std::find(from, to, '\0') != to)
                    return false;
                ++at;  // what follows must end the cell
            }
            *numbers =
                piece.tables[column].number_of({from, static_cast<std::size_t>(to - from)}, end_);
            if (column + 1 < columns) {
                if (at == end || *at != separator_) return false;
                ++at;
            }
        }
        if (at < end && *at == '\r') ++at;
        if (at < end && *at != '\n') return false;
        if (at < end)
            ++at;
        else if (at > piece.text.data() && at[-1] == '\r')
            return false;  // a line end of its own, once
        return true;
    }

    void unite(std::size_t column, std::vector<Piece>& pieces) {
        NumberedCells& cells = cells_[column];
        TextTable all;
        std::vector<std::int32_t> renumbered;
        for (Piece& piece : pieces) {
            renumbered.clear();
            bool same = true;
            const TextTable own = std::move(piece.tables[column]);  // not kept any longer
            for (const std::string_view text : own.texts()) {
                const std::int32_t number = all.number_of(text, end_);
                if (all.size() > cells.texts.size()) cells.texts.add(text);
                same = same && static_cast<std::size_t>(number) == renumbered.size();
                renumbered.push_back(number);
            }
            if (same) continue;
            const auto first = cells.numbers.begin() + static_cast<std::ptrdiff_t>(piece.first_row);
            for (auto number = first; number != first + static_cast<std::ptrdiff_t>(piece.rows);
                 ++number)
                *number = renumbered[static_cast<std::size_t>(*number)];
        }
    }

    const char separator_;
    const Stops stops_;
    const char* const end_;
    std::vector<NumberedCells> cells_;
};

// Lines end with "\n" or "\r\n" in a plain text; a "\r" by itself ends one elsewhere.
bool skip_lines(std::string_view& text, std::size_t count) {
    for (; count > 0; --count) {
        const std::size_t stop = text.find('\n');
        if (stop == text.npos) return false;
        const std::size_t other = text.substr(0, stop).find('\r');
        if (other != text.npos && other + 1 != stop) return false;
        text.remove_prefix(stop + 1);
    }
    return true;
}

}  // namespace

std::optional<std::vector<NumberedCells>> read_plain_cells(std::string_view text, char separator,
                                                           std::size_t skipped, std::size_t columns,
                                                           std::size_t jobs,
                                                           std::size_t smallest_piece) {
    constexpr std::string_view mark = "\xef\xbb\xbf";
    if (text.starts_with(mark)) text.remove_prefix(mark.size());
    if (columns < 2 || !skip_lines(text, skipped) || text.empty()) return std::nullopt;
    Reader reader(text, separator, columns);
    if (!reader.read(text, std::max<std::size_t>(jobs, 1), smallest_piece)) return std::nullopt;
    return reader.take();
}

}  // namespace anytimebn
