// Zero-half rows that a solution of the linear program violates (Caprara & Fischetti 1996). Half
// the sum of some rows, rounded down, cuts most when the sum of right-hand sides is odd, the rows
// are tight, and odd coefficients meet small values: the violation is (1 - slack - values of odd
// columns) / 2. Such sums are sought by Gaussian elimination modulo 2 over the columns of the
// support, the largest values first (Koster, Zymolka & Kutschka 2009), several times in random
// orders.
#pragma once

#include <vector>

#include "base/random.h"
#include "cuts/point.h"
#include "cuts/rows.h"

namespace anytimebn {

struct ZeroHalfLimits {
    int highest_rank = 2;
    int repetitions = 6;
    std::size_t most_rows = 60;
    double least_violation = 0.01;
};

// Adds the best ones and returns their numbers. `active` are rows of the linear program.
std::vector<RowNumber> separate_zero_half(Rows& rows, const std::vector<RowNumber>& active,
                                          const Point& point, const ZeroHalfLimits& limits,
                                          Random& random);

}  // namespace anytimebn
