#include "sweep/sweep.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <stdexcept>

#include "base/parallel.h"
#include "sweep/block_merge.h"

namespace anytimebn {

// Where the block with these high positions is.
class Sweep::BlockIndex {
 public:
    explicit BlockIndex(std::size_t blocks)
        : mask_(std::bit_ceil(std::max<std::size_t>(4, 2 * blocks)) - 1),
          keys_(mask_ + 1, empty),
          values_(mask_ + 1) {}

    // False if it was there.
    bool insert(std::uint64_t high, std::uint32_t value) {
        std::size_t slot = first_slot(high);
        for (; keys_[slot] != empty; slot = (slot + 1) & mask_)
            if (keys_[slot] == high) return false;
        keys_[slot] = high;
        values_[slot] = value;
        if (++count_ * 2 > mask_) grow();
        return true;
    }
    const std::uint32_t* find(std::uint64_t high) const {
        for (std::size_t slot = first_slot(high); keys_[slot] != empty; slot = (slot + 1) & mask_)
            if (keys_[slot] == high) return &values_[slot];
        return nullptr;
    }
    std::uint64_t memory_bytes() const { return keys_.size() * 12; }

 private:
    static constexpr std::uint64_t empty = ~std::uint64_t{0};  // low positions are never set

    std::size_t first_slot(std::uint64_t high) const {
        return (high * 0x9e3779b97f4a7c15u >> 20) & mask_;
    }
    void grow() {
        BlockIndex larger(keys_.size());
        for (std::size_t slot = 0; slot < keys_.size(); ++slot)
            if (keys_[slot] != empty) larger.insert(keys_[slot], values_[slot]);
        *this = std::move(larger);
    }

    std::size_t mask_, count_ = 0;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> values_;
};

Sweep::Sweep(const SweepProblem& problem, SweepHooks hooks)
    : problem_(problem), hooks_(std::move(hooks)) {}

SweepEnd Sweep::run(double limit) {
    nodes_ = 0;
    cost_ = limit;
    const SweepEnd end = sweep_to(problem_.everything(), limit, true);
    if (end == SweepEnd::complete) cost_ = std::min(limit, stored_cost(problem_.everything()));
    return end;
}

// With a goal inside everything the limit is on the cost of the goal plus rest(goal): what survives
// is what can lead to the goal at that cost, since rest() is consistent.
SweepEnd Sweep::sweep_to(std::uint64_t goal, double limit, bool report) {
    layers_.clear();
    oldest_ = current_ = 0;
    bytes_ = 0;
    halted_ = out_of_memory_ = out_of_disk_ = on_disk_ = false;
    const std::uint64_t most_for_sets =
        hooks_.disk == nullptr ? UINT64_MAX : hooks_.memory_bytes / 4;
    sets_ = std::make_unique<FittingSets>(problem_, goal, hooks_.checkpoint, most_for_sets);
    Workers workers;
    always_bytes_ = problem_.memory_bytes();
    for (std::size_t w = 0; w < std::max<std::size_t>(1, hooks_.jobs); ++w) {
        workers.push_back(std::make_unique<BlockWorker>(problem_, *sets_, limit, goal));
        always_bytes_ += workers.back()->memory_bytes();
    }
    const std::uint64_t goal_high = goal >> problem_.low << problem_.low;
    const auto layer_count = static_cast<std::size_t>(std::popcount(goal_high)) + 1;
    layers_.resize(layer_count);
    for (std::size_t l = 0; l < layer_count; ++l) {
        current_ = l;
        counted_ = 0;
        double lowest = never;
        bool swept = !on_disk_ && sweep_in_memory(goal_high, workers, lowest);
        if (on_disk_ || (!swept && out_of_memory_ && move_to_disk()))
            swept = sweep_on_disk(goal_high, workers, lowest);
        if (!swept)
            return out_of_disk_     ? SweepEnd::disk
                   : out_of_memory_ ? SweepEnd::memory
                                    : SweepEnd::stopped;
        // Every way to the goal passes through this layer.
        if (report) hooks_.raised(std::min(lowest, limit));
        if (layers_[l].blocks.empty() && layers_[l].run.empty()) return SweepEnd::complete;
    }
    return SweepEnd::complete;
}

bool Sweep::sweep_in_memory(std::uint64_t goal_high, Workers& workers, double& lowest) {
    const Layer empty;
    const Layer& before = current_ == 0 ? empty : layers_[current_ - 1];
    std::vector<std::uint64_t> highs{0};
    BlockIndex index(before.blocks.size());
    if (current_ > 0) {
        highs.clear();
        BlockIndex seen(before.blocks.size());
        for (std::uint32_t b = 0; b < before.blocks.size(); ++b) {
            const std::uint64_t high = before.blocks[b].high;
            index.insert(high, b);
            for (std::uint64_t free = goal_high & ~high; free != 0; free &= free - 1)
                if (seen.insert(high | (free & -free), 0)) highs.push_back(high | (free & -free));
            if ((b & 1023) != 0) continue;
            if (hooks_.stopped()) return false;
            working_bytes_ =
                always_bytes_ + index.memory_bytes() + seen.memory_bytes() + highs.capacity() * 8;
            if (!make_room(0)) return false;
        }
        std::sort(highs.begin(), highs.end());
    }
    working_bytes_ =
        always_bytes_ + index.memory_bytes() + highs.capacity() * 8 + highs.size() * sizeof(Block);
    return make_room(0) && sweep_layer(highs, before, index, layers_[current_], workers, lowest);
}

bool Sweep::sweep_layer(const std::vector<std::uint64_t>& highs, const Layer& before,
                        const BlockIndex& index, Layer& layer, Workers& workers, double& lowest) {
    std::vector<Block> blocks(highs.size());
    std::vector<Arena> arenas(workers.size());
    std::vector<double> lowest_of(workers.size(), never);
    std::vector<std::vector<BlockWorker::Source>> sources(workers.size());
    std::atomic<std::uint64_t> nodes{0};
    // Neighbours share their top positions, for which a worker keeps lists: tasks of some blocks.
    constexpr std::size_t task_blocks = 32;
    const std::size_t tasks = (highs.size() + task_blocks - 1) / task_blocks;
    parallel_for(tasks, workers.size(), [&](std::size_t task, std::size_t w) {
        BlockWorker& worker = *workers[w];
        const std::size_t end = std::min(highs.size(), (task + 1) * task_blocks);
        for (std::size_t b = task * task_blocks; b < end && !halted_; ++b) {
            hooks_.wait_for_turn();
            if (w == 0 && hooks_.stopped()) halted_ = true;
            sources[w].clear();
            for (std::uint64_t left = highs[b]; left != 0; left &= left - 1)
                if (const std::uint32_t* found = index.find(highs[b] & ~(left & -left)))
                    sources[w].push_back(
                        {static_cast<unsigned>(std::countr_zero(left)), &before.blocks[*found]});
            if (sources[w].empty())
                worker.sweep_first();
            else
                worker.sweep(highs[b], sources[w]);
            const auto& survivors = worker.survivors();
            if (survivors.empty()) continue;
            blocks[b] = {highs[b], store(arenas[w], survivors),
                         static_cast<std::uint32_t>(survivors.size())};
            if (blocks[b].nodes == nullptr) halted_ = true;
            lowest_of[w] = std::min(lowest_of[w], worker.lowest());
            const std::uint64_t now = nodes.fetch_add(survivors.size()) + survivors.size();
            if (w == 0) {
                tell_swept(now);
                if ((b & 63) == 0) {
                    if (make_room(0))  // lists of fitting sets grow meanwhile
                        hooks_.stored(nodes_ + now, bytes_in_use());
                    else
                        halted_ = true;
                }
            }
        }
    });
    tell_swept(nodes);
    const auto filled = [](const Block& block) { return block.count > 0; };
    const auto count =
        static_cast<std::size_t>(std::count_if(blocks.begin(), blocks.end(), filled));
    if (halted_ || !make_room(count * sizeof(Block))) {
        // Of whole layers, which do not depend on timing; and not with what was refused.
        hooks_.stored(nodes_, std::min(bytes_in_use(), hooks_.memory_bytes));
        return false;
    }
    nodes_ += nodes;
    layer.blocks.reserve(count);
    std::copy_if(blocks.begin(), blocks.end(), std::back_inserter(layer.blocks), filled);
    for (Arena& arena : arenas)
        for (auto& part : arena.memory) layer.memory.push_back(std::move(part));
    lowest = *std::min_element(lowest_of.begin(), lowest_of.end());
    hooks_.stored(nodes_, bytes_in_use());
    return true;
}

void Sweep::tell_swept(std::uint64_t nodes) {
    if (nodes <= counted_) return;
    if (!hooks_.swept(nodes - counted_)) halted_ = true;
    counted_ = nodes;
}

// From the present layer on. The one before it is the last that is needed; what was made of the
// present one is made again.
bool Sweep::move_to_disk() {
    if (hooks_.disk == nullptr || current_ == 0) return false;
    layers_[current_] = {};
    out_of_disk_ = true;  // unless it succeeds
    RunWriter writer(run_part_nodes(hooks_.memory_bytes));
    if (!writer.continue_on_disk(*hooks_.disk)) return false;
    for (const Block& block : layers_[current_ - 1].blocks) {
        if (hooks_.stopped()) {
            out_of_memory_ = out_of_disk_ = false;
            return false;
        }
        for (std::uint32_t i = 0; i < block.count; ++i)
            if (!writer.add(
                    {block.high | node_position(block.nodes[i]), node_cost(block.nodes[i])}))
                return false;
    }
    Layer moved;
    if (!writer.finish(moved.run)) return false;
    for (oldest_ = 0; oldest_ + 1 < current_; ++oldest_) layers_[oldest_] = {};
    layers_[current_ - 1] = std::move(moved);
    bytes_ = 0;
    halted_ = out_of_memory_ = out_of_disk_ = false;
    on_disk_ = true;
    return true;
}

bool Sweep::give_up_oldest() {
    if (oldest_ + 1 >= current_) return false;
    layers_[oldest_++] = {};
    return true;
}

// Batches of blocks are read one after the other, swept by whoever is free, and written in their
// order again.
bool Sweep::sweep_on_disk(std::uint64_t goal_high, Workers& workers, double& lowest) {
    const auto batch_nodes = static_cast<std::size_t>(std::clamp<std::uint64_t>(
        hooks_.memory_bytes / workers.size() >> 10, 64, std::uint64_t{1} << 14));
    const std::size_t part_nodes = run_part_nodes(hooks_.memory_bytes);
    working_bytes_ = always_bytes_ + workers.size() * batch_nodes * 3 * sizeof(RunNode) +
                     problem_.variables * part_nodes * sizeof(RunNode);
    if (bytes_in_use() > hooks_.memory_bytes) {
        out_of_memory_ = true;
        return false;
    }
    std::mutex reading;
    std::size_t batches = 0;
    BlockMerge merge(layers_[current_ - 1].run, problem_.low, goal_high);
    RunsInOrder in_order;
    RunWriter writer(part_nodes);
    const auto with_room = [this](const auto& written) {
        while (!written())
            if (!give_up_oldest()) {
                out_of_disk_ = halted_ = true;
                return;
            }
    };
    with_room([&] { return writer.continue_on_disk(*hooks_.disk); });
    std::atomic<std::uint64_t> nodes{0};
    std::vector<double> lowest_of(workers.size(), never);
    const auto sweep_batches = [&](std::size_t w) {
        BlockBatch batch;
        std::vector<Block> blocks;
        std::vector<BlockWorker::Source> sources;
        while (!halted_) {
            hooks_.wait_for_turn();
            if (w == 0 && hooks_.stopped()) halted_ = true;
            std::size_t number;
            {
                const std::lock_guard lock(reading);
                if (!merge.next(batch, batch_nodes)) return;
                number = batches++;
            }
            RunWriter found(part_nodes);
            const BlockBatch::From* from = batch.from.data();
            const std::uint64_t* begin = batch.nodes.data();
            for (const BlockBatch::Made& made : batch.made) {
                if (halted_) return;
                blocks.clear();
                sources.clear();
                for (; from != batch.from.data() + made.end; ++from) {
                    const std::uint64_t* const end = batch.nodes.data() + from->end;
                    blocks.push_back({from->high, begin, static_cast<std::uint32_t>(end - begin)});
                    begin = end;
                }
                for (std::size_t s = 0; s < blocks.size(); ++s)
                    sources.push_back(
                        {static_cast<unsigned>(std::countr_zero(made.high ^ blocks[s].high)),
                         &blocks[s]});
                workers[w]->sweep(made.high, sources);
                for (const std::uint64_t node : workers[w]->survivors())
                    found.add({made.high | node_position(node), node_cost(node)});
                lowest_of[w] = std::min(lowest_of[w], workers[w]->lowest());
                const std::uint64_t now = nodes.fetch_add(workers[w]->survivors().size()) +
                                          workers[w]->survivors().size();
                if (w != 0) continue;
                tell_swept(now);
                if (hooks_.stopped()) halted_ = true;
            }
            SortedRun run;
            found.finish(run);
            in_order.bring(number, std::move(run), [&](SortedRun& next) {
                with_room([&] { return halted_ || writer.append(next); });
            });
            if (w == 0) hooks_.stored(nodes_ + nodes, bytes_in_use());
        }
    };
    parallel_for(workers.size(), workers.size(), [&](std::size_t, std::size_t w) {
        try {
            sweep_batches(w);
        } catch (...) {
            halted_ = true;  // nobody else would know
            throw;
        }
    });
    if (!halted_) with_room([&] { return writer.finish(layers_[current_].run); });
    tell_swept(nodes);
    if (halted_) {
        hooks_.stored(nodes_, std::min(bytes_in_use(), hooks_.memory_bytes));
        return false;
    }
    nodes_ += nodes;
    lowest = *std::min_element(lowest_of.begin(), lowest_of.end());
    hooks_.stored(nodes_, bytes_in_use());
    return true;
}

std::uint64_t* Sweep::store(Arena& arena, const std::vector<std::uint64_t>& nodes) {
    if (arena.used + nodes.size() > arena.capacity) {
        const std::size_t wanted = std::max(arena.next_capacity, nodes.size());
        if (!make_room(wanted * 8)) return nullptr;
        arena.memory.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(wanted));
        arena.used = 0;
        arena.capacity = wanted;
        constexpr std::size_t most = std::size_t{1} << 17;
        arena.next_capacity = std::min(most, 2 * arena.next_capacity);
    }
    std::uint64_t* const place = arena.memory.back().get() + arena.used;
    std::copy(nodes.begin(), nodes.end(), place);
    arena.used += nodes.size();
    return place;
}

std::uint64_t Sweep::bytes_in_use() const {
    return bytes_ + working_bytes_ + sets_->memory_bytes();
}

bool Sweep::make_room(std::uint64_t bytes) {
    const std::lock_guard lock(memory_mutex_);
    const auto too_much = [&] { return bytes_in_use() + bytes > hooks_.memory_bytes; };
    for (; too_much() && oldest_ + 1 < current_; ++oldest_) {
        bytes_ -= layers_[oldest_].bytes;
        layers_[oldest_] = {};
    }
    if (too_much()) {
        out_of_memory_ = true;
        return false;
    }
    bytes_ += bytes;
    layers_[current_].bytes += bytes;
    return true;
}

std::size_t Sweep::layer_of(std::uint64_t set) const {
    return static_cast<std::size_t>(std::popcount(set >> problem_.low));
}

double Sweep::stored_cost(std::uint64_t set) const {
    const std::uint64_t high = set >> problem_.low << problem_.low;
    const Layer& layer = layers_[layer_of(set)];
    if (!layer.run.empty()) {
        const auto cost = layer.run.find(set);
        return cost ? static_cast<double>(*cost) : never;
    }
    const auto& blocks = layer.blocks;
    const auto block = std::lower_bound(
        blocks.begin(), blocks.end(), high,
        [](const Block& each, std::uint64_t wanted) { return each.high < wanted; });
    if (block == blocks.end() || block->high != high) return never;
    const auto position = static_cast<std::uint32_t>(set & ~high);
    const std::uint64_t* const end = block->nodes + block->count;
    const std::uint64_t* const node = std::lower_bound(
        block->nodes, end, position,
        [](std::uint64_t each, std::uint32_t wanted) { return node_position(each) < wanted; });
    if (node == end || node_position(*node) != position) return never;
    return static_cast<double>(node_cost(*node));
}

double Sweep::cheapest_parents(unsigned position, std::uint64_t placed) const {
    for (const auto& set : problem_.sets[position])
        if ((set.members & ~placed) == 0) return set.cost;
    return never;
}

SweepEnd Sweep::trace(std::vector<unsigned>& order) {
    order.clear();
    std::uint64_t set = problem_.everything();
    double cost = cost_;
    while (set != 0) {
        const auto last = [&]() -> unsigned {
            for (std::uint64_t left = set; left != 0; left &= left - 1) {
                const auto x = static_cast<unsigned>(std::countr_zero(left));
                const std::uint64_t before = set & ~(left & -left);
                if (layer_of(before) < oldest_) continue;
                const double cost_before = stored_cost(before);
                if (cost_before < never && cost_before + cheapest_parents(x, before) == cost)
                    return x;
            }
            return problem_.variables;
        };
        unsigned x = last();
        if (x == problem_.variables) {  // it came from a layer that is no longer there
            const std::uint64_t goal = set;
            const SweepEnd end = sweep_to(goal, cost + 1 + problem_.rest(goal), false);
            if (end != SweepEnd::complete) return end;
            x = last();
            if (x == problem_.variables) throw std::logic_error("a path of the sweep was lost");
        }
        order.push_back(x);
        set &= ~(std::uint64_t{1} << x);
        cost -= cheapest_parents(x, set);
    }
    std::reverse(order.begin(), order.end());
    return SweepEnd::complete;
}

}  // namespace anytimebn
