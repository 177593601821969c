// Searches straight from a table.
#include "solve/data_run.h"

#include <limits>
#include <numeric>

#include "arcs/counted_costs.h"
#include "problems.h"
#include "tables.h"
#include "test.h"

namespace anytimebn::test {
namespace {

void check_network(const DataRun& run, std::size_t variables) {
    const auto parents = run.parents();
    CHECK(parents.size() == variables);
    std::vector<bool> placed(variables, false);
    for (std::size_t round = 0; round < variables; ++round)
        for (std::size_t x = 0; x < variables; ++x) {
            bool all = true;
            for (const auto y : parents[x]) all &= placed[y];
            placed[x] = placed[x] || all;
        }
    for (const bool is : placed) CHECK(is);
}

TEST(data_runs_find_networks) {
    const Table table(400, {2, 3, 2, 4, 2, 2, 3, 2}, 1);
    for (const auto& [name, entry] : AlgorithmRegistry::entries()) {
        if (!entry.make.run_on_data) continue;
        for (const auto& [score, _] : ScoreRegistry::entries())
            for (const std::size_t jobs : {1u, 2u}) {
                SearchOptions options;
                options.algorithm = name;
                options.jobs = jobs;
                options.limits.expansions = 300;
                DataRun run(table.task(score.c_str(), 3, jobs), options, {});
                run.run();
                check_network(run, 8);
                const auto costs = run.costs();
                const double sum = std::accumulate(costs.begin(), costs.end(), 0.0);
                const auto units = static_cast<double>(run.snapshot().cost);
                CHECK(std::abs(sum * unit - units) <= static_cast<double>(costs.size()));
            }
    }
}

TEST(data_runs_hold_when_stopped_at_every_check) {
    const Table table(100, {2, 3, 2, 2}, 2);
    for (const auto& [name, entry] : AlgorithmRegistry::entries()) {
        if (!entry.make.run_on_data) continue;
        Status status = Status::interrupted;
        for (std::uint64_t k = 1; status == Status::interrupted; k += 1 + k / 20) {
            SearchOptions options;
            options.algorithm = name;
            options.limits.stop_at_check = k;
            DataRun run(table.task("mdl", 3, 1), options, {});
            run.run();
            if (!run.parents().empty()) check_network(run, 4);
            status = run.status();
        }
    }
}

TEST(data_runs_take_costs_beyond_64_bits_for_infinite) {
    CHECK(rounded_cost(1.5) == 1'500'000);
    CHECK(rounded_cost(-0.25) == -250'000);
    for (const double nats : {1e13, 1e50, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()})
        CHECK(rounded_cost(nats) == infinite_cost);
}

}  // namespace
}  // namespace anytimebn::test
