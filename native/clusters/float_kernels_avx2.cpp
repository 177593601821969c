#include "clusters/float_kernels.h"

namespace anytimebn {
namespace {

#include "clusters/float_kernels_impl.h"

}  // namespace

AscentKernels avx2_ascent_kernels() { return {discount, min_over_subsets, place_rest}; }

}  // namespace anytimebn
