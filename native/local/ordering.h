// An ordering of the variables and the network it implies (every variable takes its cheapest parent
// set among the variables before it), kept up to date while variables move.
#pragma once

#include <cstdint>
#include <vector>

#include "local/relations.h"
#include "problem/parent_sets.h"

namespace anytimebn {

class Ordering {
 public:
    // The bit columns of the same sets, if there are any, speed up long lists.
    Ordering(const ParentSets& sets, const BestParents* columns, const Relations& relations);

    void assign(std::vector<std::uint32_t> order);

    static constexpr std::uint32_t none = BestParents::none;
    // What a variable without a fitting parent set counts: more than any network costs, but small
    // enough to add up for thousands of variables. Such orderings are infeasible but comparable.
    static constexpr Cost infeasible = infinite_cost / 4096;

    std::size_t size() const { return order_.size(); }
    const std::vector<std::uint32_t>& order() const { return order_; }
    std::uint32_t position(std::uint32_t v) const { return position_[v]; }
    // Number of the variable's parent set, counted from its first; or none.
    std::uint32_t chosen(std::uint32_t v) const { return chosen_[v]; }
    // Above the cheapest parent sets of all variables.
    Cost regret() const { return regret_; }
    bool feasible() const { return regret_ < infeasible; }
    // Parent sets looked at, more or less.
    std::uint64_t work() const { return work_; }

    // The first parent set of v, from a number on, with all members before a place, and without one
    // of them. None can fit below that number.
    std::uint32_t find(std::uint32_t v, std::uint32_t place, std::uint32_t from = 0,
                       std::uint32_t lost = none);

    // What changes appends the variables that now have other parents to `changed`.
    using Variables = std::vector<std::uint32_t>;

    // Puts v where the ordering costs least; false if it is there.
    bool improve(std::uint32_t v, Variables& changed);
    void insert(std::uint32_t v, std::uint32_t place, Variables& changed);
    // What swapping the variable at a place with the next one would change.
    Cost change_by_swap(std::uint32_t place);
    // Makes the parent set possible for v: those of its members that come later are moved before v,
    // together with their ancestors in between, so that only v's descendants lose parents.
    void pull_parents(std::uint32_t v, std::uint32_t number, Variables& changed);
    // The same by moving v, together with its descendants in between, behind the last member.
    void push_behind_parents(std::uint32_t v, std::uint32_t number, Variables& changed);

    // Remembers the ordering; goes back to what was remembered last. Both cost what has moved.
    void keep();
    void restore();

 private:
    struct Place {
        std::uint32_t position;
        std::uint32_t neighbour;
    };
    struct Move {
        Cost change = 0;
        std::uint32_t place = none;
    };

    Cost cost(std::uint32_t v, std::uint32_t number) const {
        return number == none ? infeasible
                              : sets_.cost(sets_.first(v) + number) - sets_.lowest_cost(v);
    }
    bool contains(std::uint32_t v, std::uint32_t number, std::uint32_t member) const;
    bool uses_columns(std::uint32_t v) const { return columns_ != nullptr && long_[v]; }
    std::uint32_t find_column(std::uint32_t v, std::uint64_t candidates, Cost limit);
    std::uint32_t find_with(std::uint32_t v, std::uint32_t below, std::uint32_t place,
                            std::uint32_t gained, Relations::List containing);
    void try_earlier(std::uint32_t v, Move& best);
    void try_later(std::uint32_t v, Move& best);
    void sort_neighbours(std::uint32_t v);
    void choose(std::uint32_t v, std::uint32_t number, Variables& changed);
    void refresh(std::uint32_t v, Variables& changed) { choose(v, find(v, position_[v]), changed); }
    void mark(std::uint32_t v) {
        marked_[v] = true;
        moved_.push_back(v);
    }
    void unmark();
    // Moves the marked variables of a range to its front or to its end.
    void partition(std::uint32_t first, std::uint32_t last, bool marked_first);
    void touch(std::uint32_t first, std::uint32_t last);
    void place_range(std::uint32_t first, std::uint32_t last);

    const ParentSets& sets_;
    const BestParents* columns_;
    const Relations& relations_;
    std::vector<bool> long_;  // lists of parent sets that columns are faster for
    std::vector<std::uint32_t> order_, position_, chosen_;
    std::vector<std::uint64_t> before_;  // with columns: the variables before each position
    Cost regret_ = 0;
    std::uint64_t work_ = 0;

    std::vector<std::uint32_t> kept_order_, kept_chosen_;
    Cost kept_regret_ = 0;
    std::uint32_t first_touched_ = 0, last_touched_ = 0;  // empty if first > last

    std::vector<Place> places_;  // of the neighbours of the variable that moves, in order
    std::size_t own_place_ = 0;  // how many of them come before it
    std::vector<bool> marked_;
    std::vector<std::uint32_t> moved_, rest_;  // moved_: the marked ones
};

}  // namespace anytimebn
