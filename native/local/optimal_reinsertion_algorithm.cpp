// Optimal reinsertion (Moore & Wong 2003): take a variable out of the network, with all its arcs,
// and put it back with the parents and the children that are best as long as no other arc changes.
// Passes over all variables in random order, until one gains nothing; then a new start.
//
// Each possible child has a gain from the variable as one more parent (or instead of some that it
// has). With certain parents of the variable, those children are out of the question that are among
// these parents or their ancestors; so the best parents cost least together with the gains that
// they forbid. Parent sets come cheapest first: as soon as one costs more than the best sum, the
// search is over.
#include <algorithm>
#include <bit>
#include <numeric>

#include "local/first_order.h"
#include "local/ordering.h"
#include "run/algorithm.h"

namespace anytimebn {
namespace {

constexpr std::uint32_t none = BestParents::none;

class OptimalReinsertion {
 public:
    explicit OptimalReinsertion(SearchContext& context)
        : context_(context),
          sets_(context.component.sets),
          best_(context.component.best),
          random_(context.options.seed),
          relations_(sets_),
          chosen_(sets_.variables()),
          children_(sets_.variables()),
          candidates_(best_.words(), 0) {}

    void run() {
        const double starts = 1 + context_.parameter("restarts");
        for (double start = 0; start < starts; ++start) {
            begin(start == 0 ? greedy_order(sets_, relations_, random_)
                             : random_order(sets_, relations_, random_));
            if (!descend()) return;
        }
    }

    static std::uint64_t memory_bytes(const Component& component) {
        return component.sets.size() * 32 + component.size() * 512;
    }

 private:
    struct Child {
        std::uint32_t variable;
        std::uint32_t without, with;  // numbers of its parent sets; without may be none
        Cost gain;
    };

    void begin(std::vector<std::uint32_t> order) {
        Ordering ordering(sets_, &best_, relations_);
        ordering.assign(std::move(order));
        for (auto& own : children_) own.clear();
        for (std::uint32_t v = 0; v < sets_.variables(); ++v) {
            chosen_[v] = ordering.chosen(v);
            for_each_parent(v, [&](std::uint32_t parent) { children_[parent].push_back(v); });
        }
        regret_ = ordering.regret();
    }

    // Until a pass gains nothing; false when the budget ends.
    bool descend() {
        std::vector<std::uint32_t> pass(sets_.variables());
        std::iota(pass.begin(), pass.end(), 0u);
        for (bool gained = true; gained;) {
            gained = false;
            random_.shuffle(pass);
            for (const std::uint32_t v : pass) {
                if (context_.solved() || context_.out_of_budget() || !context_.budget.expand()) {
                    report();
                    return false;
                }
                gained |= reinsert(v);
            }
            report();
        }
        return true;
    }

    // ---- one variable ----

    bool reinsert(std::uint32_t target) {
        find_possible_children(target);
        find_lost_children(target);
        // What is paid now, above the cost of all possible children with the target as a parent.
        Cost before = cost(target, chosen_[target]) + lost_gain(chosen_[target], target);
        for (std::size_t i = 0; i < possible_.size(); ++i)
            before += cost(possible_[i].variable, chosen_[possible_[i].variable]) -
                      cost(possible_[i].variable, number_of_child(i));
        Cost lowest = infinite_cost;
        std::uint32_t best = none;
        for (std::uint32_t number = 0; number < sets_.count(target); ++number) {
            if (cost(target, number) >= lowest) break;
            const Cost sum = cost(target, number) + lost_gain(number, target);
            if (sum < lowest) {
                lowest = sum;
                best = number;
            }
        }
        if (lowest >= before) return false;
        regret_ += lowest - before;
        collect_lost(best, target);
        choose(target, best);
        for (std::size_t i = 0; i < possible_.size(); ++i)
            choose(possible_[i].variable, number_of_child(i));
        return true;
    }

    // Each variable that would gain by the target as a parent, all its other parents as they are;
    // and the present children that would not, which are children no longer.
    void find_possible_children(std::uint32_t target) {
        possible_.clear();
        for (const auto& [child, as_child, as_parent] : relations_.neighbours(target)) {
            if (as_child == Relations::empty) continue;
            bool is_child = false;
            for_each_parent(child, [&](std::uint32_t parent) {
                if (parent == target)
                    is_child = true;
                else
                    set_candidate(parent);
            });
            const std::uint32_t without = best_.find(child, candidates_.data());
            set_candidate(target);
            const std::uint32_t with = best_.find(child, candidates_.data());
            std::fill(candidates_.begin(), candidates_.end(), 0);
            const Cost gain = cost(child, without) - cost(child, with);
            if (gain > 0)
                possible_.push_back({child, without, with, gain});
            else if (is_child)
                possible_.push_back({child, without, without, 0});
        }
        words_ = (possible_.size() + 63) / 64;
    }

    // For every variable, which of these children are its ancestors, or it itself, when the target
    // is taken out: none of them can be a child of the target if the variable is its parent.
    void find_lost_children(std::uint32_t target) {
        lost_.assign(sets_.variables() * words_, 0);
        for (std::size_t i = 0; i < possible_.size(); ++i) {
            const std::uint64_t bit = std::uint64_t{1} << (i % 64);
            const auto lost = [&](std::uint32_t v) -> std::uint64_t& {
                return lost_[v * words_ + i / 64];
            };
            stack_.assign(1, possible_[i].variable);
            lost(possible_[i].variable) |= bit;
            while (!stack_.empty()) {
                const std::uint32_t v = stack_.back();
                stack_.pop_back();
                for (const std::uint32_t child : children_[v]) {
                    if (child == target || lost(child) & bit) continue;
                    lost(child) |= bit;
                    stack_.push_back(child);
                }
            }
        }
    }

    void collect_lost(std::uint32_t number, std::uint32_t target) {
        collected_.assign(words_, 0);
        for (const std::int32_t member : sets_.members(sets_.first(target) + number))
            for (std::size_t w = 0; w < words_; ++w)
                collected_[w] |= lost_[static_cast<std::size_t>(member) * words_ + w];
    }

    Cost lost_gain(std::uint32_t number, std::uint32_t target) {
        collect_lost(number, target);
        Cost sum = 0;
        for (std::size_t w = 0; w < words_; ++w)
            for (std::uint64_t left = collected_[w]; left != 0; left &= left - 1)
                sum += possible_[w * 64 + static_cast<std::size_t>(std::countr_zero(left))].gain;
        return sum;
    }

    // After the lost ones were collected.
    std::uint32_t number_of_child(std::size_t i) const {
        const bool lost = collected_[i / 64] >> (i % 64) & 1;
        return lost ? possible_[i].without : possible_[i].with;
    }

    // ---- the network ----

    template <class Body>
    void for_each_parent(std::uint32_t v, Body&& body) const {
        for (const std::int32_t member : sets_.members(sets_.first(v) + chosen_[v]))
            body(static_cast<std::uint32_t>(member));
    }
    Cost cost(std::uint32_t v, std::uint32_t number) const {
        return number == none ? Ordering::infeasible : sets_.cost(sets_.first(v) + number);
    }
    void set_candidate(std::uint32_t v) { candidates_[v / 64] |= std::uint64_t{1} << (v % 64); }

    void choose(std::uint32_t v, std::uint32_t number) {
        if (number == chosen_[v]) return;
        for_each_parent(v, [&](std::uint32_t parent) { std::erase(children_[parent], v); });
        chosen_[v] = number;
        for_each_parent(v, [&](std::uint32_t parent) { children_[parent].push_back(v); });
    }

    void report() {
        if (regret_ >= reported_) return;
        reported_ = regret_;
        std::vector<std::uint32_t> order, waiting_for(sets_.variables());
        for (std::uint32_t v = 0; v < sets_.variables(); ++v) {
            waiting_for[v] =
                static_cast<std::uint32_t>(sets_.members(sets_.first(v) + chosen_[v]).size());
            if (waiting_for[v] == 0) order.push_back(v);
        }
        for (std::size_t i = 0; i < order.size(); ++i)
            for (const std::uint32_t child : children_[order[i]])
                if (--waiting_for[child] == 0) order.push_back(child);
        context_.offer(order);
    }

    SearchContext& context_;
    const ParentSets& sets_;
    const BestParents& best_;
    Random random_;
    Relations relations_;
    std::vector<std::uint32_t> chosen_;
    std::vector<std::vector<std::uint32_t>> children_;
    Cost regret_ = infinite_cost, reported_ = infinite_cost;

    std::vector<std::uint64_t> candidates_;
    std::vector<Child> possible_;           // children of the variable that is taken out
    std::size_t words_ = 0;                 // of bits of these
    std::vector<std::uint64_t> lost_;       // such bits of each variable
    std::vector<std::uint64_t> collected_;  // the same, of a parent set
    std::vector<std::uint32_t> stack_;
};

void run_optimal_reinsertion(SearchContext& context) {
    const std::uint64_t bytes = OptimalReinsertion::memory_bytes(context.component);
    if (!context.budget.allow_memory(bytes)) return;
    context.progress.note_work(0, bytes);
    OptimalReinsertion(context).run();
    context.progress.note_work(0, bytes);
}

const AlgorithmRegistry optimal_reinsertion(
    {"optimal-reinsertion",
     "local search over networks: a variable gets its best parents and children at once",
     "Moore & Wong 2003"},
    {.run = run_optimal_reinsertion,
     .uses_heuristic = false,
     .proves = false,
     .searches_locally = true,
     .parameters = {{"restarts", 10, 0, 1e9, "from random orderings"}}});

}  // namespace
}  // namespace anytimebn
