#include "sweep/block_worker.h"

#include <algorithm>
#include <bit>

namespace anytimebn {
namespace {

// Beyond these, whole tables are cheaper than single questions (measured with blocks of 2^12).
constexpr std::size_t questions_before_list = 4;
constexpr std::size_t questions_before_table = 200;
constexpr std::size_t questions_before_all_rooms = 400;

}  // namespace

BlockWorker::BlockWorker(const SweepProblem& problem, FittingSets& sets, double limit,
                         std::uint64_t goal)
    : problem_(problem),
      limit_(limit),
      goal_(goal),
      size_(std::size_t{1} << problem.low),
      sets_(sets),
      fitting_upper_(problem.variables),
      fitting_(problem.low + 1),
      tables_((problem.low + 1) * size_),
      asked_(problem.low),
      cost_(size_),
      room_(size_),
      cluster_sums_(size_),
      reached_((size_ + 63) / 64),
      open_(problem.bounds.size()) {}

void BlockWorker::sweep_first() {
    start(0);
    if (room(0) > 0) reach(0, 0);
    place_low();
}

void BlockWorker::sweep(std::uint64_t high, const std::vector<Source>& sources) {
    start(high);
    std::size_t nodes = 0;
    for (const Source& source : sources) nodes += source.block->count;
    if (nodes > 2 * questions_before_all_rooms) find_all_rooms();
    for (const Source& source : sources) pull(source);
    place_low();
}

void BlockWorker::start(std::uint64_t high) {
    high_ = high;
    survivors_.clear();
    lowest_ = never;
    if (all_rooms_found_) {
        std::fill(cost_.begin(), cost_.end(), never);
        std::fill(room_.begin(), room_.end(), unknown);
    } else {
        for (const std::uint32_t position : rooms_found_) {
            cost_[position] = never;
            room_[position] = unknown;
        }
    }
    rooms_found_.clear();
    all_rooms_found_ = false;
    greatest_room_ = never;
    std::fill(reached_.begin(), reached_.end(), 0);
    std::fill(asked_.begin(), asked_.end(), 0);
    const std::uint64_t above = sets_.above_middle(high);
    for (std::size_t b = 0; b < open_.size(); ++b) {
        const SweepBound& bound = problem_.bounds[b];
        OpenClusters& open = open_[b];
        if (above != above_middle_) {
            open.unmet_above.clear();
            for (std::uint32_t c = 0; c < bound.clusters.size(); ++c)
                if ((bound.clusters[c] & above) == 0) open.unmet_above.push_back(c);
        }
        open.low.clear();
        open.multipliers.clear();
        for (const std::uint32_t c : open.unmet_above)
            if ((bound.clusters[c] & high) == 0) {
                open.low.push_back(bound.clusters[c] & (size_ - 1));
                open.multipliers.push_back(bound.multipliers[c]);
            }
        while (open.low.size() % 4 != 0) {
            open.low.push_back(0);
            open.multipliers.push_back(0);
        }
        open.constant = 0;
        for (std::size_t g = 0; g < problem_.groups.size(); ++g) {
            const auto [first, size] = problem_.groups[g];
            const std::uint64_t placed = high >> first & ((std::uint64_t{1} << size) - 1);
            if (g == 0)
                open.database = bound.databases[0].data() + placed;  // low positions are its first
            else
                open.constant += bound.databases[g][placed];
        }
    }
    above_middle_ = above;
}

double BlockWorker::find_room(std::uint32_t position) {
    if (rooms_found_.size() == questions_before_all_rooms) {
        find_all_rooms();
        return room_[position];
    }
    rooms_found_.push_back(position);
    double least = never;
    for (const OpenClusters& open : open_) {
        const double rest =
            open.constant + open.database[position] +
            sum_unmet_(open.low.data(), open.multipliers.data(), open.low.size(), position);
        least = std::min(least, limit_ - rest);
        if (least <= 0) break;
    }
    return room_[position] = least;
}

void BlockWorker::find_all_rooms() {
    all_rooms_found_ = true;
    bool first = true;
    for (const OpenClusters& open : open_) {
        // A cluster is unmet by the subsets of what it leaves free.
        std::fill(cluster_sums_.begin(), cluster_sums_.end(), 0);
        for (std::size_t c = 0; c < open.low.size(); ++c)
            cluster_sums_[(size_ - 1) & ~open.low[c]] += open.multipliers[c];
        kernels_.sum_over_supersets(cluster_sums_.data(), size_);
        const double greatest = kernels_.lower_room(
            open.database, cluster_sums_.data(), open.constant, limit_, first, size_, room_.data());
        first = false;
        greatest_room_ = greatest;
        if (greatest <= 0) return;  // and no other vector can give more room
    }
}

const BlockWorker::FittingUpper& BlockWorker::fitting_upper(unsigned position) {
    FittingUpper& fitting = fitting_upper_[position];
    if (fitting.above_middle == above_middle_) return fitting;
    fitting.above_middle = above_middle_;
    const SetList& all = sets_.fitting_top(position, sets_.top(high_));
    const std::uint32_t forbidden = ~sets_.upper(high_);
    SetList& own = fitting.sets;
    if (own.cost.size() < all.cost.size()) own.reserve(all.cost.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < all.cost.size(); ++i) {
        own.middle[count] = all.middle[i];
        own.low[count] = all.low[i];
        own.cost[count] = all.cost[i];
        count += (all.upper[i] & forbidden) == 0;
    }
    fitting.count = count;
    return fitting;
}

void BlockWorker::find_fitting(unsigned position, double below, Fitting& fitting) {
    const auto& [above, sets, all] = fitting_upper(position);
    const auto end = sets.cost.begin() + static_cast<std::ptrdiff_t>(all);
    const auto count = static_cast<std::size_t>(std::lower_bound(sets.cost.begin(), end, below) -
                                                sets.cost.begin());
    fitting.low.resize(std::max(fitting.low.size(), count + 16));
    fitting.cost.resize(std::max(fitting.cost.size(), count + 16));
    fitting.count = kernels_.filter(sets.middle.data(), sets.low.data(), sets.cost.data(), count,
                                    sets_.middle(high_), fitting.low.data(), fitting.cost.data());
}

double BlockWorker::cheapest(unsigned position, std::uint32_t placed, double below) {
    const auto& [above, sets, count] = fitting_upper(position);
    return kernels_.cheapest_fitting(sets.middle.data(), sets.low.data(), sets.cost.data(), count,
                                     sets_.middle(high_), static_cast<std::uint16_t>(placed),
                                     below);
}

void BlockWorker::fill_table(const Fitting& fitting, double* table) const {
    std::fill(table, table + size_, never);
    for (std::size_t i = fitting.count; i-- > 0;) table[fitting.low[i]] = fitting.cost[i];
    table_kernels_.min_over_subsets(table, size_);
}

void BlockWorker::pull(const Source& source) {
    wanted_.clear();
    double most = 0;
    for (std::uint32_t i = 0; i < source.block->count; ++i) {
        const std::uint64_t node = source.block->nodes[i];
        const std::uint32_t position = node_position(node);
        const auto cost = static_cast<double>(node_cost(node));
        if (cost >= cost_[position]) continue;
        const double most_here = std::min(room(position), cost_[position]) - cost;
        if (most_here <= 0) continue;
        wanted_.push_back({position, cost});
        most = std::max(most, most_here);
    }
    if (wanted_.empty()) return;
    Fitting& fitting = fitting_.back();
    double* const table = tables_.data() + problem_.low * size_;
    const bool use_list = wanted_.size() >= questions_before_list;
    const bool use_table = wanted_.size() >= questions_before_table;
    if (use_list) find_fitting(source.placed, most, fitting);
    if (use_table) fill_table(fitting, table);
    for (const auto& [position, cost] : wanted_) {
        const double below = std::min(room_[position], cost_[position]) - cost;
        const double own = use_table  ? table[position]
                           : use_list ? cheapest(kernels_, fitting, position, below)
                                      : cheapest(source.placed, position, below);
        if (own < below) reach(position, cost + own);
    }
}

// Places low variables, in ascending order of the positions: what is reached lies above.
void BlockWorker::place_low() {
    // What can be worth paying at most, for short lists: positions ascend, costs need not, so only
    // what was pulled counts, and costs grow from there.
    double lowest_cost = never;
    for (std::size_t word = 0; word < reached_.size(); ++word)
        for (std::uint64_t left = reached_[word]; left != 0; left &= left - 1)
            lowest_cost = std::min(
                lowest_cost, cost_[word * 64 + static_cast<unsigned>(std::countr_zero(left))]);
    const auto placeable = static_cast<std::uint32_t>(goal_ & (size_ - 1));
    for (std::size_t word = 0; word < reached_.size(); ++word) {
        std::uint64_t done = 0;
        for (std::uint64_t left; (left = reached_[word] & ~done) != 0;) {
            const auto bit = static_cast<unsigned>(std::countr_zero(left));
            done |= std::uint64_t{1} << bit;
            const auto position = static_cast<std::uint32_t>(word * 64 + bit);
            const double cost = cost_[position];
            survivors_.push_back(pack_node(cost, position));
            lowest_ = std::min(lowest_, cost + limit_ - room_[position]);
            for (std::uint32_t free = placeable & ~position; free != 0; free &= free - 1) {
                const auto y = static_cast<unsigned>(std::countr_zero(free));
                const std::uint32_t next = position | 1u << y;
                if (cost >= cost_[next]) continue;
                const double below = std::min(room(next), cost_[next]) - cost;
                if (below <= 0) continue;
                Fitting& fitting = fitting_[y];
                double* const table = tables_.data() + y * size_;
                const std::uint32_t asked = asked_[y]++;
                if (asked == questions_before_list)
                    find_fitting(y, greatest_room_ - lowest_cost, fitting);
                if (asked == questions_before_table) fill_table(fitting, table);
                const double own = asked >= questions_before_table ? table[position]
                                   : asked >= questions_before_list
                                       ? cheapest(kernels_, fitting, position, below)
                                       : cheapest(y, position, below);
                if (own < below) reach(next, cost + own);
            }
        }
    }
}

std::uint64_t BlockWorker::memory_bytes() const {
    std::uint64_t sets = 0;
    for (const auto& own : problem_.sets) sets += own.size();
    return sets * 24 + (tables_.size() + 3 * size_) * 8;
}

}  // namespace anytimebn
