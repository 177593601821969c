#include "all_networks/wide_kernels.h"

namespace anytimebn {
namespace {

#include "all_networks/wide_kernels_impl.h"

}  // namespace

AddWide portable_add_wide() { return add_wide; }

}  // namespace anytimebn
