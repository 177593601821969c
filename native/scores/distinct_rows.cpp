#include "scores/distinct_rows.h"

#include <algorithm>
#include <bit>

namespace anytimebn {
namespace {

constexpr std::size_t rows_of_a_copy = 1024;  // of which a copy stays in the cache

// Distinct rows, one behind the other, found by a hash table of their numbers.
class RowIndex {
 public:
    explicit RowIndex(std::size_t width) : width_(width) { grow(rows_of_a_copy); }

    std::size_t size() const { return hashes_.size(); }
    const std::uint16_t* row(std::size_t number) const { return rows_.data() + number * width_; }

    // The number of this row, a new one if it was not there before.
    std::size_t find(const std::uint16_t* row) {
        const std::uint64_t hash = hash_of(row);
        for (std::size_t slot = first_slot(hash);; slot = (slot + 1) & (slots_.size() - 1)) {
            const std::uint32_t number = slots_[slot];
            if (number == empty) return insert(slot, row, hash);
            if (hashes_[number] == hash && std::equal(row, row + width_, this->row(number)))
                return number;
        }
    }

 private:
    static constexpr std::uint32_t empty = 0xffffffffu;

    std::uint64_t hash_of(const std::uint16_t* row) const {
        std::uint64_t hash = 0;
        for (std::size_t v = 0; v < width_; ++v) {
            hash = (hash ^ row[v]) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 29;
        }
        return hash;
    }

    std::size_t first_slot(std::uint64_t hash) const {
        return static_cast<std::size_t>(hash >> 32) & (slots_.size() - 1);
    }

    std::size_t insert(std::size_t slot, const std::uint16_t* row, std::uint64_t hash) {
        slots_[slot] = static_cast<std::uint32_t>(size());
        hashes_.push_back(hash);
        rows_.insert(rows_.end(), row, row + width_);
        if (2 * size() > slots_.size()) grow(2 * slots_.size());
        return size() - 1;
    }

    void grow(std::size_t slots) {
        slots_.assign(slots, empty);
        for (std::size_t number = 0; number < size(); ++number) {
            std::size_t slot = first_slot(hashes_[number]);
            while (slots_[slot] != empty) slot = (slot + 1) & (slots - 1);
            slots_[slot] = static_cast<std::uint32_t>(number);
        }
    }

    const std::size_t width_;
    std::vector<std::uint16_t> rows_;
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint32_t> slots_;  // a power of two
};

}  // namespace

DistinctRows::DistinctRows(const std::vector<const std::uint16_t*>& columns, std::size_t rows,
                           std::size_t most) {
    const std::size_t width = columns.size();
    RowIndex index(width);
    std::vector<std::uint16_t> copy(rows_of_a_copy * width);
    for (std::size_t first = 0; first < rows; first += rows_of_a_copy) {
        const std::size_t count = std::min(rows_of_a_copy, rows - first);
        for (std::size_t v = 0; v < width; ++v)
            for (std::size_t i = 0; i < count; ++i) copy[i * width + v] = columns[v][first + i];
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t number = index.find(copy.data() + i * width);
            if (number == weights.size()) weights.push_back(0);
            ++weights[number];
        }
        if (index.size() > most) {
            weights.clear();
            return;
        }
    }
    codes.assign(width, std::vector<std::uint16_t>(weights.size()));
    for (std::size_t number = 0; number < weights.size(); ++number)
        for (std::size_t v = 0; v < width; ++v) codes[v][number] = index.row(number)[v];
}

Columns with_weights(const Columns& columns, const DistinctRows& distinct) {
    Columns merged = columns;
    merged.rows = distinct.weights.size();
    merged.weights = distinct.weights.data();
    for (std::size_t v = 0; v < columns.size(); ++v) merged.codes[v] = distinct.codes[v].data();
    return merged;
}

std::size_t bits_to_count(const Columns& columns) {
    if (columns.weights == nullptr) return columns.rows;
    std::size_t bits = 0;
    for (std::size_t row = 0; row < columns.rows; ++row)
        bits += static_cast<std::size_t>(std::popcount(columns.weights[row]));
    return bits;
}

}  // namespace anytimebn
