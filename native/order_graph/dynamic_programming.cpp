// Dynamic programming over the whole order graph (Silander & Myllymaki 2006; Malone, Yuan & Hansen
// 2011): g(U) for all subsets U, in blocks. The high variables of U name the block, the low ones
// are the position in it; in a block, best(x, U) for all positions at once is a minimum-zeta
// transform of the parent sets that fit. No bounds, no pruning: it is the oracle of the other
// algorithms.
#include <algorithm>

#include "run/algorithm.h"

namespace anytimebn {
namespace {

class Lattice {
 public:
    Lattice(SearchContext& context)
        : context_(context),
          sets_(context.component.sets),
          n_(context.component.size()),
          low_(std::min<std::size_t>(n_, 12)),
          block_(std::size_t{1} << low_) {}

    void run() {
        constexpr std::size_t most_variables = 34;
        const std::uint64_t bytes =
            n_ > most_variables ? UINT64_MAX : (std::uint64_t{8} << n_) + low_ * block_ * 8;
        if (!context_.budget.allow_memory(bytes)) return;
        // In parts: gigabytes take seconds.
        constexpr std::size_t part = std::size_t{1} << 22;
        const std::size_t subsets = std::size_t{1} << n_;
        cost_.reserve(subsets);
        while (cost_.size() < subsets) {
            if (!cost_.empty() && context_.budget.exhausted_now()) return;
            cost_.resize(std::min(subsets, cost_.size() + part), infinite_cost);
        }
        cost_[0] = 0;
        low_tables_.resize(low_ * block_);
        high_table_.resize(block_);
        split_parent_sets();
        context_.progress.note_work(cost_.size(), bytes);
        for (std::size_t high = 0; high < cost_.size() >> low_; ++high) {
            if (context_.budget.exhausted_now() || context_.solved()) return;
            for (std::size_t i = 0; i < block_; ++i)
                if (!context_.budget.expand()) return;
            sweep_block(high);
            context_.progress.note_work(cost_.size(), bytes);
        }
        const Cost optimum = cost_.back();
        if (optimum < context_.incumbent()) context_.improve(optimum, traced_order());
        context_.raise_bound(optimum);
        context_.progress.end_work();
    }

 private:
    struct Split {
        std::uint32_t high, low;
        Cost cost;
    };

    void split_parent_sets() {
        split_.resize(n_);
        for (std::size_t x = 0; x < n_; ++x)
            for (std::size_t s = sets_.first(x); s < sets_.first(x + 1); ++s) {
                std::uint64_t mask = 0;
                for (const std::int32_t member : sets_.members(s))
                    mask |= std::uint64_t{1} << member;
                split_[x].push_back({static_cast<std::uint32_t>(mask >> low_),
                                     static_cast<std::uint32_t>(mask & (block_ - 1)),
                                     sets_.cost(s)});
            }
    }

    // table[A] = best(x, high + A) for all positions A.
    void fill(std::size_t x, std::size_t high, Cost* table) const {
        std::fill(table, table + block_, infinite_cost);
        for (const Split& set : split_[x])
            if ((set.high & ~high) == 0) table[set.low] = std::min(table[set.low], set.cost);
        for (std::size_t half = 1; half < block_; half *= 2)
            for (std::size_t begin = 0; begin < block_; begin += 2 * half)
                for (std::size_t i = begin; i < begin + half; ++i)
                    table[i + half] = std::min(table[i + half], table[i]);
    }

    void sweep_block(std::size_t high) {
        Cost* const here = cost_.data() + (high << low_);
        for (std::size_t x = 0; x < low_; ++x) fill(x, high, low_tables_.data() + x * block_);
        for (std::size_t position = 0; position < block_; ++position)
            for (std::size_t x = 0; x < low_; ++x)
                if (!(position >> x & 1)) {
                    Cost& next = here[position | std::size_t{1} << x];
                    next = std::min(next, here[position] + low_tables_[x * block_ + position]);
                }
        for (std::size_t x = low_; x < n_; ++x) {
            if (high >> (x - low_) & 1) continue;
            fill(x, high, high_table_.data());
            Cost* const there = cost_.data() + ((high | std::size_t{1} << (x - low_)) << low_);
            for (std::size_t i = 0; i < block_; ++i)
                there[i] = std::min(there[i], here[i] + high_table_[i]);
        }
        // Sums with an infinite part must not grow from block to block.
        for (std::size_t i = 0; i < block_; ++i) here[i] = std::min(here[i], infinite_cost);
    }

    // Exact integers make a path recoverable from the costs alone.
    std::vector<std::uint32_t> traced_order() const {
        std::vector<std::uint32_t> order;
        std::uint64_t placed = cost_.size() - 1;
        while (placed != 0) {
            for (std::uint32_t x = 0; x < n_; ++x) {
                const std::uint64_t before = placed & ~(std::uint64_t{1} << x);
                if (before == placed) continue;
                const std::uint32_t set = context_.component.best.find(x, &before);
                if (set == BestParents::none) continue;
                if (cost_[before] + sets_.cost(sets_.first(x) + set) != cost_[placed]) continue;
                order.push_back(x);
                placed = before;
                break;
            }
        }
        std::reverse(order.begin(), order.end());
        return order;
    }

    SearchContext& context_;
    const ParentSets& sets_;
    std::size_t n_, low_, block_;
    std::vector<Cost> cost_, low_tables_, high_table_;
    std::vector<std::vector<Split>> split_;
};

const AlgorithmRegistry dynamic_programming(
    {"dynamic-programming", "the whole order graph, layer upon layer; no bound until it ends",
     "Silander & Myllymaki 2006; Malone, Yuan & Hansen 2011"},
    {.run = [](SearchContext& context) { Lattice(context).run(); },
     .uses_heuristic = false,
     .proves = true,
     .parameters = {}});

}  // namespace
}  // namespace anytimebn
