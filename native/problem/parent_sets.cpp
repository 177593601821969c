#include "problem/parent_sets.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/cpu.h"
#include "problem/find.h"

namespace anytimebn {
namespace {

// A copy, made in parts.
template <class T>
std::vector<T> copied(std::span<const T> values, Checkpoint& checkpoint) {
    std::vector<T> copy;
    copy.reserve(values.size());
    for (std::size_t begin = 0; begin < values.size(); begin += Checkpoint::units_between) {
        const std::size_t count =
            std::min<std::size_t>(values.size() - begin, Checkpoint::units_between);
        checkpoint(count / 8);
        copy.insert(copy.end(), values.begin() + static_cast<std::ptrdiff_t>(begin),
                    values.begin() + static_cast<std::ptrdiff_t>(begin + count));
    }
    return copy;
}

// Whether any number below `count` is wrong, in parts that compilers make fast.
template <class Wrong>
bool any_in_parts(std::size_t count, Checkpoint& checkpoint, Wrong&& wrong) {
    for (std::size_t begin = 0; begin < count; begin += Checkpoint::units_between) {
        const std::size_t end = std::min<std::size_t>(count, begin + Checkpoint::units_between);
        bool any = false;
        for (std::size_t i = begin; i < end; ++i) any |= wrong(i);
        if (any) return true;
        checkpoint((end - begin) / 8);
    }
    return false;
}

}  // namespace

ParentSets::ParentSets(std::span<const std::int64_t> first_set, std::span<const std::int64_t> costs,
                       std::span<const std::int64_t> first_member,
                       std::span<const std::int32_t> members, std::vector<FamilyId> families,
                       Checkpoint checkpoint)
    : ParentSets(copied(first_set, checkpoint), copied(costs, checkpoint),
                 copied(first_member, checkpoint), copied(members, checkpoint), std::move(families),
                 checkpoint) {}

ParentSets::ParentSets(std::vector<std::int64_t> first_set, std::vector<std::int64_t> costs,
                       std::vector<std::int64_t> first_member, std::vector<std::int32_t> members,
                       std::vector<FamilyId> families, Checkpoint checkpoint)
    : first_set_(std::move(first_set)),
      costs_(std::move(costs)),
      first_member_(std::move(first_member)),
      members_(std::move(members)),
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
        const std::span own(costs_.begin() + first_set_[v], costs_.begin() + first_set_[v + 1]);
        if (any_in_parts(own.size() - 1, checkpoint,
                         [&](std::size_t i) { return own[i + 1] < own[i]; }))
            throw std::invalid_argument("parent sets: not sorted by cost");
    }
    if (any_in_parts(costs_.size(), checkpoint,
                     [&](std::size_t s) { return first_member_[s] > first_member_[s + 1]; }))
        throw std::invalid_argument("parent sets: the arrays do not fit together");
    const auto n = static_cast<std::int32_t>(variables());
    if (any_in_parts(members_.size(), checkpoint,
                     [&](std::size_t m) { return members_[m] < 0 || members_[m] >= n; }))
        throw std::invalid_argument("parent sets: a member is no variable");
}

std::size_t ParentSets::cheapest_inside(std::size_t child,
                                        const std::vector<bool>& candidates) const {
    for (std::size_t s = first(child); s < first(child + 1); ++s) {
        const auto own = members(s);
        if (std::all_of(own.begin(), own.end(), [&](std::int32_t member) {
                return candidates[static_cast<std::size_t>(member)];
            }))
            return s;
    }
    return nowhere;
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

std::vector<std::size_t> ParentSets::cheapest_without_each(
    std::size_t child, const std::vector<bool>& candidates,
    const std::vector<std::size_t>& left_out) const {
    std::vector<std::size_t> found(left_out.size(), nowhere);
    std::size_t missing = found.size();
    for (std::size_t s = first(child); s < first(child + 1) && missing > 0; ++s) {
        const auto own = members(s);
        if (!std::all_of(own.begin(), own.end(), [&](std::int32_t member) {
                return candidates[static_cast<std::size_t>(member)];
            }))
            continue;
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (found[i] != nowhere ||
                std::find(own.begin(), own.end(), static_cast<std::int32_t>(left_out[i])) !=
                    own.end())
                continue;
            found[i] = s;
            --missing;
        }
    }
    return found;
}

BestParents::BestParents(const ParentSets& sets, Checkpoint checkpoint)
    : words_((sets.variables() + 63) / 64) {
    const std::size_t n = sets.variables();
    std::vector<std::uint32_t> position(n);
    for (std::size_t v = 0; v < n; ++v) {
        Child child{};
        child.first_parent = parents_.size();
        parents_.resize(parents_.size() + words_, 0);
        std::uint64_t* const occurring = parents_.data() + child.first_parent;
        for (std::size_t s = sets.first(v); s < sets.first(v + 1); ++s) {
            for (const std::int32_t member : sets.members(s))
                occurring[member / 64] |= std::uint64_t{1} << (member % 64);
            checkpoint();
        }
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
        for (std::size_t i = 0; i < sets.count(v); ++i) {
            for (const std::int32_t member : sets.members(sets.first(v) + i))
                mark(i, position[static_cast<std::size_t>(member)]);
            checkpoint();
        }
        for (std::size_t i = sets.count(v); i < child.block_count * std::size_t{256}; ++i)
            mark(i, child.parent_count);
        children_.push_back(child);
    }
    costs_.reserve(sets.size());
    for (std::size_t s = 0; s < sets.size(); ++s) {
        costs_.push_back(sets.cost(s));
        if (s % 8 == 0) checkpoint();
    }
    find_ = find_portable;
#if defined(ANYTIMEBN_HAVE_AVX2)
    if (instruction_set() == InstructionSet::avx2) find_ = find_avx2;
#endif
}

}  // namespace anytimebn
