// Breadth-first search of the order graph in layers that are sorted runs (run/sorted_run.h), after
// Malone, Yuan, Hansen & Bridges 2011: a layer is read from its beginning to its end, by as many
// threads as there are; what it leads to is collected in buffers, and a full buffer is sorted and
// becomes a run. Several runs of a layer are merged before it is expanded, and only then are
// duplicates found (delayed duplicate detection). Runs are kept in memory as long as it suffices
// and go to disk then, if there is one.
//
// A layer is pruned by the network that was known when it began, and what it finds counts when it
// ends. So nothing depends on the order within a layer: results, bounds and the nodes that are
// counted are the same for any number of threads, in memory and on disk.
//
// There are no back-pointers: the path is found from exact costs, in the layers behind, which are
// kept until their room is needed. A path that leads into layers that are gone is searched for
// again, among the subsets of where it was lost.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "heuristics/heuristic.h"
#include "order_graph/path_extension.h"
#include "run/algorithm.h"
#include "run/sorted_run.h"

namespace anytimebn {

// Of components with at most 64 variables.
class Frontier {
 public:
    Frontier(SearchContext& context, const Heuristic& heuristic);

    // What others have in use, until they give it back.
    void set_other_memory(std::uint64_t bytes) { other_bytes_ = bytes; }
    // A node to go on with, counted as stored by whoever found it. False if there is no room.
    bool add(std::uint64_t set, Cost cost);
    // Expands all layers, unless the budget ends.
    void run();

 private:
    using Set = VariableSet<1>;

    struct Layer {
        std::vector<SortedRun> runs;  // of nodes to expand
        Cost lowest_f = infinite_cost;
        std::uint64_t added = 0;  // from outside
        SortedRun whole;          // once it is complete
    };
    // The cheapest way to the goal.
    struct Goal {
        Cost cost = infinite_cost;
        std::uint64_t from = 0;  // the set before it
        Cost cost_before = 0;
    };
    struct Worker {
        std::vector<std::vector<RunNode>> found;  // by layer
        std::size_t found_count = 0, most_found = 0;
        std::vector<Cost> lowest_f;  // by layer
        Goal goal;
        std::vector<RunNode> nodes;  // scratch
        std::vector<std::uint64_t> sets;
        std::vector<std::uint32_t> missing;
        std::vector<Cost> h, h_added;
    };
    class Ended {};  // thrown in any thread when there is no room, caught where layers begin

    // One that looks for the cheapest way to a set, of those that lead to networks of at most the
    // given cost.
    Frontier(const Frontier& whole, std::uint64_t goal, Cost most);

    bool search(bool report);
    void merge(std::size_t layer);
    SortedRun merged(std::vector<SortedRun> runs, std::size_t first_worker, std::size_t jobs);
    void expand(std::size_t layer);
    std::uint64_t expand_part(Worker& worker, const SortedRun& run, std::size_t part);
    void reach(Worker& worker, std::uint64_t set, Cost cost, Cost f);
    void flush(Worker& worker, std::size_t most_left);
    void keep(std::size_t layer, std::vector<RunNode>& nodes, std::size_t worker);
    Goal best_goal() const;
    void take_goal();
    void report_layer(std::size_t next);
    bool append_order(std::uint64_t set, Cost cost, Cost most, std::vector<std::uint32_t>& order);
    bool find_before(std::uint64_t set, Cost cost, RunNode& before);

    bool look_around(std::size_t worker);
    std::uint64_t reserved() const;
    std::uint64_t in_use() const;
    bool make_room(std::uint64_t bytes);
    bool move_one_to_disk();
    void on_disk(const std::function<bool()>& write);
    bool drop_one();

    SearchContext& context_;
    const Heuristic& heuristic_;
    const Component& component_;
    const PathExtension<1> extension_;
    const std::uint64_t goal_;
    Cost limit_;  // nodes with this f or more are of no use
    const std::size_t jobs_;
    std::size_t part_nodes_, buffer_nodes_;
    std::vector<Worker> workers_;
    std::atomic<bool> halted_{false};

    std::mutex mutex_;  // of the following
    std::vector<Layer> layers_;
    std::size_t oldest_ = 0, current_ = 0;  // of whole layers
    std::uint64_t run_bytes_ = 0, other_bytes_ = 0, stored_ = 0;
    std::uint64_t told_bytes_ = 0;  // when the last layer ended
};

}  // namespace anytimebn
