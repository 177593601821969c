// One search from parent sets to outcome: components, a first network, the algorithm on each
// component.
#pragma once

#include <memory>
#include <vector>

#include "search/algorithm.h"

namespace anytimebn {

class SearchRun {
 public:
    SearchRun(std::shared_ptr<const ParentSets> sets, SearchOptions options);

    void run();  // once
    void stop() { control_.stop(); }

    Status status() const { return status_; }
    std::vector<Event> drain_events() { return progress_.drain_events(); }
    Snapshot snapshot() const { return progress_.snapshot(); }
    std::vector<std::size_t> chosen_sets() const { return progress_.chosen_sets(); }
    // Of the whole problem; without groups when there is none. Components without one keep their
    // trivial bound.
    RootCertificate certificate() const;
    std::uint64_t peak_memory_bytes() const { return progress_.peak_memory_bytes(); }
    std::vector<std::size_t> component_sizes() const { return component_sizes_; }

 private:
    // False if there is no network at all.
    bool find_first_networks(const std::vector<Component>& components);
    Status final_status(const std::vector<Component>& components) const;

    std::shared_ptr<const ParentSets> sets_;
    SearchOptions options_;
    Control control_;
    Budget budget_;
    Progress progress_;
    Status status_ = Status::running;
    std::vector<std::size_t> component_sizes_;
};

}  // namespace anytimebn
