// Counting by sorting rows: sets are built from the highest variable down, the (distinct) rows kept
// sorted by the cells of the set built so far. Work does not depend on the number of values.
#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>

#include "base/parallel.h"
#include "scores/counting.h"
#include "scores/distinct_rows.h"

namespace anytimebn {
namespace {

struct Partition {
    std::vector<std::uint32_t> rows;         // distinct rows, class after class
    std::vector<std::uint32_t> class_begin;  // into rows
    std::vector<std::uint32_t> totals;       // weight of each class
    std::vector<std::uint32_t> closed;       // weights of classes of one distinct row: they stay so
    double cells = 1;
};

class Worker {
 public:
    // Rows have weights.
    Worker(const Columns& columns, const CellFunction& function, const Binomials& binomials,
           SetValues& values, Control& control)
        : columns_(columns),
          function_(function),
          binomials_(binomials),
          values_(values),
          control_(control),
          tables_(function, columns.total_weight, control),
          partitions_(function.wanted.max_size + 1),
          count_of_(static_cast<std::size_t>(
              columns.size() ? *std::max_element(columns.arities.begin(), columns.arities.end())
                             : 1)) {
        Partition& all = partitions_[0];
        all.rows.resize(columns.rows);
        std::iota(all.rows.begin(), all.rows.end(), 0);
        all.class_begin = {0, static_cast<std::uint32_t>(all.rows.size())};
        all.totals = {static_cast<std::uint32_t>(columns.total_weight)};
    }

    // All wanted sets with this highest member; tells how many they were.
    double run(std::size_t highest) {
        counted_ = 0;
        if (function_.wanted.max_size > 0 && columns_.arities[highest] < wanted_cells())
            add(partitions_[0], highest);
        return counted_;
    }
    void record_empty() { record(partitions_[0]); }

 private:
    double wanted_cells() const { return function_.wanted.cells_below; }

    void record(const Partition& partition) {
        const auto& table = tables_.get(partition.cells);
        std::int64_t sum = 0;
        for (const std::uint32_t total : partition.totals) sum += table.value[total];
        for (const std::uint32_t weight : partition.closed) sum += table.value[weight];
        store(sum, table);
    }

    void store(std::int64_t sum, const CellTables::Entry& table) {
        std::size_t rank = 0;
        for (std::size_t i = 0; i < members_.size(); ++i)
            rank += binomials_(members_[i], members_.size() - i);
        values_[members_.size()][rank] = tables_.to_nats(sum) + table.constant;
        ++counted_;
    }

    void add(const Partition& from, std::size_t y) {
        if (control_.stopped()) return;
        members_.push_back(y);
        const std::size_t more =
            function_.wanted.fitting(columns_.arities, y, from.cells * columns_.arities[y]);
        if (members_.size() == function_.wanted.max_size || more == 0) {
            count_leaf(from, y);
        } else {
            Partition& next = partitions_[members_.size()];
            split(from, y, next);
            record(next);
            for (std::size_t z = more; z-- > 0;) add(next, z);
        }
        members_.pop_back();
    }

    // Only the counts are wanted. Each class is passed twice, so that no array of all values needs
    // clearing for it.
    void count_leaf(const Partition& from, std::size_t y) {
        const auto& table = tables_.get(from.cells * columns_.arities[y]);
        const std::uint16_t* const codes = columns_.codes[y];
        const std::uint32_t* const weights = columns_.weights;
        std::int64_t sum = 0;
        for (const std::uint32_t weight : from.closed) sum += table.value[weight];
        for (std::size_t j = 0; j + 1 < from.class_begin.size(); ++j) {
            for (std::uint32_t i = from.class_begin[j]; i < from.class_begin[j + 1]; ++i)
                count_of_[codes[from.rows[i]]] += weights[from.rows[i]];
            for (std::uint32_t i = from.class_begin[j]; i < from.class_begin[j + 1]; ++i) {
                std::uint32_t& count = count_of_[codes[from.rows[i]]];
                // value[0] is 0, as the count is from the second time on.
                sum += table.value[count];
                count = 0;
            }
        }
        store(sum, table);
    }

    void split(const Partition& from, std::size_t y, Partition& to) {
        const std::uint16_t* const codes = columns_.codes[y];
        to.cells = from.cells * columns_.arities[y];
        to.rows.clear();
        to.class_begin.assign(1, 0);
        to.totals.clear();
        to.closed = from.closed;
        for (std::size_t j = 0; j + 1 < from.class_begin.size(); ++j) {
            sorted_.assign(from.rows.begin() + from.class_begin[j],
                           from.rows.begin() + from.class_begin[j + 1]);
            std::sort(sorted_.begin(), sorted_.end(), [&](std::uint32_t a, std::uint32_t b) {
                return codes[a] != codes[b] ? codes[a] < codes[b] : a < b;
            });
            for (std::size_t i = 0; i < sorted_.size();) {
                std::size_t end = i;
                std::uint32_t total = 0;
                for (; end < sorted_.size() && codes[sorted_[end]] == codes[sorted_[i]]; ++end)
                    total += columns_.weights[sorted_[end]];
                if (end - i == 1) {
                    to.closed.push_back(total);
                } else {
                    to.rows.insert(to.rows.end(), sorted_.begin() + static_cast<std::ptrdiff_t>(i),
                                   sorted_.begin() + static_cast<std::ptrdiff_t>(end));
                    to.class_begin.push_back(static_cast<std::uint32_t>(to.rows.size()));
                    to.totals.push_back(total);
                }
                i = end;
            }
        }
    }

    const Columns& columns_;
    const CellFunction& function_;
    const Binomials& binomials_;
    SetValues& values_;
    Control& control_;
    CellTables tables_;
    std::vector<Partition> partitions_;
    std::vector<std::size_t> members_;
    std::vector<std::uint32_t> count_of_, sorted_;
    double counted_ = 0;
};

}  // namespace

void count_rowwise(const Columns& columns, const CellFunction& function, std::size_t jobs,
                   Control& control, SetValues& values) {
    std::optional<DistinctRows> distinct;
    if (columns.weights == nullptr) distinct.emplace(columns.codes, columns.rows, columns.rows);
    const Columns weighted = distinct ? with_weights(columns, *distinct) : columns;
    const Binomials binomials(columns.size() + 1, function.wanted.max_size + 1);
    std::deque<Worker> workers;  // never moved: their tables hold pointers into themselves
    for (std::size_t worker = 0; worker < std::max<std::size_t>(1, jobs); ++worker)
        workers.emplace_back(weighted, function, binomials, values, control);
    workers[0].record_empty();
    const std::size_t n = columns.size();
    parallel_for(n, jobs, [&](std::size_t task, std::size_t worker) {
        if (!function.wanted.has_highest(n - 1 - task)) return;
        const double counted = workers[worker].run(n - 1 - task);
        if (!control.stopped()) control.advance(counted);
    });
}

namespace {

// As far as is known.
double distinct_rows(const Columns& columns) {
    double combinations = 1;
    for (const int arity : columns.arities) combinations *= arity;
    return std::min(static_cast<double>(columns.rows), combinations);
}

// Rough cycles for one set of the largest size, by either counter: a row takes about 16.
bool bitwise_is_faster(const Columns& columns, const WantedSets& wanted) {
    double arity = 0;
    for (const int r : columns.arities) arity += r;
    arity /= static_cast<double>(std::max<std::size_t>(1, columns.size()));
    const auto bits = static_cast<double>(bits_to_count(columns));
    double classes = 1;
    const double most_classes = std::min(bits / 2, wanted.cells_below / (arity * arity));
    for (std::size_t i = 2; i < wanted.max_size; ++i)
        classes = std::min(classes * arity, most_classes);
    // A class begins a word for every binary digit of its rows' weights.
    const double parts = std::min(
        classes * bits / static_cast<double>(std::max<std::size_t>(1, columns.rows)), bits / 2);
    const double bitwise =
        (arity - 1) * (arity - 1) * (bits / 64 + parts) + 1.5 * classes * arity * arity;
    return bitwise < 16 * distinct_rows(columns);
}

}  // namespace

void CountedFunction::evaluate(const WantedSets& wanted, std::size_t jobs, Control& control,
                               SetValues& values) const {
    CellFunction function = cells_;
    function.wanted = wanted;
    count_sets(columns_, function, counter_, jobs, control, values);
}

void count_sets(const Columns& columns, const CellFunction& function, Counter counter,
                std::size_t jobs, Control& control, SetValues& values) {
    if (counter == Counter::automatic)
        counter = bitwise_is_faster(columns, function.wanted) ? Counter::bitwise : Counter::rowwise;
    (counter == Counter::bitwise ? count_bitwise : count_rowwise)(columns, function, jobs, control,
                                                                  values);
}

}  // namespace anytimebn
