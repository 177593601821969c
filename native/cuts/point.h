// A solution of the linear program: the parent sets with a value above 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace anytimebn {

struct Point {
    std::vector<std::uint32_t> sets;
    std::vector<double> values;  // by position in `sets`

    std::size_t size() const { return sets.size(); }
};

// The same by number of the set, so that the sets of a child are found at once.
class SortedPoint {
 public:
    explicit SortedPoint(const Point& point) {
        for (std::size_t i = 0; i < point.size(); ++i)
            entries_.emplace_back(point.sets[i], point.values[i]);
        std::sort(entries_.begin(), entries_.end());
    }

    // body(set, value) for the sets from `first` up to, not including, `last`.
    template <class Body>
    void for_each(std::size_t first, std::size_t last, Body&& body) const {
        auto entry = std::lower_bound(entries_.begin(), entries_.end(), first,
                                      [](const auto& e, std::size_t set) { return e.first < set; });
        for (; entry != entries_.end() && entry->first < last; ++entry)
            body(entry->first, entry->second);
    }

 private:
    std::vector<std::pair<std::uint32_t, double>> entries_;
};

}  // namespace anytimebn
