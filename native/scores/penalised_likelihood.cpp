// Log-likelihood loss plus a price for each free parameter: MDL, which is the negative of BIC,
// charges (ln N)/2, AIC 1.
#include <algorithm>
#include <cmath>

#include "scores/score.h"

namespace anytimebn {
namespace {

class PenalisedLikelihood final : public CountedScore {
 public:
    explicit PenalisedLikelihood(double cost_per_parameter) : per_parameter_(cost_per_parameter) {}
    double cell(std::int64_t count, double) const override {
        const auto n = static_cast<double>(count);
        return n * std::log(n);
    }
    double penalty(int child_arity) const override { return (child_arity - 1) * per_parameter_; }

    // In all rows a parameter gains `every` times what it gains here beyond half a nat, which any
    // does by chance, and costs what it costs there. The sum, divided by `every`, is a fair price,
    // but in small samples so low that a parent which says nothing would often be worth it: among
    // many variables one gains by chance what 1 of them would with this probability. How much that
    // is for each parameter is told by the distribution for four of them, the usual number or less:
    // (1 + gain) exp(-gain) = 1 / variables.
    std::unique_ptr<Score> of_sample(std::size_t every, std::size_t variables) const override {
        const auto times = static_cast<double>(every);
        const double fair = (per_parameter_ + (times - 1) / 2) / times;
        double by_chance = 0;
        for (int i = 0; i < 20; ++i)
            by_chance = std::log(static_cast<double>(variables)) + std::log1p(by_chance);
        return std::make_unique<PenalisedLikelihood>(
            std::min(per_parameter_, std::max(fair, by_chance / 4)));
    }

 private:
    double per_parameter_;
};

std::unique_ptr<Score> make_mdl(std::int64_t rows, const Parameters&) {
    return std::make_unique<PenalisedLikelihood>(std::log(static_cast<double>(rows)) / 2);
}
std::unique_ptr<Score> make_aic(std::int64_t, const Parameters&) {
    return std::make_unique<PenalisedLikelihood>(1.0);
}

const ScoreRegistry mdl({"mdl", "minimum description length: (ln N)/2 nats a parameter",
                         "Lam & Bacchus 1994; the score of Malone & Yuan 2013"},
                        {.make = make_mdl});
const ScoreRegistry bic({"bic", "Bayesian information criterion: the same costs as mdl",
                         "Schwarz 1978"},
                        {.make = make_mdl});
const ScoreRegistry aic({"aic", "Akaike information criterion: 1 nat a parameter", "Akaike 1974"},
                        {.make = make_aic});

}  // namespace
}  // namespace anytimebn
