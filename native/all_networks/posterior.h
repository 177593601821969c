// Exact posteriors (Koivisto & Sood 2004; Koivisto 2006): sums over all orders of the variables,
// and over all networks that agree with each.
//
// beta_x(P) is the weight of a family, alpha_x(U) the sum of the weights of the sets P inside U.
//
//   L(U) = sum over x in U of alpha_x(U - x) L(U - x)           the orders of U come first
//   R(U) = sum over x not in U of alpha_x(U) R(U + x)           all others after them
//   gamma_x(P) = sum over U with P inside, x not in it, of L(U) R(U + x)
//
// L of all variables is the sum of all weights, and beta_x(P) gamma_x(P) the share of it that has
// the family: every family's probability by two passes through all subsets of the variables.
//
// The passes go by the high variables of U, depth first. On the way the lists of the families that
// U admits shrink: few sets of at most k parents differ in the variables that are left. For the
// last, low variables alpha is made dense. So nothing but L and R is kept for all subsets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/control.h"

namespace anytimebn {

struct WeightedFamilies {
    // As in LocalScores, but with logarithms of weights instead of costs, in any order.
    std::span<const std::int64_t> first_set;
    std::span<const double> log_weights;
    std::span<const std::int64_t> first_member;
    std::span<const std::int32_t> members;

    std::size_t variables() const { return first_set.size() - 1; }
    std::size_t most_parents() const;
};

struct PosteriorSums {
    bool complete = false;              // false when stopped: nothing is known then
    double log_total = 0;               // of the sum over all orders
    std::vector<double> probabilities;  // of each family, if these are wanted
};

constexpr std::size_t most_posterior_variables = 30;

// What the sums will take, known before.
std::uint64_t posterior_memory(std::size_t variables, std::size_t most_parents, bool families,
                               std::size_t jobs);

// The result does not depend on the number of jobs.
PosteriorSums sum_over_orders(const WeightedFamilies& weights, bool families, std::size_t jobs,
                              Control& control);

}  // namespace anytimebn
