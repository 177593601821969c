#include "clusters/table_kernels.h"

#include "base/cpu.h"

namespace anytimebn {

template <class Value>
TableKernels<Value> portable_table_kernels();
template <class Value>
TableKernels<Value> avx2_table_kernels();
Discount portable_discount();
Discount avx2_discount();
SumUnmet portable_sum_unmet();
SumUnmet avx2_sum_unmet();

#if defined(ANYTIMEBN_HAVE_AVX2)
template <class Value>
TableKernels<Value> table_kernels() {
    return instruction_set() == InstructionSet::avx2 ? avx2_table_kernels<Value>()
                                                     : portable_table_kernels<Value>();
}
Discount discount_kernel() {
    return instruction_set() == InstructionSet::avx2 ? avx2_discount() : portable_discount();
}
SumUnmet sum_unmet_kernel() {
    return instruction_set() == InstructionSet::avx2 ? avx2_sum_unmet() : portable_sum_unmet();
}
#else
template <class Value>
TableKernels<Value> table_kernels() {
    return portable_table_kernels<Value>();
}
Discount discount_kernel() { return portable_discount(); }
SumUnmet sum_unmet_kernel() { return portable_sum_unmet(); }
#endif

template TableKernels<float> table_kernels<float>();
template TableKernels<double> table_kernels<double>();

}  // namespace anytimebn
