#include "all_networks/wide_kernels.h"

#include "base/cpu.h"

namespace anytimebn {

AddWide portable_add_wide();
AddWide avx2_add_wide();

AddWide add_wide_kernel() {
#if defined(ANYTIMEBN_HAVE_AVX2)
    if (instruction_set() == InstructionSet::avx2) return avx2_add_wide();
#endif
    return portable_add_wide();
}

}  // namespace anytimebn
