// Included by one translation unit an instruction set, with `Block` (256 bits) and its operations
// load, join and first_zero, and `ones`, defined.

std::uint32_t find(const BestParents& best, std::size_t child_number,
                   const std::uint64_t* candidates, Cost limit) {
    const BestParents::Child& child = best.child(child_number);
    const std::uint64_t* const parents = best.parents(child);
    const std::size_t words = best.words();
    for (std::uint32_t b = 0; b < child.block_count; ++b) {
        if (best.block_cost(child, b) >= limit) return BestParents::none;
        const std::uint64_t* const columns = best.block(child, b);
        Block taken = load(columns + child.parent_count * BestParents::block_words);
        // Columns stand in the order of their variables; the rank of a variable is its column.
        const std::uint64_t* word_columns = columns;
        for (std::size_t w = 0; w < words; ++w) {
            const std::uint64_t occurring = parents[w];
            for (std::uint64_t missing = occurring & ~candidates[w]; missing != 0;
                 missing &= missing - 1) {
                const std::uint64_t below = occurring & ((missing & -missing) - 1);
                taken = join(taken, load(word_columns + ones(below) * BestParents::block_words));
            }
            word_columns += ones(occurring) * BestParents::block_words;
        }
        const std::uint32_t position = first_zero(taken);
        if (position < 256) {
            const std::uint32_t found = b * 256 + position;
            return best.cost(child_number, found) < limit ? found : BestParents::none;
        }
    }
    return BestParents::none;
}
