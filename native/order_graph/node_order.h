// In which order open nodes come: by g + weight * h, both with the cheapest costs that regrets
// leave out: the weighted f of the paper.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "base/fixed_point.h"
#include "base/variable_set.h"
#include "problem/component.h"

namespace anytimebn {

template <std::size_t Words>
class NodeOrder {
 public:
    using Set = VariableSet<Words>;

    NodeOrder(const Component& component, Cost root_f)
        : variables_(component.size()), root_f_(root_f), lowest_sums_(Words * 8 * 256, 0) {
        for (std::size_t v = 0; v < variables_; ++v) {
            total_lowest_ += component.lowest_cost(v);
            for (std::size_t byte = 0; byte < 256; ++byte)
                if (byte >> (v % 8) & 1)
                    lowest_sums_[v / 8 * 256 + byte] += component.lowest_cost(v);
        }
    }

    double weight() const { return weight_; }
    // Keys get steps of f so fine that the highest still has one.
    void set_weight(double weight, Cost incumbent) {
        weight_ = weight;
        const Cost highest = incumbent < infinite_cost ? incumbent : root_f_ + (Cost{1} << 32);
        const auto extra = static_cast<Cost>(
            (weight_ - 1) * static_cast<double>(std::abs(total_lowest_) + highest));
        key_shift_ = 0;
        while ((highest - root_f_ + extra) >> key_shift_ >= (Cost{1} << 31)) ++key_shift_;
    }

    // 32 bits of (weighted) f above the root's, in steps fine enough for an order. What is left to
    // place counts once more with the weight.
    std::uint32_t key(Cost f, Cost remaining = 0) const {
        Cost above = f - root_f_;
        if (weight_ > 1) above += static_cast<Cost>((weight_ - 1) * static_cast<double>(remaining));
        return static_cast<std::uint32_t>(
            std::clamp<Cost>(above >> key_shift_, 0, std::numeric_limits<std::uint32_t>::max()));
    }
    std::uint32_t key(const Set& set, Cost cost, Cost h) const {
        return key(cost + h, weight_ > 1 ? h + total_lowest_ - lowest_of(set) : 0);
    }

 private:
    Cost lowest_of(const Set& set) const {
        Cost sum = 0;
        for (std::size_t b = 0; b * 8 < variables_; ++b)
            sum += lowest_sums_[b * 256 + (set.words[b / 8] >> (b % 8 * 8) & 255)];
        return sum;
    }

    const std::size_t variables_;
    const Cost root_f_;
    Cost total_lowest_ = 0;
    std::vector<Cost> lowest_sums_;  // of a set's variables, a byte of the set at a time
    double weight_ = 1;
    unsigned key_shift_ = 0;
};

}  // namespace anytimebn
