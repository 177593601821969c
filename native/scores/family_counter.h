// The cost of single families, a child with its parents, counted when it is asked for: the same
// numbers, bit by bit, as those that scoring computes for all sets at once.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/control.h"
#include "scores/distinct_rows.h"
#include "scores/kernels.h"
#include "scores/local_scores.h"
#include "scores/score.h"
#include "scores/set_function.h"

namespace anytimebn {

// A table made ready for counting; shared by the counters of several threads. Where few rows are
// different, these are all that is left of it, each with its weight: how often it occurs.
class CountedTable {
 public:
    // Bit columns take at most so much memory; columns without them are counted row by row, and so
    // are rows with weights.
    CountedTable(const ScoringTask& task, std::uint64_t most_plane_bytes,
                 bool may_merge_rows = true);

    // As it was given, with all rows.
    const ScoringTask& task() const { return task_; }
    const std::vector<std::vector<std::uint32_t>>& required() const { return task_.required; }
    const std::uint16_t* codes(std::uint32_t variable) const {
        return distinct_.found() ? distinct_.codes[variable].data() : task_.codes[variable];
    }
    // Of each row, or null if all count once.
    const std::uint32_t* weights() const {
        return distinct_.found() ? distinct_.weights.data() : nullptr;
    }
    const CountedScore& score() const { return *score_->counted(); }
    std::size_t rows() const { return rows_; }  // to go through
    std::size_t total_weight() const { return task_.rows; }
    std::size_t words() const { return words_; }
    int arity(std::uint32_t variable) const { return task_.arities[variable]; }
    // Bits of the rows that have this value (from 1 on), or null if there are none of this column.
    const std::uint64_t* plane(std::uint32_t variable, int value) const {
        const std::size_t first = first_plane_[variable];
        return first == none
                   ? nullptr
                   : planes_.data() + (first + static_cast<std::size_t>(value - 1)) * words_;
    }
    // The same by row, `blocks()` blocks of 256 bits each: bit `first_bit(v) + k` tells whether the
    // row has the value k + 1 of v.
    const BitBlock* row_bits() const { return row_bits_.data(); }
    std::size_t blocks() const { return blocks_; }
    std::size_t first_bit(std::uint32_t variable) const { return first_bit_[variable]; }
    // Scoring multiplies arities in the order of these, and so must we to get the same digits.
    std::uint32_t position(std::uint32_t variable) const { return position_[variable]; }
    std::uint64_t memory_bytes() const {
        return planes_.size() * sizeof(std::uint64_t) + row_bits_.size() * sizeof(BitBlock) +
               distinct_.weights.size() * (4 + 2 * task_.variables());
    }

    static constexpr std::size_t none = SIZE_MAX;
    // Values of a column but the first: those of one with more are not kept as bits.
    static constexpr std::size_t most_planes = 32;

 private:
    void pack_columns(std::uint64_t most_bytes);
    void make_planes(std::uint32_t variable);
    void make_row_bits(std::size_t planes);

    ScoringTask task_;
    std::unique_ptr<Score> score_;
    DistinctRows distinct_;
    std::size_t rows_, words_;
    std::vector<std::uint64_t> planes_;
    std::vector<std::size_t> first_plane_;
    std::size_t blocks_ = 0;
    std::vector<BitBlock> row_bits_;
    std::vector<std::size_t> first_bit_;
    std::vector<std::uint32_t> position_;
};

// Of one thread. What gives costs throws WorkStopped once the control says so.
class FamilyCounter {
 public:
    FamilyCounter(const CountedTable& table, const Control& control);
    FamilyCounter(const FamilyCounter&) = delete;
    FamilyCounter& operator=(const FamilyCounter&) = delete;

    // In nats; infinite if the joint table is too large for the score.
    double cost(std::uint32_t child, std::span<const std::uint32_t> parents);
    // The same with one of the candidates as a further parent, for each of them. `stopped` is asked
    // now and then; false if it said so.
    bool additions(std::uint32_t child, std::span<const std::uint32_t> parents,
                   std::span<const std::uint32_t> candidates, double* costs,
                   const std::function<bool()>& stopped);
    // The same without one of the parents, for each of them.
    void removals(std::uint32_t child, std::span<const std::uint32_t> parents, double* costs);
    // No set with these parents and the candidate costs less than this, in nats.
    double least_cost(std::uint32_t child, std::span<const std::uint32_t> parents,
                      std::uint32_t candidate) const;
    std::uint64_t memory_bytes() const;

 private:
    static constexpr std::uint32_t nobody = 0xffffffffu;
    struct Sums {
        std::int64_t parents = 0, family = 0, term = 0;
    };
    // Cell values for the tables of the parents and of the family.
    struct Values {
        double parent_cells = -1, family_cells = -1;
        CellTables::Entry parents{}, family{};
        const std::int64_t* term = nullptr;
    };

    void order_for_multiplying(std::uint32_t child, std::span<const std::uint32_t> parents);
    void classify(std::uint32_t child, std::span<const std::uint32_t> parents);
    // Cells of the joint table of parents and child, if these can be numbered; else 0.
    std::size_t dense_cells(std::uint32_t child, std::span<const std::uint32_t> parents) const;
    void number_cells(std::uint32_t child, std::span<const std::uint32_t> parents);
    void count_cells(std::uint32_t child, std::span<const std::uint32_t> parents,
                     std::size_t cells);
    // Counted just now, or by the question before, which is most often about the same family.
    bool cells_are_of(std::uint32_t child, std::span<const std::uint32_t> parents) const;
    Sums sum_of_cell_totals(std::size_t child_arity) const;
    void sort_rows_by_cell(std::size_t child_arity);
    bool one_pass_pays(std::size_t cells, std::size_t parents, std::size_t candidates) const;
    bool count_in_one_pass(std::uint32_t child, std::span<const std::uint32_t> candidates,
                           double* costs, const std::function<bool()>& stopped);
    void refine(std::uint32_t variable);
    void make_masks();
    void sort_rows();
    template <std::size_t KnownValues>  // 0: not known
    Sums sum_of_counts(std::size_t first_bit, std::size_t values, std::size_t first_class,
                       std::size_t classes, const Values& cells) const;
    bool look_up(std::uint32_t child, std::uint32_t extra, std::uint32_t missing);
    double combine(const Sums& sums, std::uint32_t child, std::uint32_t extra,
                   std::uint32_t missing) const;
    Sums sum_of_classes() const;
    Sums sum_with(std::uint32_t candidate);
    Sums sum_binary(std::uint32_t candidate);
    Sums sum_by_planes(std::uint32_t candidate);
    Sums sum_by_histogram(std::uint32_t candidate);
    Sums sum_by_sorted_rows(std::uint32_t candidate);
    Sums sum_of_cells(std::size_t arity);
    template <class Body>
    void multiply(std::uint32_t extra, std::uint32_t missing, Body&& body) const;

    const CountedTable& table_;
    const Control& control_;
    const Kernels kernels_;
    CellFunction joint_;
    std::map<int, CellFunction> term_functions_;
    CellTables joint_tables_;
    std::map<int, CellTables> term_tables_;  // by the arity of the child
    Values values_;

    // Rows by parent configuration and value of the child, for the family asked for last.
    std::vector<std::uint32_t> descending_, required_;  // parents in the order of multiplication
    std::vector<std::uint32_t> class_of_;               // of each row
    std::size_t class_count_ = 1;
    std::vector<std::uint32_t> class_rows_;    // weighted
    std::vector<std::uint32_t> config_begin_;  // first class of each parent configuration
    std::vector<std::uint64_t> masks_;         // rows of each class, if these are few
    std::vector<std::uint32_t> sorted_rows_, class_begin_;  // if a column has very many values
    std::vector<std::uint32_t> counts_, number_, plane_counts_, totals_;
    std::vector<std::uint16_t> cell_of_;    // of each row, where cells can be numbered
    std::vector<std::uint32_t> cell_rows_;  // of each cell; several histograms next to each other
    // How many rows each cell has, for the family whose cells were counted last.
    std::vector<std::uint32_t> cell_totals_, counted_family_;
    std::vector<std::uint32_t> bit_counts_;  // by class of a configuration and bit
    std::vector<Sums> sums_;                 // of each candidate
    std::vector<std::uint64_t> keys_;
};

}  // namespace anytimebn
