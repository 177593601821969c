#include "sweep/kernels.h"

namespace anytimebn {
namespace {

#include "sweep/kernels_impl.h"

std::size_t filter(const std::uint32_t* outside, const std::uint16_t* inside, const double* cost,
                   std::size_t count, std::uint32_t allowed, std::uint16_t* kept_inside,
                   double* kept_cost) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
        kept_inside[kept] = inside[i];
        kept_cost[kept] = cost[i];
        kept += (outside[i] & ~allowed) == 0;
    }
    return kept;
}

double cheapest_within(const std::uint16_t* inside, const double* cost, std::size_t count,
                       std::uint16_t placed, double otherwise) {
    for (std::size_t i = 0; i < count && cost[i] < otherwise; ++i)
        if ((inside[i] & ~placed) == 0) return cost[i];
    return otherwise;
}

double cheapest_fitting(const std::uint32_t* outside, const std::uint16_t* inside,
                        const double* cost, std::size_t count, std::uint32_t allowed,
                        std::uint16_t placed, double otherwise) {
    for (std::size_t i = 0; i < count && cost[i] < otherwise; ++i)
        if ((outside[i] & ~allowed) == 0 && (inside[i] & ~placed) == 0) return cost[i];
    return otherwise;
}

bool any_within(const std::uint32_t* upper, const std::uint32_t* middle, const std::uint16_t* low,
                std::size_t count, std::uint32_t given_upper, std::uint32_t given_middle,
                std::uint16_t given_low) {
    for (std::size_t i = 0; i < count; ++i)
        if (((upper[i] & ~given_upper) | (middle[i] & ~given_middle) |
             static_cast<std::uint32_t>(low[i] & ~given_low)) == 0)
            return true;
    return false;
}

}  // namespace

SweepKernels portable_sweep_kernels() {
    return {filter, cheapest_within, cheapest_fitting, any_within, sum_over_supersets, lower_room};
}

}  // namespace anytimebn
