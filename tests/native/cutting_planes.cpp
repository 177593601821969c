// Rows, their separation, and the exact bound of any multipliers whatever.
#include "cuts/cutting_planes.h"

#include <algorithm>
#include <cmath>

#include "cuts/cluster_mass.h"
#include "problems.h"
#include "test.h"

namespace anytimebn::test {
namespace {

// A child's mass on one to three of its sets: what a linear program could answer.
Point random_point(const JoinedProblem& problem, Random& random) {
    Point point;
    for (std::size_t x = 0; x < problem.variables(); ++x) {
        double left = 1;
        for (std::size_t s = problem.sets.first(x); s < problem.sets.first(x + 1); ++s) {
            const bool last = s + 1 == problem.sets.first(x + 1) || s == problem.sets.first(x) + 2;
            const double value = last ? left : left * random.fraction();
            point.sets.push_back(static_cast<std::uint32_t>(s));
            point.values.push_back(value);
            left -= value;
            if (last) break;
        }
    }
    return point;
}

ParentLists optimal_network(const Problem& problem) {
    const auto run = make_run(problem, {});
    run->run();
    return run->parents();
}

Cost bound_of(const CuttingPlanes& planes) {
    Cost sum = 0;
    for (std::size_t c = 0; c < planes.problem().components(); ++c)
        sum += planes.problem().base[c] + planes.rows().bounds()[c];
    return sum;
}

// Mass of the members' sets that have no parent among the members.
double outside_of(const JoinedProblem& problem, const Point& point,
                  const std::vector<std::uint32_t>& members) {
    double mass = 0;
    const auto is_member = [&](auto v) {
        return std::find(members.begin(), members.end(), static_cast<std::uint32_t>(v)) !=
               members.end();
    };
    for (std::size_t i = 0; i < point.size(); ++i) {
        const auto parents = problem.sets.members(point.sets[i]);
        if (is_member(problem.child_of[point.sets[i]]) &&
            std::none_of(parents.begin(), parents.end(), is_member))
            mass += point.values[i];
    }
    return mass;
}

TEST(mass_of_a_cluster_is_kept_up_to_date) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Problem random_one =
            random_problem({.variables = 3 + seed % 7, .sets = 12, .largest = 4}, seed);
        const auto components = split_into_components(*random_one, true);
        const CuttingPlanes planes(components, seed);
        const JoinedProblem& problem = planes.problem();
        Random random(seed);
        const Point point = random_point(problem, random);
        ClusterMass cluster(problem, point);
        for (int step = 0; step < 200; ++step) {
            const std::vector<std::uint32_t> members = cluster.members();
            const double mass = outside_of(problem, point, members);
            CHECK(std::abs(cluster.outside() - mass) < 1e-9);
            for (std::uint32_t v = 0; v < problem.variables(); ++v) {
                auto others = members;
                double change = 0;
                if (cluster.contains(v)) {
                    std::erase(others, v);
                    change = cluster.change_by_removing(v);
                } else {
                    others.push_back(v);
                    change = cluster.change_by_adding(v);
                }
                const double true_change = outside_of(problem, point, others) - mass;
                CHECK(std::abs(change - true_change) < 1e-9);
                const auto& candidates = cluster.candidates();
                const bool listed =
                    std::find(candidates.begin(), candidates.end(), v) != candidates.end();
                CHECK(listed || cluster.contains(v) || true_change > -1e-9);
                CHECK(!(listed && cluster.contains(v)));
            }
            const auto v = static_cast<std::uint32_t>(random.below(problem.variables()));
            if (step % 50 == 49)
                cluster.clear();
            else if (cluster.contains(v))
                cluster.remove(v);
            else
                cluster.add(v);
        }
    }
}

TEST(cutting_planes_hold_for_every_network) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const Problem problem = random_problem({.variables = 4 + seed % 5,
                                                .sets = 12,
                                                .largest = 4,
                                                .levels = 100,
                                                .lowest = -20,
                                                .blocks = 1 + seed % 2},
                                               seed);
        const Cost optimum = optimum_of(*problem);
        const auto components = split_into_components(*problem, true);
        CuttingPlanes planes(components, seed);
        const auto best = planes.sets_of(optimal_network(problem));
        Random random(seed);
        std::vector<RowNumber> rows;
        for (int round = 0; round < 12; ++round) {
            const Point point = random_point(planes.problem(), random);
            const auto clusters = planes.separate_clusters(point, round % 4, 0.01, 20, rows);
            rows.insert(rows.end(), clusters.begin(), clusters.end());
            const auto halves = planes.separate_zero_half(rows, point, {});
            for (const auto& found : {clusters, halves})
                for (const double violation : planes.violations(found, point)) CHECK(violation > 0);
            for (const RowNumber row : halves)
                if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
            const auto chosen = planes.round(point, 20);
            CHECK(chosen.size() == problem->variables());
        }
        // No network violates a row, and no multipliers give too much.
        Point network{best, std::vector<double>(best.size(), 1)};
        for (const double violation : planes.violations(rows, network)) CHECK(violation <= 0);
        for (int round = 0; round < 30; ++round) {
            std::vector<Cost> multipliers;
            for (std::size_t i = 0; i < rows.size(); ++i)
                multipliers.push_back(static_cast<Cost>(random.fraction() * 40 * unit) << 8);
            CHECK(planes.rows().evaluate(rows, multipliers, 8));
            CHECK(bound_of(planes) <= optimum);
        }
    }
}

TEST(cutting_planes_rule_out_nothing_that_a_better_network_has) {
    const Problem problem = random_problem({.variables = 8, .sets = 20, .levels = 1000}, 7);
    const auto components = split_into_components(*problem, false);
    CuttingPlanes planes(components, 1);
    const auto best = planes.sets_of(optimal_network(problem));
    Random random(1);
    std::vector<RowNumber> rows;
    for (int round = 0; round < 20; ++round)
        for (const RowNumber row :
             planes.separate_clusters(random_point(planes.problem(), random), 2, 0.01, 20, rows))
            rows.push_back(row);
    CHECK(planes.rows().evaluate(rows, std::vector<Cost>(rows.size(), 0), 0));
    CHECK(planes.rows().rule_out({optimum_of(*problem) + 1 - components.front().base}) > 0);
    for (const std::uint32_t set : best) CHECK(planes.rows().possible(set));
    CHECK(planes.ruled_out().size() ==
          planes.problem().sets.size() - planes.rows().possible_count());
    planes.rows().drop_ruled_out();
    CHECK(planes.rows().evaluate(rows, std::vector<Cost>(rows.size(), 1), 0));
    // Multipliers whose sums do not fit are refused.
    CHECK(!planes.rows().evaluate(rows, std::vector<Cost>(rows.size(), infinite_cost), 0));
}

TEST(cutting_planes_write_rows_and_columns_alike) {
    const Problem problem = random_problem({.variables = 7, .sets = 15, .levels = 100}, 5);
    const auto components = split_into_components(*problem, false);
    CuttingPlanes planes(components, 1);
    const std::size_t sets = planes.problem().sets.size(), n = problem->variables();
    Random random(1);
    std::vector<RowNumber> rows;
    for (int round = 0; round < 10; ++round) {
        const Point point = random_point(planes.problem(), random);
        for (const RowNumber row : planes.separate_clusters(point, 3, 0.01, 20, rows))
            rows.push_back(row);
        for (const RowNumber row : planes.separate_zero_half(rows, point, {}))
            if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
    }
    std::vector<std::int32_t> columns(sets);
    std::vector<std::uint32_t> all(sets);
    for (std::size_t s = 0; s < sets; ++s)
        columns[s] = static_cast<std::int32_t>(all[s] = static_cast<std::uint32_t>(s));
    const SparseRows by_row = planes.sparse_rows(rows, columns);
    std::vector<std::uint8_t> at_least;
    for (const double lower : by_row.lower) at_least.push_back(std::isfinite(lower));
    const SparseRows by_column = planes.sparse_columns(all, rows, at_least);
    std::vector<std::vector<double>> dense(rows.size(), std::vector<double>(sets, 0));
    for (std::size_t k = 0, r = 0; k < by_row.indices.size(); ++k) {
        while (r + 1 < rows.size() && k >= static_cast<std::size_t>(by_row.starts[r + 1])) ++r;
        dense[r][static_cast<std::size_t>(by_row.indices[k])] = by_row.values[k];
    }
    for (std::size_t k = 0, s = 0; k < by_column.indices.size(); ++k) {
        while (s + 1 < sets && k >= static_cast<std::size_t>(by_column.starts[s + 1])) ++s;
        const auto row = static_cast<std::size_t>(by_column.indices[k]);
        if (row < n)
            CHECK(row == planes.problem().child_of[s]);
        else
            dense[row - n][s] -= by_column.values[k];
    }
    for (const auto& row : dense)
        for (const double difference : row) CHECK(difference == 0);
    // Sets outside the program that its multipliers miss.
    columns.assign(sets, -1);
    for (std::size_t x = 0; x < n; ++x) columns[planes.problem().sets.first(x + 1) - 1] = 0;
    CHECK(planes.rows().evaluate(rows, std::vector<Cost>(rows.size(), unit), 0));
    for (const std::uint32_t set : planes.rows().price(columns, 3)) CHECK(columns[set] == -1);
    CHECK(
        throws<std::invalid_argument>([&] { planes.sparse_rows({RowNumber{12345678}}, columns); }));
    CHECK(throws<std::invalid_argument>([&] { planes.sparse_rows(rows, {}); }));
}

}  // namespace
}  // namespace anytimebn::test
