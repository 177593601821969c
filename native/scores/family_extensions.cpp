// Families next to a given one, counted together: all that have one more parent in one pass over
// the rows, and all that have one less from the same table. The rows are sorted by cell (parents'
// configuration and value of the child); in each cell a positional population count tells of every
// value of every column how many rows have it.
#include <algorithm>
#include <limits>

#include "scores/family_counter.h"

namespace anytimebn {
namespace {

constexpr std::size_t most_cells = 65536;       // as many as 16 bits number
constexpr std::size_t rows_at_a_time = 4096;    // numbers of cells stay in the first-level cache
constexpr std::size_t interleaved = 4;          // histograms: equal neighbours do not wait
constexpr std::size_t most_interleaved = 4096;  // cells: more would not stay in the cache

template <std::size_t N>
using number = std::integral_constant<std::size_t, N>;

}  // namespace

std::size_t FamilyCounter::dense_cells(std::uint32_t child,
                                       std::span<const std::uint32_t> parents) const {
    const std::size_t most = std::min(most_cells, 8 * table_.rows() + 1024);
    std::size_t cells = static_cast<std::size_t>(table_.arity(child));
    for (const std::uint32_t parent : parents) {
        cells *= static_cast<std::size_t>(table_.arity(parent));
        if (cells > most) return 0;
    }
    return cells <= most ? cells : 0;
}

// The number of a row's cell has the values of the parents and then that of the child as its
// digits.
void FamilyCounter::number_cells(std::uint32_t child, std::span<const std::uint32_t> parents) {
    const std::size_t rows = table_.rows();
    cell_of_.assign(rows, 0);
    for (std::size_t first = 0; first < rows; first += rows_at_a_time) {
        std::uint16_t* const cell = cell_of_.data() + first;
        const std::size_t count = std::min(rows_at_a_time, rows - first);
        const auto append = [&](std::uint32_t variable) {
            const std::uint16_t* const codes = table_.codes(variable) + first;
            const auto arity = static_cast<std::uint16_t>(table_.arity(variable));
            for (std::size_t i = 0; i < count; ++i)
                cell[i] = static_cast<std::uint16_t>(cell[i] * arity + codes[i]);
        };
        for (const std::uint32_t parent : parents) append(parent);
        append(child);
    }
}

// Histograms of as many equal parts of the rows, one behind the other, and their sum, which is all
// there is of rows with weights.
void FamilyCounter::count_cells(std::uint32_t child, std::span<const std::uint32_t> parents,
                                std::size_t cells) {
    number_cells(child, parents);
    counted_family_.assign(1, child);
    counted_family_.insert(counted_family_.end(), parents.begin(), parents.end());
    const std::uint16_t* const cell = cell_of_.data();
    cell_totals_.assign(cells, 0);
    if (const std::uint32_t* const weights = table_.weights()) {
        for (std::size_t i = 0; i < table_.rows(); ++i) cell_totals_[cell[i]] += weights[i];
        return;
    }
    const std::size_t parts = cells <= most_interleaved ? interleaved : 1;
    const std::size_t part = table_.rows() / parts;
    cell_rows_.assign(parts * cells, 0);
    std::uint32_t* const rows = cell_rows_.data();
    if (parts == interleaved)
        for (std::size_t i = 0; i < part; ++i)
            for (std::size_t p = 0; p < interleaved; ++p) ++rows[p * cells + cell[p * part + i]];
    else
        for (std::size_t i = 0; i < part; ++i) ++rows[cell[i]];
    for (std::size_t i = parts * part; i < table_.rows(); ++i)
        ++rows[(parts - 1) * cells + cell[i]];
    for (std::size_t p = 0; p < parts; ++p)
        for (std::size_t c = 0; c < cells; ++c) cell_totals_[c] += rows[p * cells + c];
}

bool FamilyCounter::cells_are_of(std::uint32_t child,
                                 std::span<const std::uint32_t> parents) const {
    return !counted_family_.empty() && counted_family_[0] == child &&
           std::equal(counted_family_.begin() + 1, counted_family_.end(), parents.begin(),
                      parents.end());
}

// Cells without rows add nothing.
FamilyCounter::Sums FamilyCounter::sum_of_cell_totals(std::size_t child_arity) const {
    Sums sums;
    for (std::size_t begin = 0; begin < cell_totals_.size(); begin += child_arity) {
        std::uint32_t total = 0;
        for (std::size_t c = begin; c < begin + child_arity; ++c) {
            sums.family += values_.family.value[cell_totals_[c]];
            total += cell_totals_[c];
        }
        sums.parents += values_.parents.value[total];
        if (values_.term != nullptr) sums.term += values_.term[total];
    }
    return sums;
}

// Classes are the cells that have rows.
void FamilyCounter::sort_rows_by_cell(std::size_t child_arity) {
    const std::size_t cells = cell_totals_.size(), parts = cell_rows_.size() / cells;
    const std::size_t part = table_.rows() / parts;
    class_rows_.clear();
    class_begin_.clear();
    config_begin_.clear();
    std::uint32_t next = 0;
    for (std::size_t c = 0; c < cells; ++c) {
        const std::uint32_t begin = next;
        for (std::size_t p = 0; p < parts; ++p) {
            const std::uint32_t count = cell_rows_[p * cells + c];
            cell_rows_[p * cells + c] = next;
            next += count;
        }
        if (c % child_arity == 0 &&
            (config_begin_.empty() || config_begin_.back() != class_rows_.size()))
            config_begin_.push_back(static_cast<std::uint32_t>(class_rows_.size()));
        if (next == begin) continue;
        class_begin_.push_back(begin);
        class_rows_.push_back(next - begin);
    }
    class_begin_.push_back(next);
    class_count_ = class_rows_.size();
    if (config_begin_.back() != class_count_)
        config_begin_.push_back(static_cast<std::uint32_t>(class_count_));
    sorted_rows_.resize(table_.rows());
    const std::uint16_t* const cell = cell_of_.data();
    std::uint32_t* const place = cell_rows_.data();
    const auto put = [&](std::size_t p, std::size_t row) {
        sorted_rows_[place[p * cells + cell[row]]++] = static_cast<std::uint32_t>(row);
    };
    if (parts == interleaved)
        for (std::size_t i = 0; i < part; ++i)
            for (std::size_t p = 0; p < interleaved; ++p) put(p, p * part + i);
    else
        for (std::size_t i = 0; i < part; ++i) put(0, i);
    for (std::size_t row = parts * part; row < table_.rows(); ++row) put(parts - 1, row);
    masks_.clear();
}

// In words looked at, as measured: sorting rows by cell takes as long as looking at ten words of
// each, dividing them into classes at thirty and more, and counting in a class one word of a mask.
bool FamilyCounter::one_pass_pays(std::size_t cells, std::size_t parents,
                                  std::size_t candidates) const {
    if (table_.blocks() == 0) return false;
    const std::size_t rows = table_.rows(), classes = std::min(cells, rows);
    const std::size_t together = (10 + 8 * table_.blocks()) * rows + 64 * classes * table_.blocks();
    const std::size_t apart =
        (30 + 10 * parents) * rows + candidates * std::min(classes * table_.words(), 4 * rows);
    return together < apart;
}

// Of one column in one configuration, from the counts of its values (but the first) in each class.
// For the usual numbers of values the compiler knows them, and keeps all of it in registers.
template <std::size_t KnownValues>
FamilyCounter::Sums FamilyCounter::sum_of_counts(std::size_t first_bit, std::size_t values,
                                                 std::size_t first_class, std::size_t classes,
                                                 const Values& cells) const {
    constexpr bool is_known = KnownValues > 0;
    if (is_known) values = KnownValues;
    const std::size_t bits = table_.blocks() * bits_of_a_block;
    const std::int64_t* const family = cells.family.value;
    const std::uint32_t* const rows = class_rows_.data() + first_class;
    std::uint32_t totals[is_known ? KnownValues : CountedTable::most_planes] = {};
    std::uint32_t first_total = 0;
    Sums sums;
    for (std::size_t c = 0; c < classes; ++c) {
        const std::uint32_t* const count = bit_counts_.data() + c * bits + first_bit;
        std::uint32_t rest = rows[c];
        for (std::size_t v = 0; v < values; ++v) {
            sums.family += family[count[v]];
            totals[v] += count[v];
            rest -= count[v];
        }
        sums.family += family[rest];
        first_total += rest;
    }
    const auto add_total = [&](std::uint32_t total) {
        sums.parents += cells.parents.value[total];
        if (cells.term != nullptr) sums.term += cells.term[total];
    };
    add_total(first_total);
    for (std::size_t v = 0; v < values; ++v) add_total(totals[v]);
    return sums;
}

bool FamilyCounter::count_in_one_pass(std::uint32_t child,
                                      std::span<const std::uint32_t> candidates, double* costs,
                                      const std::function<bool()>& stopped) {
    struct Column {
        std::size_t index, first_bit;
        std::size_t values;
        Values look_up;
    };
    std::vector<Column> columns;
    std::vector<std::size_t> others;  // counted by themselves
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const std::uint32_t candidate = candidates[i];
        if (table_.arity(candidate) == 1 || table_.first_bit(candidate) == CountedTable::none)
            others.push_back(i);
        else if (!look_up(child, candidate, nobody))
            costs[i] = std::numeric_limits<double>::infinity();
        else
            columns.push_back({i, table_.first_bit(candidate),
                               static_cast<std::size_t>(table_.arity(candidate)) - 1, values_});
    }
    const std::size_t bits = table_.blocks() * bits_of_a_block;
    bit_counts_.resize(static_cast<std::size_t>(table_.arity(child)) * bits);
    sums_.assign(columns.size(), {});
    constexpr std::size_t rows_between_checks = std::size_t{1} << 17;
    std::size_t unchecked = table_.rows();
    for (std::size_t j = 0; j + 1 < config_begin_.size(); ++j) {
        const std::uint32_t first = config_begin_[j], last = config_begin_[j + 1];
        const std::size_t classes = last - first;
        unchecked += (class_begin_[last] - class_begin_[first]) * table_.blocks();
        if (unchecked >= rows_between_checks) {
            unchecked = 0;
            if (stopped()) return false;
        }
        for (std::size_t c = 0; c < classes; ++c)
            kernels_.count_positions(table_.row_bits(), table_.blocks(),
                                     sorted_rows_.data() + class_begin_[first + c],
                                     class_rows_[first + c], bit_counts_.data() + c * bits);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const Column& column = columns[k];
            const auto sum = [&](auto known) {
                return sum_of_counts<decltype(known)::value>(column.first_bit, column.values, first,
                                                             classes, column.look_up);
            };
            const Sums sums = column.values == 1   ? sum(number<1>{})
                              : column.values == 2 ? sum(number<2>{})
                              : column.values == 3 ? sum(number<3>{})
                                                   : sum(number<0>{});
            sums_[k].family += sums.family;
            sums_[k].parents += sums.parents;
            sums_[k].term += sums.term;
        }
    }
    for (std::size_t k = 0; k < columns.size(); ++k) {
        values_ = columns[k].look_up;
        costs[columns[k].index] = combine(sums_[k], child, candidates[columns[k].index], nobody);
    }
    for (const std::size_t i : others) {
        if (stopped()) return false;
        costs[i] =
            !look_up(child, candidates[i], nobody)
                ? std::numeric_limits<double>::infinity()
                : combine(table_.arity(candidates[i]) == 1 ? sum_of_classes()
                                                           : sum_by_sorted_rows(candidates[i]),
                          child, candidates[i], nobody);
    }
    return true;
}

void FamilyCounter::removals(std::uint32_t child, std::span<const std::uint32_t> parents,
                             double* costs) {
    if (table_.arity(child) == 1) {
        std::fill(costs, costs + parents.size(), 0.0);
        return;
    }
    const std::size_t cells = dense_cells(child, parents);
    if (cells == 0) {
        std::vector<std::uint32_t> others(parents.begin() + (parents.empty() ? 0 : 1),
                                          parents.end());
        for (std::size_t i = 0; i < parents.size(); ++i) {
            costs[i] = cost(child, others);
            if (i < others.size()) others[i] = parents[i];
        }
        return;
    }
    order_for_multiplying(child, parents);
    if (!cells_are_of(child, parents)) count_cells(child, parents, cells);
    const auto child_arity = static_cast<std::size_t>(table_.arity(child));
    std::size_t inner = child_arity;  // cells between two values of a parent
    for (std::size_t i = parents.size(); i-- > 0;) {
        const auto arity = static_cast<std::size_t>(table_.arity(parents[i]));
        if (!look_up(child, nobody, parents[i])) {
            costs[i] = std::numeric_limits<double>::infinity();
        } else {
            counts_.assign(cells / arity, 0);
            for (std::size_t outer = 0; outer < cells / (inner * arity); ++outer)
                for (std::size_t value = 0; value < arity; ++value)
                    for (std::size_t k = 0; k < inner; ++k)
                        counts_[outer * inner + k] +=
                            cell_totals_[(outer * arity + value) * inner + k];
            Sums sums;
            for (std::size_t begin = 0; begin < counts_.size(); begin += child_arity) {
                std::uint32_t total = 0;
                for (std::size_t k = begin; k < begin + child_arity; ++k) {
                    sums.family += values_.family.value[counts_[k]];
                    total += counts_[k];
                }
                sums.parents += values_.parents.value[total];
                if (values_.term != nullptr) sums.term += values_.term[total];
            }
            costs[i] = combine(sums, child, nobody, parents[i]);
        }
        inner *= arity;
    }
}

double FamilyCounter::least_cost(std::uint32_t child, std::span<const std::uint32_t> parents,
                                 std::uint32_t candidate) const {
    double penalty = table_.score().penalty(table_.arity(child));
    if (penalty <= 0) return -std::numeric_limits<double>::infinity();
    for (const std::uint32_t parent : parents) penalty *= table_.arity(parent);
    return penalty * table_.arity(candidate);
}

}  // namespace anytimebn
