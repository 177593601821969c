#include "all_networks/network_list.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>

#include "problem/component.h"

namespace anytimebn {
namespace {

constexpr std::uint32_t nothing = 0xffffffffu;

std::uint64_t bit(std::size_t v) { return std::uint64_t{1} << v; }

// Calls body(v) for the members of a set, the highest first.
template <class Body>
void for_each_member(std::uint64_t set, Body&& body) {
    while (set != 0) {
        const auto v = static_cast<std::size_t>(std::bit_width(set)) - 1;
        set ^= bit(v);
        body(v);
    }
}

// The families that cost no more than a limit: no network within it has another one.
std::shared_ptr<const ParentSets> cheaper_than(const std::shared_ptr<const ParentSets>& sets,
                                               Cost limit) {
    std::vector<std::int64_t> first_set{0}, costs, first_member{0};
    std::vector<std::int32_t> members;
    std::vector<FamilyId> families;
    for (std::size_t v = 0; v < sets->variables(); ++v) {
        for (std::size_t s = sets->first(v); s < sets->first(v + 1); ++s) {
            if (sets->cost(s) > limit) break;
            const auto own = sets->members(s);
            costs.push_back(sets->cost(s));
            members.insert(members.end(), own.begin(), own.end());
            first_member.push_back(static_cast<std::int64_t>(members.size()));
            families.push_back(sets->family(s));
        }
        first_set.push_back(static_cast<std::int64_t>(costs.size()));
    }
    return std::make_shared<const ParentSets>(std::move(first_set), std::move(costs),
                                              std::move(first_member), std::move(members),
                                              std::move(families));
}

}  // namespace

NetworkList::NetworkList(std::shared_ptr<const ParentSets> sets, Options options, Limits limits,
                         const Control& control)
    : sets_(std::move(sets)),
      options_(std::move(options)),
      budget_(limits, control),
      n_(sets_->variables()) {
    if (options_.optimum) sets_ = cheaper_than(sets_, *options_.optimum + options_.allowed);
    lay_out();
}

// Which variables depend on each other, and how these are split into groups: all in one where the
// table has room, otherwise as evenly as possible.
void NetworkList::lay_out() {
    // A group of a component that is too large: a table of 8 MiB, made in a moment.
    const std::size_t part_of_component = std::min<std::size_t>(20, options_.largest_table);
    std::vector<std::size_t> position(n_);
    std::iota(position.begin(), position.end(), std::size_t{0});
    for (std::size_t i = 0; i < options_.order.size(); ++i) position[options_.order[i]] = i;
    for (auto& found : split_into_components(*sets_, true)) {
        std::sort(found.variables.begin(), found.variables.end(),
                  [&](std::size_t a, std::size_t b) { return position[a] < position[b]; });
        Component component;
        const std::size_t size = found.variables.size();
        const std::uint64_t whole = cost_table_memory(size, options_.jobs);
        // Half of the memory is for nodes.
        const bool fits = size <= std::min(options_.largest_table, most_group_variables) &&
                          table_bytes_ + whole <= budget_.limits().memory_bytes / 2;
        exact_ = exact_ && fits;
        const std::size_t parts = fits ? 1 : (size + part_of_component - 1) / part_of_component;
        for (std::size_t part = 0, begin = 0; part < parts; ++part) {
            const std::size_t end = size * (part + 1) / parts;
            component.groups.push_back({variable_.size() + begin, end - begin, {}});
            table_bytes_ += cost_table_memory(end - begin, options_.jobs);
            begin = end;
        }
        for (const std::size_t v : found.variables) {
            component.members |= bit(variable_.size());
            component_of_.push_back(components_.size());
            variable_.push_back(static_cast<std::uint32_t>(v));
        }
        components_.push_back(std::move(component));
    }
}

void NetworkList::make_families(const ParentSets& sets) {
    std::vector<std::size_t> bit_of(n_);
    for (std::size_t b = 0; b < n_; ++b) bit_of[variable_[b]] = b;
    families_.assign(n_, {});
    for (std::size_t b = 0; b < n_; ++b)
        for (std::size_t s = sets.first(variable_[b]); s < sets.first(variable_[b] + 1); ++s) {
            Bits parents = 0;
            for (const std::int32_t member : sets.members(s))
                parents |= bit(bit_of[static_cast<std::size_t>(member)]);
            families_[b].push_back(
                {parents, sets.cost(s), static_cast<std::uint32_t>(number_of(sets.family(s)))});
        }
}

bool NetworkList::prepare() {
    if (!budget_.allow_memory(table_bytes_)) return false;
    memory_bytes_ = table_bytes_;
    make_families(*sets_);
    Cost before = 0;
    for (Component& component : components_) {
        component.before = before;
        for (Group& group : component.groups) {
            std::vector<std::vector<GroupFamily>> inside(group.size);
            for (std::size_t i = 0; i < group.size; ++i)
                for (const Family& family : families_[group.first + i])
                    inside[i].push_back({static_cast<std::uint32_t>(family.parents >> group.first &
                                                                    (bit(group.size) - 1)),
                                         family.cost});
            group.table = make_cost_table(inside, options_.jobs, budget_.checkpoint_of_others());
            before = std::min(infinite_cost, before + group.table.back());
        }
    }
    if (before >= infinite_cost) {  // constraints that no network satisfies
        budget_.end(Status::finished);
        return false;
    }
    optimum_ = options_.optimum.value_or(before);
    limit_ = optimum_ + options_.allowed;
    rank_variables();
    // Whatever a family leaves to the others, they cost at least nothing.
    for (std::size_t b = 0; b < n_; ++b) {
        const Component& own = components_[component_of_[b]];
        const Cost others = before - cost_of(own, own.members) + own.before;
        std::erase_if(families_[b],
                      [&](const Family& family) { return family.cost + others > limit_; });
    }
    if (!options_.rows.multipliers.empty()) price_rows();
    price_children(*sets_);
    const Bits all = n_ == 64 ? ~Bits{0} : bit(n_) - 1;
    return add({all, 0, 0, nothing, nothing}, before);
}

// Exact tables tell an order of the best network. Its last variables have the highest ranks: so
// good networks mostly lose the highest first, and few have debts.
void NetworkList::trace_order(const Component& component, std::vector<std::size_t>& rank) const {
    const Group& group = component.groups.front();
    std::size_t next = group.size;
    for (Bits left = component.members; left != 0;) {
        const Cost cost = cost_of(component, left);
        bool taken = false;
        for_each_member(left, [&](std::size_t b) {
            if (taken) return;
            const Bits rest = left ^ bit(b), inside = rest | ~component.members;
            for (const Family& family : families_[b])
                if ((family.parents & ~inside) == 0) {
                    taken = family.cost + cost_of(component, rest) == cost;
                    break;
                }
            if (taken) {
                rank[b] = --next;
                left = rest;
            }
        });
    }
}

void NetworkList::rank_variables() {
    std::vector<std::size_t> rank(n_);
    std::iota(rank.begin(), rank.end(), std::size_t{0});
    higher_.assign(n_, 0);
    for (const Component& component : components_) {
        if (component.groups.size() == 1) trace_order(component, rank);
        for_each_member(component.members, [&](std::size_t b) {
            for_each_member(component.members, [&](std::size_t other) {
                if (rank[other] > rank[b]) higher_[b] |= bit(other);
            });
        });
    }
}

void NetworkList::price_rows() {
    std::vector<std::size_t> bit_of(n_);
    for (std::size_t b = 0; b < n_; ++b) bit_of[variable_[b]] = b;
    row_bound_.emplace(options_.rows, bit_of);
    Checkpoint checkpoint = budget_.checkpoint();
    for (std::size_t b = 0; b < n_; ++b)
        for (Family& family : families_[b]) {
            checkpoint(options_.rows.multipliers.size());
            family.priced = row_bound_->add(b, family.parents, family.cost);
        }
}

// What having z among its parents costs a child, at least, compared with the best of its other
// parents alone: without z the rest of the network could stay as it is.
void NetworkList::price_children(const ParentSets& sets) {
    children_.assign(n_, {});
    const BestParents best(sets);
    Checkpoint checkpoint = budget_.checkpoint();
    for (std::size_t b = 0; b < n_; ++b)
        for (const Family& family : families_[b])
            for_each_member(
                family.parents & components_[component_of_[b]].members, [&](std::size_t z) {
                    checkpoint(64);
                    Bits others = 0;
                    for_each_member(family.parents ^ bit(z),
                                    [&](std::size_t v) { others |= bit(variable_[v]); });
                    const std::uint32_t number = best.find(variable_[b], &others);
                    const Cost without = number == BestParents::none
                                             ? infinite_cost
                                             : sets.cost(sets.first(variable_[b]) + number);
                    const Cost price = without == infinite_cost ? 0 : family.cost - without;
                    if (optimum_ + price <= limit_)
                        children_[z].push_back(
                            {std::max<Cost>(0, price), family.parents | bit(b), b, family.priced});
                });
    for (auto& children : children_)
        std::stable_sort(
            children.begin(), children.end(),
            [](const PossibleChild& a, const PossibleChild& c) { return a.price < c.price; });
}

const NetworkList::Component& NetworkList::last_component(Bits left) const {
    return components_[component_of_[static_cast<std::size_t>(std::bit_width(left)) - 1]];
}

// Of what is left of a component, and of all before it.
Cost NetworkList::cost_of(const Component& component, Bits left) {
    Cost cost = component.before;
    for (const Group& group : component.groups)
        cost += group.table[left >> group.first & (bit(group.size) - 1)];
    return cost;
}

void NetworkList::bound(const Component& component, Bits left, LowerBound& out) const {
    out.tables = cost_of(component, left & component.members);
    if (row_bound_) out.rows = row_bound_->of(left, out.lowest);
}

// The same when all that are owed a child get one; stops where it exceeds `most`.
Cost NetworkList::bound_with_debts(Bits owed, Bits left, const LowerBound& bound, Cost most) const {
    const Cost without = bound.value();
    Cost highest = without;
    while (owed != 0 && highest <= most) {
        const auto z = static_cast<std::size_t>(std::countr_zero(owed));
        owed &= owed - 1;
        Cost own = infinite_cost;
        for (const PossibleChild& child : children_[z]) {
            if (bound.tables + child.price > std::min(most, own)) break;
            if ((child.with_parents & ~left) != 0) continue;
            Cost with = bound.tables + child.price;
            if (row_bound_)
                with = std::max(with, bound.rows + child.priced - bound.lowest[child.child]);
            own = std::min(own, with);
            if (own <= without) break;
        }
        highest = std::max(highest, own);
    }
    return highest;
}

void NetworkList::expand(std::uint32_t number) {
    const Node node = nodes_[number];
    const Component& component = last_component(node.left);
    for_each_member(node.left & component.members & ~node.owed, [&](std::size_t b) {
        if (status_ != Status::running) return;
        const Bits left = node.left ^ bit(b);
        LowerBound rest;
        bound(component, left, rest);
        const Cost room = limit_ - node.cost - rest.value();
        for (const Family& family : families_[b]) {
            if (family.cost > room) break;
            if ((family.parents & ~left) != 0) continue;
            const Bits owed = (node.owed | (higher_[b] & left)) & ~family.parents;
            const Cost cost = node.cost + family.cost, most = limit_ - cost;
            const Cost with_debts = bound_with_debts(owed, left, rest, most);
            if (with_debts > most) continue;
            if (!add({left, owed, cost, number, family.set}, cost + with_debts)) return;
        }
    });
}

bool NetworkList::add(const Node& node, Cost bound) {
    // Vectors grow by doubling, and hold both sizes while they do.
    if (nodes_.size() == nodes_.capacity() || open_.size() == open_.capacity()) {
        const std::uint64_t bytes = table_bytes_ + 3 * (nodes_.capacity() + 1) * sizeof(Node) +
                                    3 * (open_.capacity() + 1) * sizeof(Open);
        if (nodes_.size() >= nothing || !budget_.allow_memory(bytes)) return end(Status::memory);
        memory_bytes_ = bytes;
    }
    nodes_.push_back(node);
    open_.push_back({bound, static_cast<std::uint32_t>(nodes_.size() - 1),
                     static_cast<std::uint32_t>(std::popcount(node.left))});
    std::push_heap(open_.begin(), open_.end());
    return true;
}

void NetworkList::note(const Node& last) {
    // The first is the best; what was known of it before may have been rounded.
    if (!any_found_) limit_ = std::min(limit_, last.cost + options_.allowed);
    any_found_ = true;
    Found found{last.cost, std::vector<std::uint32_t>(n_)};
    for (const Node* node = &last; node->from != nothing; node = &nodes_[node->from]) {
        const auto placed =
            static_cast<std::size_t>(std::countr_zero(nodes_[node->from].left ^ node->left));
        found.sets[variable_[placed]] = node->set;
    }
    found_.push_back(std::move(found));
}

bool NetworkList::end(Status reason) {
    if (status_ == Status::running) status_ = reason;
    return false;
}

bool NetworkList::find(std::size_t wanted) {
    if (status_ != Status::running) return false;
    if (!prepared_) {
        try {
            prepared_ = prepare();
        } catch (const WorkStopped&) {
            budget_.exhausted_now();
        }
        if (!prepared_) return end(budget_.reason());
    }
    while (!open_.empty()) {
        if (budget_.exhausted()) return end(budget_.reason());
        if (found_.size() >= wanted) return true;
        std::pop_heap(open_.begin(), open_.end());
        const Open next = open_.back();
        open_.pop_back();
        if (next.bound > limit_) break;
        if (next.left == 0) {
            note(nodes_[next.node]);
            continue;
        }
        if (!budget_.expand()) return end(budget_.reason());
        expand(next.node);
        if (status_ != Status::running) return false;
    }
    return end(Status::finished);
}

}  // namespace anytimebn
