#include "local/first_order.h"

#include <numeric>
#include <utility>

namespace anytimebn {
namespace {

// Variables placed one after the other, and what each of the others would cost next.
class Placing {
 public:
    Placing(const ParentSets& sets, const Relations& relations, Checkpoint checkpoint)
        : sets_(sets),
          relations_(relations),
          checkpoint_(std::move(checkpoint)),
          placed_(sets.variables(), false),
          number_(sets.variables(), none) {
        for (std::uint32_t v = 0; v < sets.variables(); ++v)
            for (std::uint32_t i = 0; i < sets.count(v) && number_[v] == none; ++i)
                if (fits(v, i)) number_[v] = i;
    }

    std::vector<std::uint32_t> order;

    bool possible(std::uint32_t v) const { return number_[v] != none; }
    Cost cost(std::uint32_t v) const {
        if (!possible(v)) return infinite_cost;
        return sets_.cost(sets_.first(v) + number_[v]) - sets_.lowest_cost(v);
    }
    void place(std::uint32_t v) {
        order.push_back(v);
        placed_[v] = true;
        for (const auto& [child, as_child, as_parent] : relations_.neighbours(v))
            for (const std::uint32_t number : relations_.numbers(as_child)) {
                if (number >= number_[child]) break;
                if (fits(child, number)) number_[child] = number;
            }
    }

 private:
    static constexpr std::uint32_t none = BestParents::none;

    bool fits(std::uint32_t v, std::uint32_t number) {
        checkpoint_();
        for (const std::int32_t member : sets_.members(sets_.first(v) + number))
            if (!placed_[static_cast<std::size_t>(member)]) return false;
        return true;
    }

    const ParentSets& sets_;
    const Relations& relations_;
    Checkpoint checkpoint_;
    std::vector<bool> placed_;
    std::vector<std::uint32_t> number_;  // of the cheapest parent set that fits
};

}  // namespace

std::vector<std::uint32_t> greedy_order(const ParentSets& sets, const Relations& relations,
                                        Random& random, Checkpoint checkpoint) {
    Placing placing(sets, relations, std::move(checkpoint));
    std::vector<std::uint32_t> left(sets.variables());
    std::iota(left.begin(), left.end(), 0u);
    random.shuffle(left);
    while (!left.empty()) {
        Cost lowest = infinite_cost;
        std::size_t next = 0;
        for (std::size_t i = 0; i < left.size() && lowest > 0; ++i)
            if (const Cost cost = placing.cost(left[i]); cost < lowest) {
                lowest = cost;
                next = i;
            }
        // More placed variables only help the others: who cannot be placed now never can.
        if (lowest >= infinite_cost) break;
        placing.place(left[next]);
        left[next] = left.back();
        left.pop_back();
    }
    return std::move(placing.order);
}

std::vector<std::uint32_t> feasible_order(const ParentSets& sets, const Relations& relations,
                                          const std::vector<std::uint32_t>& wanted,
                                          Checkpoint checkpoint) {
    Placing placing(sets, relations, std::move(checkpoint));
    std::vector<std::uint32_t> left = wanted, waiting;
    for (bool placed = true; placed && !left.empty(); left.swap(waiting)) {
        placed = false;
        waiting.clear();
        for (const std::uint32_t v : left)
            if (placing.possible(v)) {
                placing.place(v);
                placed = true;
            } else {
                waiting.push_back(v);
            }
    }
    return std::move(placing.order);
}

std::vector<std::uint32_t> random_order(const ParentSets& sets, const Relations& relations,
                                        Random& random, Checkpoint checkpoint) {
    std::vector<std::uint32_t> wanted(sets.variables());
    std::iota(wanted.begin(), wanted.end(), 0u);
    random.shuffle(wanted);
    return feasible_order(sets, relations, wanted, std::move(checkpoint));
}

}  // namespace anytimebn
