// Included by one translation unit an instruction set, with `Block` (256 bits) and its operations
// load, join and first_zero defined.

std::uint32_t find(const BestParents& best, std::size_t child_number,
                   const std::uint64_t* candidates) {
    const BestParents::Child& child = best.child(child_number);
    const std::uint32_t* const parents = best.parents(child);
    const auto is_missing = [&](std::uint32_t p) {
        return !(candidates[parents[p] >> 6] >> (parents[p] & 63) & 1);
    };
    // The columns that count are the same in every block; children with very many possible parents
    // have few blocks and look again.
    std::uint32_t missing[max_listed_parents];
    std::uint32_t missing_count = 0;
    const bool listed = child.parent_count <= max_listed_parents;
    for (std::uint32_t p = 0; listed && p < child.parent_count; ++p) {
        missing[missing_count] = p;
        missing_count += is_missing(p);
    }
    for (std::uint32_t b = 0; b < child.block_count; ++b) {
        const std::uint64_t* const columns = best.block(child, b);
        // The column after the last marks the numbers beyond the last set.
        Block taken = load(columns + child.parent_count * BestParents::block_words);
        for (std::uint32_t i = 0; i < missing_count; ++i)
            taken = join(taken, load(columns + missing[i] * BestParents::block_words));
        for (std::uint32_t p = 0; !listed && p < child.parent_count; ++p)
            if (is_missing(p)) taken = join(taken, load(columns + p * BestParents::block_words));
        const std::uint32_t position = first_zero(taken);
        if (position < 256) return b * 256 + position;
    }
    return BestParents::none;
}
