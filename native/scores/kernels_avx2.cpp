// Compiled with AVX2, BMI2 and POPCNT enabled; called only where the processor has them.
#include <immintrin.h>

#include "base/builtins.h"
#include "scores/kernels.h"

namespace anytimebn {
namespace {

inline std::uint32_t popcount(std::uint64_t word) {
    return static_cast<std::uint32_t>(_mm_popcnt_u64(word));
}

inline std::uint64_t extract_bits(std::uint64_t word, std::uint64_t mask) {
    return _pext_u64(word, mask);
}

#include "scores/kernels_impl.h"

using Block = __m256i;
constexpr std::size_t bits_of_a_lane = 256;

inline Block load(const std::uint64_t* words) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(words));
}
inline Block both(Block a, Block b) { return _mm256_and_si256(a, b); }
inline Block either(Block a, Block b) { return _mm256_or_si256(a, b); }
inline Block one_of(Block a, Block b) { return _mm256_xor_si256(a, b); }
inline bool is_empty(Block a) { return _mm256_testz_si256(a, a); }

// Adds the numbers whose k-th binary digits are the bits of planes[k]: 32 bits of a plane become 32
// bytes, each 0 or 2^k, and the bytes of all planes together the numbers.
inline void add_planes(const Block* planes, int count, std::uint32_t* counts) {
    const __m256i spread = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2,
                                            2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
    const __m256i bit_of_byte = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201u));
    alignas(32) std::uint32_t words[8][8];
    for (int k = 0; k < count; ++k)
        _mm256_store_si256(reinterpret_cast<__m256i*>(words[k]), planes[k]);
    for (int lane = 0; lane < 8; ++lane) {
        __m256i numbers = _mm256_setzero_si256();
        for (int k = 0; k < count; ++k) {
            const __m256i copies =
                _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(words[k][lane])), spread);
            const __m256i is_set =
                _mm256_cmpeq_epi8(_mm256_and_si256(copies, bit_of_byte), bit_of_byte);
            numbers = _mm256_or_si256(
                numbers, _mm256_and_si256(is_set, _mm256_set1_epi8(static_cast<char>(1 << k))));
        }
        alignas(32) std::uint8_t bytes[32];
        _mm256_store_si256(reinterpret_cast<__m256i*>(bytes), numbers);
        for (int part = 0; part < 4; ++part) {
            __m256i* const target = reinterpret_cast<__m256i*>(counts + 32 * lane + 8 * part);
            const __m256i wide = _mm256_cvtepu8_epi32(
                _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes + 8 * part)));
            _mm256_storeu_si256(target, _mm256_add_epi32(_mm256_loadu_si256(target), wide));
        }
    }
}

#include "scores/positions_impl.h"

}  // namespace

Kernels avx2_kernels() {
    return {"avx2",  count, count_both,  sum_pair,       sum_triple,
            extract, prune, count_masks, count_positions};
}

}  // namespace anytimebn
