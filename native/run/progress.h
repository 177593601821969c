// The one owner of what a search knows: the incumbent and the lower bound. Both only ever improve,
// each improvement becomes an event, and another thread may look at any time.
//
// A problem is solved component by component (strongly connected components of the candidate-parent
// graph). The whole network is the union of the components' networks, and its bound the sum of
// theirs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/fixed_point.h"
#include "problem/family.h"
#include "run/budget.h"

namespace anytimebn {

struct Event {
    double seconds;
    Cost cost;
    Cost lower_bound;
    std::uint64_t expanded;
};

// What the run's own algorithm does, as far as it tells.
enum class Stage {
    unknown,
    nodes,       // A*, as long as that promises to end soon
    bounds,      // before a sweep
    root_bound,  // instead of a sweep, which would not fit into time or memory
    sweep,
    windows,        // A* with cluster bounds, where nothing tells when it will end
    plain_windows,  // the same for more variables than cluster bounds can take
};

const char* stage_name(Stage stage);

// Who found something: the run's own algorithm, or a contributor.
enum class Finder { algorithm, contributor };

struct Snapshot {
    double seconds = 0;
    bool has_network = false;
    Cost cost = infinite_cost;
    Cost lower_bound = 0;
    std::uint64_t expanded = 0;
    std::uint64_t stored = 0;
    std::uint64_t memory_bytes = 0;
    double expected_nodes = 0;   // expanded in the end; 0 if not known
    double planned_seconds = 0;  // that the algorithm will work since it planned; 0 if not known
    double bounds_seconds = 0;   // spent on bounds before and between searches
    Cost algorithm_bound = 0;    // without what contributors proved
    Cost contributed_bound = 0;
    std::size_t ruled_out = 0;  // families
    Stage stage = Stage::unknown;
    std::string doing;  // in words
};

// What proves a lower bound without search: groups, clusters and multipliers as in
// clusters/cluster_bound.h, by the numbers of the variables in the whole problem.
struct RootCertificate {
    std::vector<std::vector<std::uint32_t>> groups, clusters;
    std::vector<Cost> multipliers;
    Cost lower_bound = 0;
};

class Progress {
 public:
    explicit Progress(const Budget& budget) : budget_(budget) {}
    // What another thread expands, by a budget of its own, counts as well from now on.
    void count(const Budget& other);

    // Components with their trivial bounds; before anything else. Costs of networks differ from
    // these by multiples of steps, where these are given: bounds are rounded up to such costs.
    void begin(std::vector<Cost> lower_bounds, std::vector<Cost> steps = {});

    // With the family chosen for each variable of the component.
    void improve(std::size_t component, Cost cost, const std::vector<Choice>& choices);
    void raise_bound(std::size_t component, Cost lower_bound, Finder finder = Finder::algorithm);

    // No network better than the incumbent uses these.
    void rule_out(const std::vector<FamilyId>& families);
    std::size_t ruled_out_count() const;
    // By the number of the family; may be shorter than the problem.
    std::vector<bool> ruled_out() const;

    // Takes the place of an earlier one of this component, unless that one proves more.
    void certify(std::size_t component, RootCertificate part);
    RootCertificate certificate() const;  // of the components that have one

    // Clusters on the way to better ones, until these have a certificate: a later run may begin
    // with them. Nobody has computed what they prove.
    void suggest(std::size_t component, RootCertificate part);
    RootCertificate suggested() const;
    std::uint64_t suggestions() const;  // how many there were, certificates included
    // Clusters of an earlier run, to begin with: given to the first who asks.
    void remember(std::size_t component, RootCertificate part);
    RootCertificate take_remembered(std::size_t component);

    Cost cost(std::size_t component) const {
        const std::lock_guard lock(mutex_);
        return costs_[component];
    }
    Cost bound(std::size_t component) const {
        const std::lock_guard lock(mutex_);
        return bounds_[component];
    }
    bool gap_reached() const;

    // Of the search that runs now; those before it are added up when they end.
    void note_work(std::uint64_t stored, std::uint64_t memory_bytes);
    void end_work();
    // How many more nodes the sweep that begins now will take.
    void expect(double nodes);
    // How long all will take that is planned now.
    void plan(double seconds);
    void enter(Stage stage);
    void tell(std::string doing);
    void note_bounds(double seconds);

    // For the watching thread.
    std::vector<Event> drain_events();
    Snapshot snapshot() const;
    // The incumbent: a family of each variable; none while some component has no network.
    std::vector<FamilyId> chosen() const;
    std::uint64_t peak_memory_bytes() const {
        const std::lock_guard lock(mutex_);
        return peak_memory_bytes_;
    }
    // Makes the last raise of the bound an event, however soon it came after another.
    void flush();

 private:
    void record(bool important);
    void tell_pending(bool at_once);
    bool due() const;
    std::uint64_t expanded() const;

    const Budget& budget_;
    std::vector<const Budget*> others_;
    mutable std::mutex mutex_;
    std::vector<Cost> costs_, bounds_;
    std::vector<Cost> algorithm_bounds_, contributed_bounds_;
    std::vector<Cost> trivial_bounds_, steps_;
    Cost total_cost_ = infinite_cost, total_bound_ = 0;
    std::vector<FamilyId> chosen_;
    std::vector<bool> ruled_out_;
    std::vector<Event> events_;
    std::map<std::size_t, RootCertificate> certificates_, suggested_, remembered_;  // by component
    std::uint64_t suggestions_ = 0;
    Event pending_{};  // the last raise of the bound, if it came right after another event
    bool has_pending_ = false;
    double last_told_ = -1;
    std::uint64_t raises_ = 0, raises_told_ = 0;  // of the bound
    Snapshot snapshot_;
    std::uint64_t peak_memory_bytes_ = 0, stored_before_ = 0;
};

}  // namespace anytimebn
