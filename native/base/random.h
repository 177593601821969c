// Random numbers that are the same with every standard library: std::shuffle and the distributions
// are not.
#pragma once

#include <bit>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace anytimebn {

class Random {
 public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    std::uint32_t below(std::size_t bound) {
        return static_cast<std::uint32_t>((engine_() >> 32) * bound >> 32);
    }

    double fraction() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    template <class T>
    void shuffle(std::vector<T>& values) {
        for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
    }

    // About -log2 of a uniform number: leading zeros, and a straight line in between.
    double exponential() {
        const std::uint64_t uniform = engine_() | 1;
        const int zeros = std::countl_zero(uniform);
        const std::uint64_t below_power = ~(uniform << zeros) >> 32;  // of two, in 2^-31
        return zeros + static_cast<double>(below_power) / 2147483648.0;
    }

 private:
    std::mt19937_64 engine_;
};

}  // namespace anytimebn
