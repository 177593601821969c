// The parents that a variable gets when it may choose among those before it in an order: grown one
// by one, the best first, then shrunk, and so on while that helps (Lam, Andrews & Ramsey 2022).
//
// What growing has found out is kept as a graph for each child. A node is a set of parents with its
// cost, the further parents that would help in the order of the costs that they lead to, and the
// node that shrinking leads to. Different ways to grow meet in the same nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "arcs/graph.h"
#include "arcs/local_costs.h"
#include "base/arena.h"

namespace anytimebn {

// More than any child costs; sums over thousands of children do not overflow.
constexpr Cost unaffordable = Cost{1} << 50;

// Thrown where costs can no longer be had, because the budget has ended.
struct OutOfBudget {};

// The parents of one child, by a node of its graph or by a family of its pool.
struct Traced {
    static constexpr std::uint32_t none = UINT32_MAX;
    Cost cost = unaffordable;
    std::uint32_t node = 0;
    std::uint32_t pooled = none;
    bool operator==(const Traced&) const = default;
};

// Of one thread.
class GrowShrinkGraphs {
 public:
    explicit GrowShrinkGraphs(LocalCosts& costs);

    // The parents of a child among the variables `before` it. They stay the same unless one on the
    // `path` leaves or one of those `skipped` joins: these bits are set, none is cleared.
    Traced trace(std::uint32_t child, const std::uint64_t* before, std::uint64_t* path,
                 std::uint64_t* skipped);
    std::span<const std::uint32_t> parents(std::uint32_t child, const Traced& traced) const;
    // What a child costs with nothing but its required parents.
    Cost least_parents_cost(std::uint32_t child);

    // Grows from these parents instead, which by themselves need not help: parents that help only
    // together are found by no other way. If that leads to a family that costs less than `below`,
    // it goes to the pool.
    bool grow_from(std::uint32_t child, const Parents& first, const std::uint64_t* before,
                   Cost below);

    // Families that may be chosen even where growing does not find them. What was traced with
    // another pool is void.
    void set_pool(std::uint32_t child, std::vector<std::pair<Cost, Parents>> families);
    void clear_pools();

    // Forgets all nodes; what was traced is void.
    void forget();
    // Changes whenever what was traced becomes void.
    std::uint64_t epoch() const { return epoch_; }
    std::uint64_t nodes() const;
    std::uint64_t memory_bytes() const { return lists_.memory_bytes() + bytes_; }

 private:
    // Its lists lie in the arena.
    struct Node {
        Cost cost = 0;
        const std::uint32_t* parents = nullptr;
        // By cost; in separate lists, because the first fitting one is all that is looked for.
        const std::uint32_t* variables = nullptr;
        const Cost* costs = nullptr;
        std::uint32_t* next = nullptr;        // most nodes that are grown are never left
        const std::uint64_t* bits = nullptr;  // of the variables
        std::uint32_t parent_count = 0, count = 0;
        std::uint32_t smaller = Traced::none;  // where shrinking ends, if not here
        bool grown = false, shrunk = false;

        std::span<const std::uint32_t> members() const { return {parents, parent_count}; }
    };
    struct Pooled {
        Cost cost;
        Parents parents;
        std::vector<std::uint64_t> bits;
    };
    struct ChildGraph {
        std::vector<Node> nodes;            // the first one has the required parents
        std::vector<std::uint32_t> places;  // of nodes, by their parents: a hash table
        std::vector<Pooled> pool;           // by cost
    };

    void plant(std::uint32_t child);
    std::uint32_t follow(std::uint32_t child, std::uint32_t node, const std::uint64_t* before,
                         std::uint64_t* path, std::uint64_t* skipped);
    Pooled pooled(Cost cost, Parents parents) const;
    std::uint32_t node_of(std::uint32_t child, const Parents& parents, Cost cost);
    static std::size_t place_of(const ChildGraph& graph, std::span<const std::uint32_t> parents);
    void make_places(ChildGraph& graph);
    const Parents& listed(const Node& node);
    void grow(std::uint32_t child, std::uint32_t node);
    std::uint32_t next(std::uint32_t child, std::uint32_t node, std::size_t choice);
    std::uint32_t shrink(std::uint32_t child, std::uint32_t node);

    LocalCosts& costs_;
    std::size_t words_;
    std::vector<std::unique_ptr<ChildGraph>> graphs_;
    Arena lists_;
    std::vector<Step> steps_;
    Parents listed_;
    std::uint64_t bytes_ = 0, epoch_ = 1;  // without those of the lists
};

}  // namespace anytimebn
