#include "run/run.h"

#include <stdexcept>
#include <utility>

namespace anytimebn {
namespace {

bool has_cycle(const std::vector<Family>& network) {
    const std::size_t n = network.size();
    std::vector<std::size_t> waiting_for(n), placed;
    std::vector<std::vector<std::size_t>> children(n);
    for (std::size_t x = 0; x < n; ++x) {
        waiting_for[x] = network[x].parents.size();
        for (const std::uint32_t y : network[x].parents) children[y].push_back(x);
        if (waiting_for[x] == 0) placed.push_back(x);
    }
    for (std::size_t i = 0; i < placed.size(); ++i)
        for (const std::size_t x : children[placed[i]])
            if (--waiting_for[x] == 0) placed.push_back(x);
    return placed.size() < n;
}

// What ends everybody's work. Who runs out of memory or of expansions leaves the rest to others.
bool ends_all(Status reason) {
    return reason == Status::interrupted || reason == Status::time || reason == Status::gap;
}

}  // namespace

Run::Run(std::shared_ptr<FamilyStore> store, SearchOptions options)
    : store_(std::move(store)),
      options_(std::move(options)),
      budget_(options_.limits, control_),
      progress_(budget_) {}

Run::~Run() = default;

void Run::begin(std::vector<std::vector<std::size_t>> components, std::vector<Cost> lower_bounds,
                std::vector<Cost> steps) {
    components_ = std::move(components);
    progress_.begin(std::move(lower_bounds), std::move(steps));
}

void Run::finish() {
    progress_.flush();
    Status ended = budget_.reason();
    {
        const std::lock_guard lock(mutex_);
        for (const auto& contributor : contributors_) {
            const Status other = contributor->budget().reason();
            if (ended == Status::running || (!ends_all(ended) && ends_all(other))) ended = other;
        }
    }
    if (!feasible_)
        status_ = Status::finished;  // without a network: there is none
    else if (solved())
        status_ = Status::optimal;
    else
        status_ = ended == Status::running ? Status::finished : ended;
}

Contributor& Run::contributor() {
    const std::lock_guard lock(mutex_);
    contributors_.push_back(std::make_unique<Contributor>(*this));
    progress_.count(contributors_.back()->budget());
    return *contributors_.back();
}

// What comes from outside is checked here: a family of each variable, no cycle, costs as they are.
bool Run::offer_network(const std::vector<FamilyId>& chosen) {
    if (chosen.size() != store_->variables())
        throw std::invalid_argument("each variable needs one set");
    std::vector<Family> network;
    for (std::size_t x = 0; x < chosen.size(); ++x) {
        if (number_of(chosen[x]) < store_->size()) network.push_back(store_->family(chosen[x]));
        if (network.size() <= x || network[x].child != x)
            throw std::invalid_argument("a chosen set is of another variable");
        if (!may_have(chosen[x], network[x]))
            throw std::invalid_argument("a chosen set is not one of this run");
    }
    if (has_cycle(network)) throw std::invalid_argument("the chosen sets make a cycle");

    bool better = false;
    for (std::size_t c = 0; c < components_.size(); ++c) {
        Cost cost = 0;
        std::vector<Choice> choices;
        for (const std::size_t x : components_[c]) {
            cost += network[x].cost;
            choices.push_back({x, chosen[x]});
        }
        if (cost >= progress_.cost(c)) continue;
        progress_.improve(c, cost, choices);
        better = true;
    }
    return better;
}

void Run::offer_bound(std::size_t component, Cost lower_bound) {
    if (component >= components_.size()) throw std::invalid_argument("no such component");
    progress_.raise_bound(component, lower_bound, Finder::contributor);
}

std::vector<Cost> Run::component_costs() const {
    std::vector<Cost> costs;
    for (std::size_t c = 0; c < components_.size(); ++c) costs.push_back(progress_.cost(c));
    return costs;
}

std::vector<Cost> Run::component_bounds() const {
    std::vector<Cost> bounds;
    for (std::size_t c = 0; c < components_.size(); ++c) bounds.push_back(progress_.bound(c));
    return bounds;
}

bool Run::solved() const {
    for (std::size_t c = 0; c < components_.size(); ++c)
        if (progress_.bound(c) < progress_.cost(c)) return false;
    return true;
}

ParentLists Run::parents() const {
    ParentLists network;
    for (const FamilyId id : progress_.chosen()) network.push_back(store_->family(id).parents);
    return network;
}

bool Contributor::stopped() {
    if (run_.progress_.gap_reached()) budget_.end(Status::gap);
    return budget_.exhausted_now() || run_.solved() || ends_all(run_.budget_.reason());
}

bool Contributor::use_memory(std::uint64_t stored, std::uint64_t bytes) {
    if (!budget_.allow_memory(bytes)) return false;
    run_.progress_.note_work(stored, bytes);
    return true;
}

}  // namespace anytimebn
