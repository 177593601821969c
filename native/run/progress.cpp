#include "run/progress.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace anytimebn {
namespace {

// Bounds can rise thousands of times a second; nobody can use more events than this.
constexpr double seconds_between_bounds = 0.05;
// The same by their number: the more there were, the more pass until the next one is told.
constexpr std::uint64_t raises_between_bounds = 20;

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

void Progress::begin(std::vector<Cost> lower_bounds, std::vector<Cost> steps) {
    const std::lock_guard lock(mutex_);
    steps.resize(lower_bounds.size(), 1);
    steps_ = std::move(steps);
    trivial_bounds_ = lower_bounds;
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
    if (lower_bound > trivial_bounds_[component] && lower_bound < costs_[component] &&
        steps_[component] > 1) {
        const Cost above = (lower_bound - trivial_bounds_[component]) % steps_[component];
        if (above > 0) lower_bound += steps_[component] - above;
    }
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

namespace {

void keep_if_more(std::map<std::size_t, RootCertificate>& known, std::size_t component,
                  RootCertificate part) {
    const auto [place, is_first] = known.try_emplace(component);
    if (is_first || part.lower_bound >= place->second.lower_bound) place->second = std::move(part);
}

RootCertificate joined(const std::map<std::size_t, RootCertificate>& parts) {
    const auto append = [](auto& all, const auto& more) {
        all.insert(all.end(), more.begin(), more.end());
    };
    RootCertificate all;
    for (const auto& [component, part] : parts) {
        append(all.groups, part.groups);
        append(all.clusters, part.clusters);
        append(all.multipliers, part.multipliers);
        all.lower_bound += part.lower_bound;
    }
    return all;
}

}  // namespace

void Progress::certify(std::size_t component, RootCertificate part) {
    const std::lock_guard lock(mutex_);
    ++suggestions_;
    suggested_.erase(component);
    keep_if_more(certificates_, component, std::move(part));
}

RootCertificate Progress::certificate() const {
    const std::lock_guard lock(mutex_);
    return joined(certificates_);
}

void Progress::suggest(std::size_t component, RootCertificate part) {
    const std::lock_guard lock(mutex_);
    ++suggestions_;
    suggested_[component] = std::move(part);
}

std::uint64_t Progress::suggestions() const {
    const std::lock_guard lock(mutex_);
    return suggestions_;
}

RootCertificate Progress::suggested() const {
    const std::lock_guard lock(mutex_);
    return joined(suggested_);
}

void Progress::remember(std::size_t component, RootCertificate part) {
    const std::lock_guard lock(mutex_);
    keep_if_more(remembered_, component, std::move(part));
}

RootCertificate Progress::take_remembered(std::size_t component) {
    const std::lock_guard lock(mutex_);
    const auto known = remembered_.extract(component);
    return known ? known.mapped() : RootCertificate{};
}

void Progress::record(bool important) {
    snapshot_.seconds = budget_.seconds();
    snapshot_.has_network = total_cost_ < infinite_cost;
    snapshot_.cost = total_cost_;
    snapshot_.lower_bound = total_bound_;
    snapshot_.expanded = expanded();
    if (!snapshot_.has_network) return;
    tell_pending(false);  // a raise that stood for a while, before another takes its place
    raises_ += !important;
    pending_ = {snapshot_.seconds, total_cost_, total_bound_, snapshot_.expanded};
    has_pending_ = true;
    tell_pending(important);
}

bool Progress::due() const {
    // Where work is limited, the same work has the same history: no clock is asked.
    if (budget_.limits().expansions != std::numeric_limits<std::uint64_t>::max())
        return raises_ - raises_told_ > raises_told_ / raises_between_bounds;
    return snapshot_.seconds - last_told_ >= seconds_between_bounds;
}

void Progress::tell_pending(bool at_once) {
    if (!has_pending_ || !(at_once || due())) return;
    events_.push_back(pending_);
    has_pending_ = false;
    last_told_ = pending_.seconds;
    raises_told_ = raises_;
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
    const double gap = budget_.limits().gap, hidden = budget_.limits().hidden_cost;
    // It is about the true costs, which are not rounded.
    const double bound = static_cast<double>(total_bound_) - hidden;
    return gap > 0 && bound > 0 && static_cast<double>(total_cost_) + hidden <= (1 + gap) * bound;
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
    snapshot_.expected_nodes = snapshot_.planned_seconds = 0;
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

void Progress::plan(double seconds) {
    const std::lock_guard lock(mutex_);
    snapshot_.planned_seconds = seconds;
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
