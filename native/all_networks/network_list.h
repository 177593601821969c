// All networks whose cost is at most so much above the optimum, the best first, each once.
//
// A* over the order graph from its end: a node has placed some variables last, each with one of its
// families, and is left with a set U. What U costs at least is known from tables (cost_tables.h),
// exactly where these have room for all variables that depend on each other; and from rows of a
// linear program, if there are any (row_bound.h).
//
// A network has many orders, and would be found once for each. Only one counts: of all sinks of
// what is left, the one that comes last in a fixed ranking is taken. So whenever x is taken
// although z of a higher rank is left and no parent of x, z cannot be a sink any more: it is owed a
// child, and must not be taken before it has one. A node whose debts cannot be paid within the
// limit is dropped when it is made: a child of z takes a family with z, which costs at least
// `price` more than what the same child could take without, and raises the bound of the rows by
// its reduced cost.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "all_networks/cost_tables.h"
#include "all_networks/row_bound.h"
#include "base/control.h"
#include "problem/parent_sets.h"
#include "run/budget.h"

namespace anytimebn {

constexpr std::size_t most_listed_variables = 64;

class NetworkList {
 public:
    struct Options {
        Cost allowed = 0;                  // above the optimum
        std::optional<Cost> optimum;       // where it is known
        std::vector<std::uint32_t> order;  // of a good network, parents first, where it is known
        PricedRows rows;                   // for a further bound, where they are known
        std::size_t jobs = 1;
        std::size_t largest_table = most_group_variables;  // for tests: of so many variables
    };
    // Costs are regrets: those of each variable begin at 0.
    NetworkList(std::shared_ptr<const ParentSets> sets, Options options, Limits limits,
                const Control& control);

    // Whether the tables are exact, so that the optimum need not be known.
    bool is_exact() const { return exact_; }
    // Goes on until so many networks wait to be taken; false when there are no more, or a limit was
    // reached.
    bool find(std::size_t wanted);

    // What ended it; `running` until then.
    Status status() const { return status_; }
    Cost optimum() const { return optimum_; }
    std::uint64_t expanded() const { return budget_.expanded(); }
    std::uint64_t memory_bytes() const { return memory_bytes_; }
    // All further networks cost at least this; infinite if there are none.
    Cost next_cost() const { return open_.empty() ? infinite_cost : open_.front().bound; }

    struct Found {
        Cost cost;
        std::vector<std::uint32_t> sets;  // by variable: the number of its parent set
    };
    std::vector<Found> take_found() { return std::move(found_); }

 private:
    using Bits = std::uint64_t;
    struct Family {
        Bits parents;
        Cost cost;
        std::uint32_t set;
        Cost priced = 0;  // with the rows of the further bound
    };
    struct PossibleChild {
        Cost price;
        Bits with_parents;  // the child and its parents
        std::size_t child;
        Cost priced;  // with the rows of the further bound
    };
    // What is left costs at least the larger one of the two.
    struct LowerBound {
        Cost tables, rows = -infinite_cost;
        Cost lowest[most_listed_variables];  // as in RowBound

        Cost value() const { return tables > rows ? tables : rows; }
    };
    struct Group {
        std::size_t first, size;  // bits
        CostTable table;
    };
    struct Component {
        Bits members = 0;
        std::vector<Group> groups;
        Cost before = 0;  // what all components before this one cost
    };
    struct Node {
        Bits left, owed;
        Cost cost;
        std::uint32_t from, set;
    };
    struct Open {
        Cost bound;
        std::uint32_t node;
        std::uint32_t left;  // number of variables
        // The best, then the most complete, then the newest comes first: this is for a heap.
        bool operator<(const Open& other) const {
            if (bound != other.bound) return bound > other.bound;
            return left != other.left ? left > other.left : node < other.node;
        }
    };

    void lay_out();
    bool prepare();
    void make_families(const ParentSets& sets);
    void trace_order(const Component& component, std::vector<std::size_t>& rank) const;
    void rank_variables();
    void price_rows();
    void price_children(const ParentSets& sets);
    const Component& last_component(Bits left) const;
    static Cost cost_of(const Component& component, Bits left);
    void bound(const Component& component, Bits left, LowerBound& out) const;
    Cost bound_with_debts(Bits owed, Bits left, const LowerBound& bound, Cost most) const;
    void expand(std::uint32_t number);
    bool add(const Node& node, Cost bound);
    void note(const Node& last);
    bool end(Status reason);

    std::shared_ptr<const ParentSets> sets_;
    const Options options_;
    Budget budget_;
    const std::size_t n_;
    bool exact_ = true, prepared_ = false, any_found_ = false;
    Status status_ = Status::running;
    Cost optimum_ = 0, limit_ = infinite_cost;
    std::vector<std::uint32_t> variable_;  // of each bit
    std::vector<Component> components_;
    std::vector<std::size_t> component_of_;             // each bit
    std::vector<std::vector<Family>> families_;         // of each bit, cheapest first
    std::vector<std::vector<PossibleChild>> children_;  // of each bit, lowest price first
    std::vector<Bits> higher_;  // of each bit: those of its component with a higher rank
    std::optional<RowBound> row_bound_;
    std::vector<Node> nodes_;
    std::vector<Open> open_;  // a heap
    std::vector<Found> found_;
    std::uint64_t table_bytes_ = 0, memory_bytes_ = 0;
};

}  // namespace anytimebn
