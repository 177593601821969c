// Evaluating a set function on all sets of up to max_size columns, each set counted once.
#pragma once

#include <cstddef>
#include <utility>

#include "base/control.h"
#include "scores/set_function.h"

namespace anytimebn {

// By population counts over bit columns: for columns with few values. Work is reported to `control`
// in sets; a stopped count leaves `values` incomplete.
void count_bitwise(const Columns& columns, const CellFunction& function, std::size_t jobs,
                   Control& control, SetValues& values);

// By sorting rows into classes, equal rows counted once: for columns with many values.
void count_rowwise(const Columns& columns, const CellFunction& function, std::size_t jobs,
                   Control& control, SetValues& values);

enum class Counter { automatic, bitwise, rowwise };

// A function of the joint counts of these columns, which must live as long.
class CountedFunction final : public SetFunction {
 public:
    CountedFunction(const Columns& columns, CellFunction cells, Counter counter)
        : columns_(columns), cells_(std::move(cells)), counter_(counter) {}
    void evaluate(const WantedSets& wanted, std::size_t jobs, Control& control,
                  SetValues& values) const override;

 private:
    const Columns& columns_;
    CellFunction cells_;
    Counter counter_;
};

void count_sets(const Columns& columns, const CellFunction& function, Counter counter,
                std::size_t jobs, Control& control, SetValues& values);

}  // namespace anytimebn
