// Ordering-based search (Teyssier & Koller 2005): the best swap of two neighbours in an ordering,
// again and again. When no swap gains, the least bad one is made, and for a while no swap may be
// undone (a tabu list). A start that has not gained for long is given up for a random ordering.
//
// A swap changes the parents of the two variables only, and what it would gain depends on who comes
// before them: after one swap, all but three of the next ones gain what they did before.
#include <algorithm>
#include <unordered_map>

#include "local/first_order.h"
#include "local/ordering.h"
#include "run/algorithm.h"

namespace anytimebn {
namespace {

class OrderingSearch {
 public:
    explicit OrderingSearch(SearchContext& context)
        : context_(context),
          sets_(context.component.sets),
          random_(context.options.seed),
          relations_(sets_),
          ordering_(sets_, &context.component.best, relations_),
          change_(context.component.size()),
          tabu_until_(context.component.size()),
          tabu_(parameter("tabu")),
          patience_(parameter("patience") * context.component.size()) {}

    void run() {
        if (context_.component.size() < 2) return;
        const std::uint64_t starts = 1 + parameter("restarts");
        for (std::uint64_t start = 0; start < starts; ++start) {
            ordering_.assign(start == 0 ? greedy_order(sets_, relations_, random_)
                                        : random_order(sets_, relations_, random_));
            if (!walk()) return;
        }
    }

    static std::uint64_t memory_bytes(const Component& component) {
        return component.sets.size() * 32 + component.size() * 256;
    }

 private:
    std::uint64_t parameter(const char* name) const {
        return static_cast<std::uint64_t>(context_.parameter(name));
    }

    // From one start until patience ends; false when the budget does.
    bool walk() {
        until_.clear();
        for (std::uint32_t place = 0; place + 1 < ordering_.size(); ++place) refresh(place);
        Cost lowest = infinite_cost;
        for (std::uint64_t step = 1, last_gain = 0; step - last_gain <= patience_ + 1; ++step) {
            if (ordering_.regret() < lowest) {
                lowest = ordering_.regret();
                last_gain = step;
                // A descent gains with every step; only its end is worth telling.
                reported_ = false;
            }
            const std::uint32_t place = best_swap(step, lowest);
            const bool gains = place != Ordering::none && change_[place] < 0;
            if (!gains && !reported_ && ordering_.regret() == lowest) report();
            if (context_.solved() || context_.out_of_budget() || !context_.budget.expand()) {
                if (ordering_.regret() == lowest) report();
                return false;
            }
            if (place == Ordering::none) return true;  // everything is tabu
            swap(place, step);
        }
        return true;
    }

    // The swap that costs least; one that is tabu only if it leads to the best of this start. Most
    // swaps change nothing: of equals any may be the first to be looked at.
    std::uint32_t best_swap(std::uint64_t step, Cost lowest) {
        const auto swaps = static_cast<std::uint32_t>(ordering_.size() - 1);
        std::uint32_t best = Ordering::none, place = random_.below(swaps);
        for (std::uint32_t i = 0; i < swaps; ++i) {
            if ((best == Ordering::none || change_[place] < change_[best]) &&
                (tabu_until_[place] < step || ordering_.regret() + change_[place] < lowest))
                best = place;
            if (++place == swaps) place = 0;
        }
        return best;
    }

    void swap(std::uint32_t place, std::uint64_t step) {
        const std::uint32_t v = ordering_.order()[place], w = ordering_.order()[place + 1];
        until_[pair(v, w)] = step + tabu_;
        changed_.clear();
        ordering_.insert(v, place + 1, changed_);
        for (std::uint32_t p = place == 0 ? 0 : place - 1;
             p <= place + 1 && p + 1 < ordering_.size(); ++p)
            refresh(p);
    }

    void refresh(std::uint32_t place) {
        change_[place] = ordering_.change_by_swap(place);
        const auto found =
            until_.find(pair(ordering_.order()[place], ordering_.order()[place + 1]));
        tabu_until_[place] = found == until_.end() ? 0 : found->second;
    }

    static std::uint64_t pair(std::uint32_t v, std::uint32_t w) {
        return std::uint64_t{std::min(v, w)} << 32 | std::max(v, w);
    }

    void report() {
        reported_ = true;
        if (ordering_.feasible() && ordering_.regret() < context_.incumbent())
            context_.improve(ordering_.regret(), ordering_.order());
    }

    SearchContext& context_;
    const ParentSets& sets_;
    Random random_;
    Relations relations_;
    Ordering ordering_;
    std::vector<Cost> change_;                                // by each swap
    std::vector<std::uint64_t> tabu_until_;                   // the same, a step
    std::unordered_map<std::uint64_t, std::uint64_t> until_;  // by pair of variables
    std::vector<std::uint32_t> changed_;
    bool reported_ = false;
    const std::uint64_t tabu_, patience_;
};

void run_ordering_search(SearchContext& context) {
    const std::uint64_t bytes = OrderingSearch::memory_bytes(context.component);
    if (!context.budget.allow_memory(bytes)) return;
    context.progress.note_work(0, bytes);
    OrderingSearch(context).run();
    context.progress.note_work(0, bytes);
}

const AlgorithmRegistry ordering_search(
    {"ordering-search", "local search over orderings: swaps of neighbours, tabu list, restarts",
     "Teyssier & Koller 2005"},
    {.run = run_ordering_search,
     .uses_heuristic = false,
     .proves = false,
     .searches_locally = true,
     .parameters = {{"restarts", 10, 0, 1e9, "from random orderings"},
                    {"tabu", 20, 0, 1e9, "swaps for which no swap is undone"},
                    {"patience", 5, 0, 1e6,
                     "swaps without gain before a restart, times the number of variables"}}});

}  // namespace
}  // namespace anytimebn
