// All components of a problem as one: the linear program has a row a variable anyway, and parent
// sets never reach from one component into another once members outside the component are dropped.
// Numbers of variables are those of the whole problem; costs are regrets, as in
// problem/component.h.
#pragma once

#include <cstdint>
#include <vector>

#include "problem/component.h"

namespace anytimebn {

struct JoinedProblem {
    explicit JoinedProblem(const std::vector<Component>& components);

    std::size_t variables() const { return sets.variables(); }
    std::size_t components() const { return base.size(); }

    std::vector<std::uint32_t> component_of;  // by variable
    std::vector<Cost> base;                   // by component: cost = base + regret
    ParentSets sets;                          // of regrets
    std::vector<std::uint32_t> child_of;      // by set
};

}  // namespace anytimebn
