// The tables of one group of variables on adjusted costs: best[i][A], the cheapest parents of
// member i when A of the group (and everything outside) is placed; rest[A], the cheapest way to
// place the others. With floats for the ascent, with doubles that hold whole units for bounds.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "clusters/cluster_bound.h"
#include "clusters/table_kernels.h"

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
constexpr Value unreachable = static_cast<Value>(never);

template <class Value>
class GroupTables {
 public:
    GroupTables(const MaskedSets& sets, std::uint64_t group, Checkpoint checkpoint = {})
        : group_(group) {
        for (std::uint64_t left = group; left != 0; left &= left - 1)
            variables_.push_back(static_cast<std::uint32_t>(std::countr_zero(left)));
        patterns_ = std::size_t{1} << variables_.size();
        best_.resize(variables_.size() * patterns_);
        rest_.resize(patterns_);
        inside_.resize(variables_.size());
        for (std::size_t i = 0; i < variables_.size(); ++i) {
            inside_[i].reserve(sets.of[variables_[i]].size());
            for (const auto& set : sets.of[variables_[i]]) {
                inside_[i].push_back(compress(set.members, group));
                checkpoint();
            }
        }
    }

    std::uint64_t group() const { return group_; }
    const std::vector<std::uint32_t>& variables() const { return variables_; }
    std::size_t patterns() const { return patterns_; }
    const Value* best(std::size_t i) const { return best_.data() + i * patterns_; }
    const std::vector<Value>& rest() const { return rest_; }
    const std::vector<std::uint32_t>& inside(std::size_t i) const { return inside_[i]; }

    // costs[j]: adjusted cost of the j-th set of member i.
    void compute_best(std::size_t i, const std::vector<Value>& costs) {
        Value* const table = best_.data() + i * patterns_;
        std::fill(table, table + patterns_, unreachable<Value>);
        for (std::size_t j = 0; j < costs.size(); ++j)
            table[inside_[i][j]] = std::min(table[inside_[i][j]], costs[j]);
        kernels_.min_over_subsets(table, patterns_);
    }
    // After the best of every member.
    void compute_rest() {
        kernels_.place_rest(best_.data(), variables_.size(), unreachable<Value>, rest_.data());
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
    TableKernels<Value> kernels_ = table_kernels<Value>();
};

}  // namespace anytimebn
