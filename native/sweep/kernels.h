// The inner loops of a sweep, compiled once for any processor and once for AVX2; both give the same
// bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace anytimebn {

struct SweepKernels {
    // Copies the sets whose `outside` lies within `allowed`: inside[k], cost[k] for k = 0, 1, ...;
    // returns how many. Here and below 16 entries beyond the end must exist.
    std::size_t (*filter)(const std::uint32_t* outside, const std::uint16_t* inside,
                          const double* cost, std::size_t count, std::uint32_t allowed,
                          std::uint16_t* kept_inside, double* kept_cost);
    // The cost of the first of the sets within `placed` (the cheapest, as they are sorted), or
    // `otherwise` if there is none below it.
    double (*cheapest_within)(const std::uint16_t* inside, const double* cost, std::size_t count,
                              std::uint16_t placed, double otherwise);
    // Both in one go, for few questions.
    double (*cheapest_fitting)(const std::uint32_t* outside, const std::uint16_t* inside,
                               const double* cost, std::size_t count, std::uint32_t allowed,
                               std::uint16_t placed, double otherwise);
    // Whether one of the sets, in three parts, lies within the given one.
    bool (*any_within)(const std::uint32_t* upper, const std::uint32_t* middle,
                       const std::uint16_t* low, std::size_t count, std::uint32_t given_upper,
                       std::uint32_t given_middle, std::uint16_t given_low);
    // table[A] = sum of table[B] over the supersets B of A
    void (*sum_over_supersets)(double* table, std::size_t size);
    // room[A] = limit - (constant + database[A] + clusters[A]), or less if it was less before (and
    // not first); returns the greatest.
    double (*lower_room)(const double* database, const double* clusters, double constant,
                         double limit, bool first, std::size_t size, double* room);
};

SweepKernels sweep_kernels();

}  // namespace anytimebn
