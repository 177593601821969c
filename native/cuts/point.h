// A solution of the linear program: the parent sets with a value above 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "problem/joined_problem.h"

namespace anytimebn {

struct Point {
    std::vector<std::uint32_t> sets;
    std::vector<double> values;  // by position in `sets`

    std::size_t size() const { return sets.size(); }
};

// The same by child.
class SortedPoint {
 public:
    struct Entry {
        std::uint32_t set;
        double value;
    };

    SortedPoint(const JoinedProblem& problem, const Point& point)
        : first_(problem.variables() + 1, 0), entries_(point.size()) {
        for (const std::uint32_t set : point.sets) ++first_[problem.child_of[set] + 1];
        for (std::size_t x = 0; x < problem.variables(); ++x) first_[x + 1] += first_[x];
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (std::size_t i = 0; i < point.size(); ++i)
            entries_[next[problem.child_of[point.sets[i]]]++] = {point.sets[i], point.values[i]};
        for (std::size_t x = 0; x < problem.variables(); ++x)
            std::sort(entries_.begin() + first_[x], entries_.begin() + first_[x + 1],
                      [](const Entry& a, const Entry& b) { return a.set < b.set; });
    }

    // Of a child, by ascending sets.
    std::span<const Entry> of(std::uint32_t child) const {
        return std::span(entries_).subspan(first_[child], first_[child + 1] - first_[child]);
    }

 private:
    std::vector<std::uint32_t> first_;  // by child
    std::vector<Entry> entries_;
};

}  // namespace anytimebn
