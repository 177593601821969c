// Scores of random tables: every counter, instruction set and number of threads gives the same
// digits, which are also those of families counted one by one.
#include <cmath>
#include <optional>

#include "problems.h"
#include "scores/family_counter.h"
#include "scores/local_scores.h"
#include "scores/row_sample.h"
#include "scores/score.h"
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
    for (const std::uint64_t plane_bytes : {UINT64_MAX, std::uint64_t{0}}) {
        const CountedTable table(task, plane_bytes);
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
