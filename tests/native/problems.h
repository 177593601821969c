// Problems for native tests, what they cost at best, and what holds for every outcome.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/cpu.h"
#include "problem/parent_sets.h"
#include "solve/search_run.h"

namespace anytimebn::test {

constexpr Cost unit = 1'000'000;  // costs a nat

// Parent sets drawn inside blocks of variables, of few different costs if `levels` are few.
struct Shape {
    std::size_t variables = 7;
    std::size_t sets = 8;  // of a variable, at most
    std::size_t largest = 3;
    std::size_t levels = 10;
    Cost scale = unit;
    Cost lowest = 0;           // in units of scale
    double without_empty = 0;  // the part of the variables that must have parents
    std::size_t blocks = 1;
};

using Problem = std::shared_ptr<const ParentSets>;

Problem random_problem(const Shape& shape, std::uint64_t seed);
// Everyone wants the same number of random parents and pays for each that comes later: a search has
// to look at a good part of the order graph.
Problem hard_problem(std::size_t variables);

// By the plain recursion over subsets; infinite if there is no network.
Cost optimum_of(const ParentSets& sets);

struct Way {
    std::string algorithm, heuristic;
};
// Every registered algorithm, with every heuristic if it uses one.
std::vector<Way> every_way();
SearchOptions options_for(const Way& way);

std::unique_ptr<SearchRun> make_run(const Problem& problem, SearchOptions options);
// The number of each variable's set in the problem; empty while there is no network.
std::vector<std::size_t> chosen_sets(const SearchRun& run);
// Checks the network, its cost, the bound and the events of a run that has ended.
void check_outcome(const Problem& problem, SearchRun& run, Cost optimum);

// Runs body() with each instruction set of this processor.
template <class Body>
void with_each_instruction_set(Body&& body) {
    const InstructionSet best = instruction_set();
    limit_instruction_set(InstructionSet::portable);
    body();
    limit_instruction_set(best);
    if (best != InstructionSet::portable) body();
}

}  // namespace anytimebn::test
