// One chain of an iterated local search over orders: descend to a local optimum, kick, descend
// again, and go on from there unless it got much worse.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "base/random.h"
#include "orders/family_pool.h"
#include "orders/order_state.h"

namespace anytimebn {

struct ChainSettings {
    double temperature = 10;        // nats: by how much worse a network may be to go on from it
    std::size_t most_moves = 3;     // of a kick
    std::size_t patience = 300;     // kicks without a better network, before going back to the best
    std::uint64_t graph_bytes = 0;  // beyond which graphs are forgotten
    // A clock, where what is done may depend on how long it takes: where results need not repeat.
    std::function<double()> seconds = {};
};

// Networks that cost no more than this are near one of the given cost: worth to share families.
Cost most_near(Cost best);

class OrderChain {
 public:
    // `step` is called before each look at the places of a variable and may throw OutOfBudget;
    // `better` for every network that is the best of the chain, with what it costs.
    OrderChain(GrowShrinkGraphs& graphs, const Permissions& permissions,
               const ChainSettings& settings, std::uint64_t seed, std::function<void()> step,
               std::function<void(const OrderState&, Cost)> better);

    // Begins with variables put to their best places one after the other, in a random order.
    void start_anew();
    void start_with(const std::vector<std::uint32_t>& order);
    // One kick, and down again.
    void kick();
    // Whether a kick for each variable has led to nothing better.
    bool exhausted() const;

    const OrderState& best() const { return best_; }
    FamilyPool& pool() { return pool_; }

 private:
    void descend(std::vector<std::uint32_t> first);
    double seconds() const { return settings_.seconds ? settings_.seconds() : 0; }
    void try_together(std::vector<std::uint32_t>& touched);
    void move_at_random(std::vector<std::uint32_t>& touched);
    void tuck(std::uint32_t x, std::uint32_t y, std::vector<std::uint32_t>& touched);
    void move(std::uint32_t variable, std::size_t to, std::vector<std::uint32_t>& touched);
    void kick_neighbours(std::size_t moves, bool with_ancestors,
                         std::vector<std::uint32_t>& touched);
    void add_neighbours(std::uint32_t variable, std::vector<std::uint32_t>& neighbours) const;
    void note(bool settled);
    void tell(Cost cost, bool at_once);

    GrowShrinkGraphs& graphs_;
    const Permissions& permissions_;
    ChainSettings settings_;
    Random random_;
    std::function<void()> step_;
    std::function<void(const OrderState&, Cost)> better_;
    OrderState state_, current_, best_;
    FamilyPool pool_;
    Cost told_ = infinite_cost;
    std::size_t untold_ = 0, kicks_ = 0, last_better_ = 0, last_return_ = 0;
    double seconds_trying_ = 0, seconds_moving_ = 0;  // of kicks
};

}  // namespace anytimebn
