#include "solve/search_run.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "local/insertion_search.h"

namespace anytimebn {

SearchRun::SearchRun(std::shared_ptr<const ParentSets> sets, SearchOptions options)
    : sets_(std::move(sets)),
      options_(std::move(options)),
      budget_(options_.limits, control_),
      contributor_budget_(options_.limits, control_),
      progress_(budget_, &contributor_budget_) {}

void SearchRun::run() {
    if (prepare()) search();
    finish();
}

bool SearchRun::prepare() {
    components_ = split_into_components(*sets_, options_.components);
    std::vector<Cost> trivial_bounds;
    for (const Component& component : components_) trivial_bounds.push_back(component.base);
    progress_.begin(std::move(trivial_bounds));
    feasible_ = find_first_networks();
    return feasible_;
}

void SearchRun::search() {
    // The small ones first: a component that nobody can prove must not keep others from it.
    std::vector<std::size_t> order(components_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return components_[a].size() < components_[b].size();
    });
    const Algorithm& algorithm = AlgorithmRegistry::find(options_.algorithm).make;
    for (const std::size_t c : order) {
        SearchContext context{components_[c], c, options_, budget_, progress_};
        if (context.solved()) continue;
        if (context.out_of_budget()) break;
        algorithm.run(context);
    }
}

void SearchRun::finish() {
    progress_.flush();
    if (!feasible_)
        status_ = Status::finished;  // without a network: there is none
    else if (solved())
        status_ = Status::optimal;
    else if (budget_.reason() != Status::running)
        status_ = budget_.reason();
    else if (contributor_budget_.reason() != Status::running)
        status_ = contributor_budget_.reason();
    else
        status_ = Status::finished;
}

// A network at once, a good one soon: every algorithm then starts with something to show and to
// prune by. Each component gets its first one whatever the budget, so that there is always a
// network, and before any of them is improved. A network that the user gave takes their place.
bool SearchRun::find_first_networks() {
    if (!options_.start.empty()) offer_network(options_.start);
    for (std::size_t c = 0; c < components_.size() && options_.start.empty(); ++c)
        if (!search_locally(c, 0)) return false;
    const auto& native = AlgorithmRegistry::entries();
    const auto algorithm = native.find(options_.algorithm);
    const bool improves_them = algorithm != native.end() && algorithm->second.make.searches_locally;
    for (std::size_t c = 0; c < components_.size() && options_.local_search && !improves_them; ++c)
        search_locally(c, usual_work(components_[c].size()));
    return true;
}

bool SearchRun::search_locally(std::size_t component, std::uint64_t max_work) {
    SearchContext context{components_[component], component, options_, budget_, progress_};
    InsertionSearch search;
    search.max_work = max_work;
    search.seed = options_.seed;
    search.improved = [&](Cost regret, const std::vector<std::uint32_t>& order) {
        context.improve(regret, order);
    };
    // With little time, most of it is for bounds.
    constexpr double share = 0.2;
    search.stopped = [&] {
        return context.solved() ||
               (max_work > 0 &&
                (budget_.exhausted_now() || budget_.seconds() > share * options_.limits.seconds));
    };
    return search_orderings(components_[component], search);
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

// What comes from outside is checked here: a set of each variable, no cycle, and costs as they are.
bool SearchRun::offer_network(const std::vector<std::size_t>& chosen) {
    const std::size_t n = sets_->variables();
    if (chosen.size() != n) throw std::invalid_argument("each variable needs one set");
    std::vector<std::size_t> waiting_for(n);
    std::vector<std::vector<std::size_t>> children(n);
    std::vector<std::size_t> placed;
    for (std::size_t x = 0; x < n; ++x) {
        if (chosen[x] < sets_->first(x) || chosen[x] >= sets_->first(x + 1))
            throw std::invalid_argument("a chosen set is of another variable");
        const auto parents = sets_->members(chosen[x]);
        waiting_for[x] = parents.size();
        for (const std::int32_t y : parents) children[static_cast<std::size_t>(y)].push_back(x);
        if (parents.empty()) placed.push_back(x);
    }
    for (std::size_t i = 0; i < placed.size(); ++i)
        for (const std::size_t x : children[placed[i]])
            if (--waiting_for[x] == 0) placed.push_back(x);
    if (placed.size() < n) throw std::invalid_argument("the chosen sets make a cycle");

    bool better = false;
    for (std::size_t c = 0; c < components_.size(); ++c) {
        Cost cost = 0;
        std::vector<Choice> choices;
        for (const std::size_t x : components_[c].variables) {
            cost += sets_->cost(chosen[x]);
            choices.push_back({x, chosen[x]});
        }
        if (cost >= progress_.cost(c)) continue;
        progress_.improve(c, cost, choices);
        better = true;
    }
    return better;
}

void SearchRun::offer_bound(std::size_t component, Cost lower_bound) {
    if (component >= components_.size()) throw std::invalid_argument("no such component");
    progress_.raise_bound(component, lower_bound);
}

std::vector<Cost> SearchRun::component_costs() const {
    std::vector<Cost> costs;
    for (std::size_t c = 0; c < components_.size(); ++c) costs.push_back(progress_.cost(c));
    return costs;
}

std::vector<Cost> SearchRun::component_bounds() const {
    std::vector<Cost> bounds;
    for (std::size_t c = 0; c < components_.size(); ++c) bounds.push_back(progress_.bound(c));
    return bounds;
}

bool SearchRun::solved() const {
    for (std::size_t c = 0; c < components_.size(); ++c)
        if (progress_.bound(c) < progress_.cost(c)) return false;
    return true;
}

bool SearchRun::stopped() {
    if (progress_.gap_reached()) contributor_budget_.end(Status::gap);
    // The native search may run out of memory or of expansions; that is no reason to stop here.
    const Status native = budget_.reason();
    return contributor_budget_.exhausted_now() || native == Status::interrupted ||
           native == Status::time || native == Status::gap;
}

bool SearchRun::use_memory(std::uint64_t stored, std::uint64_t bytes) {
    if (!contributor_budget_.allow_memory(bytes)) return false;
    progress_.note_work(stored, bytes);
    return true;
}

std::vector<std::size_t> SearchRun::component_sets() const {
    std::vector<std::size_t> sets;
    for (const Component& component : components_) sets.push_back(component.sets.size());
    return sets;
}

std::vector<std::size_t> SearchRun::component_sizes() const {
    std::vector<std::size_t> sizes;
    for (const Component& component : components_) sizes.push_back(component.size());
    return sizes;
}

}  // namespace anytimebn
