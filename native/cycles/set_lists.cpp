#include "cycles/set_lists.h"

#include <algorithm>

namespace anytimebn {

PossibleParents::PossibleParents(const ParentSets& sets) : first_parent_{0}, first_word_{0} {
    std::vector<std::uint32_t> own;
    for (std::size_t child = 0; child < sets.variables(); ++child) {
        own.clear();
        for (std::size_t s = sets.first(child); s < sets.first(child + 1); ++s)
            for (const std::int32_t member : sets.members(s))
                own.push_back(static_cast<std::uint32_t>(member));
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
        parents_.insert(parents_.end(), own.begin(), own.end());
        first_parent_.push_back(parents_.size());
        first_word_.push_back(first_word_.back() +
                              std::max<std::size_t>(1, (own.size() + 63) / 64));
    }
}

std::uint32_t PossibleParents::bit(std::size_t child, std::uint32_t parent) const {
    const auto own = of(child);
    const auto found = std::lower_bound(own.begin(), own.end(), parent);
    return found == own.end() || *found != parent ? none
                                                  : static_cast<std::uint32_t>(found - own.begin());
}

void PossibleParents::mark(std::size_t child, std::span<const std::uint32_t> variables,
                           std::uint64_t* words) const {
    for (const std::uint32_t v : variables)
        if (const std::uint32_t b = bit(child, v); b != none)
            words[b / 64] |= std::uint64_t{1} << (b % 64);
}

SetLists::SetLists(const ParentSets& sets, const PossibleParents& possible,
                   const std::vector<Cost>& costs, const std::vector<bool>& kept)
    : possible_(possible), first_{0} {
    std::vector<std::size_t> own;
    for (std::size_t child = 0; child < sets.variables(); ++child) {
        own.clear();
        for (std::size_t s = sets.first(child); s < sets.first(child + 1); ++s)
            if (kept[s]) own.push_back(s);
        std::stable_sort(own.begin(), own.end(),
                         [&](std::size_t a, std::size_t b) { return costs[a] < costs[b]; });
        first_mask_.push_back(masks_.size());
        for (const std::size_t s : own) {
            costs_.push_back(costs[s]);
            const std::size_t mask = masks_.size();
            masks_.resize(mask + possible.words(child), 0);
            for (const std::int32_t member : sets.members(s)) {
                const std::uint32_t b = possible.bit(child, static_cast<std::uint32_t>(member));
                masks_[mask + b / 64] |= std::uint64_t{1} << (b % 64);
            }
        }
        first_.push_back(costs_.size());
    }
}

std::uint32_t SetLists::find(std::size_t child, const std::uint64_t* forbidden,
                             const std::uint64_t* required, std::uint32_t from) const {
    const std::size_t words = possible_.words(child);
    const std::uint32_t end = count(child);
    const std::uint64_t* own = mask(child, from);
    if (words == 1) {
        for (std::uint32_t number = from; number < end; ++number, ++own)
            if (((*own & *forbidden) | (*required & ~*own)) == 0) return number;
        return none;
    }
    for (std::uint32_t number = from; number < end; ++number, own += words) {
        std::uint64_t wrong = 0;
        for (std::size_t w = 0; w < words; ++w)
            wrong |= (own[w] & forbidden[w]) | (required[w] & ~own[w]);
        if (wrong == 0) return number;
    }
    return none;
}

}  // namespace anytimebn
