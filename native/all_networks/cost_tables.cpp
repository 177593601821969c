#include "all_networks/cost_tables.h"

#include <algorithm>
#include <bit>

#include "base/parallel.h"

namespace anytimebn {
namespace {

// In blocks, as dynamic programming has them: the high variables of a set name its block, the low
// ones are the place in it. Blocks with equally many high variables do not depend on each other.
class TableMaker {
 public:
    TableMaker(const std::vector<std::vector<GroupFamily>>& families, std::size_t jobs,
               const Checkpoint& checkpoint)
        : families_(families),
          n_(families.size()),
          low_(std::min<std::size_t>(n_, 12)),
          size_(std::size_t{1} << low_),
          workers_(std::max<std::size_t>(1, jobs)),
          checkpoints_(workers_.size(), checkpoint) {
        for (auto& tables : workers_) tables.resize((low_ + 1) * size_);
    }

    CostTable run() {
        table_.resize(std::size_t{1} << n_);
        const std::size_t high = n_ - low_;
        std::vector<std::vector<std::size_t>> layers(high + 1);
        for (std::size_t block = 0; block < std::size_t{1} << high; ++block)
            layers[static_cast<std::size_t>(std::popcount(block))].push_back(block);
        for (const auto& layer : layers)
            parallel_for(layer.size(), workers_.size(), [&](std::size_t task, std::size_t worker) {
                fill_block(layer[task], workers_[worker], checkpoints_[worker]);
            });
        return std::move(table_);
    }

 private:
    // table[A] = best(x, high + A) for all places A. The sets of x have no x, so that it does not
    // matter whether x is among the high ones.
    void fill(std::size_t x, std::size_t high, Cost* table, Checkpoint& checkpoint) const {
        checkpoint(families_[x].size() + size_);
        std::fill(table, table + size_, infinite_cost);
        for (const GroupFamily& family : families_[x])
            if ((family.parents >> low_ & ~high) == 0) {
                Cost& own = table[family.parents & (size_ - 1)];
                own = std::min(own, family.cost);
            }
        for (std::size_t half = 1; half < size_; half *= 2)
            for (std::size_t begin = 0; begin < size_; begin += 2 * half)
                for (std::size_t i = begin; i < begin + half; ++i)
                    table[i + half] = std::min(table[i + half], table[i]);
    }

    void fill_block(std::size_t high, std::vector<Cost>& tables, Checkpoint& checkpoint) {
        Cost* const here = table_.data() + (high << low_);
        std::fill(here, here + size_, infinite_cost);
        if (high == 0) here[0] = 0;
        Cost* const last = tables.data() + low_ * size_;
        for (std::size_t x = low_; x < n_; ++x) {
            const std::size_t bit = std::size_t{1} << (x - low_);
            if (!(high & bit)) continue;
            fill(x, high, last, checkpoint);
            const Cost* const before = table_.data() + ((high ^ bit) << low_);
            for (std::size_t i = 0; i < size_; ++i)
                here[i] = std::min(here[i], before[i] + last[i]);
        }
        for (std::size_t x = 0; x < low_; ++x) fill(x, high, tables.data() + x * size_, checkpoint);
        for (std::size_t place = 1; place < size_; ++place)
            for (std::size_t rest = place; rest != 0; rest &= rest - 1) {
                const auto x = static_cast<std::size_t>(std::countr_zero(rest));
                const std::size_t before = place ^ std::size_t{1} << x;
                here[place] = std::min(here[place], here[before] + tables[x * size_ + before]);
            }
        // Sums with an infinite part must not grow from block to block.
        for (std::size_t i = 0; i < size_; ++i) here[i] = std::min(here[i], infinite_cost);
    }

    const std::vector<std::vector<GroupFamily>>& families_;
    const std::size_t n_, low_, size_;
    CostTable table_;
    std::vector<std::vector<Cost>> workers_;  // tables of each thread
    std::vector<Checkpoint> checkpoints_;
};

}  // namespace

CostTable make_cost_table(const std::vector<std::vector<GroupFamily>>& families, std::size_t jobs,
                          const Checkpoint& checkpoint) {
    return TableMaker(families, jobs, checkpoint).run();
}

}  // namespace anytimebn
