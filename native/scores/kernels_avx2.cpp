// Compiled with AVX2, BMI2 and POPCNT enabled; called only where the processor has them.
#include <immintrin.h>

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

}  // namespace

Kernels avx2_kernels() {
    return {"avx2", count, count_both, sum_pair, sum_triple, extract, prune, count_masks};
}

}  // namespace anytimebn
