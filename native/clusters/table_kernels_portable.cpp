#include "clusters/table_kernels.h"

namespace anytimebn {
namespace {

#include "clusters/table_kernels_impl.h"

double sum_unmet(const std::uint64_t* clusters, const double* multipliers, std::size_t count,
                 std::uint64_t placed) {
    double sum = 0;
    for (std::size_t c = 0; c < count; ++c) sum += (clusters[c] & placed) == 0 ? multipliers[c] : 0;
    return sum;
}

}  // namespace

template <class Value>
TableKernels<Value> portable_table_kernels() {
    return {min_over_subsets<Value>, place_rest<Value>};
}
template TableKernels<float> portable_table_kernels<float>();
template TableKernels<double> portable_table_kernels<double>();

Discount portable_discount() { return discount; }
SumUnmet portable_sum_unmet() { return sum_unmet; }

}  // namespace anytimebn
