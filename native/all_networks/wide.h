// Numbers that are never negative, of any size: mantissa * 2^exponent, each a double. Weights of
// networks of a large table differ by far more than one double can tell; the logarithms would do,
// but adding them takes a logarithm and an exponential each time. Here it takes a few plain
// instructions, which work on four numbers at a time where the processor can.
//
// Exponents are whole. Mantissas need not be normalised: a sum has the larger exponent of its two
// parts, so that its mantissa is at most as large as the number of what was added, times 2.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/untouched.h"

namespace anytimebn {

// Of zero: below that of any weight, and far from what a float cannot hold.
constexpr double zero_exponent = -0x1p30;

struct Wide {
    double mantissa = 0, exponent = zero_exponent;

    static Wide of_logarithm(double nats) {
        constexpr double bits_per_nat = 1.4426950408889634;
        if (!(nats > -0x1p29)) return {};  // weights that far below others are as good as none
        const double exponent = std::floor(nats * bits_per_nat);
        // ln 2 in two parts, the first with few enough digits that its product is exact.
        const double high = 0x1.62e42fefap-1, low = 0x1.cf79abc9e3b3ap-40;
        return {std::exp((nats - exponent * high) - exponent * low), exponent};
    }
    double logarithm() const { return std::log(mantissa) + exponent * 0.6931471805599453; }

    // The same number, with another exponent that is not below it by more than a little.
    double mantissa_at(double other) const {
        const double below = exponent - other;
        if (below < -1022) return 0;
        const auto bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(below) + 1023) << 52;
        return mantissa * std::bit_cast<double>(bits);
    }

    void normalise() {
        if (mantissa == 0) return;
        int own = 0;
        mantissa = std::frexp(mantissa, &own);
        exponent += own;
    }
};

// Numbers in a row, as two rows.
struct WideArray {
    UntouchedVector<double> mantissas, exponents;

    void resize(std::size_t count) {
        mantissas.resize(count);
        exponents.resize(count);
    }
    void set(std::size_t i, Wide value) {
        mantissas[i] = value.mantissa;
        exponents[i] = value.exponent;
    }
    Wide at(std::size_t i) const { return {mantissas[i], exponents[i]}; }
};

}  // namespace anytimebn
