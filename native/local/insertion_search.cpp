#include "local/insertion_search.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace anytimebn {
namespace {

// std::shuffle and the distributions differ between libraries; these do not.
class Random {
 public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>((engine_() >> 32) * bound >> 32);
    }
    void shuffle(std::vector<std::uint32_t>& values) {
        for (std::size_t i = values.size(); i > 1; --i)
            std::swap(values[i - 1], values[below(static_cast<std::uint32_t>(i))]);
    }

 private:
    std::mt19937_64 engine_;
};

class Searcher {
 public:
    Searcher(const Component& component, const InsertionSearch& search)
        : component_(component),
          search_(search),
          n_(component.size()),
          words_(component.best.words()),
          random_(search.seed),
          placed_(words_) {}

    bool run() {
        std::vector<std::uint32_t> current = greedy_order(), base;
        if (current.size() < n_) return false;
        Cost base_cost = infinite_cost, best_cost = infinite_cost;
        while (true) {
            Cost cost = order_cost(current);
            cost = descend(current, cost);
            if (cost < best_cost && cost < infinite_cost) {
                best_cost = cost;
                search_.improved(cost, current);
            }
            if (finished() || n_ < 3) return true;
            // Accept what is no worse, now and then also what is.
            if (cost <= base_cost || random_.below(50) == 0) {
                base = current;
                base_cost = cost;
            }
            if (random_.below(20) == 0) {
                random_.shuffle(current);
                base_cost = infinite_cost;
            } else {
                current = base;
                for (std::uint32_t move = 3 + random_.below(6); move > 0; --move)
                    move_variable(current, random_.below(static_cast<std::uint32_t>(n_)),
                                  random_.below(static_cast<std::uint32_t>(n_)));
            }
        }
    }

 private:
    bool finished() const { return queries_ >= search_.max_queries || search_.stopped(); }

    // Always the variable that loses least by coming next, so that what nobody fights about is
    // settled.
    std::vector<std::uint32_t> greedy_order() {
        std::vector<std::uint32_t> left(n_), order;
        std::iota(left.begin(), left.end(), 0u);
        random_.shuffle(left);
        std::fill(placed_.begin(), placed_.end(), 0);
        while (!left.empty()) {
            Cost lowest = infinite_cost;
            std::size_t next = 0;
            for (std::size_t i = 0; i < left.size() && lowest > 0; ++i)
                if (const Cost cost = best(left[i], placed_.data()); cost < lowest) {
                    lowest = cost;
                    next = i;
                }
            // More placed variables only help the others: who cannot be placed now never can.
            if (lowest >= infeasible) break;
            order.push_back(left[next]);
            placed_[left[next] / 64] |= bit(left[next]);
            left[next] = left.back();
            left.pop_back();
        }
        return order;
    }

    // What a variable without a fitting parent set counts: more than any network costs, but small
    // enough to add up for thousands of variables.
    static constexpr Cost infeasible = infinite_cost / 4096;

    // A variable without a fitting parent set makes an ordering infeasible, but comparable: fewer
    // such variables are better.
    Cost best(std::uint32_t child, const std::uint64_t* candidates) {
        ++queries_;
        const std::uint32_t set = component_.best.find(child, candidates);
        if (set == BestParents::none) return infeasible;
        return component_.sets.cost(component_.sets.first(child) + set);
    }

    Cost order_cost(const std::vector<std::uint32_t>& order) {
        std::fill(placed_.begin(), placed_.end(), 0);
        costs_.assign(n_, 0);
        Cost sum = 0;
        for (const std::uint32_t v : order) {
            sum += costs_[v] = best(v, placed_.data());
            placed_[v / 64] |= bit(v);
        }
        return feasible(sum);
    }
    static Cost feasible(Cost sum) { return sum >= infeasible ? infinite_cost : sum; }
    static std::uint64_t bit(std::uint32_t v) { return std::uint64_t{1} << (v % 64); }

    static void move_variable(std::vector<std::uint32_t>& order, std::size_t from, std::size_t to) {
        const auto at = [&](std::size_t i) {
            return order.begin() + static_cast<std::ptrdiff_t>(i);
        };
        if (from < to)
            std::rotate(at(from), at(from + 1), at(to + 1));
        else
            std::rotate(at(to), at(from), at(from + 1));
    }

    Cost descend(std::vector<std::uint32_t>& order, Cost) {
        std::vector<std::uint32_t> queue(n_);
        std::iota(queue.begin(), queue.end(), 0u);
        for (bool improved = true; improved && !finished();) {
            improved = false;
            random_.shuffle(queue);
            for (const std::uint32_t v : queue) {
                if (finished()) break;
                improved |= reinsert(order, v);
            }
        }
        return order_cost(order);
    }

    // Puts v where the ordering costs least. All places are judged by a walk of adjacent swaps in
    // each direction: a swap changes the cost of the two swapped variables only.
    bool reinsert(std::vector<std::uint32_t>& order, std::uint32_t v) {
        const auto from =
            static_cast<std::size_t>(std::find(order.begin(), order.end(), v) - order.begin());
        std::fill(placed_.begin(), placed_.end(), 0);
        for (std::size_t i = 0; i < from; ++i) placed_[order[i] / 64] |= bit(order[i]);
        const std::vector<std::uint64_t> before = placed_;
        const Cost own = costs_[v];

        Cost best_change = 0;
        std::size_t best_place = from;
        Cost others = 0;
        for (std::size_t q = from + 1; q < n_; ++q) {  // v moves behind order[q], which loses v
            const std::uint32_t w = order[q];
            others += best(w, placed_.data()) - costs_[w];
            placed_[w / 64] |= bit(w);
            // Later places only help v itself, and cost the others more.
            if (others - own >= best_change) break;
            const Cost change = others + best(v, placed_.data()) - own;
            if (change < best_change) {
                best_change = change;
                best_place = q;
            }
        }
        placed_ = before;
        others = 0;
        for (std::size_t q = from; q-- > 0;) {  // v moves before order[q], which gains v
            const std::uint32_t w = order[q];
            placed_[w / 64] &= ~bit(w);
            placed_[v / 64] |= bit(v);
            others += best(w, placed_.data()) - costs_[w];
            placed_[v / 64] &= ~bit(v);
            const Cost change = others + best(v, placed_.data()) - own;
            if (change < best_change) {
                best_change = change;
                best_place = q;
            }
        }
        if (best_change >= 0) return false;
        move_variable(order, from, best_place);
        refresh_costs(order, std::min(from, best_place), std::max(from, best_place));
        return true;
    }

    void refresh_costs(const std::vector<std::uint32_t>& order, std::size_t first,
                       std::size_t last) {
        std::fill(placed_.begin(), placed_.end(), 0);
        for (std::size_t i = 0; i <= last; ++i) {
            const std::uint32_t v = order[i];
            if (i >= first) costs_[v] = best(v, placed_.data());
            placed_[v / 64] |= bit(v);
        }
    }

    const Component& component_;
    const InsertionSearch& search_;
    std::size_t n_, words_;
    Random random_;
    std::vector<std::uint64_t> placed_;
    std::vector<Cost> costs_;  // of each variable in the current ordering
    std::uint64_t queries_ = 0;
};

}  // namespace

bool search_orderings(const Component& component, const InsertionSearch& search) {
    return Searcher(component, search).run();
}

}  // namespace anytimebn
