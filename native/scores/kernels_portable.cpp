#include <bit>

#include "base/builtins.h"
#include "scores/kernels.h"

namespace anytimebn {
namespace {

inline std::uint32_t popcount(std::uint64_t word) {
    return static_cast<std::uint32_t>(std::popcount(word));
}

// Parallel-suffix compress (Warren, Hacker's Delight, section 7-4).
inline std::uint64_t extract_bits(std::uint64_t word, std::uint64_t mask) {
    word &= mask;
    std::uint64_t zeros_to_the_right = ~mask << 1;
    for (int step = 1; step < 64; step *= 2) {
        std::uint64_t parity = zeros_to_the_right;
        for (int shift = 1; shift < 64; shift *= 2) parity ^= parity << shift;
        const std::uint64_t move = parity & mask;
        mask = (mask ^ move) | (move >> step);
        const std::uint64_t moving = word & move;
        word = (word ^ moving) | (moving >> step);
        zeros_to_the_right &= ~parity;
    }
    return word;
}

#include "scores/kernels_impl.h"

using Block = std::uint64_t;
constexpr std::size_t bits_of_a_lane = 64;

inline Block load(const std::uint64_t* words) { return *words; }
inline Block both(Block a, Block b) { return a & b; }
inline Block either(Block a, Block b) { return a | b; }
inline Block one_of(Block a, Block b) { return a ^ b; }
inline bool is_empty(Block a) { return a == 0; }

// Adds the numbers whose k-th binary digits are the bits of planes[k].
inline void add_planes(const Block* planes, int count, std::uint32_t* counts) {
    for (std::size_t bit = 0; bit < bits_of_a_lane; ++bit) {
        std::uint32_t number = 0;
        for (int k = 0; k < count; ++k)
            number |= static_cast<std::uint32_t>(planes[k] >> bit & 1) << k;
        counts[bit] += number;
    }
}

#include "scores/positions_impl.h"

}  // namespace

Kernels portable_kernels() {
    return {"portable", count, count_both,  sum_pair,       sum_triple,
            extract,    prune, count_masks, count_positions};
}

}  // namespace anytimebn
