#include "clusters/table_kernels.h"

namespace anytimebn {
namespace {

#include "clusters/table_kernels_impl.h"

}  // namespace

template <class Value>
TableKernels<Value> portable_table_kernels() {
    return {min_over_subsets<Value>, place_rest<Value>};
}
template TableKernels<float> portable_table_kernels<float>();
template TableKernels<double> portable_table_kernels<double>();

Discount portable_discount() { return discount; }

}  // namespace anytimebn
