// Dynamic pattern databases (Yuan & Malone 2012): the exact regret of every small pattern of
// variables that come last, kept only where it beats the sum of its parts. For a set of remaining
// variables, disjoint patterns inside it are added up, those of largest gain first. The bound is
// admissible, but not consistent: another set may be covered by other patterns.
#include <algorithm>
#include <map>

#include "heuristics/heuristic.h"

namespace anytimebn {
namespace {

using Pattern = std::vector<std::uint32_t>;  // ascending

struct Gain {
    Cost regret;
    Pattern members;
};

class DynamicPatternDatabase final : public Heuristic {
 public:
    DynamicPatternDatabase(std::size_t variables, std::vector<Gain> gains)
        : words_((variables + 63) / 64) {
        std::stable_sort(gains.begin(), gains.end(),
                         [](const Gain& a, const Gain& b) { return a.regret > b.regret; });
        masks_.assign(gains.size() * words_, 0);
        for (std::size_t i = 0; i < gains.size(); ++i) {
            regrets_.push_back(gains[i].regret);
            for (const std::uint32_t v : gains[i].members)
                masks_[i * words_ + v / 64] |= std::uint64_t{1} << (v % 64);
        }
    }

    void evaluate(const std::uint64_t* sets, std::size_t count, Cost* values) const override {
        for (std::size_t s = 0; s < count; ++s)
            values[s] = words_ == 1 ? narrow(sets[s]) : wide(sets + s * words_);
    }

    std::uint64_t memory_bytes() const override { return (masks_.size() + regrets_.size()) * 8; }

 private:
    Cost narrow(std::uint64_t covered) const {
        Cost sum = 0;
        for (std::size_t i = 0; i < regrets_.size(); ++i)
            if ((masks_[i] & covered) == 0) {
                sum += regrets_[i];
                covered |= masks_[i];
            }
        return sum;
    }
    Cost wide(const std::uint64_t* placed) const {
        std::vector<std::uint64_t> covered(placed, placed + words_);
        Cost sum = 0;
        for (std::size_t i = 0; i < regrets_.size(); ++i) {
            std::uint64_t overlap = 0;
            for (std::size_t w = 0; w < words_; ++w) overlap |= masks_[i * words_ + w] & covered[w];
            if (overlap != 0) continue;
            sum += regrets_[i];
            for (std::size_t w = 0; w < words_; ++w) covered[w] |= masks_[i * words_ + w];
        }
        return sum;
    }

    std::size_t words_;
    std::vector<std::uint64_t> masks_;
    std::vector<Cost> regrets_;
};

// Exact regrets of all patterns up to size k, layer by layer backwards from the full set.
class PatternBuilder {
 public:
    explicit PatternBuilder(SearchContext& context)
        : context_(context),
          stopped_(context),
          n_(static_cast<std::uint32_t>(context.component.size())),
          placed_(context.component.best.words(), 0) {
        for (std::uint32_t v = 0; v < n_; ++v) placed_[v / 64] |= std::uint64_t{1} << (v % 64);
    }

    // False when it was stopped.
    bool build(std::size_t k) {
        exact_[{}] = 0;
        Pattern pattern;
        for (std::size_t size = 1; size <= std::min<std::size_t>(k, n_); ++size)
            if (!enumerate(pattern, 0, size)) return false;
        return true;
    }
    std::vector<Gain> gains;

 private:
    bool enumerate(Pattern& pattern, std::uint32_t next, std::size_t left) {
        if (left == 0) {
            solve(pattern);
            // A map entry with its pattern takes about this much.
            constexpr std::uint64_t entry_bytes = 128;
            const std::uint64_t bytes = (exact_.size() + covered_.size()) * entry_bytes;
            return context_.budget.allow_memory(bytes) && !stopped_();
        }
        for (std::uint32_t v = next; v + left <= n_; ++v) {
            pattern.push_back(v);
            placed_[v / 64] &= ~(std::uint64_t{1} << (v % 64));
            const bool ok = enumerate(pattern, v + 1, left - 1);
            placed_[v / 64] |= std::uint64_t{1} << (v % 64);
            pattern.pop_back();
            if (!ok) return false;
        }
        return true;
    }

    // exact(R) = min over the x in R that is placed first of best(x, V \ R) + exact(R \ x)
    void solve(const Pattern& pattern) {
        const Component& component = context_.component;
        Cost lowest = infinite_cost;
        for (std::size_t i = 0; i < pattern.size(); ++i) {
            const std::uint32_t set = component.best.find(pattern[i], placed_.data());
            if (set == BestParents::none) continue;
            Pattern rest = pattern;
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
            lowest = std::min(lowest, component.sets.cost(component.sets.first(pattern[i]) + set) +
                                          value_of(exact_, rest));
        }
        lowest = std::min(lowest, infinite_cost / 1'000'000);  // sums of many must not overflow
        // The best that disjoint smaller patterns inside this one give.
        Cost parts = 0;
        const std::size_t all = (std::size_t{1} << pattern.size()) - 1;
        for (std::size_t some = (all - 1) & all; some > 0; some = (some - 1) & all) {
            Pattern one, other;
            for (std::size_t i = 0; i < pattern.size(); ++i)
                (some >> i & 1 ? one : other).push_back(pattern[i]);
            parts = std::max(parts, value_of(covered_, one) + value_of(covered_, other));
        }
        if (lowest > 0) exact_[pattern] = lowest;
        if (lowest > parts) gains.push_back({lowest, pattern});
        if (const Cost best = std::max(lowest, parts); best > 0) covered_[pattern] = best;
    }

    static Cost value_of(const std::map<Pattern, Cost>& known, const Pattern& pattern) {
        const auto found = known.find(pattern);
        return found == known.end() ? 0 : found->second;
    }

    SearchContext& context_;
    BuildingStopped stopped_;
    std::uint32_t n_;
    std::vector<std::uint64_t> placed_;
    std::map<Pattern, Cost> exact_, covered_;  // those above 0
};

std::unique_ptr<Heuristic> make_dynamic_pd(SearchContext& context) {
    PatternBuilder builder(context);
    if (!builder.build(static_cast<std::size_t>(heuristic_parameter(context, "dynamic-pd", "k"))))
        return nullptr;
    auto heuristic = std::make_unique<DynamicPatternDatabase>(context.component.size(),
                                                              std::move(builder.gains));
    if (!context.budget.allow_memory(heuristic->memory_bytes())) return nullptr;
    return heuristic;
}

const HeuristicRegistry dynamic_pd({"dynamic-pd",
                                    "small patterns solved exactly, disjoint ones added greedily",
                                    "Yuan & Malone 2012"},
                                   {.make = make_dynamic_pd,
                                    .consistent = false,
                                    .parameters = {{"k", 3, 1, 6, "largest pattern"}}});

}  // namespace
}  // namespace anytimebn
