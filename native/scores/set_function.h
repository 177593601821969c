// Functions of sets of columns. Local costs are differences F(P) - F(P + x) of one, whatever it is
// computed from. Here it is joint counts, F(W) = sum over cells of cell(count, |cells|) +
// constant(|cells|), in scores/counting.h for all sets of up to a given size, and in
// scores/family_counter.h for those that are asked for.
//
// Sums run over fixed-point integers, so that they do not depend on the order of the additions:
// every counter, instruction set and number of threads gives the same result, bit by bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <unordered_map>
#include <vector>

#include "base/combinatorics.h"
#include "base/control.h"
#include "base/untouched.h"

namespace anytimebn {

// The columns that vary, by ascending arity: variable 0 has the fewest values.
struct Columns {
    std::size_t rows = 0;  // to go through
    std::vector<const std::uint16_t*> codes;
    std::vector<int> arities;
    const std::uint32_t* weights = nullptr;  // of each row; null if all count once
    std::size_t total_weight = 0;

    std::size_t size() const { return codes.size(); }
};

// Sets of up to so many columns with fewer cells in their joint tables than this: all of whose
// subsets are wanted as well.
struct WantedSets {
    std::size_t max_size = 0;
    double cells_below = std::numeric_limits<double>::infinity();
    // Of each column, whether sets are wanted in which it is the highest; null: all are. Ranks of
    // one size ascend with the highest column, so that such sets are neighbours.
    const std::vector<bool>* highest = nullptr;

    bool has_highest(std::size_t column) const { return !highest || (*highest)[column]; }
    // How many of the first columns (arities ascend) a set of so many cells can be extended by, one
    // of them at a time.
    std::size_t fitting(const std::vector<int>& arities, std::size_t columns, double cells) const;
    // Sets of `size` columns, beside others of so many cells: the wanted ones are all made of this
    // many first columns, so that they come first by rank, too.
    std::size_t reach(const std::vector<int>& arities, std::size_t size, double cells = 1) const;
};

// values[k][rank] for sets of k variables, in nats; those that are not wanted mean nothing, and the
// last of them may be missing.
using SetValues = std::vector<UntouchedVector<double>>;

class SetFunction {
 public:
    virtual ~SetFunction() = default;
    // On all wanted sets. Work is reported to `control` in sets; when that is stopped, `values`
    // stay incomplete.
    virtual void evaluate(const WantedSets& wanted, std::size_t jobs, Control& control,
                          SetValues& values) const = 0;
};

// What a cell of a joint table adds to a function of counts.
struct CellFunction {
    std::function<double(std::int64_t count, double cells)> cell;
    bool cell_depends_on_table_size = false;
    std::function<double(double cells)> constant;
    WantedSets wanted = {};
};

// Cell values by count, looked up instead of computed; one object a thread.
class CellTables {
 public:
    struct Entry {
        const std::int64_t* value;  // by count; value[0] = 0
        double constant;
    };
    CellTables(const CellFunction& function, std::size_t rows, const Control& control);
    CellTables(const CellTables&) = delete;
    CellTables& operator=(const CellTables&) = delete;

    // For tables of `cells` cells. Entries stay valid until a call that follows 64 others: those of
    // an earlier generation go only when the present one is full.
    const Entry& get(double cells);
    std::uint64_t memory_bytes() const;
    double to_nats(std::int64_t sum) const { return static_cast<double>(sum) * unit_; }
    // What sums are counted in, for tables of so many rows.
    static double unit(std::size_t rows);

 private:
    struct Stored {
        std::vector<std::int64_t> values;
        Entry entry;
    };
    std::vector<std::int64_t> tabulate(double cells) const;

    const CellFunction& function_;
    std::size_t rows_;
    const Control& control_;
    double unit_, units_per_nat_;
    std::vector<std::int64_t> shared_;  // when values do not depend on the table's size
    std::unordered_map<double, Stored> by_cells_, earlier_;
};

}  // namespace anytimebn
