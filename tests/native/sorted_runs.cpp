// Sorted runs: what is written is read again, in memory and on disk, whatever fails in between.
#include "run/sorted_run.h"

#include <algorithm>
#include <filesystem>
#include <random>

#include "test.h"

namespace anytimebn::test {
namespace {

std::string folder() { return std::filesystem::temp_directory_path().string(); }

// Dense and sparse stretches, and the greatest steps and costs there can be.
std::vector<RunNode> random_nodes(std::size_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::uint64_t> sets{0, 1, UINT64_MAX, UINT64_MAX - 1};
    const std::uint64_t start = random() >> 1;
    while (sets.size() < count) sets.push_back(start + (random() >> (random() % 64)) % (start / 2));
    for (std::uint64_t i = 0; i < count; ++i) sets.push_back(start + i * (seed % 3));
    std::sort(sets.begin(), sets.end());
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    std::vector<RunNode> nodes;
    const unsigned bits = 16 + static_cast<unsigned>(seed % 48);
    for (const std::uint64_t set : sets) nodes.push_back({set, random() >> bits});
    return nodes;
}

void check_equal(const SortedRun& run, const std::vector<RunNode>& nodes) {
    CHECK(run.size() == nodes.size());
    std::vector<RunNode> read;
    for (std::size_t part = 0; part < run.parts(); ++part) {
        const std::size_t begin = read.size();
        run.read(part, read);
        CHECK(read[begin].set == run.first_set(part));
    }
    CHECK(std::equal(read.begin(), read.end(), nodes.begin(), nodes.end(),
                     [](auto& a, auto& b) { return a.set == b.set && a.cost == b.cost; }));
    for (std::size_t i = 0; i < nodes.size(); i += 17) {
        CHECK(run.find(nodes[i].set) == nodes[i].cost);
        const std::uint64_t next = nodes[i].set + 1;
        if (i + 1 < nodes.size() && nodes[i + 1].set != next) CHECK(!run.find(next));
    }
}

TEST(sorted_runs_give_back_what_was_written) {
    for (std::uint64_t seed = 0; seed < 60; ++seed)
        for (const std::size_t part_nodes : {1u, 7u, 64u, 1024u}) {
            const auto nodes = random_nodes(1 + seed * 13, seed);
            SortedRun run = run_of(nodes, part_nodes);
            check_equal(run, nodes);
            DiskSpace disk(folder(), UINT64_MAX, 0);
            CHECK(run.move_to_disk(disk));
            CHECK(run.bytes_in_memory() == 0 && disk.used_bytes() == run.disk_bytes());
            check_equal(run, nodes);
            run = {};
            CHECK(disk.used_bytes() == 0 && disk.peak_bytes() > 0);
        }
}

TEST(sorted_runs_go_on_when_there_is_room_again) {
    const auto nodes = random_nodes(3000, 5);
    const std::size_t half = nodes.size() / 2;
    for (std::uint64_t refused = 1; refused < 120; ++refused) {
        DiskSpace disk(folder(), UINT64_MAX, refused);
        RunWriter writer(64);
        const auto twice = [](const auto& write) { CHECK(write() || write()); };
        for (std::size_t i = 0; i < half / 2; ++i) writer.add(nodes[i]);
        twice([&] { return writer.continue_on_disk(disk); });
        for (std::size_t i = half / 2; i < half; ++i)
            if (!writer.add(nodes[i])) CHECK(writer.end_part());
        SortedRun more =
            run_of({nodes.begin() + static_cast<std::ptrdiff_t>(half), nodes.end()}, 50);
        twice([&] { return writer.append(more); });
        SortedRun run;
        twice([&] { return writer.finish(run); });
        check_equal(run, nodes);
    }
}

TEST(sorted_runs_stay_in_memory_without_a_disk) {
    const auto nodes = random_nodes(500, 3);
    for (const auto& [where, bytes] : std::vector<std::pair<std::string, std::uint64_t>>{
             {"", UINT64_MAX}, {folder(), 10}, {folder() + "/no/such/folder", UINT64_MAX}}) {
        DiskSpace disk(where, bytes, 0);
        SortedRun run = run_of(nodes, 32);
        CHECK(!run.move_to_disk(disk));
        CHECK(disk.used_bytes() == 0);
        check_equal(run, nodes);
    }
}

}  // namespace
}  // namespace anytimebn::test
