// The tables of one group of variables on adjusted costs: best[i][A], the cheapest parents of
// member i when A of the group (and everything outside) is placed; rest[A], the cheapest way to
// place the others. With floating point for the ascent, with whole units for bounds.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "clusters/float_kernels.h"
#include "clusters/relaxation.h"

namespace anytimebn {

// The bits of `set` that lie in `mask`, moved together.
inline std::uint32_t compress(std::uint64_t set, std::uint64_t mask) {
    std::uint32_t result = 0;
    for (std::uint64_t bits = set & mask; bits != 0; bits &= bits - 1) {
        const std::uint64_t lowest = bits & -bits;
        result |= 1u << std::popcount(mask & (lowest - 1));
    }
    return result;
}

template <class Value>
constexpr Value unreachable = static_cast<Value>(infinite_cost / 4096);  // can be added up
template <>
constexpr float unreachable<float> = 1e30f;

template <class Value>
class GroupTables {
 public:
    GroupTables(const MaskedSets& sets, std::uint64_t group) : group_(group) {
        for (std::uint64_t left = group; left != 0; left &= left - 1)
            variables_.push_back(static_cast<std::uint32_t>(std::countr_zero(left)));
        patterns_ = std::size_t{1} << variables_.size();
        best_.resize(variables_.size() * patterns_);
        rest_.resize(patterns_);
        inside_.resize(variables_.size());
        for (std::size_t i = 0; i < variables_.size(); ++i)
            for (const auto& set : sets.of[variables_[i]])
                inside_[i].push_back(compress(set.members, group));
    }

    std::uint64_t group() const { return group_; }
    const std::vector<std::uint32_t>& variables() const { return variables_; }
    std::size_t patterns() const { return patterns_; }
    const Value* best(std::size_t i) const { return best_.data() + i * patterns_; }
    const std::vector<Value>& rest() const { return rest_; }
    const std::vector<std::uint32_t>& inside(std::size_t i) const { return inside_[i]; }

    // costs[x][j]: adjusted cost of the j-th set of x.
    void compute(const std::vector<std::vector<Value>>& costs) {
        for (std::size_t i = 0; i < variables_.size(); ++i) {
            Value* const table = best_.data() + i * patterns_;
            std::fill(table, table + patterns_, unreachable<Value>);
            const auto& own = costs[variables_[i]];
            for (std::size_t j = 0; j < own.size(); ++j)
                table[inside_[i][j]] = std::min(table[inside_[i][j]], own[j]);
            if constexpr (std::is_same_v<Value, float>) {
                kernels_.min_over_subsets(table, patterns_);
                continue;
            }
            for (std::size_t half = 1; half < patterns_; half *= 2)
                for (std::size_t begin = 0; begin < patterns_; begin += 2 * half)
                    for (std::size_t a = begin; a < begin + half; ++a)
                        table[a + half] = std::min(table[a + half], table[a]);
        }
        if constexpr (std::is_same_v<Value, float>) {
            kernels_.place_rest(best_.data(), variables_.size(), rest_.data());
            return;
        }
        std::fill(rest_.begin(), rest_.end(), unreachable<Value>);
        rest_.back() = 0;
        const std::size_t k = variables_.size(), all = patterns_ - 1;
        for (std::size_t placed = all; placed-- > 0;) {
            Value lowest = unreachable<Value>;
            for (std::size_t i = 0; i < k; ++i)
                if (!(placed >> i & 1))
                    lowest = std::min(lowest, best_[i * patterns_ + placed] +
                                                  rest_[placed | std::size_t{1} << i]);
            rest_[placed] = lowest;
        }
    }

    // The cheapest way to place some of the group first, by what was placed.
    std::vector<Value> first() const {
        std::vector<Value> first(patterns_, unreachable<Value>);
        first[0] = 0;
        for (std::size_t placed = 0; placed < patterns_; ++placed) {
            first[placed] = std::min(first[placed], unreachable<Value>);
            for (std::size_t i = 0; i < variables_.size(); ++i)
                if (!(placed >> i & 1)) {
                    Value& next = first[placed | std::size_t{1} << i];
                    next = std::min(next, first[placed] + best_[i * patterns_ + placed]);
                }
        }
        return first;
    }

 private:
    std::uint64_t group_;
    std::vector<std::uint32_t> variables_;
    std::size_t patterns_;
    std::vector<Value> best_, rest_;
    std::vector<std::vector<std::uint32_t>> inside_;
    AscentKernels kernels_ = ascent_kernels();
};

}  // namespace anytimebn
