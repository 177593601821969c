// How to search, as the user chose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/parameters.h"
#include "problem/family.h"
#include "run/budget.h"

namespace anytimebn {

struct SearchOptions {
    std::string algorithm = "dynamic-programming";
    std::string heuristic = "static-pd";
    std::map<std::string, double> parameters;        // of the algorithm and the heuristic, by name
    std::vector<std::vector<std::uint32_t>> groups;  // of static-pd, if the user chose them
    bool components = true;
    bool path_extension = true;
    bool local_search = true;     // for the first incumbent
    std::vector<FamilyId> start;  // a network to begin with, if there is one
    std::uint64_t seed = 0;
    std::size_t jobs = 1;        // threads, for algorithms that can use several
    bool certify_along = false;  // whenever the bound is raised, not only in the end
    Limits limits;
};

}  // namespace anytimebn
