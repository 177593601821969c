#include "run/progress.h"

#include <algorithm>
#include <numeric>

namespace anytimebn {
namespace {

// Bounds can rise thousands of times a second; nobody can use more events than this.
constexpr double seconds_between_bounds = 0.05;

}  // namespace

const char* stage_name(Stage stage) {
    switch (stage) {
        case Stage::unknown: return "unknown";
        case Stage::nodes: return "nodes";
        case Stage::bounds: return "bounds";
        case Stage::root_bound: return "root bound";
        case Stage::sweep: return "sweep";
        case Stage::windows: return "windows";
        case Stage::plain_windows: return "plain windows";
    }
    return "unknown";
}

void Progress::count(const Budget& other) {
    const std::lock_guard lock(mutex_);
    others_.push_back(&other);
}

std::uint64_t Progress::expanded() const {
    std::uint64_t sum = budget_.expanded();
    for (const Budget* other : others_) sum += other->expanded();
    return sum;
}

void Progress::begin(std::vector<Cost> lower_bounds) {
    const std::lock_guard lock(mutex_);
    costs_.assign(lower_bounds.size(), infinite_cost);
    bounds_ = std::move(lower_bounds);
    total_bound_ = std::accumulate(bounds_.begin(), bounds_.end(), Cost{0});
    algorithm_bounds_ = contributed_bounds_ = bounds_;
    snapshot_.lower_bound = total_bound_;
    snapshot_.algorithm_bound = snapshot_.contributed_bound = total_bound_;
}

void Progress::improve(std::size_t component, Cost cost, const std::vector<Choice>& choices) {
    const std::lock_guard lock(mutex_);
    if (cost >= costs_[component]) return;
    costs_[component] = cost;
    for (const Choice& choice : choices) {
        if (choice.variable >= chosen_.size()) chosen_.resize(choice.variable + 1, no_family);
        chosen_[choice.variable] = choice.family;
    }
    total_cost_ = 0;
    for (const Cost part : costs_) {
        if (part >= infinite_cost) {  // other components have no network yet
            total_cost_ = infinite_cost;
            return;
        }
        total_cost_ += part;
    }
    record(true);
}

void Progress::raise_bound(std::size_t component, Cost lower_bound, Finder finder) {
    const std::lock_guard lock(mutex_);
    lower_bound = std::min(lower_bound, costs_[component]);
    const bool own = finder == Finder::algorithm;
    Cost& before = (own ? algorithm_bounds_ : contributed_bounds_)[component];
    if (lower_bound > before) {
        (own ? snapshot_.algorithm_bound : snapshot_.contributed_bound) += lower_bound - before;
        before = lower_bound;
    }
    if (lower_bound <= bounds_[component]) return;
    total_bound_ += lower_bound - bounds_[component];
    bounds_[component] = lower_bound;
    record(false);
}

void Progress::rule_out(const std::vector<FamilyId>& families) {
    const std::lock_guard lock(mutex_);
    for (const FamilyId family : families) {
        const std::size_t number = number_of(family);
        if (number >= ruled_out_.size()) ruled_out_.resize(number + 1, false);
        snapshot_.ruled_out += !ruled_out_[number];
        ruled_out_[number] = true;
    }
}

std::size_t Progress::ruled_out_count() const {
    const std::lock_guard lock(mutex_);
    return snapshot_.ruled_out;
}

std::vector<bool> Progress::ruled_out() const {
    const std::lock_guard lock(mutex_);
    return ruled_out_;
}

void Progress::certify(std::size_t component, RootCertificate part) {
    const std::lock_guard lock(mutex_);
    certificates_[component] = std::move(part);
}

RootCertificate Progress::certificate() const {
    const std::lock_guard lock(mutex_);
    const auto append = [](auto& all, const auto& more) {
        all.insert(all.end(), more.begin(), more.end());
    };
    RootCertificate all;
    for (const auto& [component, part] : certificates_) {
        append(all.groups, part.groups);
        append(all.clusters, part.clusters);
        append(all.multipliers, part.multipliers);
        all.lower_bound += part.lower_bound;
    }
    return all;
}

void Progress::record(bool important) {
    snapshot_.seconds = budget_.seconds();
    snapshot_.has_network = total_cost_ < infinite_cost;
    snapshot_.cost = total_cost_;
    snapshot_.lower_bound = total_bound_;
    snapshot_.expanded = expanded();
    if (!snapshot_.has_network) return;
    tell_pending(false);  // a raise that stood for a while, before another takes its place
    pending_ = {snapshot_.seconds, total_cost_, total_bound_, snapshot_.expanded};
    has_pending_ = true;
    tell_pending(important);
}

void Progress::tell_pending(bool at_once) {
    const bool due = snapshot_.seconds - last_told_ >= seconds_between_bounds;
    if (!has_pending_ || !(at_once || due)) return;
    events_.push_back(pending_);
    has_pending_ = false;
    last_told_ = pending_.seconds;
}

void Progress::flush() {
    const std::lock_guard lock(mutex_);
    snapshot_.seconds = budget_.seconds();
    snapshot_.expanded = expanded();
    tell_pending(true);
}

bool Progress::gap_reached() const {
    const std::lock_guard lock(mutex_);
    if (total_cost_ >= infinite_cost) return false;
    const double gap = budget_.limits().gap;
    return gap > 0 && total_bound_ > 0 &&
           static_cast<double>(total_cost_) <= (1 + gap) * static_cast<double>(total_bound_);
}

void Progress::note_work(std::uint64_t stored, std::uint64_t memory_bytes) {
    const std::lock_guard lock(mutex_);
    snapshot_.seconds = budget_.seconds();
    snapshot_.expanded = expanded();
    snapshot_.stored = stored_before_ + stored;
    snapshot_.memory_bytes = memory_bytes;
    peak_memory_bytes_ = std::max(peak_memory_bytes_, memory_bytes);
    tell_pending(false);
}

void Progress::end_work() {
    const std::lock_guard lock(mutex_);
    stored_before_ = snapshot_.stored;
    snapshot_.expected_nodes = 0;
    snapshot_.stage = Stage::unknown;
}

void Progress::enter(Stage stage) {
    const std::lock_guard lock(mutex_);
    snapshot_.stage = stage;
}

void Progress::tell(std::string doing) {
    const std::lock_guard lock(mutex_);
    snapshot_.doing = std::move(doing);
}

void Progress::expect(double nodes) {
    const std::lock_guard lock(mutex_);
    snapshot_.expected_nodes = static_cast<double>(budget_.expanded()) + nodes;
}

void Progress::note_bounds(double seconds) {
    const std::lock_guard lock(mutex_);
    snapshot_.bounds_seconds += seconds;
}

std::vector<Event> Progress::drain_events() {
    const std::lock_guard lock(mutex_);
    std::vector<Event> drained;
    drained.swap(events_);
    return drained;
}

Snapshot Progress::snapshot() const {
    const std::lock_guard lock(mutex_);
    return snapshot_;
}

std::vector<FamilyId> Progress::chosen() const {
    const std::lock_guard lock(mutex_);
    return total_cost_ < infinite_cost ? chosen_ : std::vector<FamilyId>{};
}

}  // namespace anytimebn
