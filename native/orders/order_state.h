// An order of the variables, the parents that each chooses among those before it, and moves of one
// variable to another place: best order search (Andrews, Ramsey, Sanchez-Romero, Camchong &
// Kummerfeld 2023).
//
// A move asks again only for the variables whose choice it can change. Those of required arcs keep
// their places to each other.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "orders/grow_shrink.h"

namespace anytimebn {

class OrderState {
 public:
    explicit OrderState(GrowShrinkGraphs& graphs, const Permissions& permissions);

    // Begins with an order in which required parents come first.
    void set_order(const std::vector<std::uint32_t>& order);
    // Begins with no variable at all.
    void clear();
    // Puts one more variable at its best place.
    void insert(std::uint32_t variable);

    // Chooses again where the graphs or pools have changed since.
    void refresh() {
        if (epoch_ != graphs_->epoch()) set_order(std::vector(order_));
    }

    const std::vector<std::uint32_t>& order() const { return order_; }
    std::size_t position(std::uint32_t variable) const { return position_[variable]; }
    Cost cost() const { return cost_; }
    std::span<const std::uint32_t> parents(std::uint32_t variable) const {
        return graphs_->parents(variable, chosen_[variable]);
    }
    Cost cost_of(std::uint32_t variable) const { return chosen_[variable].cost; }
    // Whether a variable looked at another when it chose its parents.
    bool uses(std::uint32_t variable, std::uint32_t other) const {
        return path_.test(variable, other);
    }
    // Variables that are not placed yet have the parents that are required.
    ParentLists network() const;
    std::vector<Cost> costs() const;  // of each variable

    struct Place {
        std::size_t position;
        Cost delta;
    };
    // The cheapest place of the variable at a position, if it is cheaper than this one.
    Place best_place(std::size_t from);
    // Moves a variable as far as required arcs allow; appends the variables that chose other
    // parents.
    void move(std::size_t from, std::size_t to, std::vector<std::uint32_t>& changed);
    // What a variable would cost if these were before it.
    Cost trial(std::uint32_t variable, const std::vector<std::uint64_t>& before);
    // The places at which the variable at a position may be.
    std::size_t lowest(std::size_t from) const;
    std::size_t highest(std::size_t from) const;

 private:
    Traced trace(std::uint32_t variable, const std::vector<std::uint64_t>& before,
                 std::uint64_t* path, std::uint64_t* skipped);
    void choose(std::uint32_t variable, const std::vector<std::uint64_t>& before,
                std::vector<std::uint32_t>* changed);
    void renumber(std::size_t first, std::size_t last);

    GrowShrinkGraphs* graphs_;
    const Permissions* permissions_;
    std::size_t words_;
    std::shared_ptr<const ParentLists> required_children_;
    std::vector<std::uint32_t> order_;
    std::vector<std::size_t> position_;
    std::vector<Traced> chosen_;
    BitMatrix path_, skipped_;
    Cost cost_ = 0;
    std::uint64_t epoch_ = 0;  // of the graphs that the choices are nodes of
};

}  // namespace anytimebn
