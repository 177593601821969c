#include "orders/order_chain.h"

#include <algorithm>
#include <cmath>

namespace anytimebn {
namespace {

// To try parents together, families have to be counted that nothing else asks for. Where that takes
// long, all the time would go there, and little is found by it; where it does not, it takes less
// than this by itself, and on dense tables the best networks are found by it.
constexpr double most_trying = 0.5;  // of the time of moves

}  // namespace

Cost most_near(Cost best) {
    constexpr double near = 3e-3;  // of the cost
    return best + static_cast<Cost>(near * std::abs(static_cast<double>(best)));
}

OrderChain::OrderChain(GrowShrinkGraphs& graphs, const Permissions& permissions,
                       const ChainSettings& settings, std::uint64_t seed,
                       std::function<void()> step,
                       std::function<void(const OrderState&, Cost)> better)
    : graphs_(graphs),
      permissions_(permissions),
      settings_(settings),
      random_(seed),
      step_(std::move(step)),
      better_(std::move(better)),
      state_(graphs, permissions),
      current_(state_),
      best_(state_),
      pool_(permissions.variables()) {}

void OrderChain::start_anew() {
    std::vector<std::uint32_t> variables(permissions_.variables());
    for (std::uint32_t v = 0; v < variables.size(); ++v) variables[v] = v;
    random_.shuffle(variables);
    // Required parents first, otherwise in this order.
    std::vector<std::uint32_t> order;
    std::vector<bool> placed(variables.size(), false);
    while (order.size() < variables.size())
        for (const std::uint32_t v : variables) {
            const Parents& required = permissions_.required[v];
            if (placed[v] || !std::all_of(required.begin(), required.end(),
                                          [&](std::uint32_t parent) { return placed[parent]; }))
                continue;
            placed[v] = true;
            order.push_back(v);
        }
    // Those that are not placed yet have the parents that are required.
    state_.clear();
    Cost unplaced = 0;
    for (const std::uint32_t v : order) unplaced += graphs_.least_parents_cost(v);
    for (const std::uint32_t v : order) {
        step_();
        state_.insert(v);
        unplaced -= graphs_.least_parents_cost(v);
        tell(state_.cost() + unplaced, false);
    }
    descend(state_.order());
    best_ = current_ = state_;
    note(true);
}

void OrderChain::start_with(const std::vector<std::uint32_t>& order) {
    state_.set_order(order);
    // Chains that begin with the same order need not go the same way.
    std::vector<std::uint32_t> first = order;
    random_.shuffle(first);
    descend(std::move(first));
    best_ = current_ = state_;
    note(true);
}

void OrderChain::note(bool settled) {
    if (settled && state_.cost() <= most_near(best_.cost())) pool_.add(state_);
    tell(state_.cost(), settled);
}

// Not each of them: to write down a network takes longer than many a move.
void OrderChain::tell(Cost cost, bool at_once) {
    constexpr std::size_t moves_between = 8;
    if (cost >= told_ || (++untold_ < moves_between && !at_once)) return;
    untold_ = 0;
    told_ = cost;
    better_(state_, cost);
}

// Variables whose choice changed come again, and so do their parents: these may have to move.
void OrderChain::descend(std::vector<std::uint32_t> first) {
    std::deque<std::uint32_t> queue;
    std::vector<bool> waiting(permissions_.variables(), false);
    const auto push = [&](std::uint32_t v) {
        if (waiting[v]) return;
        waiting[v] = true;
        queue.push_back(v);
    };
    for (const std::uint32_t v : first) push(v);
    std::vector<std::uint32_t> changed;
    while (!queue.empty()) {
        step_();
        if (graphs_.memory_bytes() > settings_.graph_bytes) graphs_.forget();
        state_.refresh();
        const std::uint32_t v = queue.front();
        queue.pop_front();
        waiting[v] = false;
        const std::size_t from = state_.position(v);
        const OrderState::Place place = state_.best_place(from);
        if (place.position == from) continue;
        changed.assign(1, v);
        state_.move(from, place.position, changed);
        for (const std::uint32_t u : changed) {
            push(u);
            for (const std::uint32_t parent : state_.parents(u)) push(parent);
        }
        note(false);
    }
}

void OrderChain::add_neighbours(std::uint32_t variable,
                                std::vector<std::uint32_t>& neighbours) const {
    for (const std::uint32_t parent : state_.parents(variable)) neighbours.push_back(parent);
    for (std::uint32_t v = 0; v < permissions_.variables(); ++v)
        if (state_.uses(v, variable)) neighbours.push_back(v);
}

void OrderChain::move(std::uint32_t variable, std::size_t to, std::vector<std::uint32_t>& touched) {
    touched.push_back(variable);
    state_.move(state_.position(variable), to, touched);
}

// Puts y before x, with those of its ancestors that are between the two.
void OrderChain::tuck(std::uint32_t x, std::uint32_t y, std::vector<std::uint32_t>& touched) {
    std::vector<bool> is_ancestor(permissions_.variables(), false);
    is_ancestor[y] = true;
    std::vector<std::uint32_t> moving;
    for (std::size_t i = state_.position(y); i > state_.position(x); --i) {
        const std::uint32_t v = state_.order()[i];
        if (!is_ancestor[v]) continue;
        moving.push_back(v);
        for (const std::uint32_t parent : state_.parents(v)) is_ancestor[parent] = true;
    }
    std::reverse(moving.begin(), moving.end());
    std::size_t to = state_.position(x);
    for (const std::uint32_t v : moving) move(v, to++, touched);
    touched.push_back(x);
}

void OrderChain::kick_neighbours(std::size_t moves, bool with_ancestors,
                                 std::vector<std::uint32_t>& touched) {
    std::uint32_t v = random_.below(permissions_.variables());
    std::vector<std::uint32_t> neighbours;
    add_neighbours(v, neighbours);
    for (std::size_t k = 0; k < moves && !neighbours.empty(); ++k) {
        const std::uint32_t u = neighbours[random_.below(neighbours.size())];
        if (u == v) continue;
        const bool u_first = state_.position(u) < state_.position(v);
        const std::uint32_t x = u_first ? u : v, y = u_first ? v : u;
        if (with_ancestors)
            tuck(x, y, touched);
        else if (random_.below(2) == 0)
            move(y, state_.position(x), touched);
        else
            move(x, state_.position(y), touched);
        add_neighbours(u, neighbours);
        v = neighbours[random_.below(neighbours.size())];
    }
}

// A few parents for a variable, at random, of those before it or of all: what they lead to may be
// better than what it would choose.
void OrderChain::try_together(std::vector<std::uint32_t>& touched) {
    current_.refresh();
    const std::uint32_t v = random_.below(permissions_.variables());
    const bool of_all = random_.below(2) == 0;
    std::vector<std::uint32_t> candidates;
    std::vector<std::uint64_t> before((permissions_.variables() + 63) / 64, 0);
    for (std::size_t i = 0; i < current_.order().size(); ++i) {
        const std::uint32_t u = current_.order()[i];
        if (u == v && !of_all) break;
        if (u == v) continue;
        before[u / 64] |= std::uint64_t{1} << (u % 64);
        if (permissions_.allowed[v][u]) candidates.push_back(u);
    }
    if (candidates.empty()) return;
    Parents first;
    do {
        const std::uint32_t u = candidates[random_.below(candidates.size())];
        if (std::find(first.begin(), first.end(), u) == first.end()) first.push_back(u);
    } while (random_.below(2) == 0);
    if (graphs_.grow_from(v, first, before.data(), current_.trial(v, before))) touched.push_back(v);
}

void OrderChain::move_at_random(std::vector<std::uint32_t>& touched) {
    const std::size_t moves = 1 + random_.below(settings_.most_moves);
    const std::uint32_t kind = random_.below(3);
    if (kind < 2) {
        kick_neighbours(moves, kind == 0, touched);
        return;
    }
    for (std::size_t k = 0; k < moves; ++k) {
        const std::uint32_t v = random_.below(permissions_.variables());
        move(v, random_.below(permissions_.variables()), touched);
    }
}

void OrderChain::kick() {
    ++kicks_;
    std::vector<std::uint32_t> touched;
    const double began = seconds();
    if (seconds_trying_ <= most_trying * seconds_moving_) try_together(touched);
    const double tried = seconds();
    seconds_trying_ += tried - began;
    current_.refresh();
    state_ = current_;
    if (touched.empty()) move_at_random(touched);
    std::vector<std::uint32_t> first = touched;
    for (const std::uint32_t v : touched)
        for (const std::uint32_t parent : state_.parents(v)) first.push_back(parent);
    descend(std::move(first));
    note(true);
    if (state_.cost() < best_.cost()) {
        best_ = state_;
        last_better_ = last_return_ = kicks_;
    }
    const double worse = -std::log(1 - random_.fraction()) * settings_.temperature * 1e6;
    if (static_cast<double>(state_.cost() - current_.cost()) < std::max(1.0, worse))
        current_ = state_;
    if (kicks_ - last_return_ > settings_.patience) {
        best_.refresh();
        current_ = best_;
        last_return_ = kicks_;
    }
    seconds_moving_ += seconds() - tried;
}

bool OrderChain::exhausted() const { return kicks_ > last_better_ + permissions_.variables(); }

}  // namespace anytimebn
