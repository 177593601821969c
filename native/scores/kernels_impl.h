// Included by one translation unit an instruction set, inside its own unnamed namespace, with
// `popcount` and `extract_bits` defined. It uses nothing of the standard library: a template
// instantiated here with AVX2 enabled could otherwise replace the portable one at link time.

inline std::uint32_t ones(const std::uint64_t* a, std::uint32_t first, std::uint32_t last) {
    std::uint32_t sum = 0;
    for (std::uint32_t w = first; w < last; ++w) sum += popcount(a[w]);
    return sum;
}

inline std::uint32_t ones_of_both(const std::uint64_t* a, const std::uint64_t* b,
                                  std::uint32_t first, std::uint32_t last) {
    std::uint32_t sum = 0;
    for (std::uint32_t w = first; w < last; ++w) sum += popcount(a[w] & b[w]);
    return sum;
}

struct PlainClasses {
    const Classes& classes;
    std::uint32_t ones_in(std::size_t j, const std::uint64_t* a) const {
        return ones(a, classes.word_begin[j], classes.word_begin[j + 1]);
    }
    std::uint32_t ones_of_both_in(std::size_t j, const std::uint64_t* a,
                                  const std::uint64_t* b) const {
        return ones_of_both(a, b, classes.word_begin[j], classes.word_begin[j + 1]);
    }
};

struct WeightedClasses {
    const Classes& classes;
    std::uint32_t ones_in(std::size_t j, const std::uint64_t* a) const {
        std::uint32_t sum = 0;
        for (std::uint32_t p = classes.part_begin[j]; p < classes.part_begin[j + 1]; ++p)
            sum += ones(a, classes.word_begin[p], classes.word_begin[p + 1]) << classes.digit[p];
        return sum;
    }
    std::uint32_t ones_of_both_in(std::size_t j, const std::uint64_t* a,
                                  const std::uint64_t* b) const {
        std::uint32_t sum = 0;
        for (std::uint32_t p = classes.part_begin[j]; p < classes.part_begin[j + 1]; ++p)
            sum += ones_of_both(a, b, classes.word_begin[p], classes.word_begin[p + 1])
                   << classes.digit[p];
        return sum;
    }
};

// Calls body with the classes as they are.
template <class Body>
inline auto with_classes(const Classes& classes, Body&& body) {
    return classes.part_begin == nullptr ? body(PlainClasses{classes})
                                         : body(WeightedClasses{classes});
}

void count(const std::uint64_t* column, Classes classes, std::uint32_t* counts) {
    with_classes(classes, [=](auto own) {
        for (std::size_t j = 0; j < classes.count; ++j) counts[j] = own.ones_in(j, column);
    });
}

void count_both(const std::uint64_t* a, const std::uint64_t* b, Classes classes,
                std::uint32_t* counts) {
    with_classes(classes, [=](auto own) {
        for (std::size_t j = 0; j < classes.count; ++j) counts[j] = own.ones_of_both_in(j, a, b);
    });
}

std::int64_t sum_pair(const std::uint64_t* a, const std::uint64_t* b, Classes classes,
                      const std::uint32_t* a_counts, const std::uint32_t* b_counts,
                      const std::int64_t* value, std::uint32_t* both_counts) {
    return with_classes(classes, [=](auto own) {
        std::int64_t sum = 0;
        for (std::size_t j = 0; j < classes.count; ++j) {
            const std::uint32_t both = own.ones_of_both_in(j, a, b);
            both_counts[j] = both;
            const std::uint32_t only_a = a_counts[j] - both;
            sum += value[both] + value[only_a] + value[b_counts[j] - both] +
                   value[classes.rows[j] - b_counts[j] - only_a];
        }
        return sum;
    });
}

std::int64_t sum_triple(const std::uint64_t* ab, const std::uint64_t* c, Classes classes,
                        const std::uint32_t* const cells_ab[4], const std::uint32_t* ac,
                        const std::uint32_t* bc, const std::uint32_t* c_counts,
                        const std::int64_t* value) {
    const std::uint32_t *both = cells_ab[0], *only_a = cells_ab[1], *only_b = cells_ab[2],
                        *neither = cells_ab[3];
    return with_classes(classes, [=](auto own) {
        std::int64_t sum = 0, more = 0;
        for (std::size_t j = 0; j < classes.count; ++j) {
            const std::uint32_t all = own.ones_of_both_in(j, ab, c);
            const std::uint32_t a_c = ac[j] - all, b_c = bc[j] - all;
            const std::uint32_t just_c = c_counts[j] - ac[j] - b_c;
            sum += value[all] + value[both[j] - all] + value[a_c] + value[only_a[j] - a_c];
            more +=
                value[b_c] + value[only_b[j] - b_c] + value[just_c] + value[neither[j] - just_c];
        }
        return sum + more;
    });
}

void extract(const Segment* segments, std::size_t segment_count, const std::uint64_t* masks,
             std::size_t mask_stride, const std::uint64_t* source, std::uint64_t* target) {
    for (std::size_t s = 0; s < segment_count; ++s) {
        const Segment& segment = segments[s];
        const std::uint64_t* mask = masks + segment.mask * mask_stride;
        std::uint64_t* out = target + segment.target_word;
        std::uint64_t pending = 0;
        unsigned filled = 0;
        // Without branches: where a word fills up depends on the data and cannot be predicted.
        for (std::uint32_t w = segment.first_word; w < segment.last_word; ++w) {
            const std::uint64_t bits = extract_bits(source[w], mask[w]);
            pending |= bits << filled;
            *out = pending;
            const unsigned now_filled = filled + popcount(mask[w]);
            const unsigned carry = now_filled >> 6;
            const std::uint64_t left_over = (bits >> 1) >> (63 - filled);
            pending = carry ? left_over : pending;
            out += carry;
            filled = now_filled & 63;
        }
        if (filled) *out = pending;
    }
}

std::size_t prune(const PruneRun& run, std::uint32_t* kept) {
    const double units_per_nat = 1e6;
    const double rounder = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer
    const double minus_infinity = -HUGE_VAL;
    const std::size_t length = run.length;
    double* const best = run.best;
    double* const cost = run.cost;

    for (std::size_t i = 0; i < length; ++i) best[i] = run.without_lowest;
    for (std::size_t s = 0; s < run.subset_count; ++s) {
        const double* const subset = run.subset_best[s];
        for (std::size_t i = 0; i < length; ++i)
            best[i] = subset[i] < best[i] ? subset[i] : best[i];
    }

    if (run.parents_step == nullptr)
        for (std::size_t i = 0; i < length; ++i) cost[i] = run.parents_value[i];
    else
        for (std::size_t i = 0; i < length; ++i) cost[i] = run.parents_value[run.parents_step[i]];
    if (run.family_step == nullptr)
        for (std::size_t i = 0; i < length; ++i) cost[i] -= run.family_value[i];
    else
        for (std::size_t i = 0; i < length; ++i) cost[i] -= run.family_value[run.family_step[i]];
    if (run.parent_term != nullptr) {
        if (run.parents_step == nullptr)
            for (std::size_t i = 0; i < length; ++i) cost[i] += run.parent_term[i];
        else
            for (std::size_t i = 0; i < length; ++i)
                cost[i] += run.parent_term[run.parents_step[i]];
    }

    std::size_t kept_count = 0;
    for (std::size_t i = 0; i < length; ++i) {
        const double penalty = run.penalty_factor * run.penalties[i];
        cost[i] += penalty;
        const double units = (cost[i] * units_per_nat + rounder) - rounder;
        kept[kept_count] = static_cast<std::uint32_t>(i);
        kept_count += units < best[i] + run.slack;
        const double lowest = units < best[i] ? units : best[i];
        // The likelihood part is never negative, so a superset costs at least its penalty, which is
        // at least this one: once that alone is no better than what is known, no superset is kept.
        const double penalty_units = (penalty * units_per_nat + rounder) - rounder;
        best[i] =
            run.penalty_factor > 0 && penalty_units >= lowest + run.slack ? minus_infinity : lowest;
    }
    return kept_count;
}

void count_masks(const std::uint64_t* column, const std::uint64_t* masks, std::size_t mask_count,
                 std::size_t words, std::uint32_t* counts) {
    for (std::size_t j = 0; j < mask_count; ++j)
        counts[j] = ones_of_both(column, masks + j * words, 0, static_cast<std::uint32_t>(words));
}
