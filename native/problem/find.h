#pragma once

#include <cstdint>

#include "problem/parent_sets.h"

namespace anytimebn {

std::uint32_t find_portable(const BestParents&, std::size_t child, const std::uint64_t* candidates,
                            Cost limit);
std::uint32_t find_avx2(const BestParents&, std::size_t child, const std::uint64_t* candidates,
                        Cost limit);

}  // namespace anytimebn
