#include "solve/data_run.h"

#include <algorithm>

namespace anytimebn {

DataRun::DataRun(const ScoringTask& task, SearchOptions options, ParentLists start)
    : task_(task),
      options_(std::move(options)),
      start_(std::move(start)),
      budget_(options_.limits, control_),
      progress_(budget_),
      numbers_(task.variables()) {
    progress_.begin({-infinite_cost});
}

void DataRun::run() {
    constexpr std::uint64_t most_cache_bytes = std::uint64_t{1} << 30;
    costs_.emplace(task_, std::min(most_cache_bytes, options_.limits.memory_bytes / 3), budget_,
                   control_);
    GraphSearch search{
        *costs_,
        options_,
        budget_,
        start_.empty() ? costs_->permissions().required : start_,
        [&](const ParentLists& network, Cost cost) { keep(network, cost); },
        [&] { return budget_.exhausted_now(); },
        [&](std::uint64_t stored, std::uint64_t bytes) { progress_.note_work(stored, bytes); }};
    AlgorithmRegistry::find(options_.algorithm).make.run_on_data(search);
    progress_.flush();
    status_ = budget_.reason() == Status::running ? Status::finished : budget_.reason();
}

void DataRun::keep(const ParentLists& network, Cost cost) {
    if (cost >= progress_.cost(0) || !costs_->permissions().permit(network)) return;
    std::vector<Choice> choices;
    {
        const std::lock_guard lock(mutex_);
        for (std::size_t v = 0; v < network.size(); ++v) {
            const auto [entry, is_new] = numbers_[v].try_emplace(network[v], sets_.size());
            if (is_new) sets_.push_back(network[v]);
            choices.push_back({v, entry->second});
        }
    }
    progress_.improve(0, cost, choices);
}

ParentLists DataRun::parents() const {
    const std::lock_guard lock(mutex_);
    ParentLists network;
    for (const std::size_t set : progress_.chosen_sets()) network.push_back(sets_[set]);
    return network;
}

std::vector<double> DataRun::costs() {
    std::vector<double> costs;
    const ParentLists network = parents();
    for (std::uint32_t v = 0; v < network.size(); ++v)
        costs.push_back(costs_->nats(v, network[v]) + 0.0);  // no negative zeros
    return costs;
}

}  // namespace anytimebn
