#include "clusters/float_kernels.h"

#include "base/cpu.h"

namespace anytimebn {

AscentKernels portable_ascent_kernels();
AscentKernels avx2_ascent_kernels();

AscentKernels ascent_kernels() {
#if defined(ANYTIMEBN_HAVE_AVX2)
    if (instruction_set() == InstructionSet::avx2) return avx2_ascent_kernels();
#endif
    return portable_ascent_kernels();
}

}  // namespace anytimebn
