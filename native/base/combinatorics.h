// Binomial coefficients, and the rank of a k-subset among all k-subsets of its size in
// colexicographic order: rank{e0 < e1 < ...} = C(e0, 1) + C(e1, 2) + ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace anytimebn {

class Binomials {
 public:
    Binomials(std::size_t max_n, std::size_t max_k)
        : width_(max_k + 1), table_((max_n + 1) * width_) {
        constexpr std::uint64_t saturated = std::numeric_limits<std::uint64_t>::max() / 4;
        for (std::size_t n = 0; n <= max_n; ++n) {
            at(n, 0) = 1;
            for (std::size_t k = 1; k <= max_k; ++k) {
                const std::uint64_t sum = n == 0 ? 0 : at(n - 1, k - 1) + at(n - 1, k);
                at(n, k) = sum < saturated ? sum : saturated;
            }
        }
    }
    std::uint64_t operator()(std::size_t n, std::size_t k) const { return table_[n * width_ + k]; }

 private:
    std::uint64_t& at(std::size_t n, std::size_t k) { return table_[n * width_ + k]; }
    std::size_t width_;
    std::vector<std::uint64_t> table_;
};

}  // namespace anytimebn
