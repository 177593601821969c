#include "arcs/counted_costs.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

#include "base/parallel.h"

namespace anytimebn {
namespace {

constexpr std::uint64_t bytes_of_an_entry = 120;  // with its key and its place in the index

}  // namespace

Cost rounded_cost(double nats) {
    const double units = std::nearbyint(nats * 1e6);
    // More than 64 bits can hold is more than any network costs, and so is what is no number.
    return units < static_cast<double>(infinite_cost) ? static_cast<Cost>(units) : infinite_cost;
}

// Constant columns change no table: they are parents only where the user wants it, and have none.
Permissions permissions_of(const ScoringTask& task) {
    const std::size_t n = task.variables();
    Permissions permissions{std::vector(n, std::vector<bool>(n, false)),
                            task.required,
                            {task.max_parents.begin(), task.max_parents.end()},
                            false};
    for (std::size_t child = 0; child < n; ++child) {
        std::sort(permissions.required[child].begin(), permissions.required[child].end());
        if (task.arities[child] > 1)
            for (const std::uint32_t parent : task.allowed[child])
                permissions.allowed[child][parent] = task.arities[parent] > 1;
        for (const std::uint32_t parent : task.required[child])
            permissions.allowed[child][parent] = true;
    }
    return permissions;
}

CountedCosts::CountedCosts(const ScoringTask& task, std::uint64_t cache_bytes, Budget& budget,
                           const Control& control)
    : LocalCosts(permissions_of(task)),
      table_(std::make_shared<const CountedTable>(task, cache_bytes / 2)),
      counter_(*table_, control),
      stopped_([&budget] { return budget.exhausted_now(); }),
      control_(control),
      cache_bytes_(cache_bytes) {}

CountedCosts::CountedCosts(const CountedCosts& others, std::function<bool()> stopped)
    : LocalCosts(others.permissions()),
      sample_(others.sample_),
      table_(others.table_),
      counter_(*table_, others.control_),
      stopped_(std::move(stopped)),
      control_(others.control_),
      cache_bytes_(others.cache_bytes_) {}

CountedCosts::CountedCosts(const CountedCosts& others, std::shared_ptr<const RowSample> sample)
    : LocalCosts(others.permissions()),
      sample_(std::move(sample)),
      table_(std::make_shared<const CountedTable>(sample_->task(), others.cache_bytes_ / 2)),
      counter_(*table_, others.control_),
      stopped_(others.stopped_),
      control_(others.control_),
      cache_bytes_(others.cache_bytes_) {}

std::size_t CountedCosts::Hash::operator()(const Key& key) const {
    std::uint64_t mixed = key.size();
    for (const std::uint32_t member : key) {
        mixed = (mixed ^ member) * 0x9e3779b97f4a7c15u;
        mixed ^= mixed >> 32;
    }
    return mixed;
}

CountedCosts::Key CountedCosts::key_of(std::uint32_t child, const Parents& parents) {
    Key key{child};
    key.insert(key.end(), parents.begin(), parents.end());
    return key;
}

// All goes when there is no room: what a search needs again it soon has again.
void CountedCosts::make_room(std::uint64_t bytes) {
    if (used_bytes_ + bytes > cache_bytes_) forget();
    used_bytes_ += bytes;
}

void CountedCosts::forget() {
    rows_.clear();
    singles_.clear();
    used_bytes_ = 0;
}

std::uint64_t CountedCosts::memory_bytes() const {
    const std::uint64_t sampled = sample_ == nullptr ? 0 : sample_->memory_bytes();
    return sampled + used_bytes_ + table_->memory_bytes() + counter_.memory_bytes();
}

Cost CountedCosts::cost(std::uint32_t child, const Parents& parents) {
    Key key = key_of(child, parents);
    if (const auto found = singles_.find(key); found != singles_.end()) return found->second;
    const Cost cost = rounded_cost(counter_.cost(child, parents));
    make_room(bytes_of_an_entry);
    singles_.emplace(std::move(key), cost);
    return cost;
}

bool CountedCosts::count_row(FamilyCounter& counter, std::uint32_t child, const Parents& parents,
                             const std::function<bool()>& stopped, Cost* row) const {
    std::fill(row, row + variables(), infinite_cost);
    const Parents others = candidates(child, parents);
    std::vector<double> nats(others.size());
    if (!counter.additions(child, parents, others, nats.data(), stopped)) return false;
    for (std::size_t i = 0; i < others.size(); ++i) row[others[i]] = rounded_cost(nats[i]);
    return true;
}

// What may be a parent too.
Parents CountedCosts::candidates(std::uint32_t child, const Parents& parents) const {
    Parents found;
    if (parents.size() >= permissions().most_parents[child]) return found;
    for (std::uint32_t y = 0; y < variables(); ++y)
        if (permissions().allowed[child][y] &&
            !std::binary_search(parents.begin(), parents.end(), y))
            found.push_back(y);
    return found;
}

bool CountedCosts::extensions(std::uint32_t child, const Parents& parents, Cost below,
                              std::vector<Step>& found) {
    Parents others = candidates(child, parents);
    std::erase_if(others, [&](std::uint32_t y) {
        return counter_.least_cost(child, parents, y) >= static_cast<double>(below) * 1e-6;
    });
    if (others.empty()) return true;
    std::vector<double> nats(others.size());
    if (!counter_.additions(child, parents, others, nats.data(), stopped_)) return false;
    for (std::size_t i = 0; i < others.size(); ++i)
        if (const Cost cost = rounded_cost(nats[i]); cost < below)
            found.push_back({cost, others[i]});
    return true;
}

Step CountedCosts::best_removal(std::uint32_t child, const Parents& parents) {
    std::vector<double> nats(parents.size());
    counter_.removals(child, parents, nats.data());
    Step best{infinite_cost, 0};
    for (std::size_t i = 0; i < parents.size(); ++i)
        if (!permissions().is_required(child, parents[i]))
            best = std::min(best, {rounded_cost(nats[i]), parents[i]});
    return best;
}

bool CountedCosts::additions(std::uint32_t child, const Parents& parents, Cost* row) {
    Key key = key_of(child, parents);
    auto found = rows_.find(key);
    if (found == rows_.end()) {
        std::vector<Cost> counted(variables());
        if (!count_row(counter_, child, parents, stopped_, counted.data())) return false;
        make_room(bytes_of_an_entry + counted.size() * sizeof(Cost));
        found = rows_.emplace(std::move(key), std::move(counted)).first;
    }
    std::copy(found->second.begin(), found->second.end(), row);
    return true;
}

void CountedCosts::prepare(const ParentLists& network, std::size_t jobs) {
    const std::size_t n = variables();
    const std::uint64_t bytes = n * (bytes_of_an_entry + n * sizeof(Cost));
    // Threads and their tables of cell values pay for a million rows and more.
    if (jobs < 2 || n * n * table_->rows() < 10'000'000 || bytes > cache_bytes_) return;
    make_room(bytes);
    std::vector<std::vector<Cost>> rows(n);
    std::vector<std::unique_ptr<FamilyCounter>> counters(jobs);
    std::atomic<bool> stop = false;
    parallel_for(n, jobs, [&](std::size_t child, std::size_t worker) {
        if (counters[worker] == nullptr)
            counters[worker] = std::make_unique<FamilyCounter>(*table_, control_);
        // The budget belongs to the calling thread.
        const auto stopped = [&] {
            if (worker == 0 && stopped_()) stop = true;
            return stop.load();
        };
        if (stopped()) return;
        std::vector<Cost> row(n);
        if (count_row(*counters[worker], static_cast<std::uint32_t>(child), network[child], stopped,
                      row.data()))
            rows[child] = std::move(row);
    });
    for (std::uint32_t child = 0; child < n; ++child)
        if (!rows[child].empty()) rows_[key_of(child, network[child])] = std::move(rows[child]);
}

}  // namespace anytimebn
