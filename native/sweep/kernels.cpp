#include "sweep/kernels.h"

#include "base/cpu.h"

namespace anytimebn {

SweepKernels portable_sweep_kernels();
SweepKernels avx2_sweep_kernels();

SweepKernels sweep_kernels() {
#if defined(ANYTIMEBN_HAVE_AVX2)
    if (instruction_set() == InstructionSet::avx2) return avx2_sweep_kernels();
#endif
    return portable_sweep_kernels();
}

}  // namespace anytimebn
