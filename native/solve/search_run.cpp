#include "solve/search_run.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "arcs/graph.h"
#include "local/insertion_search.h"
#include "local/quick_network.h"
#include "solve/cluster_proof.h"

namespace anytimebn {

SearchRun::SearchRun(std::shared_ptr<FamilyStore> store, std::shared_ptr<const ParentSets> sets,
                     SearchOptions options)
    : Run(std::move(store), std::move(options)), sets_(std::move(sets)) {}

void SearchRun::run() {
    if (prepare()) search();
    finish();
}

bool SearchRun::prepare() {
    try {
        feasible_ = prepare_components();
    } catch (const WorkStopped&) {
        if (components_.empty()) {  // no time even for these
            std::vector<std::size_t> everything(sets_->variables());
            std::iota(everything.begin(), everything.end(), std::size_t{0});
            Cost lowest = 0;
            for (const std::size_t x : everything) lowest += sets_->lowest_cost(x);
            begin({std::move(everything)}, {lowest});
        }
        feasible_ = take_quick_network();
    }
    return feasible_;
}

bool SearchRun::take_quick_network() {
    if (!options_.start.empty()) {
        offer_network(options_.start);
        return true;
    }
    std::vector<FamilyId> chosen;
    for (const std::size_t set : quick_network(*sets_)) chosen.push_back(sets_->family(set));
    if (!chosen.empty()) offer_network(chosen);
    return !chosen.empty();
}

bool SearchRun::prepare_components() {
    // Copies of the sets, and bit columns of them.
    const std::uint64_t bytes = sets_->size() * 48 + sets_->members_in_all() * 4;
    if (sets_->size() > Checkpoint::units_between && !budget_.allow_memory(bytes))
        throw WorkStopped();
    components_ = split_into_components(*sets_, options_.components, budget_.checkpoint());
    std::vector<std::vector<std::size_t>> variables;
    std::vector<Cost> trivial_bounds;
    for (const Component& component : components_) {
        variables.push_back(component.variables);
        trivial_bounds.push_back(component.base);
    }
    begin(std::move(variables), std::move(trivial_bounds));
    return find_first_networks();
}

void SearchRun::search() {
    // The small ones first: a component that nobody can prove must not keep others from it.
    std::vector<std::size_t> order(components_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return components_[a].size() < components_[b].size();
    });
    for (const std::size_t c : order) {
        SearchContext context{components_[c], c, options_, budget_, progress_};
        if (context.solved()) continue;
        if (context.out_of_budget()) break;
        try {
            run_algorithm(options_.algorithm, context);
        } catch (const WorkStopped&) {
            budget_.exhausted_now();  // takes note of why
            break;
        }
    }
}

// A network at once, a good one soon: every algorithm then starts with something to show and to
// prune by. Each component gets its first one, before any of them is improved, unless that takes
// longer than the time limit allows: then a quick one has to do. A network that was given takes
// their place. It may be as good as any: what is around it is searched for as long as that helps.
bool SearchRun::find_first_networks() {
    if (!options_.start.empty()) offer_network(options_.start);
    for (std::size_t c = 0; c < components_.size() && options_.start.empty(); ++c)
        if (!search_locally(c, 0)) return false;
    const auto& native = AlgorithmRegistry::entries();
    const auto algorithm = native.find(options_.algorithm);
    const bool improves_them = algorithm != native.end() && algorithm->second.make.searches_locally;
    for (std::size_t c = 0; c < components_.size() && options_.local_search && !improves_them; ++c)
        if (options_.start.empty())
            search_locally(c, usual_work(components_[c].size()));
        else
            search_around_start(c);
    return true;
}

void SearchRun::search_around_start(std::size_t component) {
    const std::uint64_t usual = usual_work(components_[component].size());
    constexpr std::uint64_t first_share = 16;
    Cost before = infinite_cost;
    for (std::uint64_t work = usual / first_share;
         work <= usual && progress_.cost(component) < before && !budget_.over(); work *= 2) {
        before = progress_.cost(component);
        search_locally(component, work, order_of_best(component));
    }
}

// The variables of a component, by their numbers there, as the best network orders them.
std::vector<std::uint32_t> SearchRun::order_of_best(std::size_t component) const {
    const auto& variables = components_[component].variables;
    const ParentLists best = parents();
    constexpr std::uint32_t outside = UINT32_MAX;
    std::vector<std::uint32_t> number(best.size(), outside), order;
    for (std::uint32_t v = 0; v < variables.size(); ++v) number[variables[v]] = v;
    for (const std::uint32_t v : order_of(best))
        if (number[v] != outside) order.push_back(number[v]);
    return order;
}

bool SearchRun::search_locally(std::size_t component, std::uint64_t max_work,
                               std::vector<std::uint32_t> order) {
    SearchContext context{components_[component], component, options_, budget_, progress_};
    InsertionSearch search;
    search.max_work = max_work;
    search.seed = options_.seed;
    search.order = std::move(order);
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
    search.checkpoint = budget_.checkpoint();
    return search_orderings(components_[component], search);
}

void SearchRun::prove_again(const RootCertificate& known) {
    if (known.clusters.size() != known.multipliers.size())
        throw std::invalid_argument("each cluster needs one multiplier");
    for (std::size_t c = 0; c < components_.size(); ++c) {
        SearchContext context{components_[c], c, options_, budget_, progress_};
        if (context.solved()) continue;
        try {
            prove_with_known_clusters(context, known);
        } catch (const WorkStopped&) {
            budget_.exhausted_now();  // takes note of why
            return;
        }
    }
}

RootCertificate SearchRun::certificate() const { return of_all_variables(progress_.certificate()); }

RootCertificate SearchRun::suggested() const { return of_all_variables(progress_.suggested()); }

RootCertificate SearchRun::of_all_variables(RootCertificate all) const {
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

// Families that came later may connect components in other ways.
bool SearchRun::may_have(FamilyId id, const Family& family) const {
    return sets_->position(family.child, id) != ParentSets::nowhere;
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
