// Random numbers that are the same with every standard library.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace anytimebn {

class RandomNumbers {
 public:
    explicit RandomNumbers(std::uint64_t seed) : engine_(seed) {}

    std::uint32_t below(std::size_t bound) {
        return static_cast<std::uint32_t>((engine_() >> 32) * bound >> 32);
    }
    double fraction() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    template <class T>
    void shuffle(std::vector<T>& values) {
        for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
    }

 private:
    std::mt19937_64 engine_;
};

}  // namespace anytimebn
