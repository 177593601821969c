#include "search/run.h"

#include <algorithm>
#include <numeric>

#include "local/insertion_search.h"

namespace anytimebn {

SearchRun::SearchRun(std::shared_ptr<const ParentSets> sets, SearchOptions options)
    : sets_(std::move(sets)),
      options_(std::move(options)),
      budget_(options_.limits, control_),
      progress_(budget_) {
    AlgorithmRegistry::find(options_.algorithm);
}

void SearchRun::run() {
    const auto components = split_into_components(*sets_, options_.components);
    std::vector<Cost> trivial_bounds;
    for (const Component& component : components) {
        trivial_bounds.push_back(component.base);
        component_sizes_.push_back(component.size());
    }
    progress_.begin(std::move(trivial_bounds));
    if (!find_first_networks(components)) {
        status_ = Status::finished;  // without a network: there is none
        return;
    }

    // The small ones first: a component that nobody can prove must not keep others from it.
    std::vector<std::size_t> order(components.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return components[a].size() < components[b].size();
    });
    const Algorithm& algorithm = AlgorithmRegistry::find(options_.algorithm).make;
    for (const std::size_t c : order) {
        SearchContext context{components[c], c, options_, budget_, progress_};
        if (context.solved()) continue;
        if (context.out_of_budget()) break;
        algorithm.run(context);
    }
    progress_.flush();
    status_ = final_status(components);
}

// A network at once, a good one soon: every algorithm then starts with something to show and to
// prune by. The first descent of each component runs whatever the budget, so that there is always a
// network.
bool SearchRun::find_first_networks(const std::vector<Component>& components) {
    for (std::size_t c = 0; c < components.size(); ++c) {
        SearchContext context{components[c], c, options_, budget_, progress_};
        bool found = false;
        InsertionSearch search;
        search.max_work = options_.local_search ? usual_work(components[c].size()) : 0;
        search.seed = options_.seed;
        search.improved = [&](Cost regret, const std::vector<std::uint32_t>& order) {
            found = true;
            context.improve(regret, order);
        };
        search.stopped = [&] { return context.solved() || (found && budget_.exhausted_now()); };
        if (!search_orderings(components[c], search)) return false;
    }
    return true;
}

RootCertificate SearchRun::certificate() const {
    RootCertificate all = progress_.certificate();
    if (all.groups.empty()) return all;
    std::vector<bool> covered(sets_->variables(), false);
    for (const auto& group : all.groups)
        for (const std::uint32_t v : group) covered[v] = true;
    for (std::uint32_t v = 0; v < sets_->variables(); ++v)
        if (!covered[v]) {
            all.groups.push_back({v});
            all.lower_bound += sets_->lowest_cost(v);
        }
    return all;
}

Status SearchRun::final_status(const std::vector<Component>& components) const {
    bool optimal = true;
    for (std::size_t c = 0; c < components.size(); ++c)
        optimal &= progress_.bound(c) >= progress_.cost(c);
    if (optimal) return Status::optimal;
    if (budget_.reason() != Status::running) return budget_.reason();
    return Status::finished;
}

}  // namespace anytimebn
