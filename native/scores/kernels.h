// The inner loops of counting and pruning, compiled once for any processor and once for AVX2 +
// BMI2. Both give the same results bit by bit (counts and fixed-point sums are integers; the
// pruning loop does the same IEEE operations on each element).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace anytimebn {

// Rows are bits; a class of rows is a range of whole words, the unused bits of its last word being
// 0. If rows have weights, a class consists of parts, each such a range: a row is in one part for
// every binary digit of its weight, and its bit counts as much as that digit.
struct Classes {
    const std::uint32_t* word_begin;  // of each class, or of each part, and the end
    const std::uint32_t* rows;        // of each class, weighted
    std::size_t count;
    const std::uint32_t* part_begin = nullptr;  // of each class, and the end; null without weights
    const std::uint8_t* digit = nullptr;        // of each part: its bits count 2^digit
};

// Moves the rows of a class that have one value of a column to a class of their own.
struct Segment {
    std::uint32_t first_word, last_word;  // [first, last) of the source
    std::uint32_t target_word;
    std::uint32_t mask;  // which mask row selects
};

// One run of parent sets that differ in their lowest free member only.
struct PruneRun {
    std::size_t length;
    const double* parents_value;        // F(P), contiguous, or
    const double* family_value;         // F(P + x), ditto
    const double* parent_term;          // may be null
    const std::uint64_t* parents_step;  // offsets of P when not contiguous, else null
    const std::uint64_t* family_step;
    const double* penalties;           // by element, times penalty_factor
    double penalty_factor;             // 0 when the score has no penalty
    const double* const* subset_best;  // best units among the subsets without one higher member
    std::size_t subset_count;
    double without_lowest;  // the same for the subset without the element itself
    double slack;           // kept is what costs less than its best subset and so many units
    double* best;  // out: best units among all subsets, -infinity where no superset can help
    double* cost;  // out: unrounded cost
};

constexpr std::size_t bits_of_a_block = 256;

struct alignas(bits_of_a_block / 8) BitBlock {
    std::uint64_t words[bits_of_a_block / 64];
};

struct Kernels {
    const char* name;

    // counts[j] = ones of `column` in class j
    void (*count)(const std::uint64_t* column, Classes classes, std::uint32_t* counts);
    // counts[j] = ones of a AND b in class j
    void (*count_both)(const std::uint64_t* a, const std::uint64_t* b, Classes classes,
                       std::uint32_t* counts);
    // The same for binary columns, with the sum of value[] over the four cells of each class.
    std::int64_t (*sum_pair)(const std::uint64_t* a, const std::uint64_t* b, Classes classes,
                             const std::uint32_t* a_counts, const std::uint32_t* b_counts,
                             const std::int64_t* value, std::uint32_t* both_counts);
    // Sum over the eight cells of each class, given the columns a AND b (as one) and c, the four
    // cells of (a, b) and the counts of c, of a AND c and of b AND c.
    std::int64_t (*sum_triple)(const std::uint64_t* ab, const std::uint64_t* c, Classes classes,
                               const std::uint32_t* const cells_ab[4], const std::uint32_t* ac,
                               const std::uint32_t* bc, const std::uint32_t* c_counts,
                               const std::int64_t* value);
    // Gathers the selected bits of `source` into `target`; masks are `mask_stride` words apart.
    void (*extract)(const Segment* segments, std::size_t segment_count, const std::uint64_t* masks,
                    std::size_t mask_stride, const std::uint64_t* source, std::uint64_t* target);
    // Returns how many elements cost less than all their subsets, give or take the slack; their
    // indices go to `kept`.
    std::size_t (*prune)(const PruneRun& run, std::uint32_t* kept);
    // counts[j] = ones of `column` AND the j-th mask; the masks are `words` words each.
    void (*count_masks)(const std::uint64_t* column, const std::uint64_t* masks,
                        std::size_t mask_count, std::size_t words, std::uint32_t* counts);
    // counts[b] = how many of the listed rows have bit b: rows are `blocks` blocks of 256 bits.
    void (*count_positions)(const BitBlock* bits, std::size_t blocks, const std::uint32_t* rows,
                            std::size_t row_count, std::uint32_t* counts);
};

// For the instruction set in force.
Kernels kernels();

}  // namespace anytimebn
