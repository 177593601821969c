#include "problem/family_store.h"

#include <algorithm>
#include <stdexcept>

namespace anytimebn {
namespace {

Family family_at(const ParentSets& sets, std::size_t position) {
    std::size_t child = 0;  // the last variable that begins at the position or before
    for (std::size_t after = sets.variables(); after - child > 1;) {
        const std::size_t middle = child + (after - child) / 2;
        (sets.first(middle) <= position ? child : after) = middle;
    }
    const auto members = sets.members(position);
    return {child, Parents(members.begin(), members.end()), sets.cost(position)};
}

}  // namespace

FamilyStore::FamilyStore(std::size_t variables) : variables_(variables), ids_(variables) {}

FamilyStore::FamilyStore(std::shared_ptr<const ParentSets> first)
    : variables_(first->variables()), first_(std::move(first)), ids_(variables_) {}

std::size_t FamilyStore::size() const {
    const std::lock_guard lock(mutex_);
    return first_size() + added_.size();
}

Family FamilyStore::family(FamilyId id) const {
    const std::size_t number = number_of(id);
    if (number < first_size()) return family_at(*first_, number);
    const std::lock_guard lock(mutex_);
    if (number - first_size() >= added_.size()) throw std::out_of_range("no such family");
    return added_[number - first_size()];
}

FamilyId FamilyStore::find_first(std::size_t child, const Parents& parents) const {
    if (first_ == nullptr) return no_family;
    for (std::size_t s = first_->first(child); s < first_->first(child + 1); ++s) {
        const auto members = first_->members(s);
        if (std::equal(parents.begin(), parents.end(), members.begin(), members.end(),
                       [](std::uint32_t parent, std::int32_t member) {
                           return parent == static_cast<std::uint32_t>(member);
                       }))
            return first_->family(s);
    }
    return no_family;
}

FamilyId FamilyStore::append(std::size_t child, const Parents& parents, Cost cost) {
    const auto unknown = [&](std::size_t variable) { return variable >= variables_; };
    if (unknown(child) || std::any_of(parents.begin(), parents.end(), unknown))
        throw std::invalid_argument("a family needs variables that exist");
    if (const FamilyId known = find_first(child, parents); known != no_family) return known;
    const std::lock_guard lock(mutex_);
    const FamilyId next{first_size() + added_.size()};
    const auto [entry, is_new] = ids_[child].try_emplace(parents, next);
    if (is_new) added_.push_back({child, parents, cost});
    return entry->second;
}

std::shared_ptr<const ParentSets> FamilyStore::sorted() const {
    const std::lock_guard lock(mutex_);
    if (first_ != nullptr && added_.empty()) return first_;
    std::vector<std::vector<FamilyId>> own(variables_);
    for (std::size_t x = 0; first_ != nullptr && x < variables_; ++x)
        for (std::size_t s = first_->first(x); s < first_->first(x + 1); ++s)
            own[x].push_back(FamilyId{s});
    for (std::size_t i = 0; i < added_.size(); ++i)
        own[added_[i].child].push_back(FamilyId{first_size() + i});
    const auto cost = [&](FamilyId id) {
        const std::size_t number = number_of(id);
        return number < first_size() ? first_->cost(number) : added_[number - first_size()].cost;
    };
    std::vector<std::int64_t> first_set{0}, costs, first_member{0};
    std::vector<std::int32_t> members;
    std::vector<FamilyId> families;
    for (auto& ids : own) {
        std::stable_sort(ids.begin(), ids.end(),
                         [&](FamilyId a, FamilyId b) { return cost(a) < cost(b); });
        for (const FamilyId id : ids) {
            families.push_back(id);
            costs.push_back(cost(id));
            if (const std::size_t number = number_of(id); number < first_size()) {
                const auto given = first_->members(number);
                members.insert(members.end(), given.begin(), given.end());
            } else {
                for (const std::uint32_t parent : added_[number - first_size()].parents)
                    members.push_back(static_cast<std::int32_t>(parent));
            }
            first_member.push_back(static_cast<std::int64_t>(members.size()));
        }
        first_set.push_back(static_cast<std::int64_t>(costs.size()));
    }
    return std::make_shared<ParentSets>(first_set, costs, first_member, members,
                                        std::move(families));
}

}  // namespace anytimebn
