#include "orders/family_pool.h"

#include <algorithm>

namespace anytimebn {
namespace {

constexpr std::size_t most_kept = 1000;  // of a child: the worse half goes when there are more

}  // namespace

void FamilyPool::keep(std::uint32_t child, const Parents& parents, const Family& family) {
    auto& own = families_[child];
    const auto [entry, is_new] = own.try_emplace(parents, family);
    if (!is_new) entry->second.network = std::min(entry->second.network, family.network);
    if (own.size() <= most_kept) return;
    std::vector<Cost> networks;
    for (const auto& [members, known] : own) networks.push_back(known.network);
    std::nth_element(networks.begin(), networks.begin() + most_kept / 2, networks.end());
    std::erase_if(own, [limit = networks[most_kept / 2]](const auto& known) {
        return known.second.network > limit;
    });
}

void FamilyPool::add(const OrderState& state) {
    if (state.cost() >= unaffordable) return;
    for (const std::uint32_t v : state.order()) {
        const auto parents = state.parents(v);
        keep(v, {parents.begin(), parents.end()}, {state.cost_of(v), state.cost()});
    }
}

void FamilyPool::add(const FamilyPool& other) {
    for (std::uint32_t child = 0; child < families_.size(); ++child)
        for (const auto& [parents, family] : other.families_[child]) keep(child, parents, family);
}

std::vector<std::pair<Cost, Parents>> FamilyPool::best(std::uint32_t child,
                                                       std::size_t most) const {
    std::vector<std::pair<Cost, const std::pair<const Parents, Family>*>> ranked;
    for (const auto& family : families_[child]) ranked.emplace_back(family.second.network, &family);
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    ranked.resize(std::min(ranked.size(), most));
    std::vector<std::pair<Cost, Parents>> found;
    for (const auto& [network, family] : ranked)
        found.emplace_back(family->second.cost, family->first);
    return found;
}

}  // namespace anytimebn
