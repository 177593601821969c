// Scores by normalised maximum likelihood. qNML (quotient) normalises the joint table of the family
// and of the parents; fNML (factorised) normalises the child's table in each parent configuration.
#include <cmath>
#include <map>
#include <mutex>

#include "scores/multinomial.h"
#include "scores/score.h"

namespace anytimebn {
namespace {

double n_log_n(std::int64_t count) {
    const auto n = static_cast<double>(count);
    return n * std::log(n);
}

class QuotientNml final : public CountedScore {
 public:
    explicit QuotientNml(std::int64_t rows) : rows_(rows) {}
    double cell(std::int64_t count, double) const override { return n_log_n(count); }
    double set_constant(double cells) const override {
        const std::lock_guard lock(mutex_);
        const auto [entry, is_new] = known_.try_emplace(cells, 0);
        if (is_new) entry->second = -log_multinomial_normaliser(cells, rows_);
        return entry->second;
    }
    double most_cells() const override { return most_normalised_values; }

 private:
    std::int64_t rows_;
    mutable std::mutex mutex_;
    mutable std::map<double, double> known_;
};

class FactorisedNml final : public CountedScore {
 public:
    double cell(std::int64_t count, double) const override { return n_log_n(count); }
    bool has_parent_term() const override { return true; }
    double parent_cell(int child_arity, std::int64_t count) const override {
        return log_multinomial_normaliser(child_arity, count);
    }
};

const ScoreRegistry qnml({"qnml", "quotient normalised maximum likelihood",
                          "Silander, Leppa-aho, Jaasaari & Roos 2018"},
                         {.make = [](std::int64_t rows, const Parameters&) {
                             return std::make_unique<QuotientNml>(rows);
                         }});
const ScoreRegistry fnml({"fnml", "factorised normalised maximum likelihood",
                          "Silander, Roos, Kontkanen & Myllymaki 2008"},
                         {.make = [](std::int64_t, const Parameters&) {
                             return std::make_unique<FactorisedNml>();
                         }});

}  // namespace
}  // namespace anytimebn
