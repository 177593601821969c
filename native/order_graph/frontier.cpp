#include "order_graph/frontier.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "base/parallel.h"

namespace anytimebn {
namespace {

// More runs of a layer than this are merged to one while others are found: a slice of all of them
// has to fit into the cache.
constexpr std::size_t most_runs = 16;

bool by_set(const RunNode& a, const RunNode& b) {
    return a.set != b.set ? a.set < b.set : a.cost < b.cost;
}

// Of nodes that have the same set, the cheapest.
void sort_unique(std::vector<RunNode>& nodes) {
    std::sort(nodes.begin(), nodes.end(), by_set);
    nodes.erase(std::unique(nodes.begin(), nodes.end(),
                            [](const RunNode& a, const RunNode& b) { return a.set == b.set; }),
                nodes.end());
}

std::size_t size_of(std::uint64_t set) { return static_cast<std::size_t>(std::popcount(set)); }

}  // namespace

Frontier::Frontier(SearchContext& context, const Heuristic& heuristic)
    : context_(context),
      heuristic_(heuristic),
      component_(context.component),
      extension_(context.component, context.options.path_extension),
      goal_(Set::all(context.component.size()).words[0]),
      limit_(context.incumbent()),
      jobs_(std::max<std::size_t>(1, context.options.jobs)),
      workers_(jobs_),
      layers_(context.component.size() + 1) {
    // Small enough for little memory, and to stop soon; large enough to find most duplicates.
    const std::uint64_t memory = context.budget.limits().memory_bytes / jobs_;
    part_nodes_ = run_part_nodes(memory);
    buffer_nodes_ = static_cast<std::size_t>(
        std::clamp<std::uint64_t>(std::bit_floor(memory >> 8), 1024, std::uint64_t{1} << 18));
    for (Worker& worker : workers_) {
        worker.found.resize(layers_.size());
        worker.lowest_f.assign(layers_.size(), infinite_cost);
    }
}

Frontier::Frontier(const Frontier& whole, std::uint64_t goal, Cost most)
    : context_(whole.context_),
      heuristic_(whole.heuristic_),
      component_(whole.component_),
      extension_(whole.component_, whole.context_.options.path_extension),
      goal_(goal),
      limit_(most + 1),
      jobs_(whole.jobs_),
      part_nodes_(whole.part_nodes_),
      buffer_nodes_(whole.buffer_nodes_),
      workers_(jobs_),
      layers_(whole.layers_.size()) {
    for (Worker& worker : workers_) {
        worker.found.resize(layers_.size());
        worker.lowest_f.assign(layers_.size(), infinite_cost);
    }
}

bool Frontier::add(std::uint64_t set, Cost cost) {
    const Cost f = cost + heuristic_.value(&set);
    ++layers_[size_of(set)].added;
    try {
        reach(workers_[0], set, cost, f);
        return true;
    } catch (const Ended&) {
        return false;
    } catch (const DiskFailed&) {
        return false;
    }
}

void Frontier::run() {
    search(true);
    context_.progress.end_work();
}

// Whether all layers below the goal's were expanded.
bool Frontier::search(bool report) {
    try {
        if (!context_.budget.allow_memory(in_use() - run_bytes_)) return false;
        flush(workers_[0], 0);
        std::size_t layer = 0;
        const auto to_next = [&] {
            while (layer < size_of(goal_) && layers_[layer].runs.empty()) ++layer;
            if (layer < size_of(goal_)) merge(layer);
        };
        to_next();
        while (layer < size_of(goal_)) {
            expand(layer);
            ++layer;
            to_next();
            if (!report) continue;
            take_goal();
            report_layer(layer);
            if (context_.solved() || context_.budget.exhausted()) return false;
        }
        return true;
    } catch (const Ended&) {
        context_.budget.end(context_.budget.no_room());
    } catch (const DiskFailed&) {
        context_.budget.end(Status::disk);
    } catch (const WorkStopped&) {
        context_.budget.exhausted_now();  // takes note of why
    }
    return false;
}

// ---- whole layers ----

void Frontier::merge(std::size_t number) {
    Layer& layer = layers_[number];
    std::uint64_t before = 0;
    for (const SortedRun& run : layer.runs) before += run.memory_bytes();
    make_room(before);  // if it can be had: the merged run takes as much again
    current_ = number;
    before = 0;
    for (const SortedRun& run : layer.runs) before += run.memory_bytes();
    std::vector<SortedRun> runs = std::move(layer.runs);
    layer.runs.clear();
    layer.whole = runs.size() == 1 ? std::move(runs[0]) : merged(std::move(runs), 0, jobs_);
    const std::lock_guard lock(mutex_);
    run_bytes_ += layer.whole.memory_bytes();
    run_bytes_ -= before;
    stored_ += layer.whole.size() - layer.added;
}

// Slice by slice: all nodes of some range, whichever run they are in.
SortedRun Frontier::merged(std::vector<SortedRun> runs, std::size_t first_worker,
                           std::size_t jobs) {
    std::vector<std::uint64_t> begins;
    for (const SortedRun& run : runs)
        for (std::size_t part = 0; part < run.parts(); ++part)
            begins.push_back(run.first_set(part));
    std::sort(begins.begin(), begins.end());
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    const std::size_t step = std::max<std::size_t>(8, 2 * runs.size());
    const std::size_t slices = (begins.size() + step - 1) / step;
    RunsInOrder in_order;
    RunWriter all(part_nodes_);
    const auto write = [&](SortedRun& run) {
        if (!make_room(all.memory_bytes() + run.memory_bytes()))
            on_disk([&] { return all.continue_on_disk(context_.budget.disk()); });
        on_disk([&] { return all.append(run); });
    };
    parallel_for(slices, jobs, [&](std::size_t slice, std::size_t w) {
        if (!look_around(first_worker + w)) return;
        const std::uint64_t begin = slice == 0 ? 0 : begins[slice * step];
        const bool last = slice + 1 == slices;
        const std::uint64_t end = last ? UINT64_MAX : begins[(slice + 1) * step];
        std::vector<RunNode> nodes;
        for (const SortedRun& run : runs) {
            const std::size_t from = nodes.size();
            for (std::size_t part = run.part_of(begin);
                 part < run.parts() && (last || run.first_set(part) < end); ++part)
                run.read(part, nodes);
            nodes.erase(
                std::remove_if(nodes.begin() + static_cast<std::ptrdiff_t>(from), nodes.end(),
                               [&](const RunNode& node) {
                                   return node.set < begin || (!last && node.set >= end);
                               }),
                nodes.end());
        }
        sort_unique(nodes);
        in_order.bring(slice, run_of(nodes, part_nodes_), write);
    });
    if (halted_) throw WorkStopped();
    SortedRun whole;
    on_disk([&] { return all.finish(whole); });
    return whole;
}

void Frontier::expand(std::size_t number) {
    const SortedRun& whole = layers_[number].whole;
    std::atomic<std::uint64_t> expanded{0};
    std::uint64_t counted = 0;
    std::mutex counting;  // by whoever has expanded: what is told must not lag behind
    const auto count = [&] {
        const std::lock_guard lock(counting);
        const std::uint64_t now = expanded;
        if (!context_.budget.expand(now - counted)) halted_ = true;
        counted = now;
        if (told_bytes_ > 0) context_.progress.note_work(stored_, told_bytes_);
    };
    parallel_for(whole.parts(), jobs_, [&](std::size_t part, std::size_t w) {
        if (!look_around(w)) return;
        expanded += expand_part(workers_[w], whole, part);
        count();
    });
    count();
    // What part of a layer was expanded depends on timing: nothing of it is kept.
    if (halted_) throw WorkStopped();
    parallel_for(jobs_, jobs_, [&](std::size_t task, std::size_t) { flush(workers_[task], 0); });
    if (halted_) throw WorkStopped();
}

std::uint64_t Frontier::expand_part(Worker& worker, const SortedRun& run, std::size_t part) {
    worker.nodes.clear();
    run.read(part, worker.nodes);
    worker.sets.clear();
    for (const RunNode& node : worker.nodes) worker.sets.push_back(node.set);
    worker.h.resize(worker.nodes.size());
    heuristic_.evaluate(worker.sets.data(), worker.sets.size(), worker.h.data());
    std::uint64_t expanded = 0;
    for (std::size_t i = 0; i < worker.nodes.size(); ++i) {
        const std::uint64_t set = worker.nodes[i].set;
        const auto g = static_cast<Cost>(worker.nodes[i].cost);
        if (g + worker.h[i] >= limit_) continue;
        ++expanded;
        worker.missing.clear();
        for (std::uint64_t left = goal_ & ~set; left != 0; left &= left - 1)
            worker.missing.push_back(static_cast<std::uint32_t>(std::countr_zero(left)));
        worker.h_added.resize(worker.missing.size());
        heuristic_.evaluate_added(&set, 1, worker.missing.data(), worker.missing.size(),
                                  worker.h_added.data());
        for (std::size_t m = 0; m < worker.missing.size(); ++m) {
            const std::uint32_t x = worker.missing[m];
            const Cost room = limit_ - g - worker.h_added[m];
            if (room <= 0) continue;
            const std::uint32_t best = component_.best.find(x, &set, room);
            if (best == BestParents::none) continue;
            const Cost cost = g + component_.best.cost(x, best);
            Set next{{set}};
            Cost h = worker.h_added[m];
            if (extension_.close_under(next, x)) {
                h = heuristic_.value(next.words);
                if (cost + h >= limit_) continue;
            }
            if (next.words[0] != goal_)
                reach(worker, next.words[0], cost, cost + h);
            else if (cost < worker.goal.cost ||
                     (cost == worker.goal.cost && set < worker.goal.from))
                worker.goal = {cost, set, g};
        }
    }
    return expanded;
}

void Frontier::reach(Worker& worker, std::uint64_t set, Cost cost, Cost f) {
    const std::size_t layer = size_of(set);
    worker.found[layer].push_back({set, static_cast<std::uint64_t>(cost)});
    worker.lowest_f[layer] = std::min(worker.lowest_f[layer], f);
    if (++worker.found_count >= buffer_nodes_) flush(worker, buffer_nodes_ / 2);
}

// Makes runs of what was found, those of the largest layers first.
void Frontier::flush(Worker& worker, std::size_t most_left) {
    worker.most_found = std::max(worker.most_found, worker.found_count);
    while (worker.found_count > most_left) {
        const auto largest =
            std::max_element(worker.found.begin(), worker.found.end(),
                             [](const auto& a, const auto& b) { return a.size() < b.size(); });
        worker.found_count -= largest->size();
        keep(static_cast<std::size_t>(largest - worker.found.begin()), *largest,
             static_cast<std::size_t>(&worker - workers_.data()));
    }
    const std::lock_guard lock(mutex_);
    for (std::size_t layer = 0; layer < layers_.size(); ++layer)
        layers_[layer].lowest_f = std::min(layers_[layer].lowest_f, worker.lowest_f[layer]);
}

void Frontier::keep(std::size_t number, std::vector<RunNode>& nodes, std::size_t worker) {
    sort_unique(nodes);
    SortedRun run = run_of(nodes, part_nodes_);
    nodes.clear();
    nodes.shrink_to_fit();
    std::vector<SortedRun> many;
    std::uint64_t before = 0;
    {
        if (!make_room(run.memory_bytes()))
            on_disk([&] { return run.move_to_disk(context_.budget.disk()); });
        const std::lock_guard lock(mutex_);
        run_bytes_ += run.memory_bytes();
        auto& runs = layers_[number].runs;
        runs.push_back(std::move(run));
        if (runs.size() < most_runs) return;
        many = std::move(runs);
        runs.clear();
    }
    for (const SortedRun& each : many) before += each.memory_bytes();
    SortedRun one = merged(std::move(many), worker, 1);
    const std::lock_guard lock(mutex_);
    run_bytes_ += one.memory_bytes();
    run_bytes_ -= before;
    layers_[number].runs.push_back(std::move(one));
}

// ---- networks and bounds ----

Frontier::Goal Frontier::best_goal() const {
    Goal best;
    for (const Worker& worker : workers_)
        if (worker.goal.cost < best.cost ||
            (worker.goal.cost == best.cost && worker.goal.from < best.from))
            best = worker.goal;
    return best;
}

void Frontier::take_goal() {
    const Goal best = best_goal();
    for (Worker& worker : workers_) worker.goal = {};
    if (best.cost < std::min(limit_, context_.incumbent())) {
        std::vector<std::uint32_t> order;
        if (!append_order(best.from, best.cost_before, best.cost, order)) throw WorkStopped();
        extension_.append_step(Set{{best.from}}, Set{{goal_}}, order);
        context_.offer(order);
    }
    limit_ = std::min(limit_, context_.incumbent());
}

void Frontier::report_layer(std::size_t next) {
    Cost bound = infinite_cost;
    for (std::size_t layer = next; layer < layers_.size(); ++layer)
        bound = std::min(bound, layers_[layer].lowest_f);
    context_.raise_bound(std::min(bound, limit_));
    std::uint64_t buffers = 0;
    for (Worker& worker : workers_) buffers += std::exchange(worker.most_found, 0);
    told_bytes_ = in_use() - reserved() + buffers * sizeof(RunNode);
    context_.progress.note_work(stored_, told_bytes_);
    if (context_.progress.gap_reached()) context_.budget.end(Status::gap);
}

// The ordering of a set whose cheapest one costs `cost`, and leads to a network of cost `most`.
// False if the budget ends before it is found.
bool Frontier::append_order(std::uint64_t set, Cost cost, Cost most,
                            std::vector<std::uint32_t>& order) {
    std::vector<std::uint64_t> sets{set};  // backwards
    while (sets.back() != extension_.root().words[0]) {
        RunNode before{};
        if (find_before(sets.back(), cost, before)) {
            sets.push_back(before.set);
            cost = static_cast<Cost>(before.cost);
            continue;
        }
        while (drop_one()) {
        }
        make_room(run_bytes_);  // what was enough here is enough there, as far as a disk takes it
        Frontier again(*this, sets.back(), most);
        // Buffers are empty now, and what both use is counted there once.
        again.set_other_memory(run_bytes_ + other_bytes_);
        again.add(extension_.root().words[0], 0);
        if (!again.search(false)) return false;
        const Goal found = again.best_goal();
        if (found.cost != cost) throw std::logic_error("a path of the frontier was lost");
        if (!again.append_order(found.from, found.cost_before, most, order)) return false;
        sets.push_back(found.from);
        break;
    }
    if (order.empty()) extension_.append_free(Set{}, Set{{sets.back()}}, order);
    for (std::size_t i = sets.size() - 1; i-- > 0;)
        extension_.append_step(Set{{sets[i + 1]}}, Set{{sets[i]}}, order);
    return true;
}

// A node from which this one is reached at this cost, in the layers that are still there.
bool Frontier::find_before(std::uint64_t set, Cost cost, RunNode& before) {
    const auto leads_here = [&](std::uint64_t from, std::uint64_t cost_from) {
        std::uint32_t chosen;
        const Cost step = extension_.chosen_between(Set{{from}}, Set{{set}}, chosen);
        if (step >= infinite_cost || static_cast<Cost>(cost_from) + step != cost) return false;
        before = {from, cost_from};
        return true;
    };
    const std::size_t size = size_of(set);
    if (size - 1 >= oldest_)
        for (std::uint64_t left = set; left != 0; left &= left - 1) {
            const std::uint64_t from = set & ~(left & -left);
            const auto found = layers_[size - 1].whole.find(from);
            if (found && leads_here(from, *found)) return true;
        }
    if (!context_.options.path_extension) return false;
    std::vector<RunNode> nodes;
    for (std::size_t layer = size; layer-- > oldest_;)
        for (std::size_t part = 0; part < layers_[layer].whole.parts(); ++part) {
            if (context_.budget.exhausted_now()) throw WorkStopped();
            nodes.clear();
            layers_[layer].whole.read(part, nodes);
            for (const RunNode& node : nodes)
                if ((node.set & ~set) == 0 && leads_here(node.set, node.cost)) return true;
        }
    return false;
}

// ---- limits ----

// Asked by all threads; false when the work is to end.
bool Frontier::look_around(std::size_t worker) {
    context_.budget.wait_for_turn();
    if (worker == 0 && (context_.solved() || context_.budget.exhausted_now())) halted_ = true;
    if (worker != 0 && context_.budget.over()) halted_ = true;
    return !halted_;
}

// For buffers, whether full or not: they grow by doubling.
std::uint64_t Frontier::reserved() const {
    return jobs_ * (buffer_nodes_ * 2 + part_nodes_ * 4 * most_runs) * sizeof(RunNode);
}

std::uint64_t Frontier::in_use() const {
    return run_bytes_ + other_bytes_ + heuristic_.memory_bytes() + component_.best.memory_bytes() +
           reserved();
}

// Whether so much more fits into memory: moves runs to disk for that, those of old layers first,
// and gives up old layers if it must. The one that is being expanded stays.
bool Frontier::make_room(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    while (!context_.budget.has_memory(in_use() + bytes))
        if (!move_one_to_disk() && !drop_one()) return false;
    return true;
}

bool Frontier::move_one_to_disk() {
    DiskSpace& disk = context_.budget.disk();
    SortedRun* chosen = nullptr;
    for (std::size_t layer = oldest_; layer < current_ && chosen == nullptr; ++layer)
        if (layers_[layer].whole.bytes_in_memory() > 0) chosen = &layers_[layer].whole;
    std::uint64_t most = chosen == nullptr ? 0 : UINT64_MAX;
    for (std::size_t layer = current_; layer < layers_.size(); ++layer)
        for (SortedRun& run : layers_[layer].runs)
            if (run.bytes_in_memory() > most) {
                most = run.bytes_in_memory();
                chosen = &run;
            }
    if (chosen == nullptr) return false;
    const std::uint64_t before = chosen->memory_bytes();
    if (!chosen->move_to_disk(disk)) return false;
    run_bytes_ -= before - chosen->memory_bytes();
    return true;
}

// Does what needs room on disk, and gives up old layers if there is not enough.
void Frontier::on_disk(const std::function<bool()>& write) {
    while (!write()) {
        const std::lock_guard lock(mutex_);
        if (!drop_one()) throw Ended();
    }
}

bool Frontier::drop_one() {
    while (oldest_ < current_ && layers_[oldest_].whole.empty()) ++oldest_;
    if (oldest_ == current_) return false;
    run_bytes_ -= layers_[oldest_].whole.memory_bytes();
    layers_[oldest_].whole = {};
    ++oldest_;
    return true;
}

}  // namespace anytimebn
