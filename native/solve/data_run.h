// One search from a table to a network, for algorithms that ask for costs as they need them.
// Nothing is known of what other networks cost: there is no lower bound.
#pragma once

#include <map>
#include <mutex>
#include <optional>

#include "arcs/counted_costs.h"
#include "arcs/graph_search.h"

namespace anytimebn {

class DataRun {
 public:
    // `start` is a network to begin with, or empty.
    DataRun(const ScoringTask& task, SearchOptions options, ParentLists start);

    void run();  // once
    void stop() { control_.stop(); }

    Status status() const { return status_; }
    std::vector<Event> drain_events() { return progress_.drain_events(); }
    Snapshot snapshot() const { return progress_.snapshot(); }
    std::uint64_t peak_memory_bytes() const { return progress_.peak_memory_bytes(); }
    // Of the best network so far; empty while there is none.
    ParentLists parents() const;
    // Of each variable with these parents, in nats; when the run has ended.
    std::vector<double> costs();
    // In nats; when the run has ended.
    double cost(std::uint32_t child, const Parents& parents) {
        return costs_->nats(child, parents);
    }

 private:
    void keep(const ParentLists& network, Cost cost);

    ScoringTask task_;
    SearchOptions options_;
    ParentLists start_;
    Control control_;
    Budget budget_;
    Progress progress_;
    std::optional<CountedCosts> costs_;
    std::atomic<Status> status_ = Status::running;
    // Networks are kept by the numbers of their parent sets, as in searches over stored ones.
    mutable std::mutex mutex_;
    ParentLists sets_;
    std::vector<std::map<Parents, std::size_t>> numbers_;
};

}  // namespace anytimebn
