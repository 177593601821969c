// One search from parent sets to outcome: components, a first network, the algorithm on each
// component.
//
// An algorithm that is written outside the native core contributes to a run from a thread of its
// own, by itself or while `run` works on the same problem in another: it offers networks and
// bounds, which are checked and kept like all others, and asks whether to stop.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "run/algorithm.h"

namespace anytimebn {

class SearchRun {
 public:
    SearchRun(std::shared_ptr<const ParentSets> sets, SearchOptions options);

    void run();  // once: prepare, the native algorithm, finish
    void stop() { control_.stop(); }

    // Finds components and first networks; false if there is no network at all. Before anything is
    // contributed, and once.
    bool prepare();
    // Runs the native algorithm on each component.
    void search();
    // Decides the status; the last thing to do.
    void finish();

    // For the one contributing thread.
    const std::vector<Component>& components() const { return components_; }
    // The number of the set (in the whole problem) chosen for each variable. Throws
    // std::invalid_argument unless this is a network; whether it is better in some component.
    bool offer_network(const std::vector<std::size_t>& chosen);
    // No network of a component costs less. At most the incumbent's cost is kept: that no network
    // is better is enough.
    void offer_bound(std::size_t component, Cost lower_bound);
    // No network better than the incumbent uses these parent sets (numbers in the whole problem).
    void rule_out(const std::vector<std::size_t>& sets) { progress_.rule_out(sets); }
    std::vector<Cost> component_costs() const;
    std::vector<Cost> component_bounds() const;
    bool solved() const;
    // To be asked before each unit of work that takes milliseconds.
    bool stopped();
    // The caller's wish alone; from any thread, at any time.
    bool stop_requested() const { return control_.stopped(); }
    // Counts one unit of work as an expansion; false when there may be none.
    bool expand() { return contributor_budget_.expand(); }
    // Asks whether so much may be in use, and takes note of it if so.
    bool use_memory(std::uint64_t stored, std::uint64_t bytes);
    double seconds_left() const { return options_.limits.seconds - budget_.seconds(); }

    Status status() const { return status_; }
    std::vector<Event> drain_events() { return progress_.drain_events(); }
    Snapshot snapshot() const { return progress_.snapshot(); }
    std::vector<std::size_t> chosen_sets() const { return progress_.chosen_sets(); }
    // Of the whole problem; without groups when there is none. Components without one keep their
    // trivial bound.
    RootCertificate certificate() const;
    std::uint64_t peak_memory_bytes() const { return progress_.peak_memory_bytes(); }
    std::vector<std::size_t> component_sizes() const;
    std::vector<std::size_t> component_sets() const;  // how many parent sets each has

 private:
    // False if there is no network at all.
    bool find_first_networks();
    bool search_locally(std::size_t component, std::uint64_t max_work);

    std::shared_ptr<const ParentSets> sets_;
    SearchOptions options_;
    Control control_;
    Budget budget_, contributor_budget_;
    Progress progress_;
    std::atomic<Status> status_ = Status::running;
    std::vector<Component> components_;
    bool feasible_ = true;
};

}  // namespace anytimebn
