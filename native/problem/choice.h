// The parents of one variable in a network, by number.
#pragma once

#include <cstddef>

namespace anytimebn {

struct Choice {
    std::size_t variable;
    std::size_t set;  // in the whole problem
};

}  // namespace anytimebn
