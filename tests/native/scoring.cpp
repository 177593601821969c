// Scores of random tables: every counter, instruction set and number of threads gives the same
// digits, which are also those of families counted one by one.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "problems.h"
#include "scores/distinct_rows.h"
#include "scores/family_counter.h"
#include "scores/local_scores.h"
#include "scores/row_sample.h"
#include "scores/score.h"
#include "scores/set_census.h"
#include "tables.h"
#include "test.h"

namespace anytimebn::test {
namespace {

void check_same(const ScoringResult& a, const ScoringResult& b) {
    CHECK(a.complete && b.complete);
    CHECK(a.first_set == b.first_set && a.costs == b.costs);
    CHECK(a.first_member == b.first_member && a.members == b.members);
    CHECK(a.limit_matters == b.limit_matters);
}

void check_families(const ScoringTask& task, const ScoringResult& result) {
    const Control control;
    struct Way {
        std::uint64_t plane_bytes;
        bool may_merge_rows;
    };
    for (const auto& [plane_bytes, may_merge_rows] :
         {Way{UINT64_MAX, true}, Way{UINT64_MAX, false}, Way{0, false}}) {
        const CountedTable table(task, plane_bytes, may_merge_rows);
        FamilyCounter counter(table, control);
        for (std::uint32_t child = 0; child < task.variables(); ++child) {
            const auto first = static_cast<std::size_t>(result.first_set[child]);
            const auto last = static_cast<std::size_t>(result.first_set[child + 1]);
            CHECK(first < last);
            for (std::size_t s = first; s < last; ++s) {
                if (s > first) CHECK(result.costs[s - 1] <= result.costs[s]);
                std::vector<std::uint32_t> parents;
                for (auto m = result.first_member[s]; m < result.first_member[s + 1]; ++m)
                    parents.push_back(
                        static_cast<std::uint32_t>(result.members[static_cast<std::size_t>(m)]));
                CHECK(counter.cost(child, parents) == result.costs[s]);
                std::vector<double> without(parents.size());
                counter.removals(child, parents, without.data());
                for (std::size_t i = 0; i < parents.size(); ++i) {
                    std::vector<std::uint32_t> others = parents;
                    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
                    CHECK(counter.cost(child, others) == without[i]);
                }
            }
            std::vector<double> costs(task.allowed[child].size());
            CHECK(counter.additions(child, {}, task.allowed[child], costs.data(),
                                    [] { return false; }));
            for (std::size_t i = 0; i < costs.size(); ++i) {
                const std::uint32_t parents[] = {task.allowed[child][i]};
                CHECK(costs[i] == counter.cost(child, parents));
            }
        }
    }
}

TEST(scoring_gives_the_same_digits_however_it_counts) {
    const std::vector<Table> tables{
        Table(1, {2, 3, 2}, 1),
        Table(65, {2, 2, 2, 2, 2, 2}, 2),
        Table(300, {2, 3, 4, 2, 5, 1}, 3),
        Table(130, {2, 40, 3, 300}, 4),  // beyond what a byte holds
        Table(4000, {2, 2, 3, 2}, 6),    // equal rows, which are merged
        Table(2500, {2, 2, 2, 2, 2}, 7),
        Table(90, {2, 5, 3, 3, 4, 2, 2, 3}, 5),  // where the penalty rules out much
    };
    for (const auto& [score, _] : ScoreRegistry::entries())
        for (const Table& table : tables) {
            ScoringTask task = table.task(score.c_str(), 3, 1);
            CHECK(estimate_scoring(task).sets > 0);
            std::optional<ScoringResult> first;
            with_each_instruction_set([&] {
                for (const Counter way : {Counter::automatic, Counter::bitwise, Counter::rowwise})
                    for (const std::size_t jobs : {1u, 3u}) {
                        Control control;
                        task.counter = way;
                        task.jobs = jobs;
                        ScoringResult result = compute_local_scores(task, control);
                        if (first)
                            check_same(*first, result);
                        else
                            first = std::move(result);
                    }
                check_families(task, *first);
            });
        }
}

TEST(scoring_samples_of_rows_have_one_of_each_few) {
    const Table table(103, {60000, 3, 2}, 6);
    ScoringTask task = table.task("mdl", 2, 1);
    std::vector<std::uint16_t> number(task.rows);
    for (std::size_t row = 0; row < task.rows; ++row) number[row] = static_cast<std::uint16_t>(row);
    task.codes[0] = number.data();
    const RowSample sample(task, 4, 7), again(task, 4, 7), other(task, 4, 8);
    CHECK(sample.task().rows == 25);
    bool differs = false;
    for (std::size_t i = 0; i < 25; ++i) {
        const std::size_t row = sample.task().codes[0][i];
        CHECK(row / 4 == i);
        for (std::size_t v = 0; v < 3; ++v) {
            CHECK(sample.task().codes[v][i] == task.codes[v][row]);
            CHECK(sample.task().codes[v][i] == again.task().codes[v][i]);
            differs = differs || sample.task().codes[v][i] != other.task().codes[v][i];
        }
    }
    CHECK(differs);
}

TEST(scoring_prices_parameters_of_samples_by_what_they_gain_in_all_rows) {
    const Table table(8000, {2, 2, 2}, 6);
    const auto price = [&](const char* name, SamplePrice of) {
        const RowSample sample(table.task(name, 2, 1), 4, 7, of);
        return score_of(sample.task())->penalty(2);
    };
    // Here it is like any table.
    CHECK(price("mdl", SamplePrice::of_these_rows) == std::log(2000) / 2);
    // What is worth its price in all rows gains a quarter of it, and half a nat less a quarter of
    // that by chance.
    const double fair = (std::log(8000) / 2 + 1.5) / 4;
    CHECK(std::abs(price("mdl", SamplePrice::of_all_rows) - fair) < 1e-9);
    // With many variables more than that, but never more than in all rows.
    CHECK(std::abs(price("aic", SamplePrice::of_all_rows) - 2.5 / 4) < 1e-9);
    CHECK(make_score("aic", 8000, {})->of_sample(4, 1000)->penalty(2) == 1);
    // Other scores have no price.
    CHECK(price("bdeu", SamplePrice::of_all_rows) == 0);
}

TEST(scoring_obeys_constraints) {
    const Table table(200, {2, 3, 2, 3, 2}, 5);
    ScoringTask task = table.task("mdl", 2, 1);
    task.required[0] = {3};
    task.allowed[1] = {};
    task.max_parents[2] = 0;
    Control control;
    const ScoringResult result = compute_local_scores(task, control);
    for (std::size_t s = 0; s < static_cast<std::size_t>(result.first_set[1]); ++s) {
        bool has_required = false;
        for (auto m = result.first_member[s]; m < result.first_member[s + 1]; ++m)
            has_required |= result.members[static_cast<std::size_t>(m)] == 3;
        CHECK(has_required);
    }
    for (const std::size_t child : {1u, 2u})
        CHECK(result.first_set[child + 1] - result.first_set[child] == 1);
}

TEST(scoring_knows_how_many_sets_have_few_cells) {
    const std::vector<int> arities{2, 2, 2, 3, 3, 4, 7, 7, 90};
    for (const double below : {2.5, 13.0, 40.0, 500.0}) {
        const WantedSets wanted{5, below};
        const SetCensus census(arities, wanted, 20);
        std::vector<double> sets(10, 0), cells(10, 0), few(10, 0), reach(10, 0);
        for (unsigned set = 0; set < 1u << arities.size(); ++set) {
            double product = 1, highest = 0;
            std::size_t size = 0;
            for (std::size_t v = 0; v < arities.size(); ++v)
                if (set >> v & 1) {
                    product *= arities[v];
                    highest = static_cast<double>(v + 1);
                    ++size;
                }
            if (product >= below) continue;
            sets[size] += 1;
            cells[size] += std::min(product, 20.0);
            few[size] += product < 12;
            reach[size] = std::max(reach[size], highest);
        }
        const Binomials binomials(arities.size(), 5);
        for (std::size_t size = 0; size <= 5; ++size) {
            CHECK(census.sets(size) == sets[size] && census.cells(size) == cells[size]);
            const auto all = static_cast<double>(binomials(arities.size(), size));
            CHECK(std::abs(census.share_below(size, 12) * all - few[size]) < 1e-9);
            if (size > 0) CHECK(static_cast<double>(wanted.reach(arities, size)) == reach[size]);
        }
    }
}

TEST(scoring_finds_equal_rows) {
    const Table table(5000, {2, 3, 2, 40, 1}, 8);
    const ScoringTask task = table.task("mdl", 1, 1);
    std::map<std::vector<std::uint16_t>, std::uint32_t> expected;
    for (std::size_t row = 0; row < task.rows; ++row) {
        std::vector<std::uint16_t> values;
        for (const std::uint16_t* column : task.codes) values.push_back(column[row]);
        ++expected[values];
    }
    const DistinctRows distinct(task.codes, task.rows, expected.size());
    CHECK(distinct.found() && distinct.weights.size() == expected.size());
    for (std::size_t row = 0; row < distinct.weights.size(); ++row) {
        std::vector<std::uint16_t> values;
        for (const auto& column : distinct.codes) values.push_back(column[row]);
        CHECK(expected[values] == distinct.weights[row]);
    }
    CHECK(!DistinctRows(task.codes, task.rows, expected.size() - 1).found());
}

TEST(scoring_can_be_stopped) {
    for (const int arity : {2, 3})
        for (const Counter way : {Counter::bitwise, Counter::rowwise}) {
            const Table table(500, std::vector<int>(8, arity), 6);
            ScoringTask task = table.task("bdeu", 4, 2);
            task.counter = way;
            Control control;
            control.stop();
            CHECK(!compute_local_scores(task, control).complete);
            CHECK(control.fraction_done() == 0);
        }
}

}  // namespace
}  // namespace anytimebn::test
