// Families of good networks, so that the best of several searches can be put together.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "orders/order_state.h"

namespace anytimebn {

class FamilyPool {
 public:
    explicit FamilyPool(std::size_t variables) : families_(variables) {}

    // The families of a network; a better network makes a family better.
    void add(const OrderState& state);
    void add(const FamilyPool& other);
    // Those of the best networks, at most so many, with what they cost.
    std::vector<std::pair<Cost, Parents>> best(std::uint32_t child, std::size_t most) const;

 private:
    struct Family {
        Cost cost;
        Cost network;  // the best that has it
    };
    void keep(std::uint32_t child, const Parents& parents, const Family& family);

    std::vector<std::map<Parents, Family>> families_;
};

}  // namespace anytimebn
