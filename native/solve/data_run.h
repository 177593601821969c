// One search from a table to a network, for algorithms that ask for costs as they need them.
// Nothing is known of what other networks cost: there is no lower bound.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "arcs/counted_costs.h"
#include "arcs/graph_search.h"
#include "run/run.h"

namespace anytimebn {

class DataRun final : public Run {
 public:
    // `start` is a network to begin with, or empty.
    DataRun(const ScoringTask& task, SearchOptions options, ParentLists start);

    void run() override;

    // A network that somebody else found, for a search that may go on from it; from any thread.
    void offer(ParentLists network);

    // Families of each variable that good networks have, as far as the search tells; from any
    // thread.
    std::vector<ParentLists> good_families() const;

    // Whether the first ways down are over, as far as the search tells; from any thread.
    bool came_down() const { return came_down_.load(); }

    // Of each variable with the parents that were found, in nats; when the run has ended.
    std::vector<double> costs();
    // In nats; when the run has ended.
    double cost(std::uint32_t child, const Parents& parents) {
        return costs_->nats(child, parents);
    }
    // The same without one of the parents, for each of them.
    std::vector<double> costs_without_each(std::uint32_t child, const Parents& parents) {
        return costs_->nats_without_each(child, parents);
    }

 private:
    bool may_have(FamilyId id, const Family& family) const override;
    ParentLists first_network();
    void keep_start(const ParentLists& start);
    // Families enter the store when a network that is kept has them.
    void keep(const ParentLists& network, const std::vector<Cost>& costs);

    ScoringTask task_;
    Permissions permissions_;
    ParentLists start_;
    std::optional<CountedCosts> costs_;
    mutable std::mutex exchange_mutex_;
    std::optional<ParentLists> offer_;
    std::vector<ParentLists> good_families_;
    std::atomic<bool> came_down_ = false;
};

}  // namespace anytimebn
