// Included by one translation unit an instruction set, inside its own unnamed namespace. It uses
// nothing of the standard library: see scores/kernels_impl.h.

// 2^exponent for whole exponents up to 0; of those below -1022, which tell nothing beside 1, that
// of -1022. In a double of this size the last binary digit is worth one.
inline double power_of_two(double exponent) {
    const double kept = exponent < -1022 ? -1022 : exponent;
    const double shifted = kept + (0x1p52 + 1023);
    return __builtin_bit_cast(double, __builtin_bit_cast(std::uint64_t, shifted) << 52);
}

void add_wide(double* mantissas, double* exponents, const double* other_mantissas,
              const double* other_exponents, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const double one = exponents[i], other = other_exponents[i];
        const double larger = one > other ? one : other;
        mantissas[i] = mantissas[i] * power_of_two(one - larger) +
                       other_mantissas[i] * power_of_two(other - larger);
        exponents[i] = larger;
    }
}
