#include "scores/set_census.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/combinatorics.h"

namespace anytimebn {

SetCensus::SetCensus(const std::vector<int>& arities, const WantedSets& wanted, std::size_t rows)
    : sizes_(wanted.max_size + 1) {
    const std::size_t n = arities.size(), top = wanted.max_size;
    const Binomials binomials(n, top);
    const auto most = static_cast<double>(rows);
    const double mean = std::accumulate(arities.begin(), arities.end(), 0.0) /
                        static_cast<double>(std::max<std::size_t>(1, n));
    for (std::size_t size = 0; size <= top; ++size) {
        Size& own = sizes_[size];
        own.all = own.sets = static_cast<double>(binomials(n, size));
        own.cells = own.sets * std::min(most, std::pow(mean, static_cast<double>(size)));
    }
    if (std::isinf(wanted.cells_below)) return;

    // Columns of one arity are chosen together: a set is known by how many it has of each.
    std::vector<std::map<double, double>> sets_of(top + 1);  // by size and cells
    sets_of[0][1] = 1;
    for (std::size_t first = 0; first < n;) {
        const int arity = arities[first];
        const auto last = static_cast<std::size_t>(
            std::upper_bound(arities.begin(), arities.end(), arity) - arities.begin());
        // Larger sets first, so that none is extended by the same columns twice.
        for (std::size_t size = top; size-- > 0;)
            for (const auto& [cells, sets] : sets_of[size]) {
                double product = cells * arity;
                for (std::size_t more = 1; more <= last - first && size + more <= top; ++more) {
                    if (product >= wanted.cells_below) break;
                    sets_of[size + more][product] +=
                        sets * static_cast<double>(binomials(last - first, more));
                    product *= arity;
                }
            }
        first = last;
    }
    for (std::size_t size = 0; size <= top; ++size) {
        Size& own = sizes_[size];
        own.sets = own.cells = 0;
        for (const auto& [cells, sets] : sets_of[size]) {
            own.sets += sets;
            own.cells += sets * std::min(cells, most);
            own.products.push_back(cells);
            own.sets_up_to.push_back(own.sets);
        }
    }
}

double SetCensus::share_below(std::size_t size, double cells) const {
    if (size >= sizes_.size() || sizes_[size].all == 0) return 0;
    const Size& own = sizes_[size];
    if (own.products.empty()) return own.sets / own.all;
    const auto end = std::lower_bound(own.products.begin(), own.products.end(), cells);
    return end == own.products.begin()
               ? 0
               : own.sets_up_to[static_cast<std::size_t>(end - own.products.begin() - 1)] / own.all;
}

}  // namespace anytimebn
