// Compiled with AVX2 enabled; called only where the processor has it.
#include "all_networks/wide_kernels.h"

namespace anytimebn {
namespace {

#include "all_networks/wide_kernels_impl.h"

}  // namespace

AddWide avx2_add_wide() { return add_wide; }

}  // namespace anytimebn
