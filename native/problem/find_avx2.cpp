// Compiled with AVX2 enabled; called only where the processor has it.
#include <immintrin.h>

#include "problem/find.h"

namespace anytimebn {
namespace {

using Block = __m256i;

inline Block load(const std::uint64_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
inline Block join(Block a, Block b) { return _mm256_or_si256(a, b); }
inline std::uint32_t first_zero(Block a) {
    const __m256i ones = _mm256_set1_epi32(-1);
    if (_mm256_testc_si256(a, ones)) return 256;
    alignas(32) std::uint64_t words[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(words), _mm256_xor_si256(a, ones));
    for (std::uint32_t w = 0; w < 3; ++w)
        if (words[w]) return w * 64 + static_cast<std::uint32_t>(_tzcnt_u64(words[w]));
    return 192 + static_cast<std::uint32_t>(_tzcnt_u64(words[3]));
}

inline std::size_t ones(std::uint64_t word) {
    return static_cast<std::size_t>(_mm_popcnt_u64(word));
}

#include "problem/find_impl.h"

}  // namespace

std::uint32_t find_avx2(const BestParents& best, std::size_t child, const std::uint64_t* candidates,
                        Cost limit) {
    return find(best, child, candidates, limit);
}

}  // namespace anytimebn
