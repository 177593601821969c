// Branch and bound over structures that may have cycles (de Campos & Ji 2011). In a node some arcs
// are forbidden and some required; every variable takes its best parent set among those still
// allowed, and what these cost together bounds all networks of the node. If they make a cycle, one
// of its arcs is missing in every network: child k of the node forbids the k-th arc of the cycle
// and requires those before it, so that no network belongs to two children. The node with the
// smallest bound comes first, so the smallest bound in the queue is one for all networks.
//
// Two things make the bounds stronger than in the paper. Of each cycle among several without common
// variables some variable has to take a dearer set that has no parent on the cycle: the least of
// these increases add up. And the same is done once more with costs that are discounted by
// multipliers of cluster constraints (cycles/cluster_discounts.h), found once at the root and valid
// in every node; a parent set that by its discounted cost is in no better network is dropped.
//
// Where nearly all orderings cost the same, as with columns that are sums of others, the tree grows
// far beyond the number of sets of variables. Then the last word is left to dynamic programming
// over these sets, once the tree has had more nodes.
#include <algorithm>
#include <bit>
#include <memory>

#include "cycles/cluster_discounts.h"
#include "cycles/decision_tree.h"
#include "cycles/set_lists.h"
#include "cycles/short_cycles.h"
#include "local/insertion_search.h"
#include "run/algorithm.h"

namespace anytimebn {
namespace {

// The best allowed sets by some costs, their cycles, and the bound that follows.
class RelaxedStructure {
 public:
    RelaxedStructure(const PossibleParents& possible)
        : possible_(possible),
          short_cycles_(possible.variables()),
          chosen_(possible.variables()),
          parents_(possible.variables()),
          surcharge_(possible.variables(), 0) {}

    // The sets that are best when nothing is decided.
    void use(const SetLists& lists, Cost constant) {
        lists_ = &lists;
        root_sum_ = constant;
        moved_.clear();
        for (std::uint32_t v = 0; v < possible_.variables(); ++v) {
            choose(v, 0);
            root_sum_ += lists.cost(v, 0);
        }
    }

    // False if nothing is allowed for some variable, or all bounds are beyond the limit.
    bool solve(const Decisions& decisions, Cost limit) {
        decisions_ = &decisions;
        for (const std::uint32_t v : moved_)
            if (chosen_[v] != 0) choose(v, 0);
        moved_ = decisions.variables();
        sum_ = root_sum_;
        for (const std::uint32_t v : moved_) {
            const std::uint32_t number =
                lists_->find(v, decisions.forbidden(v), decisions.required(v));
            if (number == SetLists::none) return false;
            choose(v, number);
            sum_ += lists_->cost(v, number) - lists_->cost(v, 0);
        }
        bound_ = sum_;
        if (sum_ >= limit) return false;
        short_cycles_.find(parents_, cycles_);
        if (!cycles_.empty()) add_up_cycles();
        return bound_ < limit;
    }

    Cost bound() const { return bound_; }
    const std::vector<Cycle>& cycles() const { return cycles_; }
    const std::vector<std::uint32_t>& order() const { return short_cycles_.order(); }
    const std::vector<std::vector<std::uint32_t>>& parents() const { return parents_; }

    // The bound when an arc of the structure is forbidden, too.
    Cost bound_without(const Arc& arc) {
        return std::max(bound_, sum_ + increase(arc.child, {&arc.parent, 1}) + surcharge_sum_ -
                                    surcharge_[arc.child]);
    }

 private:
    // What the variable's best set without certain parents costs more.
    Cost increase(std::uint32_t v, std::span<const std::uint32_t> without) {
        const std::uint64_t* const forbidden = decisions_->forbidden(v);
        mask_.assign(forbidden, forbidden + possible_.words(v));
        possible_.mark(v, without, mask_.data());
        const std::uint32_t number =
            lists_->find(v, mask_.data(), decisions_->required(v), chosen_[v]);
        return number == SetLists::none ? infinite_cost / 4096
                                        : lists_->cost(v, number) - lists_->cost(v, chosen_[v]);
    }

    // The dearest cycles first, each without variables of those before.
    void add_up_cycles() {
        gains_.clear();
        for (std::uint32_t c = 0; c < cycles_.size(); ++c) {
            Cost least = infinite_cost;
            for (const std::uint32_t v : cycles_[c]) {
                least = std::min(least, increase(v, cycles_[c]));
                if (least == 0) break;
            }
            if (least > 0) gains_.push_back({least, c});
        }
        std::stable_sort(gains_.begin(), gains_.end(),
                         [](const Gain& a, const Gain& b) { return a.least > b.least; });
        std::fill(surcharge_.begin(), surcharge_.end(), 0);
        surcharge_sum_ = 0;
        for (const Gain& gain : gains_) {
            const Cycle& cycle = cycles_[gain.cycle];
            if (std::any_of(cycle.begin(), cycle.end(),
                            [&](std::uint32_t v) { return surcharge_[v] > 0; }))
                continue;
            for (const std::uint32_t v : cycle) surcharge_[v] = gain.least;
            surcharge_sum_ += gain.least;
        }
        bound_ += surcharge_sum_;
    }

    void choose(std::uint32_t v, std::uint32_t number) {
        chosen_[v] = number;
        parents_[v].clear();
        const std::uint64_t* const mask = lists_->mask(v, number);
        for (std::size_t w = 0; w < possible_.words(v); ++w)
            for (std::uint64_t left = mask[w]; left != 0; left &= left - 1)
                parents_[v].push_back(
                    possible_.of(v)[w * 64 + static_cast<std::size_t>(std::countr_zero(left))]);
    }

    struct Gain {
        Cost least;
        std::uint32_t cycle;
    };
    const PossibleParents& possible_;
    const SetLists* lists_ = nullptr;
    const Decisions* decisions_ = nullptr;
    ShortCycles short_cycles_;
    std::vector<std::uint32_t> chosen_, moved_;
    std::vector<std::vector<std::uint32_t>> parents_;
    std::vector<Cycle> cycles_;
    std::vector<Gain> gains_;
    std::vector<Cost> surcharge_;  // of the cycle that a variable counts in
    std::vector<std::uint64_t> mask_;
    Cost root_sum_ = 0, sum_ = 0, bound_ = 0, surcharge_sum_ = 0;
};

// ---- the search ----

class BranchAndBound {
 public:
    explicit BranchAndBound(SearchContext& context)
        : context_(context),
          sets_(context.component.sets),
          possible_(sets_),
          discounts_(sets_, possible_),
          decisions_(possible_),
          discounted_(possible_),
          plain_(possible_) {}

    static std::uint64_t memory_bytes(const Component& component) {
        return component.sets.size() * 64 + component.size() * 512;
    }

    void run() {
        // Small problems have few clusters.
        const double steps =
            std::min(context_.parameter("steps"),
                     10.0 * static_cast<double>(sets_.variables() * sets_.variables()));
        discounts_.improve(static_cast<std::size_t>(steps),
                           {.incumbent = [&] { return context_.incumbent(); },
                            .raised = [&](Cost bound) { context_.raise_bound(bound); },
                            .stopped = [&] { return context_.solved() || stopped(); }});
        while (!context_.solved() && !stopped()) {
            if (context_.incumbent() < limit_ && !drop_sets()) break;
            if (tree_.empty() || tree_.lowest_bound() >= limit_) break;
            context_.raise_bound(tree_.lowest_bound());
            if (!context_.budget.expand() || !room_left()) break;
            if (expanded_ > sets_of_variables() && solve_by_orderings()) break;
            const DecisionTree::Open next = tree_.take();
            expand(next);
            context_.progress.note_work(tree_.stored(), memory());
        }
        // Whoever ended the loop, nothing below this is left.
        if (tree_.empty() || tree_.lowest_bound() >= limit_) context_.raise_bound(limit_);
        context_.progress.end_work();
    }

 private:
    bool stopped() {
        if (context_.progress.gap_reached()) context_.budget.end(Status::gap);
        return context_.budget.exhausted_now();
    }

    std::uint64_t memory() const {
        return memory_bytes(context_.component) + discounts_.memory_bytes() + tree_.memory_bytes();
    }
    bool room_left() {
        constexpr std::uint64_t of_one_expansion = 4096;
        if (tree_.full()) context_.budget.end(Status::memory);
        return !tree_.full() && context_.budget.allow_memory(memory() + of_one_expansion);
    }

    // Keeps the sets that a network better than the incumbent can have; false if it has none.
    bool drop_sets() {
        limit_ = context_.incumbent();
        if (discounted_costs_.empty()) discounted_costs_ = discounts_.discounted_costs();
        std::vector<bool> kept(sets_.size(), false);
        std::vector<Cost> costs(sets_.size());
        for (std::size_t v = 0; v < sets_.variables(); ++v) {
            const auto first =
                discounted_costs_.begin() + static_cast<std::ptrdiff_t>(sets_.first(v));
            const Cost lowest =
                *std::min_element(first, first + static_cast<std::ptrdiff_t>(sets_.count(v)));
            bool any = false;
            for (std::size_t s = sets_.first(v); s < sets_.first(v + 1); ++s) {
                costs[s] = sets_.cost(s);
                kept[s] = discounts_.bound() + discounted_costs_[s] - lowest < limit_ &&
                          costs[s] < limit_;
                any |= kept[s];
            }
            if (!any) {
                context_.raise_bound(limit_);
                return false;
            }
        }
        lists_ = std::make_unique<Lists>(Lists{SetLists(sets_, possible_, discounted_costs_, kept),
                                               SetLists(sets_, possible_, costs, kept)});
        discounted_.use(lists_->discounted, discounts_.sum_of_multipliers());
        plain_.use(lists_->plain, 0);
        return true;
    }

    void expand(const DecisionTree::Open& open) {
        if (!decisions_.load(tree_, open.node)) return;
        if (!discounted_.solve(decisions_, limit_) || !plain_.solve(decisions_, limit_)) return;
        if (discounted_.cycles().empty()) context_.offer(discounted_.order());
        if (plain_.cycles().empty()) {
            context_.offer(plain_.order());  // the best of this node
            return;
        }
        dive_sometimes();
        branch(open.node, std::max({open.bound, discounted_.bound(), plain_.bound()}));
    }

    // Of all cycles, the one with the fewest children left; of several, with the highest bounds.
    // Cycles of the plain costs are branched on: discounts leave many sets that cost the same, so
    // that to forbid an arc changes little.
    void branch(std::uint32_t node, Cost bound) {
        std::size_t fewest = SIZE_MAX;
        Cost highest = 0;
        best_.clear();
        for (const Cycle& cycle : plain_.cycles()) {
            children_.clear();
            std::size_t left = 0;
            Cost lowest = infinite_cost;
            for (std::size_t i = 0; i < cycle.size(); ++i) {
                const Arc arc{cycle[(i + 1) % cycle.size()], cycle[i]};
                if (decisions_.requires_arc(arc.child, arc.parent)) continue;
                children_.push_back({arc, std::max(bound, plain_.bound_without(arc))});
                left += children_.back().bound < limit_;
                lowest = std::min(lowest, children_.back().bound);
            }
            if (left == 0) return;
            if (left < fewest || (left == fewest && lowest > highest)) {
                fewest = left;
                highest = lowest;
                best_ = children_;
            }
        }
        // The dearest first: what is beyond the limit is required in all that are left.
        std::stable_sort(best_.begin(), best_.end(),
                         [](const Child& a, const Child& b) { return a.bound > b.bound; });
        tree_.begin_list();
        for (const Child& child : best_) {
            tree_.add_arc(child.arc);
            if (child.bound < limit_) tree_.add_node(node, child.bound);
        }
    }

    // How many nodes the order graph has; infinitely many if its tables do not fit into memory.
    std::uint64_t sets_of_variables() const {
        constexpr std::size_t most_variables = 20;
        const std::size_t n = sets_.variables();
        if (n > most_variables) return UINT64_MAX;
        const std::uint64_t nodes = std::uint64_t{1} << n;
        const std::uint64_t bytes = nodes * (n + 1) * sizeof(Cost);
        return memory() + bytes <= context_.budget.limits().memory_bytes ? nodes : UINT64_MAX;
    }

    // The cheapest ordering of all: the cheapest of each set of variables ends with one of them,
    // which has the best parent set within the others.
    bool solve_by_orderings() {
        const std::size_t n = sets_.variables();
        const std::uint64_t nodes = std::uint64_t{1} << n;
        context_.progress.note_work(tree_.stored(), memory() + nodes * (n + 1) * sizeof(Cost));
        Checkpoint checkpoint = context_.checkpoint();
        std::vector<std::vector<Cost>> best(n, std::vector<Cost>(nodes, infinite_cost));
        for (std::size_t x = 0; x < n; ++x) {
            for (std::size_t s = sets_.first(x); s < sets_.first(x + 1); ++s) {
                std::uint64_t members = 0;
                for (const auto member : sets_.members(s)) members |= std::uint64_t{1} << member;
                best[x][members] = std::min(best[x][members], sets_.cost(s));
            }
            for (std::uint64_t bit = 1; bit < nodes; bit *= 2)
                for (std::uint64_t set = 0; set < nodes; ++set) {
                    if (set & bit) best[x][set] = std::min(best[x][set], best[x][set ^ bit]);
                    checkpoint();
                }
        }
        std::vector<Cost> cheapest(nodes, infinite_cost);
        cheapest[0] = 0;
        const auto with_last = [&](std::uint64_t set, std::size_t last) {
            const std::uint64_t others = set ^ std::uint64_t{1} << last;
            const Cost before = cheapest[others], own = best[last][others];
            return before >= infinite_cost || own >= infinite_cost ? infinite_cost : before + own;
        };
        const auto last_of = [&](std::uint64_t set) {
            std::size_t chosen = 0;
            Cost lowest = infinite_cost;
            for (std::uint64_t left = set; left != 0; left &= left - 1) {
                const auto x = static_cast<std::size_t>(std::countr_zero(left));
                const Cost cost = with_last(set, x);
                if (cost >= lowest) continue;
                lowest = cost;
                chosen = x;
            }
            cheapest[set] = lowest;
            return chosen;
        };
        for (std::uint64_t set = 1; set < nodes; ++set) {
            last_of(set);
            checkpoint(n);
        }
        if (cheapest[nodes - 1] >= infinite_cost) return false;  // the tree finds out as well
        std::vector<std::uint32_t> order(n);
        std::uint64_t left = nodes - 1;
        for (std::size_t place = n; place-- > 0; left ^= std::uint64_t{1} << order[place])
            order[place] = static_cast<std::uint32_t>(last_of(left));
        context_.offer(order);
        context_.raise_bound(cheapest[nodes - 1]);
        return true;
    }

    // Reads an ordering off the structure and improves it; at the root, and then rarer and rarer.
    void dive_sometimes() {
        if (++expanded_ < next_dive_) return;
        next_dive_ = expanded_ + expanded_ / 2 + 1;
        std::vector<std::uint32_t> order = discounted_.order();
        std::vector<bool> placed(sets_.variables(), false);
        for (const std::uint32_t v : order) placed[v] = true;
        while (order.size() < sets_.variables()) {
            // Who misses fewest parents.
            std::size_t fewest = SIZE_MAX;
            std::uint32_t next = 0;
            for (std::uint32_t v = 0; v < sets_.variables(); ++v) {
                if (placed[v]) continue;
                std::size_t missing = 0;
                for (const std::uint32_t parent : discounted_.parents()[v])
                    missing += !placed[parent];
                if (missing < fewest) {
                    fewest = missing;
                    next = v;
                }
            }
            order.push_back(next);
            placed[next] = true;
        }
        InsertionSearch search;
        search.order = std::move(order);
        search.seed = context_.options.seed + expanded_;
        search.max_work = 1 + usual_work(sets_.variables()) / 40;
        search.improved = [&](Cost regret, const std::vector<std::uint32_t>& better) {
            if (regret < context_.incumbent()) context_.improve(regret, better);
        };
        search.stopped = [&] { return context_.solved() || stopped(); };
        search_orderings(context_.component, search);
    }

    struct Lists {
        SetLists discounted, plain;
    };
    struct Child {
        Arc arc;
        Cost bound;
    };
    SearchContext& context_;
    const ParentSets& sets_;
    PossibleParents possible_;
    ClusterDiscounts discounts_;
    std::vector<Cost> discounted_costs_;
    std::unique_ptr<const Lists> lists_;
    Decisions decisions_;
    RelaxedStructure discounted_, plain_;
    DecisionTree tree_;
    Cost limit_ = infinite_cost;  // the incumbent that sets were dropped by
    std::vector<Child> children_, best_;
    std::uint64_t expanded_ = 0, next_dive_ = 0;
};

void run_branch_and_bound(SearchContext& context) {
    const std::uint64_t bytes = BranchAndBound::memory_bytes(context.component);
    if (!context.budget.allow_memory(bytes)) return;
    context.progress.note_work(0, bytes);
    BranchAndBound(context).run();
}

const AlgorithmRegistry branch_and_bound(
    {"branch-and-bound", "best first over structures with cycles, of which arcs are forbidden",
     "de Campos & Ji 2011"},
    {.run = run_branch_and_bound,
     .uses_heuristic = false,
     .proves = true,
     .parameters = {{"steps", 3000, 0, 1e6,
                     "of improving the multipliers of clusters at the root, at most"}}});

}  // namespace
}  // namespace anytimebn
