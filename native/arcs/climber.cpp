#include "arcs/climber.h"

#include <algorithm>

namespace anytimebn {
namespace {

std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) {
    return std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
}

}  // namespace

Climber::Climber(GraphSearch& search, const ParentLists& start)
    : search_(search),
      n_(search.costs.variables()),
      graph_(start),
      random_(search.options.seed),
      best_(start),
      best_arcs_(graph_.arcs()) {
    for (std::uint32_t v = 0; v < n_; ++v) {
        own_.push_back(search.costs.cost(v, start[v]));
        cost_ += own_.back();
    }
    best_cost_ = cost_;
    search_.improve(best_, own_);
}

void Climber::run(const Climbing& wanted) {
    if (!search_.use_memory(n_ * n_ * sizeof(Cost) + graph_.memory_bytes())) return;
    if (!ready_) {
        if (search_.out_of_budget()) return;
        rows_.assign(n_ * n_, infinite_cost);
        best_step_.assign(n_, infinite_cost);
        search_.costs.prepare(graph_.parents(), search_.options.jobs);
        for (std::uint32_t v = 0; v < n_; ++v)
            if (search_.out_of_budget() || !refresh(v)) return;
        ready_ = true;
    }
    if (!climb(wanted)) return;
    for (std::size_t restart = 0; restart < wanted.restarts; ++restart) {
        if (!go_to(best_) || !kick(wanted.kicks)) return;
        tabu_until_.clear();
        if (!climb(wanted)) return;
    }
}

// False when the budget has ended.
bool Climber::climb(const Climbing& wanted) {
    const bool use_tabu = wanted.tabu_length > 0 && wanted.patience > 0;
    Cost lowest = cost_;  // since the last restart
    std::size_t idle = 0;
    while (!use_tabu || idle < wanted.patience) {
        if (search_.out_of_budget()) return false;
        const Move move = best_move(!use_tabu, use_tabu);
        if (move.kind == Kind::none) return true;
        if (!search_.budget.expand() || !apply(move, wanted.tabu_length)) return false;
        note_best();
        idle = cost_ < lowest ? 0 : idle + 1;
        lowest = std::min(lowest, cost_);
    }
    return true;
}

bool Climber::kick(std::size_t moves) {
    for (std::size_t i = 0; i < moves; ++i) {
        const Move move = random_move();
        if (move.kind == Kind::none) return true;
        if (search_.out_of_budget() || !search_.budget.expand() || !apply(move, 0)) return false;
    }
    return true;
}

bool Climber::go_to(const ParentLists& network) {
    std::vector<std::uint32_t> changed;
    for (std::uint32_t v = 0; v < n_; ++v)
        if (graph_.parents(v) != network[v]) changed.push_back(v);
    graph_ = Graph(network);
    for (const std::uint32_t v : changed) {
        const Cost before = own_[v];
        own_[v] = search_.costs.cost(v, network[v]);
        cost_ += own_[v] - before;
        if (!refresh(v)) return false;
    }
    return true;
}

bool Climber::refresh(std::uint32_t child) {
    Cost* const row = rows_.data() + child * n_;
    if (!search_.costs.toggles(child, graph_.parents(child), row)) return false;
    best_step_[child] = *std::min_element(row, row + n_) - own_[child];
    return search_.use_memory(rows_.size() * sizeof(Cost) + graph_.memory_bytes());
}

void Climber::note_best() {
    const std::size_t arcs = graph_.arcs();
    if (cost_ > best_cost_ || (cost_ == best_cost_ && arcs >= best_arcs_)) return;
    best_cost_ = cost_;
    best_arcs_ = arcs;
    best_ = graph_.parents();
    search_.improve(best_, own_);
}

// An arc that was just changed may change again only for a network better than all before.
bool Climber::is_tabu(std::uint32_t a, std::uint32_t b, Cost delta) const {
    const auto found = tabu_until_.find(pair_key(a, b));
    return found != tabu_until_.end() && moves_ < found->second && cost_ + delta >= best_cost_;
}

// The cheapest move; a deletion that costs nothing is better than none. Equal ones: the first.
Climber::Move Climber::best_move(bool only_better, bool use_tabu) const {
    Move best;
    if (only_better) best.delta = 0;
    const auto consider = [&](Kind kind, std::uint32_t child, std::uint32_t parent, Cost delta) {
        const bool free_deletion = kind == Kind::remove && best.kind == Kind::none;
        if (delta > best.delta || (delta == best.delta && !free_deletion)) return;
        if (use_tabu && is_tabu(child, parent, delta)) return;
        if (kind == Kind::add && !graph_.can_add(child, parent)) return;
        if (kind == Kind::reverse && !graph_.can_reverse(child, parent)) return;
        best = {kind, child, parent, delta};
    };
    for (std::uint32_t child = 0; child < n_; ++child) {
        for (const std::uint32_t parent : graph_.parents(child)) {
            if (toggled(child, parent) >= infinite_cost) continue;
            const Cost removal = toggled(child, parent) - own_[child];
            consider(Kind::remove, child, parent, removal);
            if (toggled(parent, child) < infinite_cost)
                consider(Kind::reverse, child, parent,
                         removal + toggled(parent, child) - own_[parent]);
        }
        if (best_step_[child] >= best.delta) continue;
        const Cost* const row = rows_.data() + child * n_;
        for (std::uint32_t parent = 0; parent < n_; ++parent)
            if (row[parent] < infinite_cost && row[parent] - own_[child] < best.delta &&
                !graph_.has(child, parent))
                consider(Kind::add, child, parent, row[parent] - own_[child]);
    }
    return best;
}

Climber::Move Climber::random_move() {
    constexpr int tries = 1000;  // most pairs will do, unless hardly any arc is allowed
    for (int i = 0; i < tries; ++i) {
        const std::uint32_t child = random_.below(n_), parent = random_.below(n_);
        if (child == parent || toggled(child, parent) >= infinite_cost) continue;
        if (!graph_.has(child, parent)) {
            if (graph_.can_add(child, parent)) return {Kind::add, child, parent, 0};
            continue;
        }
        const bool reverse = random_.below(2) == 1 && toggled(parent, child) < infinite_cost &&
                             graph_.can_reverse(child, parent);
        return {reverse ? Kind::reverse : Kind::remove, child, parent, 0};
    }
    return {};
}

bool Climber::apply(const Move& move, std::size_t tabu_length) {
    const auto toggle = [&](std::uint32_t child, std::uint32_t parent) {
        cost_ += toggled(child, parent) - own_[child];
        own_[child] = toggled(child, parent);
        graph_.has(child, parent) ? graph_.remove(child, parent) : graph_.add(child, parent);
    };
    toggle(move.child, move.parent);
    if (move.kind == Kind::reverse) toggle(move.parent, move.child);
    ++moves_;
    if (tabu_length > 0)  // differing lengths break cycles (Taillard 1991)
        tabu_until_[pair_key(move.child, move.parent)] =
            moves_ + (tabu_length + 1) / 2 + random_.below(tabu_length + 1);
    return refresh(move.child) && (move.kind != Kind::reverse || refresh(move.parent));
}

}  // namespace anytimebn
