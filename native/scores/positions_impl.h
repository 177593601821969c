// Included after kernels_impl.h in the same way, with `Block`, its operations and `add_planes`
// defined. A positional population count: for every bit of a row, in how many rows it is set. Rows
// are added as binary numbers with their digits in bit planes, eight rows at a time by carry-save
// adders (Harley & Seal; Klarqvist, Mula & Lemire 2019).

constexpr std::size_t words_of_a_lane = bits_of_a_lane / 64;
constexpr std::size_t most_in_planes = 248;  // a multiple of 8 that 8 binary digits hold
constexpr int most_digits = 8;
constexpr std::size_t ahead = 24;  // rows from here that memory is asked for: they lie anywhere

inline void full_adder(Block& carry, Block& sum, Block a, Block b) {
    const Block half = one_of(sum, a);
    carry = either(both(sum, a), both(half, b));
    sum = one_of(half, b);
}

inline void half_adder(Block& carry, Block& sum) {
    const Block next = both(sum, carry);
    sum = one_of(sum, carry);
    carry = next;
}

inline void add_carry(Block* planes, int digit, Block carry) {
    for (; digit < most_digits && !is_empty(carry); ++digit) {
        const Block next = both(planes[digit], carry);
        planes[digit] = one_of(planes[digit], carry);
        carry = next;
    }
}

void count_positions(const BitBlock* bits, std::size_t blocks, const std::uint32_t* rows,
                     std::size_t row_count, std::uint32_t* counts) {
    const std::size_t stride = blocks * (bits_of_a_block / 64);
    for (std::size_t b = 0; b < blocks * bits_of_a_block; ++b) counts[b] = 0;
    for (std::size_t begin = 0; begin < row_count; begin += most_in_planes) {
        const std::size_t end =
            row_count - begin < most_in_planes ? row_count : begin + most_in_planes;
        int digits = 0;
        while ((end - begin) >> digits != 0) ++digits;
        // All of a row while it is in the first-level cache.
        for (std::size_t lane = 0; lane * words_of_a_lane < stride; ++lane) {
            const std::uint64_t* const first = bits->words + lane * words_of_a_lane;
            Block planes[most_digits] = {};
            std::size_t i = begin;
            const auto row = [&](std::size_t k) { return load(first + rows[i + k] * stride); };
            for (; i + 8 <= end; i += 8) {
                Block twos_a, twos_b, fours_a, fours_b, eights;
                if (i + ahead + 8 <= end)
                    for (std::size_t k = ahead; k < ahead + 8; ++k)
                        __builtin_prefetch(first + rows[i + k] * stride);
                full_adder(twos_a, planes[0], row(0), row(1));
                full_adder(twos_b, planes[0], row(2), row(3));
                full_adder(fours_a, planes[1], twos_a, twos_b);
                full_adder(twos_a, planes[0], row(4), row(5));
                full_adder(twos_b, planes[0], row(6), row(7));
                full_adder(fours_b, planes[1], twos_a, twos_b);
                full_adder(eights, planes[2], fours_a, fours_b);
                half_adder(eights, planes[3]);
                half_adder(eights, planes[4]);
                half_adder(eights, planes[5]);
                half_adder(eights, planes[6]);
                planes[7] = one_of(planes[7], eights);
            }
            for (; i < end; ++i) add_carry(planes, 0, row(0));
            add_planes(planes, digits, counts + lane * bits_of_a_lane);
        }
    }
}
