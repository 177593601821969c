// Searches that are stopped: bounds hold at every moment, and a limit is a status.
#include "base/growing_array.h"
#include "problems.h"
#include "test.h"

namespace anytimebn::test {
namespace {

TEST(limits_hold_when_stopped_at_every_check) {
    const std::vector<Problem> problems{
        random_problem({.variables = 5, .sets = 6}, 3),
        random_problem({.variables = 6, .sets = 10, .levels = 3, .lowest = -5}, 4),
        random_problem({.variables = 7, .sets = 12, .blocks = 2}, 5),
    };
    for (const Problem& problem : problems) {
        const Cost optimum = optimum_of(*problem);
        for (const Way& way : every_way()) {
            Status status = Status::interrupted;
            for (std::uint64_t k = 1; status == Status::interrupted; ++k) {
                SearchOptions options = options_for(way);
                options.local_search = false;
                options.limits.stop_at_check = k;
                const auto run = make_run(problem, options);
                run->run();
                check_outcome(problem, *run, optimum);
                status = run->status();
            }
            CHECK(status == Status::optimal || status == Status::finished);
        }
    }
}

TEST(limits_of_addresses_are_those_of_all_arrays) {
    const std::uint64_t before = reserved_addresses;
    {
        // Each would take 64 GiB of addresses if that were all it needs to know.
        std::vector<GrowingArray<std::uint64_t>> arrays(1'100);
        for (auto& array : arrays) array.reserve(std::size_t{1} << 20);
        CHECK(reserved_addresses <= most_addresses);
        for (std::uint64_t i = 0; i < arrays.size(); i += 100) arrays[i].push_back(i);
        for (std::uint64_t i = 0; i < arrays.size(); i += 100) CHECK(arrays[i].back() == i);
    }
    CHECK(reserved_addresses == before);
}

TEST(limits_on_expansions_are_exact) {
    const Problem problem = hard_problem(8);
    const Cost optimum = optimum_of(*problem);
    for (const Way& way : every_way())
        for (std::uint64_t most = 0; most < 300; most = most * 5 / 4 + 1) {
            SearchOptions options = options_for(way);
            options.local_search = options.path_extension = false;
            options.limits.expansions = most;
            const auto run = make_run(problem, options);
            run->run();
            check_outcome(problem, *run, optimum);
            CHECK(run->snapshot().expanded <= most);
        }
}

TEST(limits_on_memory_are_a_status) {
    const Problem problem = hard_problem(12);
    const Cost optimum = optimum_of(*problem);
    for (const Way& way : every_way()) {
        Status status = Status::memory;
        for (std::uint64_t bytes = 0; status == Status::memory; bytes = bytes * 2 + 1000) {
            SearchOptions options = options_for(way);
            options.local_search = options.path_extension = false;
            options.limits.memory_bytes = bytes;
            const auto run = make_run(problem, options);
            run->run();
            check_outcome(problem, *run, optimum);
            status = run->status();
        }
        CHECK(status == Status::optimal || status == Status::finished);
    }
}

TEST(limits_on_time_and_gap_leave_a_network) {
    const Problem problem = hard_problem(12);
    const Cost optimum = optimum_of(*problem);
    for (const Way& way : every_way())
        for (const bool time : {true, false}) {
            SearchOptions options = options_for(way);
            (time ? options.limits.seconds : options.limits.gap) = time ? 0 : 10;
            const auto run = make_run(problem, options);
            run->run();
            check_outcome(problem, *run, optimum);
            if (time) CHECK(run->status() == Status::time);
        }
}

}  // namespace
}  // namespace anytimebn::test
