// What searches over arcs ask: the cost of a variable with given parents. There are two sources:
// the parent sets that a problem stores, and counts of a table, made when they are asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/fixed_point.h"
#include "problem/family.h"
#include "run/budget.h"
#include "scores/row_sample.h"

namespace anytimebn {

// What networks may be, arc by arc. Parents are ascending here.
struct Permissions {
    std::vector<std::vector<bool>> allowed;  // [child][parent]
    ParentLists required;
    std::vector<std::size_t> most_parents;
    bool by_costs = false;  // any network will do: what is not allowed has no effect on its cost

    std::size_t variables() const { return allowed.size(); }
    bool is_required(std::uint32_t child, std::uint32_t parent) const;
    bool permit(std::size_t child, const Parents& parents) const;
    bool permit(const ParentLists& network) const;
};

// A parent more or less, and what the child costs then.
struct Step {
    Cost cost;
    std::uint32_t variable;
    auto operator<=>(const Step&) const = default;
};

class LocalCosts {
 public:
    virtual ~LocalCosts() = default;

    const Permissions& permissions() const { return permissions_; }
    std::size_t variables() const { return permissions_.variables(); }

    // Infinite if the child cannot have these parents.
    virtual Cost cost(std::uint32_t child, const Parents& parents) = 0;
    // row[y] becomes the cost with y as one more parent: infinite if that is not allowed, and for
    // the parents there are. False if the budget ended before all was known.
    virtual bool additions(std::uint32_t child, const Parents& parents, Cost* row) = 0;
    // Prepares for `additions` to the parents of every variable, on several threads if it pays.
    virtual void prepare(const ParentLists& /*network*/, std::size_t /*jobs*/) {}
    // Gives up what is kept and could be counted again.
    virtual void forget() {}
    virtual std::uint64_t memory_bytes() const { return 0; }
    virtual std::uint64_t scores_kept() const { return 0; }

    // row[y] becomes the cost with the parent y added or, if it is there, removed.
    bool toggles(std::uint32_t child, const Parents& parents, Cost* row);
    // Appends the further parents with which the child costs less than `below`, in any order. False
    // if the budget ended before all was known. Nothing of it is kept.
    virtual bool extensions(std::uint32_t child, const Parents& parents, Cost below,
                            std::vector<Step>& found);
    // The cheapest way to leave out one parent that is not required; infinite if there is none.
    virtual Step best_removal(std::uint32_t child, const Parents& parents);
    // The same costs for another thread, which asks `stopped` now and then.
    virtual std::unique_ptr<LocalCosts> for_thread(std::function<bool()> stopped) const = 0;
    // Of a table, to go through for each count; none if the costs are those of parent sets.
    virtual std::size_t rows() const { return 0; }
    // The costs of one row of each `every`; null if there are no rows.
    virtual std::unique_ptr<LocalCosts> of_fewer_rows(std::size_t /*every*/, std::uint64_t /*seed*/,
                                                      SamplePrice /*price*/) const {
        return nullptr;
    }

 protected:
    explicit LocalCosts(Permissions permissions) : permissions_(std::move(permissions)) {}

 private:
    Permissions permissions_;
};

// Infinite if one of them is.
Cost sum_of(const std::vector<Cost>& costs);

Parents with(const Parents& parents, std::uint32_t member);
Parents without(const Parents& parents, std::uint32_t member);

}  // namespace anytimebn
