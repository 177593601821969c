// Heuristics of a whole problem outside a search, for studies and tests: the same values as a
// search without components would use.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "heuristics/heuristic.h"
#include "local/insertion_search.h"

namespace anytimebn {

class StandaloneHeuristics {
 public:
    StandaloneHeuristics(const ParentSets& sets, SearchOptions options, const Control& control)
        : options_(std::move(options)),
          components_(split_into_components(sets, false)),
          budget_(options_.limits, control),
          progress_(budget_) {
        progress_.begin({component().base});
        // Some heuristics aim at an incumbent; they must be valid whatever it is.
        InsertionSearch search;
        search.max_work = usual_work(component().size());
        search.seed = options_.seed;
        search.improved = [&](Cost regret, const std::vector<std::uint32_t>& order) {
            context_.improve(regret, order);
        };
        search_orderings(component(), search);
    }

    const Component& component() const { return components_.front(); }
    // Regret of a network; infinite if there is none at all.
    Cost incumbent() const { return context_.incumbent(); }
    // Null when time or memory ended before it was ready.
    std::unique_ptr<Heuristic> make(const std::string& name) {
        return HeuristicRegistry::find(name).make.make(context_);
    }

 private:
    SearchOptions options_;
    std::vector<Component> components_;
    Budget budget_;
    Progress progress_;
    SearchContext context_{components_.front(), 0, options_, budget_, progress_};
};

}  // namespace anytimebn
