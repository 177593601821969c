// Insertion search as an algorithm of its own: what gives every other algorithm its first network
// (local/insertion_search.h), started again and again. Every other start takes the best ordering so
// far instead of a new one, so that both breadth and depth get their share.
#include "local/insertion_search.h"

#include <algorithm>

#include "run/algorithm.h"

namespace anytimebn {
namespace {

// One perturbation takes microseconds: so many of them count as one expansion.
constexpr std::uint64_t perturbations_at_once = 64;

void run_insertion_search(SearchContext& context) {
    std::vector<std::uint32_t> best;
    Cost lowest = infinite_cost;
    std::uint64_t asked = 0;
    bool ended = false;
    InsertionSearch search;
    search.improved = [&](Cost regret, const std::vector<std::uint32_t>& order) {
        if (regret >= lowest) return;
        lowest = regret;
        best = order;
        if (regret < context.incumbent()) context.improve(regret, order);
    };
    search.stopped = [&] {
        if (ended || asked++ % perturbations_at_once != 0) return ended;
        return ended = context.solved() || context.out_of_budget() ||
                       context.budget.exhausted_now() || !context.budget.expand();
    };
    // Lists of who can be whose parent, and the parent sets of each of them.
    const std::uint64_t bytes = context.component.sets.size() * 32 + context.component.size() * 256;
    if (!context.budget.allow_memory(bytes)) return;
    context.progress.note_work(0, bytes);

    const std::uint64_t usual = usual_work(context.component.size());
    const auto work =
        static_cast<std::uint64_t>(context.parameter("effort") * static_cast<double>(usual));
    const double starts = 1 + context.parameter("restarts");
    for (double start = 0; start < starts; ++start) {
        if (context.solved() || context.out_of_budget()) return;
        search.max_work = std::max<std::uint64_t>(work, 1);
        search.seed = context.options.seed + static_cast<std::uint64_t>(start);
        search.order =
            static_cast<std::uint64_t>(start) % 2 == 0 ? std::vector<std::uint32_t>{} : best;
        search_orderings(context.component, search);
        context.progress.note_work(0, bytes);
    }
}

const AlgorithmRegistry insertion_search(
    {"insertion-search",
     "local search over orderings: insertions, moves of whole families, annealing",
     "Alonso-Barba, de la Ossa & Puerta 2011; Lee & van Beek 2017"},
    {.run = run_insertion_search,
     .uses_heuristic = false,
     .proves = false,
     .searches_locally = true,
     .parameters = {{"restarts", 5, 0, 1e9, "every other one from the best ordering so far"},
                    {"effort", 1, 0, 1e6, "of one start: 1 suits most problems", false}}});

}  // namespace
}  // namespace anytimebn
