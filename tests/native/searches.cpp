// Every algorithm with every heuristic, on random problems, beside the plain recursion.
#include "problems.h"
#include "test.h"

namespace anytimebn::test {
namespace {

// Sparse and dense, tied, negative, disconnected and infeasible ones, single variables too.
std::vector<Problem> small_problems() {
    std::vector<Shape> shapes{
        {.variables = 1},
        {.variables = 2, .sets = 2, .without_empty = 1},
        {.variables = 5, .sets = 6},
        {.variables = 6, .sets = 10, .levels = 3, .lowest = -5},
        {.variables = 7, .sets = 12, .blocks = 2},
        {.variables = 8, .sets = 25, .largest = 5, .levels = 1000, .scale = 1},
        {.variables = 8, .sets = 8, .levels = 2, .lowest = -2000, .without_empty = 0.5},
        {.variables = 9, .sets = 2, .without_empty = 0.8, .blocks = 4},
        // Beyond the 32 bits of a pattern database, and of the keys of an open list.
        {.variables = 8, .sets = 25, .levels = 5, .scale = 3'000'000'000},
    };
    std::vector<Problem> problems;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        problems.push_back(random_problem(shapes[i], i));
    problems.push_back(hard_problem(9));
    return problems;
}

TEST(searches_agree_with_the_plain_recursion) {
    const auto problems = small_problems();
    std::vector<Cost> optima;
    for (const Problem& problem : problems) optima.push_back(optimum_of(*problem));
    with_each_instruction_set([&] {
        for (const Way& way : every_way())
            for (std::size_t i = 0; i < problems.size(); ++i)
                for (const bool plain : {false, true}) {
                    SearchOptions options = options_for(way);
                    options.components = options.path_extension = options.local_search = !plain;
                    const auto run = make_run(problems[i], options);
                    run->run();
                    check_outcome(problems[i], *run, optima[i]);
                    const bool proves = AlgorithmRegistry::find(way.algorithm).make.proves;
                    if (proves && optima[i] < infinite_cost)
                        CHECK(run->status() == Status::optimal);
                }
    });
}

// Sets of variables of two, four and sixteen words; for problems of one there are all other tests.
TEST(searches_take_any_number_of_variables) {
    for (const std::size_t variables : {70u, 130u, 260u}) {
        const Problem problem =
            random_problem({.variables = variables, .sets = 4, .levels = 1000}, variables);
        for (const Way& way : every_way()) {
            SearchOptions options = options_for(way);
            options.local_search = false;
            options.limits.expansions = 50;
            options.limits.memory_bytes = std::uint64_t{64} << 20;
            options.parameters = {
                {"k", 2}, {"groups", static_cast<double>(variables / 9 + 1)}, {"largest-group", 9}};
            const auto run = make_run(problem, options);
            run->run();
            const Snapshot last = run->snapshot();
            check_outcome(problem, *run, last.cost);
            CHECK(last.expanded <= 50);
        }
    }
}

}  // namespace
}  // namespace anytimebn::test
