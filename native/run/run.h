// One search from beginning to end, whatever its costs come from: budget, incumbent, bound, status.
// What works on it, native or not, shares one network and one bound, and everything that is offered
// is checked and kept here. Another thread may look at any time.
//
// The algorithm of the run has the run's own budget. Whoever else works on it at the same time, in
// a thread of their own, is a `Contributor`.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "problem/family_store.h"
#include "run/options.h"
#include "run/progress.h"

namespace anytimebn {

class Contributor;

class Run {
 public:
    virtual ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    virtual void run() = 0;  // once, everything
    // Decides the status; the last thing to do.
    void finish();

    // The caller's wish; from any thread, at any time.
    void stop() { control_.stop(); }
    bool stop_requested() const { return control_.stopped(); }
    // Lets the run's own algorithm wait, while others work.
    Turn& turn() { return budget_.turn(); }

    // One more thread that works on this run. It lives as long as the run.
    Contributor& contributor();

    // A family of each variable. Throws std::invalid_argument unless this is a network that the run
    // may find; whether it is better in some component.
    bool offer_network(const std::vector<FamilyId>& chosen);
    // No network of a component costs less. At most the incumbent's cost is kept: that no network
    // is better is enough.
    void offer_bound(std::size_t component, Cost lower_bound);
    // What those who work on it do at the moment, in words for people who watch.
    void tell(std::string doing) { progress_.tell(std::move(doing)); }
    // No network better than the incumbent uses these.
    void rule_out(const std::vector<FamilyId>& families) { progress_.rule_out(families); }

    std::vector<Cost> component_costs() const;
    std::vector<Cost> component_bounds() const;
    bool solved() const;
    // For what is worth a short wait when the run is to end.
    Checkpoint last_words() const { return budget_.last_words(); }
    double seconds_left() const { return options_.limits.seconds - budget_.seconds(); }
    std::size_t jobs() const { return options_.jobs; }

    Status status() const { return status_; }
    std::vector<Event> drain_events() { return progress_.drain_events(); }
    Snapshot snapshot() const { return progress_.snapshot(); }
    std::uint64_t peak_memory_bytes() const { return progress_.peak_memory_bytes(); }
    std::uint64_t peak_disk_bytes() const { return budget_.disk().peak_bytes(); }
    // The incumbent, as families and as parents; empty while there is none.
    std::vector<FamilyId> chosen() const { return progress_.chosen(); }
    ParentLists parents() const;
    // What proves a bound of the whole problem without search; without groups when there is none.
    virtual RootCertificate certificate() const { return progress_.certificate(); }
    // The same, on the way to one: what it proves is to be computed.
    virtual RootCertificate suggested() const { return progress_.suggested(); }
    std::uint64_t suggestions() const { return progress_.suggestions(); }  // so far

 protected:
    Run(std::shared_ptr<FamilyStore> store, SearchOptions options);

    // The variables of each component, and their trivial bounds.
    void begin(std::vector<std::vector<std::size_t>> components, std::vector<Cost> lower_bounds,
               std::vector<Cost> steps = {});
    // Whether networks of this run may have a family of the store.
    virtual bool may_have(FamilyId id, const Family& family) const = 0;

    const std::shared_ptr<FamilyStore> store_;
    const SearchOptions options_;
    Control control_;
    Budget budget_;
    Progress progress_;
    bool feasible_ = true;  // or there is no network at all

 private:
    friend class Contributor;

    std::vector<std::vector<std::size_t>> components_;
    std::atomic<Status> status_ = Status::running;
    mutable std::mutex mutex_;  // of the contributors
    std::vector<std::unique_ptr<Contributor>> contributors_;
};

// What one more thread works by: limits, clock and stop flag are those of the run, checks and
// expansions its own. The run counts the expansions of all.
class Contributor {
 public:
    explicit Contributor(Run& run) : run_(run), budget_(run.budget_.beside()) {}

    // To be asked before each unit of work that takes milliseconds: a limit, or nothing is left to
    // prove.
    bool stopped();
    // Others may share the cores. The work of a contributor waits where it asks for this, and
    // nowhere else: checkpoints are asked with locks of the caller's held.
    Turn& turn() { return turn_; }
    void wait_for_turn() {
        turn_.wait([this] { return budget_.over(); });
    }
    Checkpoint checkpoint() {
        return Checkpoint([this] { return stopped(); });
    }
    // Counts one unit of work as an expansion; false when there may be none.
    bool expand() { return budget_.expand(); }
    // Asks whether so much may be in use, and takes note of it if so.
    bool use_memory(std::uint64_t stored, std::uint64_t bytes);
    const Budget& budget() const { return budget_; }

 private:
    Run& run_;
    Budget budget_;
    Turn turn_;
};

}  // namespace anytimebn
