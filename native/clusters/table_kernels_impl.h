// Included by one translation unit an instruction set, inside its own unnamed namespace; plain
// loops of fixed length, which compilers turn into vector code. Nothing of the standard library
// (see scores/kernels_impl.h).

constexpr std::size_t lanes = 8;

template <class Value>
inline Value smaller(Value a, Value b) {
    return a < b ? a : b;
}

void discount(const std::uint32_t* __restrict low, const std::uint32_t* __restrict high,
              std::size_t count, std::uint32_t cluster_low, std::uint32_t cluster_high,
              float multiplier, float* __restrict costs) {
    // The multiplier or 0 by masking its bits: a conditional would not become vector code.
    const auto bits = __builtin_bit_cast(std::uint32_t, multiplier);
    for (std::size_t j = 0; j < count; ++j) {
        const std::uint32_t met = (low[j] & cluster_low) | (high[j] & cluster_high);
        const std::uint32_t mask = met == 0 ? ~0u : 0u;
        costs[j] -= __builtin_bit_cast(float, bits& mask);
    }
}

template <class Value>
void min_over_subsets(Value* table, std::size_t patterns) {
    if (patterns < lanes) {
        for (std::size_t half = 1; half < patterns; half *= 2)
            for (std::size_t a = 0; a < patterns; ++a)
                if (a & half) table[a] = smaller(table[a], table[a ^ half]);
        return;
    }
    for (std::size_t begin = 0; begin < patterns; begin += lanes) {
        Value* const t = table + begin;
        t[1] = smaller(t[1], t[0]), t[3] = smaller(t[3], t[2]);
        t[5] = smaller(t[5], t[4]), t[7] = smaller(t[7], t[6]);
        t[2] = smaller(t[2], t[0]), t[3] = smaller(t[3], t[1]);
        t[6] = smaller(t[6], t[4]), t[7] = smaller(t[7], t[5]);
        t[4] = smaller(t[4], t[0]), t[5] = smaller(t[5], t[1]);
        t[6] = smaller(t[6], t[2]), t[7] = smaller(t[7], t[3]);
    }
    // Two bits at a time: half the passes over memory.
    std::size_t half = lanes;
    for (; half * 4 <= patterns; half *= 4)
        for (std::size_t begin = 0; begin < patterns; begin += 4 * half) {
            Value* __restrict const t0 = table + begin;
            Value* __restrict const t1 = t0 + half;
            Value* __restrict const t2 = t1 + half;
            Value* __restrict const t3 = t2 + half;
            for (std::size_t a = 0; a < half; ++a) {
                const Value none = t0[a], first = smaller(t1[a], none),
                            second = smaller(t2[a], none);
                t1[a] = first;
                t2[a] = second;
                t3[a] = smaller(smaller(t3[a], first), second);
            }
        }
    for (; half < patterns; half *= 2)
        for (std::size_t begin = 0; begin < patterns; begin += 2 * half) {
            const Value* __restrict const without = table + begin;
            Value* __restrict const with = table + begin + half;
            for (std::size_t a = 0; a < half; ++a) with[a] = smaller(with[a], without[a]);
        }
}

template <class Value>
void place_rest(const Value* best, std::size_t members, Value never, Value* rest) {
    const std::size_t patterns = std::size_t{1} << members;
    if (patterns < lanes) {
        rest[patterns - 1] = 0;
        for (std::size_t placed = patterns - 1; placed-- > 0;) {
            Value lowest = never;
            for (std::size_t i = 0; i < members; ++i)
                if (!(placed >> i & 1))
                    lowest = smaller(
                        lowest, best[i * patterns + placed] + rest[placed | std::size_t{1} << i]);
            rest[placed] = lowest;
        }
        return;
    }
    // Blocks of eight patterns: the members above the lowest three by vectors, these three one by
    // one.
    for (std::size_t begin = patterns; begin > 0;) {
        begin -= lanes;
        Value block[lanes];
        for (std::size_t l = 0; l < lanes; ++l) block[l] = never;
        if (begin + lanes == patterns) block[lanes - 1] = 0;
        for (std::size_t open = (patterns - 1) & ~begin & ~(lanes - 1); open != 0;
             open &= open - 1) {
            const std::size_t bit = open & -open;
            const Value* const own =
                best + static_cast<std::size_t>(__builtin_ctzll(bit)) * patterns + begin;
            const Value* const later = rest + begin + bit;
            for (std::size_t l = 0; l < lanes; ++l) block[l] = smaller(block[l], own[l] + later[l]);
        }
        const Value* const b0 = best + begin;
        const Value* const b1 = b0 + patterns;
        const Value* const b2 = b1 + patterns;
        block[6] = smaller(block[6], b0[6] + block[7]);
        block[5] = smaller(block[5], b1[5] + block[7]);
        block[3] = smaller(block[3], b2[3] + block[7]);
        block[4] = smaller(block[4], smaller(b0[4] + block[5], b1[4] + block[6]));
        block[2] = smaller(block[2], smaller(b0[2] + block[3], b2[2] + block[6]));
        block[1] = smaller(block[1], smaller(b1[1] + block[3], b2[1] + block[5]));
        block[0] = smaller(smaller(block[0], b0[0] + block[1]),
                           smaller(b1[0] + block[2], b2[0] + block[4]));
        for (std::size_t l = 0; l < lanes; ++l) rest[begin + l] = block[l];
    }
}
