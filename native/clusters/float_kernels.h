// The inner loops of the ascent, compiled once for any processor and once for AVX2. They find
// multipliers; what is proven with those is recomputed in whole units.
#pragma once

#include <cstddef>
#include <cstdint>

namespace anytimebn {

struct AscentKernels {
    // costs[j] -= multiplier for the sets without a member in the cluster; sets and cluster in two
    // halves of 32 variables.
    void (*discount)(const std::uint32_t* low, const std::uint32_t* high, std::size_t count,
                     std::uint32_t cluster_low, std::uint32_t cluster_high, float multiplier,
                     float* costs);
    // table[A] = minimum of table[B] over the subsets B of A
    void (*min_over_subsets)(float* table, std::size_t patterns);
    // rest[A] = minimum over the members i outside A of best[i][A] + rest[A with i]; 0 for all
    // placed
    void (*place_rest)(const float* best, std::size_t members, float* rest);
};

AscentKernels ascent_kernels();

}  // namespace anytimebn
