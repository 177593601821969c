#include <bit>

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

}  // namespace

Kernels portable_kernels() {
    return {"portable", count, count_both, sum_pair, sum_triple, extract, prune, count_masks};
}

}  // namespace anytimebn
