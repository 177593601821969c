#include "orders/order_state.h"

#include <algorithm>

namespace anytimebn {
namespace {

using Bits = std::vector<std::uint64_t>;

void put(Bits& bits, std::uint32_t v) { bits[v / 64] |= std::uint64_t{1} << (v % 64); }
void take(Bits& bits, std::uint32_t v) { bits[v / 64] &= ~(std::uint64_t{1} << (v % 64)); }
bool has(const Bits& bits, std::uint32_t v) { return bits[v / 64] >> (v % 64) & 1; }

}  // namespace

OrderState::OrderState(GrowShrinkGraphs& graphs, const Permissions& permissions)
    : graphs_(&graphs),
      permissions_(&permissions),
      words_((permissions.variables() + 63) / 64),
      position_(permissions.variables(), SIZE_MAX),
      chosen_(permissions.variables()),
      path_(permissions.variables()),
      skipped_(permissions.variables()) {
    ParentLists children(permissions.variables());
    for (std::uint32_t child = 0; child < permissions.variables(); ++child)
        for (const std::uint32_t parent : permissions.required[child])
            children[parent].push_back(child);
    required_children_ = std::make_shared<const ParentLists>(std::move(children));
}

Traced OrderState::trace(std::uint32_t variable, const Bits& before, std::uint64_t* path,
                         std::uint64_t* skipped) {
    std::fill(path, path + words_, 0);
    std::fill(skipped, skipped + words_, 0);
    return graphs_->trace(variable, before.data(), path, skipped);
}

Cost OrderState::trial(std::uint32_t variable, const Bits& before) {
    thread_local Bits path, skipped;
    path.resize(words_);
    skipped.resize(words_);
    return trace(variable, before, path.data(), skipped.data()).cost;
}

void OrderState::choose(std::uint32_t variable, const Bits& before,
                        std::vector<std::uint32_t>* changed) {
    const Traced chosen = trace(variable, before, path_.row(variable), skipped_.row(variable));
    if (changed != nullptr && !(chosen == chosen_[variable])) changed->push_back(variable);
    cost_ += chosen.cost - chosen_[variable].cost;
    chosen_[variable] = chosen;
}

void OrderState::renumber(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) position_[order_[i]] = i;
}

void OrderState::clear() {
    order_.clear();
    std::fill(position_.begin(), position_.end(), SIZE_MAX);
    cost_ = 0;
    epoch_ = graphs_->epoch();
}

void OrderState::set_order(const std::vector<std::uint32_t>& order) {
    clear();
    order_ = order;
    renumber(0, order_.size());
    Bits before(words_, 0);
    for (const std::uint32_t v : order_) {
        chosen_[v].cost = 0;
        choose(v, before, nullptr);
        put(before, v);
    }
}

void OrderState::insert(std::uint32_t variable) {
    Bits before(words_, 0);
    for (const std::uint32_t v : order_) put(before, v);
    position_[variable] = order_.size();
    order_.push_back(variable);
    chosen_[variable].cost = 0;
    choose(variable, before, nullptr);
    const std::size_t last = order_.size() - 1;
    if (const Place place = best_place(last); place.position != last) {
        std::vector<std::uint32_t> changed;
        move(last, place.position, changed);
    }
}

ParentLists OrderState::network() const {
    ParentLists network = permissions_->required;
    for (const std::uint32_t v : order_) {
        const auto own = parents(v);
        network[v].assign(own.begin(), own.end());
    }
    return network;
}

std::vector<Cost> OrderState::costs() const {
    std::vector<Cost> costs;
    for (std::uint32_t v = 0; v < chosen_.size(); ++v)
        costs.push_back(position_[v] == SIZE_MAX ? graphs_->least_parents_cost(v)
                                                 : chosen_[v].cost);
    return costs;
}

std::size_t OrderState::lowest(std::size_t from) const {
    std::size_t least = 0;
    for (const std::uint32_t parent : permissions_->required[order_[from]])
        if (position_[parent] < from) least = std::max(least, position_[parent] + 1);
    return least;
}

std::size_t OrderState::highest(std::size_t from) const {
    std::size_t most = order_.size() - 1;
    for (const std::uint32_t child : (*required_children_)[order_[from]])
        if (position_[child] > from && position_[child] < order_.size())
            most = std::min(most, position_[child] - 1);
    return most;
}

// Going left, the others gain the variable as a candidate one after the other; going right they
// lose it. Its own choice changes when it passes one on its path or one that it skipped.
OrderState::Place OrderState::best_place(std::size_t from) {
    const std::uint32_t v = order_[from];
    const Cost own = chosen_[v].cost;
    Place best{from, 0};
    Bits path(words_), skipped(words_), before(words_, 0);
    for (std::size_t i = 0; i < from; ++i) put(before, order_[i]);
    Bits around = before;  // what is before the other that is passed

    const std::size_t least = lowest(from), most = highest(from);
    std::copy_n(path_.row(v), words_, path.begin());
    Cost others = 0, mine = own;
    for (std::size_t i = from; i-- > least;) {
        const std::uint32_t u = order_[i];
        take(around, u);
        if (skipped_.test(u, v)) {
            put(around, v);
            others += trial(u, around) - chosen_[u].cost;
            take(around, v);
        }
        if (has(path, u)) mine = trace(v, around, path.data(), skipped.data()).cost;
        if (const Cost delta = others + mine - own; delta < best.delta) best = {i, delta};
    }

    // The others only lose: once their loss is more than the variable can gain, it is over.
    if (from < most) {
        Bits all(words_, 0);
        for (const std::uint32_t u : order_) put(all, u);
        take(all, v);
        const Cost cheapest = trial(v, all);
        around = before;
        std::copy_n(path_.row(v), words_, path.begin());
        std::copy_n(skipped_.row(v), words_, skipped.begin());
        others = 0;
        mine = own;
        for (std::size_t i = from + 1; i <= most; ++i) {
            const std::uint32_t u = order_[i];
            if (path_.test(u, v)) others += trial(u, around) - chosen_[u].cost;
            put(around, u);
            if (has(skipped, u)) mine = trace(v, around, path.data(), skipped.data()).cost;
            if (const Cost delta = others + mine - own; delta < best.delta) best = {i, delta};
            if (others > 0 && others + std::min(cheapest, mine) - own >= 0) break;
        }
    }
    return best;
}

void OrderState::move(std::size_t from, std::size_t to, std::vector<std::uint32_t>& changed) {
    to = std::clamp(to, lowest(from), highest(from));
    if (to == from) return;
    const std::uint32_t v = order_[from];
    const std::size_t first = std::min(from, to), last = std::max(from, to);
    Bits before(words_, 0);
    for (std::size_t i = 0; i < first; ++i) put(before, order_[i]);
    const auto begin = order_.begin();
    if (to < from)
        std::rotate(begin + static_cast<std::ptrdiff_t>(to),
                    begin + static_cast<std::ptrdiff_t>(from),
                    begin + static_cast<std::ptrdiff_t>(from) + 1);
    else
        std::rotate(begin + static_cast<std::ptrdiff_t>(from),
                    begin + static_cast<std::ptrdiff_t>(from) + 1,
                    begin + static_cast<std::ptrdiff_t>(to) + 1);
    renumber(first, last + 1);
    for (std::size_t i = first; i <= last; ++i) {
        const std::uint32_t u = order_[i];
        if (u == v || (to < from ? skipped_.test(u, v) : path_.test(u, v)))
            choose(u, before, &changed);
        put(before, u);
    }
}

}  // namespace anytimebn
