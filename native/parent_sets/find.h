#pragma once

#include <cstdint>

#include "parent_sets/parent_sets.h"

namespace anytimebn {

constexpr std::uint32_t max_listed_parents = 256;

std::uint32_t find_portable(const BestParents&, std::size_t child, const std::uint64_t* candidates);
std::uint32_t find_avx2(const BestParents&, std::size_t child, const std::uint64_t* candidates);

}  // namespace anytimebn
