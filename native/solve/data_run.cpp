#include "solve/data_run.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace anytimebn {

DataRun::DataRun(const ScoringTask& task, SearchOptions options, ParentLists start)
    : Run(std::make_shared<FamilyStore>(task.variables()), std::move(options)),
      task_(task),
      permissions_(permissions_of(task)),
      start_(std::move(start)) {
    std::vector<std::size_t> everything(task.variables());
    std::iota(everything.begin(), everything.end(), std::size_t{0});
    begin({std::move(everything)}, {-infinite_cost});
}

void DataRun::run() {
    constexpr std::uint64_t most_cache_bytes = std::uint64_t{1} << 30;
    costs_.emplace(task_, std::min(most_cache_bytes, options_.limits.memory_bytes / 3), budget_,
                   control_);
    const Algorithm& algorithm = AlgorithmRegistry::find(options_.algorithm).make;
    const Parameters parameters(options_.algorithm, algorithm.parameters, options_.parameters);
    GraphSearch search{
        *costs_,
        options_,
        parameters,
        budget_,
        first_network(),
        [&](const ParentLists& network, const std::vector<Cost>& costs) { keep(network, costs); },
        [&] { return budget_.exhausted_now(); },
        [&](std::uint64_t stored, std::uint64_t bytes) { progress_.note_work(stored, bytes); },
        [&] {
            const std::lock_guard lock(exchange_mutex_);
            return std::exchange(offer_, std::nullopt);
        },
        [&](std::vector<ParentLists> families) {
            const std::lock_guard lock(exchange_mutex_);
            good_families_ = std::move(families);
        },
        [&] { came_down_ = true; }};
    try {
        algorithm.run_on_data(search);
    } catch (const WorkStopped&) {
        budget_.exhausted_now();
    }
    if (progress_.cost(0) >= infinite_cost) keep_start(search.start);
    finish();
}

// The network to begin with. Families that cost more than 64 bits hold, as those of many parents
// with many values do, are in no network that anybody wants: their variables begin without.
ParentLists DataRun::first_network() {
    ParentLists network = start_.empty() ? permissions_.required : start_;
    for (std::uint32_t v = 0; v < start_.size(); ++v)
        if (rounded_cost(costs_->nats(v, network[v])) >= infinite_cost)
            network[v] = permissions_.required[v];
    return network;
}

void DataRun::offer(ParentLists network) {
    if (network.size() != task_.variables() || !permissions_.permit(network))
        throw std::invalid_argument("this network is not allowed");
    const std::lock_guard lock(exchange_mutex_);
    offer_ = std::move(network);
}

std::vector<ParentLists> DataRun::good_families() const {
    const std::lock_guard lock(exchange_mutex_);
    return good_families_;
}

// What was stopped before it could look at its first network still has that one.
void DataRun::keep_start(const ParentLists& start) {
    std::vector<Cost> costs;
    for (std::uint32_t v = 0; v < start.size(); ++v)
        costs.push_back(rounded_cost(costs_->nats(v, start[v])));
    if (sum_of(costs) < infinite_cost) keep(start, costs);
}

bool DataRun::may_have(FamilyId, const Family& family) const {
    return permissions_.permit(family.child, family.parents);
}

void DataRun::keep(const ParentLists& network, const std::vector<Cost>& costs) {
    const Cost cost = sum_of(costs);
    if (cost >= progress_.cost(0) || !permissions_.permit(network)) return;
    std::vector<Choice> choices;
    for (std::size_t v = 0; v < network.size(); ++v)
        choices.push_back({v, store_->append(v, network[v], costs[v])});
    progress_.improve(0, cost, choices);
}

std::vector<double> DataRun::costs() {
    std::vector<double> costs;
    const ParentLists network = parents();
    for (std::uint32_t v = 0; v < network.size(); ++v)
        costs.push_back(costs_->nats(v, network[v]) + 0.0);  // no negative zeros
    return costs;
}

}  // namespace anytimebn
