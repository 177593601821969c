#include "local/ordering.h"

#include <algorithm>

namespace anytimebn {
namespace {

constexpr std::size_t long_list = 64;

std::uint64_t bit(std::uint32_t v) { return std::uint64_t{1} << v; }

}  // namespace

Ordering::Ordering(const ParentSets& sets, const BestParents* columns, const Relations& relations)
    : sets_(sets),
      columns_(columns != nullptr && columns->words() == 1 ? columns : nullptr),
      relations_(relations),
      position_(sets.variables()),
      chosen_(sets.variables()),
      kept_chosen_(sets.variables()),
      marked_(sets.variables(), false) {
    for (std::size_t v = 0; v < sets.variables(); ++v) long_.push_back(sets.count(v) > long_list);
    if (columns_ != nullptr) before_.resize(sets.variables() + 1, 0);
}

void Ordering::assign(std::vector<std::uint32_t> order) {
    order_ = std::move(order);
    kept_order_.resize(order_.size());
    if (!order_.empty()) place_range(0, static_cast<std::uint32_t>(size()) - 1);
    regret_ = 0;
    for (std::uint32_t v = 0; v < size(); ++v)
        regret_ += cost(v, chosen_[v] = find(v, position_[v]));
}

// ---- which parent set ----

bool Ordering::contains(std::uint32_t v, std::uint32_t number, std::uint32_t member) const {
    if (number == none) return false;
    for (const std::int32_t m : sets_.members(sets_.first(v) + number))
        if (static_cast<std::uint32_t>(m) == member) return true;
    return false;
}

std::uint32_t Ordering::find_column(std::uint32_t v, std::uint64_t candidates, Cost limit) {
    const std::uint32_t number = columns_->find(v, &candidates, limit);
    work_ += 8 + (number == none ? 0 : number / 64);
    return number;
}

std::uint32_t Ordering::find(std::uint32_t v, std::uint32_t place, std::uint32_t from,
                             std::uint32_t lost) {
    if (uses_columns(v)) {
        const std::uint64_t gone = lost == none ? 0 : bit(lost);
        return find_column(v, before_[place] & ~gone, infinite_cost);
    }
    const std::size_t first = sets_.first(v), count = sets_.count(v);
    for (std::size_t number = from; number < count; ++number) {
        bool fits = true;
        for (const std::int32_t m : sets_.members(first + number)) {
            const auto member = static_cast<std::uint32_t>(m);
            fits &= position_[member] < place && member != lost;
        }
        if (fits) {
            work_ += number - from + 3;
            return static_cast<std::uint32_t>(number);
        }
    }
    work_ += count - from + 3;
    return none;
}

// The first set below a number with a certain member, which need not be before the place; or that
// number.
std::uint32_t Ordering::find_with(std::uint32_t v, std::uint32_t below, std::uint32_t place,
                                  std::uint32_t gained, Relations::List containing) {
    if (below == 0) return 0;
    if (uses_columns(v)) {
        const std::uint32_t found = find_column(v, before_[place] | bit(gained), cost(v, below));
        return found == none ? below : found;
    }
    const std::size_t first = sets_.first(v);
    work_ += 2;
    for (const std::uint32_t number : relations_.numbers(containing)) {
        if (number >= below) break;
        ++work_;
        bool fits = true;
        for (const std::int32_t m : sets_.members(first + number)) {
            const auto member = static_cast<std::uint32_t>(m);
            fits &= position_[member] < place || member == gained;
        }
        if (fits) return number;
    }
    return below;
}

// ---- where to put a variable ----

void Ordering::sort_neighbours(std::uint32_t v) {
    const auto neighbours = relations_.neighbours(v);
    places_.resize(neighbours.size());
    for (std::uint32_t i = 0; i < neighbours.size(); ++i)
        places_[i] = {position_[neighbours[i].variable], i};
    std::sort(places_.begin(), places_.end(),
              [](const Place& a, const Place& b) { return a.position < b.position; });
    own_place_ = 0;
    while (own_place_ < places_.size() && places_[own_place_].position < position_[v]) ++own_place_;
    work_ += places_.size();
}

// Past one neighbour after the other towards the front: they may gain v, v may lose them.
void Ordering::try_earlier(std::uint32_t v, Move& best) {
    const auto neighbours = relations_.neighbours(v);
    Cost hope = 0;  // what the neighbours that are left could gain at most
    for (std::size_t i = 0; i < own_place_; ++i) {
        const auto& neighbour = neighbours[places_[i].neighbour];
        if (neighbour.as_child != Relations::empty)
            hope += cost(neighbour.variable, chosen_[neighbour.variable]);
    }
    std::uint32_t own = chosen_[v];
    const Cost own_cost = cost(v, own);
    Cost others = 0;
    for (std::size_t i = own_place_; i-- > 0;) {
        if (others - hope + cost(v, own) - own_cost >= best.change) return;
        const std::uint32_t place = places_[i].position;
        const auto& [w, as_child, as_parent] = neighbours[places_[i].neighbour];
        if (as_parent != Relations::empty && contains(v, own, w)) own = find(v, place, own + 1);
        if (as_child != Relations::empty) {
            const Cost before = cost(w, chosen_[w]);
            others += cost(w, find_with(w, chosen_[w], place, v, as_child)) - before;
            hope -= before;
        }
        const Cost change = others + cost(v, own) - own_cost;
        if (change < best.change) best = {change, place};
    }
}

// Towards the end: the neighbours may lose v, v may gain them.
void Ordering::try_later(std::uint32_t v, Move& best) {
    const auto neighbours = relations_.neighbours(v);
    std::uint32_t own = chosen_[v];
    const Cost own_cost = cost(v, own);
    Cost others = 0;
    for (std::size_t i = own_place_; i < places_.size(); ++i) {
        const std::uint32_t place = places_[i].position;
        const auto& [w, as_child, as_parent] = neighbours[places_[i].neighbour];
        if (as_child != Relations::empty && contains(w, chosen_[w], v))
            others += cost(w, find(w, place, chosen_[w] + 1, v)) - cost(w, chosen_[w]);
        if (others - own_cost >= best.change) return;
        if (as_parent != Relations::empty) own = find_with(v, own, place, w, as_parent);
        const Cost change = others + cost(v, own) - own_cost;
        if (change < best.change) best = {change, place};
    }
}

bool Ordering::improve(std::uint32_t v, Variables& changed) {
    sort_neighbours(v);
    Move best;
    try_earlier(v, best);
    try_later(v, best);
    if (best.place == none) return false;
    insert(v, best.place, changed);
    return true;
}

// ---- moving ----

void Ordering::touch(std::uint32_t first, std::uint32_t last) {
    first_touched_ = std::min(first_touched_, first);
    last_touched_ = std::max(last_touched_, last);
}

void Ordering::place_range(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i <= last; ++i) position_[order_[i]] = i;
    if (columns_ != nullptr)
        for (std::uint32_t i = first; i <= last; ++i) before_[i + 1] = before_[i] | bit(order_[i]);
    touch(first, last);
    work_ += (last - first) / 8;
}

void Ordering::choose(std::uint32_t v, std::uint32_t number, Variables& changed) {
    if (number == chosen_[v]) return;
    regret_ += cost(v, number) - cost(v, chosen_[v]);
    chosen_[v] = number;
    changed.push_back(v);
}

void Ordering::insert(std::uint32_t v, std::uint32_t place, Variables& changed) {
    const std::uint32_t from = position_[v];
    const auto at = order_.begin();
    const std::uint32_t first = std::min(from, place), last = std::max(from, place);
    if (from < place)
        std::rotate(at + from, at + from + 1, at + place + 1);
    else
        std::rotate(at + place, at + from, at + from + 1);
    place_range(first, last);
    refresh(v, changed);
    for (const auto& [child, as_child, as_parent] : relations_.neighbours(v)) {
        const std::uint32_t own = position_[child];
        if (as_child == Relations::empty || own < first || own > last) continue;
        if (place < from)
            choose(child, find_with(child, chosen_[child], own, v, as_child), changed);
        else if (contains(child, chosen_[child], v))
            choose(child, find(child, own, chosen_[child] + 1), changed);
    }
}

Cost Ordering::change_by_swap(std::uint32_t place) {
    const std::uint32_t v = order_[place], w = order_[place + 1];
    Cost change = 0;
    if (contains(w, chosen_[w], v))
        change += cost(w, find(w, place, chosen_[w] + 1)) - cost(w, chosen_[w]);
    const auto neighbours = relations_.neighbours(v);
    const auto found = std::lower_bound(neighbours.begin(), neighbours.end(), w,
                                        [](const Relations::Neighbour& n, std::uint32_t variable) {
                                            return n.variable < variable;
                                        });
    work_ += 2;
    if (found == neighbours.end() || found->variable != w || found->as_parent == Relations::empty)
        return change;
    return change + cost(v, find_with(v, chosen_[v], place, w, found->as_parent)) -
           cost(v, chosen_[v]);
}

void Ordering::partition(std::uint32_t first, std::uint32_t last, bool marked_first) {
    rest_.clear();
    std::uint32_t to = first;
    for (std::uint32_t i = first; i <= last; ++i)
        if (marked_[order_[i]] == marked_first)
            order_[to++] = order_[i];
        else
            rest_.push_back(order_[i]);
    std::copy(rest_.begin(), rest_.end(), order_.begin() + to);
    place_range(first, last);
    work_ += last - first;
}

void Ordering::unmark() {
    for (const std::uint32_t v : moved_) marked_[v] = false;
    moved_.clear();
}

void Ordering::pull_parents(std::uint32_t v, std::uint32_t number, Variables& changed) {
    const std::uint32_t own = position_[v];
    std::uint32_t last = own;
    const auto mark_later_members = [&](std::uint32_t child, std::uint32_t set) {
        if (set == none) return;
        for (const std::int32_t m : sets_.members(sets_.first(child) + set)) {
            const auto member = static_cast<std::uint32_t>(m);
            if (position_[member] <= own || marked_[member]) continue;
            mark(member);
            last = std::max(last, position_[member]);
        }
    };
    mark_later_members(v, number);
    for (std::size_t i = 0; i < moved_.size(); ++i)
        mark_later_members(moved_[i], chosen_[moved_[i]]);
    partition(own, last, true);
    refresh(v, changed);
    // Who moved keeps its parents, except v; who stayed may gain those who moved.
    for (const std::uint32_t w : moved_) {
        if (contains(w, chosen_[w], v)) refresh(w, changed);
        for (const auto& [child, as_child, as_parent] : relations_.neighbours(w)) {
            const std::uint32_t place = position_[child];
            if (as_child == Relations::empty || marked_[child] || place <= own || place > last)
                continue;
            choose(child, find_with(child, chosen_[child], place, w, as_child), changed);
        }
    }
    unmark();
}

void Ordering::push_behind_parents(std::uint32_t v, std::uint32_t number, Variables& changed) {
    const std::uint32_t own = position_[v];
    std::uint32_t last = own;
    for (const std::int32_t m : sets_.members(sets_.first(v) + number))
        last = std::max(last, position_[static_cast<std::uint32_t>(m)]);
    mark(v);
    for (std::uint32_t i = own + 1; i <= last; ++i) {
        const std::uint32_t w = order_[i];
        if (chosen_[w] == none || contains(v, number, w)) continue;
        const auto parents = sets_.members(sets_.first(w) + chosen_[w]);
        if (std::any_of(parents.begin(), parents.end(),
                        [&](std::int32_t m) { return marked_[static_cast<std::uint32_t>(m)]; }))
            mark(w);
    }
    partition(own, last, false);
    // Who moved may gain those who stayed; of these only members of the parent set lose any.
    for (const std::uint32_t w : moved_) refresh(w, changed);
    for (const std::int32_t m : sets_.members(sets_.first(v) + number)) {
        const auto member = static_cast<std::uint32_t>(m);
        if (position_[member] >= own) refresh(member, changed);
    }
    unmark();
}

// ---- going back ----

void Ordering::keep() {
    for (std::uint32_t i = first_touched_; i <= last_touched_ && i < size(); ++i) {
        const std::uint32_t v = kept_order_[i] = order_[i];
        kept_chosen_[v] = chosen_[v];
    }
    kept_regret_ = regret_;
    first_touched_ = static_cast<std::uint32_t>(size());
    last_touched_ = 0;
}

void Ordering::restore() {
    if (first_touched_ <= last_touched_) {
        std::copy(kept_order_.begin() + first_touched_, kept_order_.begin() + last_touched_ + 1,
                  order_.begin() + first_touched_);
        for (std::uint32_t i = first_touched_; i <= last_touched_; ++i)
            chosen_[order_[i]] = kept_chosen_[order_[i]];
        place_range(first_touched_, last_touched_);
    }
    regret_ = kept_regret_;
    first_touched_ = static_cast<std::uint32_t>(size());
    last_touched_ = 0;
}

}  // namespace anytimebn
