// Compiled with AVX2 enabled; called only where the processor has it.
#include <immintrin.h>

#include "clusters/table_kernels.h"

namespace anytimebn {
namespace {

#include "clusters/table_kernels_impl.h"

double sum_unmet(const std::uint64_t* clusters, const double* multipliers, std::size_t count,
                 std::uint64_t placed) {
    const __m256i met = _mm256_set1_epi64x(static_cast<long long>(placed));
    const __m256i nothing = _mm256_setzero_si256();
    __m256d sum = _mm256_setzero_pd();
    for (std::size_t c = 0; c < count; c += 4) {
        const __m256i members = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(clusters + c));
        const __m256i unmet = _mm256_cmpeq_epi64(_mm256_and_si256(members, met), nothing);
        sum = _mm256_add_pd(
            sum, _mm256_and_pd(_mm256_loadu_pd(multipliers + c), _mm256_castsi256_pd(unmet)));
    }
    alignas(32) double parts[4];
    _mm256_store_pd(parts, sum);
    return parts[0] + parts[1] + parts[2] + parts[3];
}

}  // namespace

template <class Value>
TableKernels<Value> avx2_table_kernels() {
    return {min_over_subsets<Value>, place_rest<Value>};
}
template TableKernels<float> avx2_table_kernels<float>();
template TableKernels<double> avx2_table_kernels<double>();

Discount avx2_discount() { return discount; }
SumUnmet avx2_sum_unmet() { return sum_unmet; }

}  // namespace anytimebn
