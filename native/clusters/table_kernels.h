// The inner loops over tables of subsets and over clusters, compiled once for any processor and
// once for AVX2.
// Multipliers are looked for with floats; what is proven with them is computed in doubles that hold
// whole units, which is exact.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/builtins.h"

namespace anytimebn {

template <class Value>
struct TableKernels {
    // table[A] = minimum of table[B] over the subsets B of A
    void (*min_over_subsets)(Value* table, std::size_t patterns);
    // rest[A] = minimum over the members i outside A of best[i][A] + rest[A with i], and 0 when all
    // are placed
    void (*place_rest)(const Value* best, std::size_t members, Value never, Value* rest);
};

template <class Value>
TableKernels<Value> table_kernels();

// costs[j] -= multiplier for the sets without a member in the cluster; sets and cluster in two
// halves of 32 variables.
using Discount = void (*)(const std::uint32_t* low, const std::uint32_t* high, std::size_t count,
                          std::uint32_t cluster_low, std::uint32_t cluster_high, float multiplier,
                          float* costs);
Discount discount_kernel();

// The sum of the multipliers of the clusters that `placed` does not meet, the same bits on every
// processor because whole units are added. Counts are multiples of 4.
using SumUnmet = double (*)(const std::uint64_t* clusters, const double* multipliers,
                            std::size_t count, std::uint64_t placed);
SumUnmet sum_unmet_kernel();

}  // namespace anytimebn
