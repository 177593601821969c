#include "scores/kernels.h"

#include "base/cpu.h"

namespace anytimebn {

Kernels portable_kernels();
Kernels avx2_kernels();

Kernels kernels() {
#if defined(ANYTIMEBN_HAVE_AVX2)
    if (instruction_set() == InstructionSet::avx2) {
        Kernels chosen = avx2_kernels();
        if (!fast_bit_extract()) chosen.extract = portable_kernels().extract;
        return chosen;
    }
#endif
    return portable_kernels();
}

}  // namespace anytimebn
