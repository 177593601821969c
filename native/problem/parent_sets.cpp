#include "problem/parent_sets.h"

#include <stdexcept>
#include <utility>

#include "base/cpu.h"
#include "problem/find.h"

namespace anytimebn {

ParentSets::ParentSets(std::span<const std::int64_t> first_set, std::span<const std::int64_t> costs,
                       std::span<const std::int64_t> first_member,
                       std::span<const std::int32_t> members, std::vector<FamilyId> families)
    : first_set_(first_set.begin(), first_set.end()),
      costs_(costs.begin(), costs.end()),
      first_member_(first_member.begin(), first_member.end()),
      members_(members.begin(), members.end()),
      families_(std::move(families)) {
    if (first_set_.empty() || first_set_.front() != 0 ||
        first_set_.back() != static_cast<std::int64_t>(costs_.size()) ||
        first_member_.size() != costs_.size() + 1 || first_member_.front() != 0 ||
        first_member_.back() != static_cast<std::int64_t>(members_.size()) ||
        (!families_.empty() && families_.size() != costs_.size()))
        throw std::invalid_argument("parent sets: the arrays do not fit together");
    for (std::size_t v = 0; v < variables(); ++v) {
        if (first_set_[v] >= first_set_[v + 1])
            throw std::invalid_argument("parent sets: a variable has none");
        for (std::size_t s = first(v) + 1; s < first(v + 1); ++s)
            if (costs_[s] < costs_[s - 1])
                throw std::invalid_argument("parent sets: not sorted by cost");
    }
    for (std::size_t s = 0; s < costs_.size(); ++s)
        if (first_member_[s] > first_member_[s + 1])
            throw std::invalid_argument("parent sets: the arrays do not fit together");
    for (const std::int32_t member : members_)
        if (member < 0 || static_cast<std::size_t>(member) >= variables())
            throw std::invalid_argument("parent sets: a member is no variable");
}

std::size_t ParentSets::position(std::size_t child, FamilyId family) const {
    if (families_.empty()) {
        const std::size_t number = number_of(family);
        return number >= first(child) && number < first(child + 1) ? number : nowhere;
    }
    for (std::size_t s = first(child); s < first(child + 1); ++s)
        if (families_[s] == family) return s;
    return nowhere;
}

BestParents::BestParents(const ParentSets& sets) : words_((sets.variables() + 63) / 64) {
    const std::size_t n = sets.variables();
    std::vector<std::uint32_t> position(n);
    for (std::size_t v = 0; v < n; ++v) {
        Child child{};
        child.first_parent = parents_.size();
        parents_.resize(parents_.size() + words_, 0);
        std::uint64_t* const occurring = parents_.data() + child.first_parent;
        for (std::size_t s = sets.first(v); s < sets.first(v + 1); ++s)
            for (const std::int32_t member : sets.members(s))
                occurring[member / 64] |= std::uint64_t{1} << (member % 64);
        for (std::size_t y = 0; y < n; ++y)
            if (occurring[y / 64] >> (y % 64) & 1) position[y] = child.parent_count++;

        child.block_count = static_cast<std::uint32_t>((sets.count(v) + 255) / 256);
        child.first_block = block_costs_.size();
        for (std::size_t b = 0; b < child.block_count; ++b)
            block_costs_.push_back(sets.cost(sets.first(v) + b * 256));
        first_set_.push_back(sets.first(v));

        child.first_column = columns_.size();
        const std::size_t block_size = (child.parent_count + 1) * block_words;
        columns_.resize(columns_.size() + child.block_count * block_size, 0);
        std::uint64_t* const columns = columns_.data() + child.first_column;
        const auto mark = [&](std::size_t number, std::size_t column) {
            columns[number / 256 * block_size + column * block_words + number % 256 / 64] |=
                std::uint64_t{1} << (number % 64);
        };
        for (std::size_t i = 0; i < sets.count(v); ++i)
            for (const std::int32_t member : sets.members(sets.first(v) + i))
                mark(i, position[static_cast<std::size_t>(member)]);
        for (std::size_t i = sets.count(v); i < child.block_count * std::size_t{256}; ++i)
            mark(i, child.parent_count);
        children_.push_back(child);
    }
    for (std::size_t s = 0; s < sets.size(); ++s) costs_.push_back(sets.cost(s));
    find_ = find_portable;
#if defined(ANYTIMEBN_HAVE_AVX2)
    if (instruction_set() == InstructionSet::avx2) find_ = find_avx2;
#endif
}

}  // namespace anytimebn
