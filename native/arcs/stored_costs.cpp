#include "arcs/stored_costs.h"

#include <algorithm>

namespace anytimebn {
namespace {

Permissions permissions_of(const Component& component) {
    const std::size_t n = component.size();
    Permissions permissions{std::vector(n, std::vector<bool>(n, false)), ParentLists(n),
                            std::vector<std::size_t>(n, n), true};
    for (std::size_t child = 0; child < n; ++child)
        for (std::size_t s = component.sets.first(child); s < component.sets.first(child + 1); ++s)
            for (const std::int32_t member : component.sets.members(s))
                permissions.allowed[child][static_cast<std::size_t>(member)] = true;
    return permissions;
}

}  // namespace

StoredCosts::StoredCosts(const Component& component)
    : LocalCosts(permissions_of(component)), component_(component), bits_(component.best.words()) {}

const std::uint64_t* StoredCosts::bits_of(const Parents& parents) {
    std::fill(bits_.begin(), bits_.end(), 0);
    for (const std::uint32_t y : parents) bits_[y / 64] |= std::uint64_t{1} << (y % 64);
    return bits_.data();
}

Cost StoredCosts::cheapest(std::uint32_t child, const std::uint64_t* among) const {
    const std::uint32_t found = component_.best.find(child, among);
    return found == BestParents::none ? infinite_cost
                                      : component_.sets.cost(component_.sets.first(child) + found);
}

Cost StoredCosts::cost(std::uint32_t child, const Parents& parents) {
    return cheapest(child, bits_of(parents));
}

bool StoredCosts::additions(std::uint32_t child, const Parents& parents, Cost* row) {
    bits_of(parents);
    for (std::uint32_t y = 0; y < variables(); ++y) {
        const std::uint64_t bit = std::uint64_t{1} << (y % 64);
        row[y] = infinite_cost;
        if (!permissions().allowed[child][y] || (bits_[y / 64] & bit) != 0) continue;
        bits_[y / 64] |= bit;
        row[y] = cheapest(child, bits_.data());
        bits_[y / 64] &= ~bit;
    }
    return true;
}

}  // namespace anytimebn
