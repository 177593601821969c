// A set of variables as bits, of a width known at compile time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace anytimebn {

template <std::size_t Words>
struct VariableSet {
    std::uint64_t words[Words] = {};

    bool contains(std::size_t v) const { return words[v / 64] >> (v % 64) & 1; }
    void insert(std::size_t v) { words[v / 64] |= std::uint64_t{1} << (v % 64); }

    bool is_subset_of(const VariableSet& other) const {
        std::uint64_t outside = 0;
        for (std::size_t w = 0; w < Words; ++w) outside |= words[w] & ~other.words[w];
        return outside == 0;
    }
    std::size_t size() const {
        std::size_t sum = 0;
        for (const std::uint64_t word : words) sum += static_cast<std::size_t>(std::popcount(word));
        return sum;
    }
    bool operator==(const VariableSet&) const = default;

    std::uint64_t hash() const {
        std::uint64_t mixed = 0;
        for (const std::uint64_t word : words) {
            mixed = (mixed ^ word) * 0x9e3779b97f4a7c15u;
            mixed ^= mixed >> 32;
            mixed *= 0xd6e8feb86659fd93u;
            mixed ^= mixed >> 29;
        }
        return mixed;
    }

    // The variables 0 .. count-1.
    static VariableSet all(std::size_t count) {
        VariableSet set;
        for (std::size_t v = 0; v < count; ++v) set.insert(v);
        return set;
    }
};

// Calls body(v) for the variables below `count` that are not in the set, ascending.
template <std::size_t Words, class Body>
void for_each_missing(const VariableSet<Words>& set, std::size_t count, Body&& body) {
    for (std::size_t w = 0; w * 64 < count; ++w) {
        std::uint64_t missing = ~set.words[w];
        if (count - w * 64 < 64) missing &= (std::uint64_t{1} << (count - w * 64)) - 1;
        for (; missing != 0; missing &= missing - 1)
            body(w * 64 + static_cast<std::size_t>(std::countr_zero(missing)));
    }
}

}  // namespace anytimebn
