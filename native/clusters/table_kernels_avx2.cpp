#include "clusters/table_kernels.h"

namespace anytimebn {
namespace {

#include "clusters/table_kernels_impl.h"

}  // namespace

template <class Value>
TableKernels<Value> avx2_table_kernels() {
    return {min_over_subsets<Value>, place_rest<Value>};
}
template TableKernels<float> avx2_table_kernels<float>();
template TableKernels<double> avx2_table_kernels<double>();

Discount avx2_discount() { return discount; }

}  // namespace anytimebn
