#include "sweep/fitting_sets.h"

#include <algorithm>
#include <utility>

namespace anytimebn {
namespace {

constexpr std::size_t beyond_the_end = 16;

// As many as keep all lists together within some tens of megabytes.
unsigned top_bits_for(const SweepProblem& problem, std::uint64_t most_bytes) {
    std::size_t sets = 0;
    for (const auto& own : problem.sets) sets += own.size();
    constexpr std::uint64_t entry_bytes = 18;
    const std::uint64_t most_entries = std::min<std::uint64_t>(4'000'000, most_bytes / entry_bytes);
    unsigned bits = 0;
    while (bits < 8 && bits < problem.variables - problem.low && (sets << bits) / 2 < most_entries)
        ++bits;
    return bits;
}

}  // namespace

void SetList::reserve(std::size_t count) {
    upper.resize(count + beyond_the_end);
    middle.resize(count + beyond_the_end);
    low.resize(count + beyond_the_end);
    cost.resize(count);
}

void SetList::shrink(std::size_t count) {
    reserve(count);
    upper.shrink_to_fit();
    middle.shrink_to_fit();
    low.shrink_to_fit();
    cost.shrink_to_fit();
}

FittingSets::FittingSets(const SweepProblem& problem, std::uint64_t goal, Checkpoint checkpoint,
                         std::uint64_t most_bytes)
    : problem_(problem),
      goal_(goal),
      checkpoint_(std::move(checkpoint)),
      top_bits_(top_bits_for(problem, most_bytes)),
      lists_(problem.variables) {
    const unsigned others = problem.variables - problem.low - top_bits_;
    upper_bits_ = others / 2;
    middle_bits_ = others - upper_bits_;
    for (Lists& lists : lists_) {
        lists.made.resize(std::size_t{1} << top_bits_);
        lists.known = std::vector<std::atomic<const SetList*>>(std::size_t{1} << top_bits_);
    }
}

const SetList& FittingSets::fitting_top(unsigned position, std::size_t top) {
    Lists& lists = lists_[position];
    if (const SetList* known = lists.known[top].load(std::memory_order_acquire)) return *known;
    const std::lock_guard lock(lists.mutex);
    if (!lists.made[top]) {
        lists.made[top] = make(position, top);
        bytes_ += lists.made[top]->cost.size() * 18;
        lists.known[top].store(lists.made[top].get(), std::memory_order_release);
    }
    return *lists.made[top];
}

std::unique_ptr<SetList> FittingSets::make(unsigned position, std::size_t placed_top) const {
    auto list = std::make_unique<SetList>();
    list->reserve(problem_.sets[position].size());
    std::size_t count = 0;
    Checkpoint checkpoint = checkpoint_;
    for (const auto& set : problem_.sets[position]) {
        if ((set.members & ~goal_) != 0 || (top(set.members) & ~placed_top) != 0) continue;
        checkpoint(1 + count / 16);
        const std::uint32_t its_upper = upper(set.members), its_middle = middle(set.members);
        const auto its_low = static_cast<std::uint16_t>(set.members & mask(problem_.low));
        if (kernels_.any_within(list->upper.data(), list->middle.data(), list->low.data(), count,
                                its_upper, its_middle, its_low))
            continue;  // and that one is cheaper
        list->upper[count] = its_upper;
        list->middle[count] = its_middle;
        list->low[count] = its_low;
        list->cost[count++] = set.cost;
    }
    list->shrink(count);
    return list;
}

}  // namespace anytimebn
