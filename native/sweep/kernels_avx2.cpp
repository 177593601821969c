// Compiled with AVX2 enabled; called only where the processor has it.
#include <immintrin.h>

#include "sweep/kernels.h"

namespace anytimebn {
namespace {

#include "sweep/kernels_impl.h"

std::size_t filter(const std::uint32_t* outside, const std::uint16_t* inside, const double* cost,
                   std::size_t count, std::uint32_t allowed, std::uint16_t* kept_inside,
                   double* kept_cost) {
    const __m256i forbidden = _mm256_set1_epi32(static_cast<int>(~allowed));
    const __m256i nothing = _mm256_setzero_si256();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; i += 8) {
        const __m256i sets = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(outside + i));
        const __m256i fits = _mm256_cmpeq_epi32(_mm256_and_si256(sets, forbidden), nothing);
        auto found = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(fits)));
        if (count - i < 8) found &= (1u << (count - i)) - 1;
        for (; found != 0; found &= found - 1) {
            const std::size_t j = i + _tzcnt_u32(found);
            kept_inside[kept] = inside[j];
            kept_cost[kept++] = cost[j];
        }
    }
    return kept;
}

double cheapest_within(const std::uint16_t* inside, const double* cost, std::size_t count,
                       std::uint16_t placed, double otherwise) {
    const __m256i forbidden = _mm256_set1_epi16(static_cast<short>(~placed));
    const __m256i nothing = _mm256_setzero_si256();
    for (std::size_t i = 0; i < count && cost[i] < otherwise; i += 16) {
        const __m256i sets = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(inside + i));
        const __m256i fits = _mm256_cmpeq_epi16(_mm256_and_si256(sets, forbidden), nothing);
        const auto found = static_cast<unsigned>(_mm256_movemask_epi8(fits));
        if (found != 0) {
            const std::size_t first = i + _tzcnt_u32(found) / 2;
            return first < count ? smaller(cost[first], otherwise) : otherwise;
        }
    }
    return otherwise;
}

double cheapest_fitting(const std::uint32_t* outside, const std::uint16_t* inside,
                        const double* cost, std::size_t count, std::uint32_t allowed,
                        std::uint16_t placed, double otherwise) {
    const __m256i forbidden_outside = _mm256_set1_epi32(static_cast<int>(~allowed));
    const __m256i forbidden_inside = _mm256_set1_epi32(static_cast<std::uint16_t>(~placed));
    const __m256i nothing = _mm256_setzero_si256();
    for (std::size_t i = 0; i < count && cost[i] < otherwise; i += 8) {
        const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(outside + i));
        const __m256i low =
            _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(inside + i)));
        const __m256i missing = _mm256_or_si256(_mm256_and_si256(high, forbidden_outside),
                                                _mm256_and_si256(low, forbidden_inside));
        const auto found = static_cast<unsigned>(
            _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(missing, nothing))));
        if (found != 0) {
            const std::size_t first = i + _tzcnt_u32(found);
            return first < count ? smaller(cost[first], otherwise) : otherwise;
        }
    }
    return otherwise;
}

bool any_within(const std::uint32_t* upper, const std::uint32_t* middle, const std::uint16_t* low,
                std::size_t count, std::uint32_t given_upper, std::uint32_t given_middle,
                std::uint16_t given_low) {
    const __m256i not_upper = _mm256_set1_epi32(static_cast<int>(~given_upper));
    const __m256i not_middle = _mm256_set1_epi32(static_cast<int>(~given_middle));
    const __m256i not_low = _mm256_set1_epi32(static_cast<std::uint16_t>(~given_low));
    const __m256i nothing = _mm256_setzero_si256();
    for (std::size_t i = 0; i < count; i += 8) {
        const __m256i u = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(upper + i));
        const __m256i m = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(middle + i));
        const __m256i l =
            _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(low + i)));
        const __m256i missing = _mm256_or_si256(
            _mm256_or_si256(_mm256_and_si256(u, not_upper), _mm256_and_si256(m, not_middle)),
            _mm256_and_si256(l, not_low));
        auto found = static_cast<unsigned>(
            _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(missing, nothing))));
        if (count - i < 8) found &= (1u << (count - i)) - 1;
        if (found != 0) return true;
    }
    return false;
}

}  // namespace

SweepKernels avx2_sweep_kernels() {
    return {filter, cheapest_within, cheapest_fitting, any_within, sum_over_supersets, lower_room};
}

}  // namespace anytimebn
