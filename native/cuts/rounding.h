// From a solution of the linear program to a network: an ordering read off the solution, improved
// by insertion moves and by kicks. Sparse: a move looks at the relatives of a variable only, those
// that occur in its parent sets or in whose sets it occurs.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "cuts/joined_problem.h"
#include "cuts/point.h"

namespace anytimebn {

// Always places next the variable with most of its mass in sets that are placed already.
std::vector<std::uint32_t> order_of_point(const JoinedProblem& problem, const Point& point,
                                          Random& random);

class OrderPolisher {
 public:
    explicit OrderPolisher(const JoinedProblem& problem);

    // Chooses the best sets for an ordering; a variable without any makes it infeasible.
    void set_order(const std::vector<std::uint32_t>& order);
    void descend(Random& random);
    // Perturbs and descends again, keeping what is no worse; `work` is the number of sets looked
    // at.
    void kick(std::uint64_t work, Random& random);

    Cost regret() const { return regret_; }
    bool feasible() const { return missing_ == 0; }
    const std::vector<std::uint32_t>& order() const { return order_; }
    // The set chosen for each variable.
    std::vector<std::uint32_t> chosen() const;

 private:
    // Positions in the list of a variable's sets; one past the last stands for no set at all.
    std::uint32_t first_fitting(std::uint32_t x, std::uint32_t from, std::uint32_t limit);
    Cost cost(std::uint32_t x, std::uint32_t choice) const;
    bool contains(std::uint32_t x, std::uint32_t choice, std::uint32_t member) const;
    std::uint32_t choice_with(std::uint32_t x, std::uint32_t member, std::uint32_t limit,
                              std::uint32_t below);
    std::uint32_t choice_without(std::uint32_t x, std::uint32_t member, std::uint32_t limit,
                                 std::uint32_t from);

    bool reinsert(std::uint32_t x);
    void move(std::uint32_t x, std::uint32_t to);
    void choose_again(std::uint32_t x);
    void descend_from(std::vector<std::uint32_t> queue, Random& random);
    void pull_parents_forward(std::uint32_t x, std::uint32_t choice);

    const ParentSets& sets_;
    std::size_t n_;
    std::vector<std::vector<std::uint32_t>> children_, relatives_;
    std::vector<std::uint32_t> order_, position_, choice_;
    std::vector<std::uint32_t> changed_;  // variables whose choice changed since it was cleared
    std::vector<std::uint32_t> places_;
    std::vector<bool> queued_, marked_;
    Cost regret_ = 0;
    std::size_t missing_ = 0;  // variables without a set
    std::uint64_t looked_ = 0;
};

}  // namespace anytimebn
