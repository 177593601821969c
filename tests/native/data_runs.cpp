// Searches straight from a table.
#include "solve/data_run.h"

#include <limits>
#include <numeric>
#include <optional>
#include <utility>

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

// What best-order-search finds in so many steps, if somebody hands it a network when it asks for
// the second time: the first time is before the first chain begins.
Cost found_with_offer(const Table& table, std::uint64_t steps, std::optional<ParentLists> offer) {
    SearchOptions options;
    options.algorithm = "best-order-search";
    options.limits.expansions = steps;
    const Control control;
    Budget budget(options.limits, control);
    CountedCosts costs(table.task("aic", 3, 1), std::uint64_t{1} << 20, budget, control);
    const Algorithm& algorithm = AlgorithmRegistry::find(options.algorithm).make;
    const Parameters parameters(options.algorithm, algorithm.parameters, options.parameters);
    Cost best = infinite_cost;
    int asked = 0, came_down = 0;
    GraphSearch search{
        costs,
        options,
        parameters,
        budget,
        costs.permissions().required,
        [&](const ParentLists&, const std::vector<Cost>& own) {
            best = std::accumulate(own.begin(), own.end(), Cost{0});
        },
        [&] { return budget.exhausted_now(); },
        [](std::uint64_t, std::uint64_t) {},
        [&] { return ++asked == 2 ? std::exchange(offer, std::nullopt) : std::nullopt; },
        [](std::vector<ParentLists>) {},
        [&] { ++came_down; }};
    algorithm.run_on_data(search);
    CHECK(came_down == 1);
    return best;
}

TEST(data_runs_go_on_from_offers_between_kicks) {
    const Table table(150, std::vector<int>(24, 2), 3);
    SearchOptions options;
    options.algorithm = "best-order-search";
    options.limits.expansions = 100'000;
    DataRun good(table.task("aic", 3, 1), options, {});
    good.run();
    const Cost cost = good.snapshot().cost;
    constexpr std::uint64_t steps = 400;
    CHECK(found_with_offer(table, steps, std::nullopt) > cost);
    CHECK(found_with_offer(table, steps, good.parents()) <= cost);
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
