#include "scores/set_function.h"

#include <algorithm>
#include <cmath>

namespace anytimebn {

std::size_t WantedSets::fitting(const std::vector<int>& arities, std::size_t columns,
                                double cells) const {
    if (columns == 0 || cells * arities[columns - 1] < cells_below) return columns;
    const auto end = arities.begin() + static_cast<std::ptrdiff_t>(columns);
    return static_cast<std::size_t>(
        std::partition_point(arities.begin(), end,
                             [&](int arity) { return cells * arity < cells_below; }) -
        arities.begin());
}

std::size_t WantedSets::reach(const std::vector<int>& arities, std::size_t size,
                              double cells) const {
    if (size == 0) return arities.size();
    if (size > arities.size()) return 0;
    // The columns with the fewest values, and then any other.
    for (std::size_t i = 0; i + 1 < size; ++i) cells *= arities[i];
    const std::size_t fit = fitting(arities, arities.size(), cells);
    return fit < size ? 0 : fit;
}

// The finest binary unit with which no sum over all rows can overflow: a row contributes at most
// its logarithm, or the logarithm of a tiny prior.
double CellTables::unit(std::size_t rows) {
    const auto n = static_cast<double>(rows);
    const double largest_sum = (n + 1) * (std::log(n + 1) + 64);
    const int bits = std::min(44, static_cast<int>(60 - std::ceil(std::log2(largest_sum))));
    return std::ldexp(1.0, -bits);
}

CellTables::CellTables(const CellFunction& function, std::size_t rows, const Control& control)
    : function_(function),
      rows_(rows),
      control_(control),
      unit_(unit(rows)),
      units_per_nat_(1 / unit_) {
    if (!function_.cell_depends_on_table_size) shared_ = tabulate(1);
}

std::vector<std::int64_t> CellTables::tabulate(double cells) const {
    std::vector<std::int64_t> values(rows_ + 1, 0);
    for (std::size_t count = 1; count <= rows_ && !control_.stopped(); ++count)
        values[count] =
            std::llround(function_.cell(static_cast<std::int64_t>(count), cells) * units_per_nat_);
    return values;
}

const CellTables::Entry& CellTables::get(double cells) {
    const auto found = by_cells_.find(cells);
    if (found != by_cells_.end()) return found->second.entry;

    constexpr std::size_t cache_bytes = std::size_t{128} << 20;  // of a generation
    const bool full = by_cells_.size() * (rows_ + 1) * sizeof(std::int64_t) > cache_bytes;
    if (!shared_.empty() ? by_cells_.size() > 500'000 : full && by_cells_.size() > 64) {
        earlier_ = std::move(by_cells_);
        by_cells_.clear();
    }
    if (auto known = earlier_.extract(cells))
        return by_cells_.insert(std::move(known)).position->second.entry;

    Stored& stored = by_cells_[cells];
    if (shared_.empty()) stored.values = tabulate(cells);
    stored.entry = {shared_.empty() ? stored.values.data() : shared_.data(),
                    function_.constant ? function_.constant(cells) : 0.0};
    return stored.entry;
}

std::uint64_t CellTables::memory_bytes() const {
    const std::size_t entries = by_cells_.size() + earlier_.size();
    const std::size_t tables = shared_.empty() ? entries : 1;
    return tables * (rows_ + 1) * sizeof(std::int64_t) + entries * sizeof(Stored);
}

}  // namespace anytimebn
