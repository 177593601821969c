// From a solution of the linear program to a network: an ordering read off the solution, for the
// local search to improve.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "cuts/point.h"
#include "problem/joined_problem.h"

namespace anytimebn {

// Always places next the variable with most of its mass in sets that are placed already.
std::vector<std::uint32_t> order_of_point(const JoinedProblem& problem, const Point& point,
                                          Random& random);

}  // namespace anytimebn
