// How many sets of columns there are whose joint tables have few cells, without listing them.
#pragma once

#include <cstddef>
#include <vector>

#include "scores/set_function.h"

namespace anytimebn {

class SetCensus {
 public:
    // Arities ascend.
    SetCensus(const std::vector<int>& arities, const WantedSets& wanted, std::size_t rows);

    // Wanted sets of this size; and the cells that rows can be in, summed over their tables.
    double sets(std::size_t size) const { return size < sizes_.size() ? sizes_[size].sets : 0; }
    double cells(std::size_t size) const { return size < sizes_.size() ? sizes_[size].cells : 0; }
    // Which part of all sets of this size is wanted and has tables of fewer cells than this.
    double share_below(std::size_t size, double cells) const;

 private:
    struct Size {
        double all = 0, sets = 0, cells = 0;
        std::vector<double> products, sets_up_to;  // ascending; empty if all sets are wanted
    };
    std::vector<Size> sizes_;
};

}  // namespace anytimebn
