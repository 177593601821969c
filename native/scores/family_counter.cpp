#include "scores/family_counter.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "base/checkpoint.h"

namespace anytimebn {
namespace {

// Counting a class by its mask reads 64 rows at once, a histogram one at a time.
constexpr std::size_t most_masked_counts = 128;

// Bit j of word i becomes bit i of word j (Warren, Hacker's Delight, 7-3): squares of half the size
// change places, and so do squares within these.
void transpose(std::uint64_t* square) {
    std::uint64_t low = 0xffffffffu;  // of each pair of squares, the columns of the first
    for (std::size_t half = 32; half > 0; half /= 2, low ^= low << half)
        for (std::size_t i = 0; i < 64; i = ((i | half) + 1) & ~half) {
            const std::uint64_t change = ((square[i] >> half) ^ square[i | half]) & low;
            square[i] ^= change << half;
            square[i | half] ^= change;
        }
}

// Up to which it is faster to go through the distinct rows for each candidate than through all rows
// once for all candidates. In words looked at, as in `one_pass_pays`: a histogram was measured to
// take as long as half a word for each candidate and row, and is assumed to take twice as long, so
// that rows are merged only where that clearly pays.
std::size_t most_distinct_rows(const ScoringTask& task) {
    std::size_t bits = 0;
    for (const int arity : task.arities) bits += static_cast<std::size_t>(arity) - 1;
    const std::size_t blocks = bits / bits_of_a_block + 1;
    return std::min(task.rows / 2, (10 + 8 * blocks) * task.rows / (12 + task.variables()));
}

}  // namespace

CountedTable::CountedTable(const ScoringTask& task, std::uint64_t most_plane_bytes,
                           bool may_merge_rows)
    : task_(task),
      score_(score_of(task)),
      distinct_(task.codes, task.rows, may_merge_rows ? most_distinct_rows(task) : 0),
      rows_(distinct_.found() ? distinct_.weights.size() : task.rows),
      words_((rows_ + 63) / 64),
      first_plane_(task.variables(), none),
      first_bit_(task.variables(), none),
      position_(task.variables()) {
    if (score_->counted() == nullptr)
        throw std::invalid_argument(task.score + " is no score of counts: it needs parent sets");
    std::vector<std::uint32_t> by_arity(task.variables());
    std::iota(by_arity.begin(), by_arity.end(), 0);
    std::stable_sort(by_arity.begin(), by_arity.end(), [&](std::uint32_t a, std::uint32_t b) {
        return task.arities[a] < task.arities[b];
    });
    for (std::uint32_t p = 0; p < by_arity.size(); ++p) position_[by_arity[p]] = p;
    if (distinct_.found()) return;  // bits have no weights
    pack_columns(most_plane_bytes);
}

void CountedTable::pack_columns(std::uint64_t most_bytes) {
    std::size_t planes = 0;
    for (std::uint32_t v = 0; v < task_.variables(); ++v) {
        const std::size_t own = static_cast<std::size_t>(task_.arities[v]) - 1;
        if (own >= most_planes || (planes + own) * words_ * 8 > most_bytes) continue;
        first_plane_[v] = planes;
        planes += own;
    }
    planes_.assign(planes * words_, 0);
    for (std::uint32_t v = 0; v < task_.variables(); ++v)
        if (first_plane_[v] != none) make_planes(v);
    // All columns or none: one that is left out would cost another pass.
    const std::uint64_t left = most_bytes - planes_.size() * 8;
    const std::size_t blocks = (planes + bits_of_a_block - 1) / bits_of_a_block;
    if (blocks * rows_ > left / (bits_of_a_block / 8)) return;
    blocks_ = blocks;
    first_bit_ = first_plane_;
    make_row_bits(planes);
}

// Without a branch that depends on the data, which would take longer than all the rest.
void CountedTable::make_planes(std::uint32_t variable) {
    const std::uint16_t* const codes = this->codes(variable);
    const auto arity = static_cast<std::size_t>(task_.arities[variable]);
    std::uint64_t* const planes = planes_.data() + first_plane_[variable] * words_;
    for (std::size_t word = 0; word < words_; ++word) {
        const std::size_t first = word * 64, count = std::min<std::size_t>(64, rows_ - first);
        std::uint64_t bits[most_planes + 1] = {};  // by value; those of value 0 are not kept
        if (arity == 2)
            for (std::size_t i = 0; i < count; ++i) bits[1] |= std::uint64_t{codes[first + i]} << i;
        else
            for (std::size_t i = 0; i < count; ++i) bits[codes[first + i]] |= std::uint64_t{1} << i;
        for (std::size_t value = 1; value < arity; ++value)
            planes[(value - 1) * words_ + word] = bits[value];
    }
}

// Squares of 64 columns by 64 rows, one after the other.
void CountedTable::make_row_bits(std::size_t planes) {
    constexpr std::size_t words_of_a_block = bits_of_a_block / 64;
    row_bits_.assign(blocks_ * rows_, {});
    for (std::size_t word = 0; word < words_; ++word) {
        const std::size_t first = word * 64, count = std::min<std::size_t>(64, rows_ - first);
        for (std::size_t begin = 0; begin < planes; begin += 64) {
            std::uint64_t square[64] = {};
            for (std::size_t k = 0; k < 64 && begin + k < planes; ++k)
                square[k] = planes_[(begin + k) * words_ + word];
            transpose(square);
            const std::size_t part = begin / 64;
            for (std::size_t i = 0; i < count; ++i)
                row_bits_[(first + i) * blocks_ + part / words_of_a_block]
                    .words[part % words_of_a_block] = square[i];
        }
    }
}

FamilyCounter::FamilyCounter(const CountedTable& table, const Control& control)
    : table_(table),
      control_(control),
      kernels_(kernels()),
      joint_(table.score().joint_cells()),
      joint_tables_(joint_, table.total_weight(), control) {}

std::uint64_t FamilyCounter::memory_bytes() const {
    std::uint64_t bytes = joint_tables_.memory_bytes() + masks_.size() * 8 + keys_.size() * 8;
    for (const auto& [arity, tables] : term_tables_) bytes += tables.memory_bytes();
    bytes += 2 * cell_of_.size() + sizeof(Sums) * sums_.size();
    bytes += 4 * (cell_rows_.size() + cell_totals_.size() + bit_counts_.size());
    return bytes + 4 * (class_of_.size() + sorted_rows_.size() + counts_.size() + number_.size() +
                        class_rows_.size() + class_begin_.size() + plane_counts_.size());
}

// Splits the classes by the values of a variable. Numbers ascend with the old number and then the
// value, so that the classes of a parent configuration stay together.
void FamilyCounter::refine(std::uint32_t variable) {
    const auto arity = static_cast<std::size_t>(table_.arity(variable));
    if (arity == 1) return;
    const std::uint16_t* const codes = table_.codes(variable);
    const std::size_t rows = table_.rows(), possible = class_count_ * arity;
    if (possible <= 4 * rows + 1024) {
        number_.assign(possible, 0);
        for (std::size_t row = 0; row < rows; ++row)
            number_[class_of_[row] * arity + codes[row]] = 1;
        std::uint32_t next = 0;
        for (std::uint32_t& number : number_) {
            const std::uint32_t seen = number;
            number = next;
            next += seen;
        }
        for (std::size_t row = 0; row < rows; ++row)
            class_of_[row] = number_[class_of_[row] * arity + codes[row]];
        class_count_ = next;
        return;
    }
    keys_.resize(rows);
    const auto key = [&](std::size_t row) {
        return std::uint64_t{class_of_[row]} * arity + codes[row];
    };
    for (std::size_t row = 0; row < rows; ++row) keys_[row] = key(row);
    std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
    for (std::size_t row = 0; row < rows; ++row)
        class_of_[row] = static_cast<std::uint32_t>(
            std::lower_bound(keys_.begin(), keys_.end(), key(row)) - keys_.begin());
    class_count_ = keys_.size();
}

void FamilyCounter::order_for_multiplying(std::uint32_t child,
                                          std::span<const std::uint32_t> parents) {
    const auto by_position = [&](std::uint32_t a, std::uint32_t b) {
        return table_.position(a) < table_.position(b);
    };
    const auto& required = table_.required()[child];
    required_.clear();
    descending_.clear();
    for (const std::uint32_t parent : parents) {
        const bool is_required =
            std::find(required.begin(), required.end(), parent) != required.end();
        (is_required ? required_ : descending_).push_back(parent);
    }
    std::sort(required_.begin(), required_.end(), by_position);
    std::sort(descending_.rbegin(), descending_.rend(), by_position);
    values_ = {};
}

void FamilyCounter::classify(std::uint32_t child, std::span<const std::uint32_t> parents) {
    order_for_multiplying(child, parents);
    const std::size_t rows = table_.rows();
    class_of_.assign(rows, 0);
    class_count_ = 1;
    for (const std::uint32_t parent : parents) refine(parent);
    // The configuration of each class: classes of one are next to each other.
    const std::size_t configs = class_count_;
    std::vector<std::uint32_t> config_of(class_of_);
    refine(child);
    class_rows_.assign(class_count_, 0);
    config_begin_.assign(configs + 1, static_cast<std::uint32_t>(class_count_));
    const std::uint32_t* const weights = table_.weights();
    for (std::size_t row = 0; row < rows; ++row) {
        class_rows_[class_of_[row]] += weights ? weights[row] : 1;
        std::uint32_t& begin = config_begin_[config_of[row]];
        begin = std::min(begin, class_of_[row]);
    }
    masks_.clear();
    sorted_rows_.clear();
}

// Visits the parents, with one more if `extra` is one and without `missing`, in the order in which
// scoring multiplies.
template <class Body>
void FamilyCounter::multiply(std::uint32_t extra, std::uint32_t missing, Body&& body) const {
    for (const std::uint32_t parent : required_)
        if (parent != missing) body(table_.arity(parent));
    bool pending = extra != nobody;
    for (const std::uint32_t parent : descending_) {
        if (parent == missing) continue;
        if (pending && table_.position(extra) > table_.position(parent)) {
            body(table_.arity(extra));
            pending = false;
        }
        body(table_.arity(parent));
    }
    if (pending) body(table_.arity(extra));
}

// False if the joint table is too large for the score.
bool FamilyCounter::look_up(std::uint32_t child, std::uint32_t extra, std::uint32_t missing) {
    double cells = 1;
    multiply(extra, missing, [&](int arity) { cells *= arity; });
    const int arity = table_.arity(child);
    if (cells * arity > table_.score().most_cells()) return false;
    if (values_.parent_cells == cells) return true;
    values_.parent_cells = cells;
    values_.family_cells = cells * arity;
    values_.parents = joint_tables_.get(cells);
    values_.family = joint_tables_.get(cells * arity);
    if (table_.score().has_parent_term() && values_.term == nullptr) {
        auto found = term_tables_.find(arity);
        if (found == term_tables_.end()) {
            const CellFunction& function =
                term_functions_.try_emplace(arity, table_.score().parent_cells(arity))
                    .first->second;
            found =
                term_tables_.try_emplace(arity, function, table_.total_weight(), control_).first;
        }
        values_.term = found->second.get(1).value;
    }
    return true;
}

double FamilyCounter::combine(const Sums& sums, std::uint32_t child, std::uint32_t extra,
                              std::uint32_t missing) const {
    // Tables of cell values are left unfinished when all is to stop: no such number gets out.
    if (control_.stopped()) throw WorkStopped{};
    double cost = joint_tables_.to_nats(sums.parents) + values_.parents.constant;
    cost -= joint_tables_.to_nats(sums.family) + values_.family.constant;
    if (values_.term != nullptr) cost += joint_tables_.to_nats(sums.term);
    double penalty = table_.score().penalty(table_.arity(child));
    multiply(extra, missing, [&](int arity) { penalty *= arity; });
    return cost + penalty;
}

FamilyCounter::Sums FamilyCounter::sum_of_classes() const {
    Sums sums;
    for (std::size_t j = 0; j + 1 < config_begin_.size(); ++j) {
        std::uint32_t total = 0;
        for (std::uint32_t c = config_begin_[j]; c < config_begin_[j + 1]; ++c) {
            sums.family += values_.family.value[class_rows_[c]];
            total += class_rows_[c];
        }
        sums.parents += values_.parents.value[total];
        if (values_.term != nullptr) sums.term += values_.term[total];
    }
    return sums;
}

double FamilyCounter::cost(std::uint32_t child, std::span<const std::uint32_t> parents) {
    if (table_.arity(child) == 1) return 0;
    if (const std::size_t cells = dense_cells(child, parents); cells > 0) {
        order_for_multiplying(child, parents);
        if (!look_up(child, nobody, nobody)) return std::numeric_limits<double>::infinity();
        if (!cells_are_of(child, parents)) count_cells(child, parents, cells);
        return combine(sum_of_cell_totals(static_cast<std::size_t>(table_.arity(child))), child,
                       nobody, nobody);
    }
    classify(child, parents);
    if (!look_up(child, nobody, nobody)) return std::numeric_limits<double>::infinity();
    return combine(sum_of_classes(), child, nobody, nobody);
}

bool FamilyCounter::additions(std::uint32_t child, std::span<const std::uint32_t> parents,
                              std::span<const std::uint32_t> candidates, double* costs,
                              const std::function<bool()>& stopped) {
    if (table_.arity(child) == 1) {
        std::fill(costs, costs + candidates.size(), 0.0);
        return true;
    }
    if (const std::size_t cells = dense_cells(child, parents);
        cells > 0 && one_pass_pays(cells, parents.size(), candidates.size())) {
        order_for_multiplying(child, parents);
        count_cells(child, parents, cells);
        sort_rows_by_cell(static_cast<std::size_t>(table_.arity(child)));
        return count_in_one_pass(child, candidates, costs, stopped);
    }
    classify(child, parents);
    constexpr std::size_t rows_between_checks = std::size_t{1} << 20;
    std::size_t unchecked = table_.rows();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        unchecked += table_.rows() / 8;
        if (unchecked >= rows_between_checks) {
            unchecked = 0;
            if (stopped()) return false;
        }
        const std::uint32_t candidate = candidates[i];
        if (!look_up(child, candidate, nobody)) {
            costs[i] = std::numeric_limits<double>::infinity();
            continue;
        }
        costs[i] = combine(sum_with(candidate), child, candidate, nobody);
    }
    return true;
}

// Sums over the cells that the candidate cuts the classes into, by the fastest way to count them.
FamilyCounter::Sums FamilyCounter::sum_with(std::uint32_t candidate) {
    const auto arity = static_cast<std::size_t>(table_.arity(candidate));
    if (arity == 1) return sum_of_classes();
    if (table_.plane(candidate, 1) != nullptr && class_count_ * (arity - 1) <= most_masked_counts) {
        if (masks_.empty()) make_masks();
        return arity == 2 ? sum_binary(candidate) : sum_by_planes(candidate);
    }
    if (class_count_ * arity <= 4 * table_.rows()) return sum_by_histogram(candidate);
    if (sorted_rows_.empty()) sort_rows();
    return sum_by_sorted_rows(candidate);
}

void FamilyCounter::make_masks() {
    masks_.assign(class_count_ * table_.words(), 0);
    for (std::size_t row = 0; row < table_.rows(); ++row)
        masks_[class_of_[row] * table_.words() + row / 64] |= std::uint64_t{1} << (row % 64);
}

FamilyCounter::Sums FamilyCounter::sum_binary(std::uint32_t candidate) {
    plane_counts_.resize(class_count_);
    kernels_.count_masks(table_.plane(candidate, 1), masks_.data(), class_count_, table_.words(),
                         plane_counts_.data());
    const std::int64_t* const family = values_.family.value;
    Sums sums;
    for (std::size_t j = 0; j + 1 < config_begin_.size(); ++j) {
        std::uint32_t ones = 0, total = 0;
        for (std::uint32_t c = config_begin_[j]; c < config_begin_[j + 1]; ++c) {
            sums.family += family[plane_counts_[c]] + family[class_rows_[c] - plane_counts_[c]];
            ones += plane_counts_[c];
            total += class_rows_[c];
        }
        sums.parents += values_.parents.value[ones] + values_.parents.value[total - ones];
        if (values_.term != nullptr) sums.term += values_.term[ones] + values_.term[total - ones];
    }
    return sums;
}

FamilyCounter::Sums FamilyCounter::sum_by_planes(std::uint32_t candidate) {
    const auto arity = static_cast<std::size_t>(table_.arity(candidate));
    counts_.resize(class_count_ * arity);
    for (std::size_t c = 0; c < class_count_; ++c) counts_[c * arity] = class_rows_[c];
    plane_counts_.resize(class_count_);
    for (std::size_t value = 1; value < arity; ++value) {
        kernels_.count_masks(table_.plane(candidate, static_cast<int>(value)), masks_.data(),
                             class_count_, table_.words(), plane_counts_.data());
        for (std::size_t c = 0; c < class_count_; ++c) {
            counts_[c * arity + value] = plane_counts_[c];
            counts_[c * arity] -= plane_counts_[c];
        }
    }
    return sum_of_cells(arity);
}

FamilyCounter::Sums FamilyCounter::sum_by_histogram(std::uint32_t candidate) {
    const auto arity = static_cast<std::size_t>(table_.arity(candidate));
    const std::uint16_t* const codes = table_.codes(candidate);
    counts_.assign(class_count_ * arity, 0);
    if (const std::uint32_t* const weights = table_.weights())
        for (std::size_t row = 0; row < table_.rows(); ++row)
            counts_[class_of_[row] * arity + codes[row]] += weights[row];
    else
        for (std::size_t row = 0; row < table_.rows(); ++row)
            ++counts_[class_of_[row] * arity + codes[row]];
    return sum_of_cells(arity);
}

FamilyCounter::Sums FamilyCounter::sum_of_cells(std::size_t arity) {
    Sums sums;
    totals_.resize(arity);
    for (std::size_t j = 0; j + 1 < config_begin_.size(); ++j) {
        std::fill(totals_.begin(), totals_.end(), 0);
        for (std::uint32_t c = config_begin_[j]; c < config_begin_[j + 1]; ++c)
            for (std::size_t value = 0; value < arity; ++value) {
                const std::uint32_t count = counts_[c * arity + value];
                sums.family += values_.family.value[count];
                totals_[value] += count;
            }
        for (const std::uint32_t total : totals_) sums.parents += values_.parents.value[total];
        if (values_.term != nullptr)
            for (const std::uint32_t total : totals_) sums.term += values_.term[total];
    }
    return sums;
}

void FamilyCounter::sort_rows() {
    class_begin_.assign(class_count_ + 1, 0);
    for (const std::uint32_t c : class_of_) ++class_begin_[c + 1];
    for (std::size_t c = 0; c < class_count_; ++c) class_begin_[c + 1] += class_begin_[c];
    sorted_rows_.resize(table_.rows());
    std::vector<std::uint32_t> next(class_begin_);
    for (std::uint32_t row = 0; row < table_.rows(); ++row)
        sorted_rows_[next[class_of_[row]]++] = row;
}

// A range of rows is passed twice, so that no array of all values needs clearing for it.
FamilyCounter::Sums FamilyCounter::sum_by_sorted_rows(std::uint32_t candidate) {
    const std::uint16_t* const codes = table_.codes(candidate);
    const std::uint32_t* const weights = table_.weights();
    totals_.assign(static_cast<std::size_t>(table_.arity(candidate)), 0);
    const auto visit = [&](std::uint32_t begin, std::uint32_t end, auto&& cell) {
        for (std::uint32_t i = begin; i < end; ++i)
            totals_[codes[sorted_rows_[i]]] += weights ? weights[sorted_rows_[i]] : 1;
        for (std::uint32_t i = begin; i < end; ++i) {
            std::uint32_t& count = totals_[codes[sorted_rows_[i]]];
            if (count > 0) cell(count);
            count = 0;
        }
    };
    Sums sums;
    for (std::size_t c = 0; c < class_count_; ++c)
        visit(class_begin_[c], class_begin_[c + 1],
              [&](std::uint32_t count) { sums.family += values_.family.value[count]; });
    for (std::size_t j = 0; j + 1 < config_begin_.size(); ++j)
        visit(class_begin_[config_begin_[j]], class_begin_[config_begin_[j + 1]],
              [&](std::uint32_t count) {
                  sums.parents += values_.parents.value[count];
                  if (values_.term != nullptr) sums.term += values_.term[count];
              });
    return sums;
}

}  // namespace anytimebn
