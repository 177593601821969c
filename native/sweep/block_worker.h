// Computes one block of a sweep: all subsets that share their high part, from the blocks with one
// high variable less. Each thread has one of these, for its tables.
//
// A block can have thousands of nodes or three, so everything is found the cheap way first (one
// node at a time, when it is asked for) and by whole tables once enough was asked for.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "clusters/table_kernels.h"
#include "sweep/fitting_sets.h"

namespace anytimebn {

// A surviving subset in 8 bytes: its cost, and which of the low positions are placed.
constexpr unsigned position_bits = 16;
constexpr std::uint64_t pack_node(double cost, std::uint32_t position) {
    return static_cast<std::uint64_t>(cost) << position_bits | position;
}
constexpr std::uint32_t node_position(std::uint64_t node) {
    return static_cast<std::uint32_t>(node & ((1u << position_bits) - 1));
}
constexpr std::uint64_t node_cost(std::uint64_t node) { return node >> position_bits; }

struct Block {
    std::uint64_t high;                    // placed positions that are not low
    const std::uint64_t* nodes = nullptr;  // by position, ascending
    std::uint32_t count = 0;
};

class BlockWorker {
 public:
    // Nodes survive whose cost plus rest() is below `limit`; only members of `goal` are placed.
    BlockWorker(const SweepProblem& problem, FittingSets& sets, double limit, std::uint64_t goal);

    struct Source {
        unsigned placed;  // the position by which this block has more
        const Block* block;
    };
    // The block without high positions, from the empty set.
    void sweep_first();
    void sweep(std::uint64_t high, const std::vector<Source>& sources);

    const std::vector<std::uint64_t>& survivors() const { return survivors_; }
    // The smallest cost + rest() of the survivors.
    double lowest() const { return lowest_; }
    std::uint64_t memory_bytes() const;

 private:
    // Sets that fit the top and upper part.
    struct FittingUpper {
        std::uint64_t above_middle = ~std::uint64_t{0};  // what they fit
        SetList sets;
        std::size_t count = 0;
    };
    // Sets that fit the whole high part.
    struct Fitting {
        std::vector<std::uint16_t> low;
        std::vector<double> cost;
        std::size_t count = 0;
    };
    struct Wanted {
        std::uint32_t position;
        double cost;
    };

    void start(std::uint64_t high);
    void pull(const Source& source);
    void place_low();
    const FittingUpper& fitting_upper(unsigned position);
    void find_fitting(unsigned position, double below, Fitting& fitting);
    // The cost of the cheapest parents of a position, or `below` if they cost as much.
    double cheapest(unsigned position, std::uint32_t placed, double below);
    static double cheapest(const SweepKernels& kernels, const Fitting& fitting,
                           std::uint32_t placed, double below) {
        return kernels.cheapest_within(fitting.low.data(), fitting.cost.data(), fitting.count,
                                       static_cast<std::uint16_t>(placed), below);
    }
    void fill_table(const Fitting& fitting, double* table) const;
    double find_room(std::uint32_t position);
    void find_all_rooms();
    double room(std::uint32_t position) {
        const double known = room_[position];
        return known != unknown ? known : find_room(position);
    }
    void reach(std::uint32_t position, double cost) {
        cost_[position] = cost;
        reached_[position / 64] |= std::uint64_t{1} << (position % 64);
    }

    static constexpr double unknown = -std::numeric_limits<double>::infinity();

    const SweepProblem& problem_;
    const double limit_;
    const std::uint64_t goal_;
    const SweepKernels kernels_ = sweep_kernels();
    const TableKernels<double> table_kernels_ = table_kernels<double>();
    const SumUnmet sum_unmet_ = sum_unmet_kernel();
    const std::size_t size_;
    FittingSets& sets_;
    std::vector<FittingUpper> fitting_upper_;
    std::vector<Fitting> fitting_;  // of the low positions, and one for the others
    std::vector<double> tables_;    // the same
    std::vector<std::uint32_t> asked_;

    std::uint64_t high_ = 0;
    std::vector<double> cost_, room_, cluster_sums_;
    std::vector<std::uint64_t> reached_;
    std::vector<Wanted> wanted_;
    std::vector<std::uint32_t> rooms_found_;  // where `room_` and perhaps `cost_` are known
    bool all_rooms_found_ = true;
    double greatest_room_ = 0;
    struct OpenClusters {  // those that the high part does not meet, of one vector of multipliers
        double constant = 0;
        const double* database = nullptr;
        std::vector<std::uint64_t> low;
        std::vector<double> multipliers;
        std::vector<std::uint32_t> unmet_above;  // by the high positions above the middle ones
    };
    std::uint64_t above_middle_ = ~std::uint64_t{0};
    std::vector<OpenClusters> open_;
    std::vector<std::uint64_t> survivors_;
    double lowest_ = 0;
};

}  // namespace anytimebn
