// Bayesian Dirichlet equivalent uniform: the negative log marginal likelihood under a Dirichlet
// prior that spreads an equivalent sample size evenly over the cells of each table.
#include <cmath>

#include "scores/score.h"

namespace anytimebn {
namespace {

// std::lgamma writes a global sign on some systems, a data race between threads.
double log_gamma(double x) {
#if defined(__GLIBC__)
    int sign;
    return lgamma_r(x, &sign);
#else
    return std::lgamma(x);
#endif
}

class Bdeu final : public CountedScore {
 public:
    explicit Bdeu(double equivalent_sample_size) : sample_size_(equivalent_sample_size) {}
    double cell(std::int64_t count, double cells) const override {
        const double prior = sample_size_ / cells;
        return log_gamma(static_cast<double>(count) + prior) - log_gamma(prior);
    }
    bool cell_depends_on_table_size() const override { return true; }

 private:
    double sample_size_;
};

const ScoreRegistry bdeu(
    {"bdeu", "Bayesian Dirichlet equivalent uniform, sample size --ess",
     "Heckerman, Geiger & Chickering 1995"},
    {.make = [](std::int64_t,
                const Parameters& parameters) { return std::make_unique<Bdeu>(parameters["ess"]); },
     // Beyond these, sums of logarithms lose their digits.
     .parameters = {{"ess", 1, 1e-100, 1e6, "equivalent sample size", false}}});

}  // namespace
}  // namespace anytimebn
