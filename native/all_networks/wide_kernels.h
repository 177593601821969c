// The loop in which nearly all time goes, compiled once for any processor and once for AVX2. Both
// give the same, bit by bit.
#pragma once

#include <cstddef>
#include <cstdint>

namespace anytimebn {

// target[i] += source[i], of numbers as in all_networks/wide.h.
using AddWide = void (*)(double* mantissas, double* exponents, const double* other_mantissas,
                         const double* other_exponents, std::size_t count);

// For the instruction set in force.
AddWide add_wide_kernel();

}  // namespace anytimebn
