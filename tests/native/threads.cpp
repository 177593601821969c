// Everything that several threads do at once, for the thread sanitizer.
#include <atomic>
#include <filesystem>
#include <thread>

#include "base/parallel.h"
#include "base/team.h"
#include "cuts/cutting_planes.h"
#include "evaluation/full_sweep.h"
#include "problem/family_store.h"
#include "problems.h"
#include "scores/local_scores.h"
#include "solve/data_run.h"
#include "tables.h"
#include "test.h"

namespace anytimebn::test {
namespace {

// What a caller's thread does while another searches.
template <class Run>
void watch(Run& run, const std::atomic<bool>& ended) {
    Cost lowest = infinite_cost;
    while (!ended) {
        const Snapshot now = run.snapshot();
        if (now.has_network) {
            CHECK(now.cost <= lowest && now.lower_bound <= now.cost);
            lowest = now.cost;
        }
        for (const Event& event : run.drain_events()) CHECK(event.lower_bound <= event.cost);
        run.peak_memory_bytes();
        std::this_thread::yield();
    }
}

TEST(threads_share_out_tasks) {
    std::vector<int> done(1000, 0);
    parallel_for(done.size(), 4, [&](std::size_t task, std::size_t worker) {
        CHECK(worker < 4);
        ++done[task];
    });
    for (const int times : done) CHECK(times == 1);
    CHECK(throws<std::out_of_range>([] {
        parallel_for(100, 4, [](std::size_t task, std::size_t) {
            if (task == 50) throw std::out_of_range("the first exception is rethrown");
        });
    }));
}

TEST(threads_score_a_table) {
    const Table table(500, {2, 2, 3, 2, 4, 2, 3, 2, 2, 40}, 1);
    for (const Counter way : {Counter::bitwise, Counter::rowwise}) {
        ScoringTask task = table.task("bdeu", 3, 4);
        task.counter = way;
        Control control;
        std::atomic<bool> ended = false;
        std::thread watcher([&] {
            while (!ended) {
                CHECK(control.fraction_done() >= 0);
                std::this_thread::yield();
            }
        });
        const ScoringResult result = compute_local_scores(task, control);
        ended = true;
        watcher.join();
        CHECK(result.complete);
    }
}

TEST(threads_add_families_while_others_look) {
    constexpr std::uint32_t variables = 8;
    FamilyStore store(variables);
    const auto cost_of = [](std::uint32_t child, std::uint32_t parent) {
        return static_cast<Cost>(child * variables + parent);
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back([&] {
            for (std::uint32_t child = 0; child < variables; ++child)
                for (std::uint32_t parent = 0; parent < variables; ++parent) {
                    const Cost cost = cost_of(child, parent);
                    const FamilyId id = store.append(child, {parent}, cost);
                    CHECK(store.family(id).cost == cost);
                    CHECK(store.append(child, {parent}, cost) == id);
                }
        });
    for (auto& thread : threads) thread.join();
    CHECK(store.size() == variables * variables);
}

TEST(threads_sweep_the_order_graph) {
    const Problem problem = hard_problem(13);
    const Cost optimum = optimum_of(*problem);
    for (const char* algorithm : {"block-sweep", "auto"}) {
        SearchOptions options;
        options.algorithm = algorithm;
        options.jobs = 4;
        options.local_search = false;
        options.parameters = {{"block-bits", 4}, {"easy-expansions", 0}};
        const auto run = make_run(problem, options);
        CHECK(run->prepare());
        run->search();
        run->finish();
        check_outcome(problem, *run, optimum);
        CHECK(run->status() == Status::optimal);
        CHECK(run->snapshot().expanded > 0);
    }
    Control control;
    CHECK(sweep_order_graph(split_into_components(*problem, false).front().sets, {}, infinite_cost,
                            4, control)
              .complete);
}

TEST(threads_stay_for_many_rounds) {
    Team team(4);
    std::vector<int> done(10, 0);
    for (int round = 0; round < 1000; ++round)
        team.run(done.size(), [&](std::size_t task) { ++done[task]; });
    for (const int times : done) CHECK(times == 1000);
    CHECK(throws<std::out_of_range>([&] {
        team.run(100, [](std::size_t task) {
            if (task == 50) throw std::out_of_range("the first exception is rethrown");
        });
    }));
    team.run(done.size(), [&](std::size_t task) { ++done[task]; });
    for (const int times : done) CHECK(times == 1001);
}

TEST(threads_share_nodes) {
    const Problem problem = hard_problem(13);
    const Cost optimum = optimum_of(*problem);
    for (const char* algorithm :
         {"astar", "anytime-weighted-astar", "anytime-repairing-astar", "anytime-window-astar"}) {
        SearchOptions options;
        options.algorithm = algorithm;
        options.heuristic = "simple";
        options.jobs = 4;
        options.local_search = options.path_extension = false;
        options.parameters = {{"share-from", 1}};
        const auto run = make_run(problem, options);
        CHECK(run->prepare());
        std::atomic<bool> ended = false;
        std::thread watcher([&] { watch(*run, ended); });
        run->search();
        ended = true;
        watcher.join();
        run->finish();
        check_outcome(problem, *run, optimum);
        CHECK(run->status() == Status::optimal);
    }
}

TEST(threads_put_layers_on_disk) {
    const Problem problem = hard_problem(13);
    const Cost optimum = optimum_of(*problem);
    for (const char* algorithm : {"block-sweep", "breadth-first-bnb"}) {
        bool written = false;
        for (std::uint64_t bytes = 1'000'000; bytes > 100'000 && !written; bytes -= bytes / 10) {
            SearchOptions options;
            options.algorithm = algorithm;
            options.heuristic = "simple";
            options.jobs = 4;
            options.local_search = false;
            options.parameters = {{"block-bits", 3}, {"large-layer", 1}};
            options.limits.memory_bytes = bytes;
            options.limits.disk = std::filesystem::temp_directory_path().string();
            const auto run = make_run(problem, options);
            CHECK(run->prepare());
            run->search();
            run->finish();
            check_outcome(problem, *run, optimum);
            written = run->peak_disk_bytes() > 0;
        }
        CHECK(written);
    }
}

TEST(threads_contribute_to_a_search_and_watch_it) {
    const Problem problem = hard_problem(14);
    for (const Way& way : every_way()) {
        if (way.heuristic != "simple" && way.heuristic != SearchOptions{}.heuristic) continue;
        SearchOptions options = options_for(way);
        options.local_search = options.path_extension = false;
        options.jobs = 2;
        options.limits.expansions = 20'000;
        const auto run = make_run(problem, options);
        CHECK(run->prepare());
        std::atomic<bool> ended = false;
        std::thread watcher([&] { watch(*run, ended); });
        std::thread contributor([&] {
            CuttingPlanes planes(run->components(), 1);
            const std::size_t sets = planes.problem().sets.size();
            Point point;
            for (std::size_t s = 0; s < sets; ++s)
                if (s % 3 == 0) {
                    point.sets.push_back(static_cast<std::uint32_t>(s));
                    point.values.push_back(0.1);
                }
            Contributor& own = run->contributor();
            for (int round = 0; round < 5 && !own.stopped() && !run->solved(); ++round) {
                if (!own.expand() || !own.use_memory(1, 1000)) break;
                run->offer_network(planes.round(point, 100));
                run->offer_bound(0, run->component_bounds()[0]);
                const Cost incumbent = run->component_costs()[0] - planes.problem().base[0];
                CHECK(planes.rows().evaluate({}, {}, 0));
                planes.rows().rule_out({incumbent});
                run->rule_out(planes.ruled_out());
            }
        });
        run->search();
        contributor.join();
        ended = true;
        watcher.join();
        run->finish();
        CHECK(run->snapshot().lower_bound <= run->snapshot().cost);
    }
}

TEST(threads_stop_a_search) {
    const Problem problem = hard_problem(30);
    for (const char* algorithm : {"anytime-window-astar", "block-sweep", "hill-climbing"}) {
        SearchOptions options;
        options.algorithm = algorithm;
        options.heuristic = "simple";
        options.jobs = 2;
        const auto run = make_run(problem, options);
        std::thread stopper([&] {
            while (!run->snapshot().has_network) std::this_thread::yield();
            run->stop();
        });
        run->run();
        stopper.join();
        CHECK(run->snapshot().has_network);
    }
}

TEST(threads_count_for_a_search_from_a_table) {
    const Table table(300, {2, 3, 2, 4, 2, 2, 3, 2}, 1);
    for (const auto& [name, entry] : AlgorithmRegistry::entries()) {
        if (!entry.make.run_on_data) continue;
        SearchOptions options;
        options.algorithm = name;
        options.jobs = 4;
        options.limits.expansions = 500;
        DataRun run(table.task("mdl", 3, 4), options, {});
        std::atomic<bool> ended = false;
        std::thread watcher([&] {
            watch(run, ended);
            run.parents();
        });
        run.run();
        ended = true;
        watcher.join();
        CHECK(!run.parents().empty());
    }
}

// So many rows that all chains begin on a part of them.
TEST(threads_search_orders_from_the_same_rows) {
    const Table table(9000, {2, 3, 2, 2, 3}, 3);
    SearchOptions options;
    options.algorithm = "best-order-search";
    options.parameters = {{"generations", 1}, {"chains", 4}};
    Cost found = infinite_cost;
    for (const std::size_t jobs : {1u, 4u}) {
        options.jobs = jobs;
        DataRun run(table.task("mdl", 3, jobs), options, {});
        run.run();
        CHECK(run.status() == Status::finished);
        if (jobs > 1) CHECK(run.snapshot().cost == found);
        found = run.snapshot().cost;
    }
}

}  // namespace
}  // namespace anytimebn::test
