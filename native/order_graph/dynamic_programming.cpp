// Dynamic programming over the whole order graph (Silander & Myllymaki 2006; Malone, Yuan & Hansen
// 2011): g(U) for all subsets U, in blocks. The high variables of U name the block, the low ones
// are the position in it; in a block, best(x, U) for all positions at once is a minimum-zeta
// transform of the parent sets that fit. No bounds, no pruning: it is the oracle of the other
// algorithms.
//
// Blocks with the same number of high variables are a layer. A layer needs the one before only: two
// of them have to fit into memory, or on disk. More are kept as long as there is room, since the
// ordering is traced through them. Where it leads into one that is gone, the subsets of where it
// was lost are swept again: these have at least two variables less, which is a quarter of the work.
#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <mutex>

#include "base/combinatorics.h"
#include "base/parallel.h"
#include "base/untouched.h"
#include "run/algorithm.h"

namespace anytimebn {
namespace {

class Lattice {
 public:
    // Of all variables; or of the members of a set.
    explicit Lattice(SearchContext& context, std::uint64_t within = ~std::uint64_t{0})
        : context_(context),
          sets_(context.component.sets),
          n_(context.component.size()),
          low_(std::min<std::size_t>(n_, 12)),
          block_(std::size_t{1} << low_),
          jobs_(std::max<std::size_t>(1, context.options.jobs)) {
        for (std::size_t x = low_; x < std::min<std::size_t>(n_, 64); ++x)
            if (within >> x & 1) high_variables_.push_back(x);
    }

    // The cost of everything is known after it; false if the budget ended.
    bool sweep() {
        const std::size_t high = high_variables_.size();
        if (n_ > most_variables) {
            context_.budget.end(context_.budget.no_room());
            return false;
        }
        const std::uint64_t tables = jobs_ * (low_ + 3) * block_ * sizeof(Cost);
        working_bytes_ = tables + (high == 0 ? 0 : sizeof(Split) * sets_.size());
        if (!choose_place()) return false;
        split_parent_sets();
        workers_.resize(jobs_);
        for (Worker& worker : workers_) {
            worker.low_tables.resize(low_ * block_);
            worker.high_table.resize(block_);
            worker.source.resize(block_);
            worker.cost.resize(block_);
        }
        layers_.resize(high + 1);
        for (std::size_t l = 0; l <= high; ++l) {
            if (!make_layer(l) || !sweep_layer(l)) return false;
            stored_ += blocks_of(l) * block_;
            context_.progress.note_work(stored_, working_bytes_ + memory_in_use_);
        }
        return true;
    }

    // Of a set whose high variables are in the lattice.
    Cost cost(std::uint64_t set) {
        Cost cost;
        const std::uint64_t high = compressed(set);
        const auto layer = static_cast<std::size_t>(std::popcount(high));
        const std::size_t at = rank(high) * block_ + (set & (block_ - 1));
        if (layers_[layer].file == nullptr) return layers_[layer].costs[at];
        layers_[layer].file->read(at * sizeof(Cost), &cost, sizeof(Cost));
        return cost;
    }

    // Prepends the cheapest ordering of a set; exact integers make it recoverable from the costs
    // alone. False if the budget ended.
    bool trace(std::uint64_t set, std::vector<std::uint32_t>& backwards) {
        while (set != 0) {
            const Cost wanted = cost(set);
            const std::uint64_t before = step_back(set, wanted);
            if (before == set) {  // it came from a layer that is gone
                layers_.clear();
                workers_.clear();
                Lattice smaller(context_, set);
                smaller.stored_ = stored_;
                return smaller.sweep() && smaller.trace(set, backwards);
            }
            backwards.push_back(static_cast<std::uint32_t>(std::countr_zero(set ^ before)));
            set = before;
        }
        return true;
    }

 private:
    struct Split {
        std::uint64_t high;
        std::uint32_t low;
        Cost cost;
    };
    struct Layer {
        UntouchedVector<Cost> costs;
        std::unique_ptr<DiskFile> file;  // or here
        bool there() const { return !costs.empty() || file != nullptr; }
    };
    struct Worker {
        std::vector<Cost> low_tables, high_table, source, cost;
    };

    // ---- which block is where ----

    std::uint64_t blocks_of(std::size_t layer) const {
        return choose_(high_variables_.size(), layer);
    }
    std::uint64_t layer_bytes(std::size_t layer) const {
        return blocks_of(layer) * block_ * sizeof(Cost);
    }
    // High variables by their numbers in the lattice.
    std::uint64_t compressed(std::uint64_t set) const {
        std::uint64_t high = 0;
        for (std::size_t i = 0; i < high_variables_.size(); ++i)
            high |= (set >> high_variables_[i] & 1) << i;
        return high;
    }
    // Among the subsets of the same size, ascending.
    std::size_t rank(std::uint64_t high) const {
        std::uint64_t sum = 0;
        for (std::size_t k = 1; high != 0; high &= high - 1, ++k)
            sum += choose_(static_cast<std::size_t>(std::countr_zero(high)), k);
        return static_cast<std::size_t>(sum);
    }
    static std::uint64_t next_of_same_size(std::uint64_t high) {
        const std::uint64_t lowest = high & -high, carried = high + lowest;
        return carried | ((high ^ carried) >> 2) / lowest;
    }
    std::uint64_t at_rank(std::uint64_t rank, std::size_t size) const {
        std::uint64_t high = 0;
        for (std::size_t k = size; k > 0; --k) {
            std::size_t x = k - 1;
            while (choose_(x + 1, k) <= rank) ++x;
            rank -= choose_(x, k);
            high |= std::uint64_t{1} << x;
        }
        return high;
    }

    // ---- room ----

    // In memory if two layers fit there, else on disk.
    bool choose_place() {
        std::uint64_t most = 0;
        for (std::size_t l = 0; l <= high_variables_.size(); ++l)
            most = std::max(most, layer_bytes(l) + (l == 0 ? 0 : layer_bytes(l - 1)));
        Budget& budget = context_.budget;
        on_disk_ = !budget.has_memory(most + working_bytes_);
        if (!on_disk_) return true;
        if (most > budget.disk().limit_bytes()) {
            budget.end(budget.no_room());
            return false;
        }
        return budget.allow_memory(working_bytes_);
    }

    bool make_layer(std::size_t layer) {
        const std::uint64_t bytes = layer_bytes(layer);
        while (true) {
            if (on_disk_) {
                auto file = std::make_unique<DiskFile>(context_.budget.disk());
                if (file->extend(bytes)) {
                    layers_[layer].file = std::move(file);
                    return true;
                }
            } else if (context_.budget.limits().memory_bytes - working_bytes_ - memory_in_use_ >=
                       bytes) {
                layers_[layer].costs.resize(bytes / sizeof(Cost));
                memory_in_use_ += bytes;
                return true;
            }
            if (!drop_oldest(layer)) {
                context_.budget.end(context_.budget.no_room());
                return false;
            }
        }
    }

    bool drop_oldest(std::size_t layer) {
        for (std::size_t l = 0; l + 1 < layer; ++l) {
            if (!layers_[l].there()) continue;
            if (!layers_[l].costs.empty()) memory_in_use_ -= layer_bytes(l);
            layers_[l] = {};
            return true;
        }
        return false;
    }

    // ---- the sweep ----

    void split_parent_sets() {
        std::uint64_t within = block_ - 1;
        for (const std::size_t x : high_variables_) within |= std::uint64_t{1} << x;
        split_.resize(n_);
        for (std::size_t x = 0; x < n_; ++x)
            for (std::size_t s = sets_.first(x); s < sets_.first(x + 1); ++s) {
                std::uint64_t mask = 0;
                for (const std::int32_t member : sets_.members(s))
                    mask |= std::uint64_t{1} << member;
                if ((mask & ~within) == 0)
                    split_[x].push_back({compressed(mask),
                                         static_cast<std::uint32_t>(mask & (block_ - 1)),
                                         sets_.cost(s)});
            }
    }

    bool sweep_layer(std::size_t layer) {
        const std::uint64_t blocks = blocks_of(layer);
        // Some milliseconds each.
        constexpr std::uint64_t task_blocks = 8;
        const std::uint64_t tasks = (blocks + task_blocks - 1) / task_blocks;
        std::atomic<bool> halted = false, failed = false;
        std::atomic<std::uint64_t> swept = 0;
        std::uint64_t counted = 0;
        std::mutex counting;  // by whoever has swept: what is told must not lag behind
        const auto count = [&] {
            const std::lock_guard lock(counting);
            const std::uint64_t now = swept;
            if (!context_.budget.expand(now - counted)) halted = true;
            counted = now;
            context_.progress.note_work(stored_, working_bytes_ + memory_in_use_);
        };
        try {
            parallel_for(tasks, jobs_, [&](std::size_t task, std::size_t w) {
                const std::uint64_t begin = task * task_blocks;
                const std::uint64_t end = std::min(blocks, begin + task_blocks);
                std::uint64_t high = at_rank(begin, layer);
                for (std::uint64_t b = begin; b < end && !halted; ++b) {
                    context_.budget.wait_for_turn();
                    if (w == 0 && (context_.solved() || context_.budget.exhausted_now())) {
                        halted = true;
                        return;
                    }
                    if (w != 0 && context_.budget.over()) {
                        halted = true;
                        return;
                    }
                    sweep_block(workers_[w], high);
                    if (!keep(layer, b, workers_[w].cost)) halted = failed = true;
                    swept += block_;
                    count();
                    if (b + 1 < end) high = next_of_same_size(high);
                }
            });
        } catch (const DiskFailed&) {
            failed = halted = true;
        }
        count();
        if (failed) context_.budget.end(Status::disk);
        if (halted) context_.budget.exhausted_now();  // takes note of why
        return !halted;
    }

    bool keep(std::size_t layer, std::uint64_t block, const std::vector<Cost>& cost) {
        Layer& here = layers_[layer];
        if (here.file != nullptr)
            return here.file->write(block * block_ * sizeof(Cost), cost.data(),
                                    block_ * sizeof(Cost));
        std::copy(cost.begin(), cost.end(), here.costs.data() + block * block_);
        return true;
    }

    // table[A] = best(x, high + A) for all positions A.
    void fill(std::size_t x, std::uint64_t high, Cost* table) const {
        std::fill(table, table + block_, infinite_cost);
        for (const Split& set : split_[x])
            if ((set.high & ~high) == 0) table[set.low] = std::min(table[set.low], set.cost);
        for (std::size_t half = 1; half < block_; half *= 2)
            for (std::size_t begin = 0; begin < block_; begin += 2 * half)
                for (std::size_t i = begin; i < begin + half; ++i)
                    table[i + half] = std::min(table[i + half], table[i]);
    }

    void sweep_block(Worker& worker, std::uint64_t high) {
        std::vector<Cost>& here = worker.cost;
        std::fill(here.begin(), here.end(), infinite_cost);
        if (high == 0) here[0] = 0;
        const Layer* const before =
            high == 0 ? nullptr : &layers_[static_cast<std::size_t>(std::popcount(high)) - 1];
        for (std::uint64_t left = high; left != 0; left &= left - 1) {
            const std::uint64_t from = high & ~(left & -left);
            const std::size_t at = rank(from) * block_;
            const Cost* source = before->costs.data() + at;
            if (before->file != nullptr) {
                before->file->read(at * sizeof(Cost), worker.source.data(), block_ * sizeof(Cost));
                source = worker.source.data();
            }
            fill(high_variables_[static_cast<std::size_t>(std::countr_zero(left))], from,
                 worker.high_table.data());
            for (std::size_t i = 0; i < block_; ++i)
                here[i] = std::min(here[i], source[i] + worker.high_table[i]);
        }
        for (std::size_t x = 0; x < low_; ++x) fill(x, high, worker.low_tables.data() + x * block_);
        for (std::size_t position = 0; position < block_; ++position)
            for (std::size_t x = 0; x < low_; ++x)
                if (!(position >> x & 1)) {
                    Cost& next = here[position | std::size_t{1} << x];
                    next =
                        std::min(next, here[position] + worker.low_tables[x * block_ + position]);
                }
        // Sums with an infinite part must not grow from block to block.
        for (Cost& cost : here) cost = std::min(cost, infinite_cost);
    }

    // The set before the last placement of a cheapest ordering; the set itself if that is not
    // there. Low variables, whose costs always are, come first: the ordering does not depend on
    // which layers are left.
    std::uint64_t step_back(std::uint64_t set, Cost wanted) {
        for (std::uint64_t left = set; left != 0; left &= left - 1) {
            const auto x = static_cast<std::size_t>(std::countr_zero(left));
            const std::uint64_t before = set & ~(left & -left);
            if (!layers_[static_cast<std::size_t>(std::popcount(compressed(before)))].there())
                break;
            const std::uint32_t best = context_.component.best.find(x, &before);
            if (best != BestParents::none &&
                cost(before) + sets_.cost(sets_.first(x) + best) == wanted)
                return before;
        }
        return set;
    }

    static constexpr std::size_t most_variables = 48;

    SearchContext& context_;
    const ParentSets& sets_;
    const std::size_t n_, low_, block_, jobs_;
    const Binomials choose_{most_variables, most_variables};
    std::vector<std::size_t> high_variables_;
    std::vector<std::vector<Split>> split_;
    std::vector<Worker> workers_;
    std::vector<Layer> layers_;
    bool on_disk_ = false;
    std::uint64_t working_bytes_ = 0, memory_in_use_ = 0, stored_ = 0;
};

void dynamic_programming(SearchContext& context) {
    Lattice lattice(context);
    try {
        if (!lattice.sweep()) return;
        const std::size_t n = context.component.size();
        const std::uint64_t everything = ~std::uint64_t{0} >> (64 - n);
        const Cost optimum = lattice.cost(everything);
        context.raise_bound(optimum);
        if (optimum < context.incumbent()) {
            std::vector<std::uint32_t> order;
            if (!lattice.trace(everything, order)) return;
            std::reverse(order.begin(), order.end());
            context.improve(optimum, order);
        }
        context.progress.end_work();
    } catch (const DiskFailed&) {
        context.budget.end(Status::disk);
    }
}

const AlgorithmRegistry register_dynamic_programming(
    {"dynamic-programming", "the whole order graph, layer upon layer; no bound until it ends",
     "Silander & Myllymaki 2006; Malone, Yuan & Hansen 2011"},
    {.run = dynamic_programming, .uses_heuristic = false, .proves = true, .parameters = {}});

}  // namespace
}  // namespace anytimebn
