// A solution of the linear program: the parent sets with a value above 0.
#pragma once

#include <cstdint>
#include <vector>

namespace anytimebn {

struct Point {
    std::vector<std::uint32_t> sets;
    std::vector<double> values;  // by position in `sets`

    std::size_t size() const { return sets.size(); }
};

}  // namespace anytimebn
