// Parameters of registered algorithms, heuristics and scores as Python sees them.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "base/parameters.h"

namespace anytimebn {

using ParameterTuple = std::tuple<std::string, double, double, double, std::string, bool>;

inline std::vector<ParameterTuple> parameter_tuples(const std::vector<Parameter>& parameters) {
    std::vector<ParameterTuple> all;
    for (const Parameter& p : parameters)
        all.emplace_back(p.name, p.otherwise, p.lowest, p.highest, p.summary, p.whole);
    return all;
}

}  // namespace anytimebn
