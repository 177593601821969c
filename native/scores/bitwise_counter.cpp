// Counting with rows as bits. A column of r values is r - 1 bit planes (value 0 is the rest). Sets
// are built from the highest variable down. The rows are kept permuted so that each cell of the set
// built so far (a class) is a range of words; adding a variable moves the bits of all lower columns
// by parallel bit extract. The last levels, which hold most of the sets, need no moving at all: at
// a partition by W, the cells of W + {y, z} follow from one AND and population count a class and
// the counts of y and z alone; for binary columns the same holds for three more variables (one AND
// gives a class's count of all three, inclusion-exclusion the other seven cells). Rows with weights
// are several bits, one for each binary digit of the weight.
#include <algorithm>
#include <bit>
#include <deque>

#include "base/parallel.h"
#include "scores/counting.h"
#include "scores/kernels.h"

namespace anytimebn {
namespace {

using Word = std::uint64_t;

// The rows split by the values of a set of variables.
struct Partition {
    std::vector<Word> planes;  // of the variables below the lowest member
    std::size_t stride = 0;
    std::vector<std::uint32_t> rows;  // of each class, weighted
    // A class has one part if rows have no weights.
    std::vector<std::uint32_t> part_begin, word_begin, bits;
    std::vector<std::uint8_t> digit;
    bool weighted = false;
    std::uint32_t singletons = 0;  // classes of one row stay so: only their number matters
    double cells = 1;

    const Word* plane(std::size_t p) const { return planes.data() + p * stride; }
    Word* plane(std::size_t p) { return planes.data() + p * stride; }
    Classes classes() const {
        if (!weighted) return {word_begin.data(), rows.data(), rows.size()};
        return {word_begin.data(), rows.data(), rows.size(), part_begin.data(), digit.data()};
    }
    Classes parts() const { return {word_begin.data(), bits.data(), bits.size()}; }

    void clear() {
        rows.clear();
        part_begin.assign(1, 0);
        word_begin.assign(1, 0);
        bits.clear();
        digit.clear();
    }
    void add_part(std::uint32_t own_bits, std::uint8_t own_digit) {
        bits.push_back(own_bits);
        digit.push_back(own_digit);
        word_begin.push_back(word_begin.back() + (own_bits + 63) / 64);
    }
    // Of the parts added since the class before.
    void add_class(std::uint32_t own_rows) {
        rows.push_back(own_rows);
        part_begin.push_back(static_cast<std::uint32_t>(bits.size()));
    }
};

// What all workers share, read only.
struct Problem {
    const Columns& columns;
    const CellFunction& function;
    Kernels kernels;
    Binomials binomials;
    std::vector<std::size_t> first_plane;  // of each variable, and the total
    bool binary;
    std::size_t split_depth;  // sets of this size are extended without moving bits
    Partition root;

    Problem(const Columns& c, const CellFunction& f)
        : columns(c),
          function(f),
          kernels(anytimebn::kernels()),
          binomials(c.size() + 1, f.wanted.max_size + 4),
          first_plane(c.size() + 1, 0),
          binary(std::all_of(c.arities.begin(), c.arities.end(), [](int r) { return r == 2; })) {
        const std::size_t tail = binary ? 3 : 2;
        split_depth = f.wanted.max_size > tail + 1 ? f.wanted.max_size - tail : 1;
        for (std::size_t v = 0; v < c.size(); ++v)
            first_plane[v + 1] = first_plane[v] + static_cast<std::size_t>(c.arities[v] - 1);
        pack_rows();
    }

 private:
    // A part for each binary digit of the weights, with the rows whose weights have it.
    void pack_rows() {
        root.clear();
        root.weighted = columns.weights != nullptr;
        std::uint32_t any_weight = 0;
        std::vector<std::uint32_t> rows_with(32, 0);
        for (std::size_t row = 0; row < columns.rows; ++row) {
            const std::uint32_t weight = root.weighted ? columns.weights[row] : 1;
            any_weight |= weight;
            for (std::uint32_t rest = weight; rest != 0; rest &= rest - 1)
                ++rows_with[static_cast<std::size_t>(std::countr_zero(rest))];
        }
        for (std::uint32_t rest = any_weight; rest != 0; rest &= rest - 1) {
            const int digit = std::countr_zero(rest);
            root.add_part(rows_with[static_cast<std::size_t>(digit)],
                          static_cast<std::uint8_t>(digit));
        }
        root.add_class(static_cast<std::uint32_t>(columns.total_weight));
        root.stride = root.word_begin.back();
        root.planes.assign(first_plane.back() * root.stride, 0);
        for (std::size_t part = 0; part < root.bits.size(); ++part)
            for (std::size_t v = 0; v < columns.size(); ++v) pack(part, v);
    }

    void pack(std::size_t part, std::size_t v) {
        const std::uint16_t* const codes = columns.codes[v];
        std::size_t bit = std::size_t{64} * root.word_begin[part];
        for (std::size_t row = 0; row < columns.rows; ++row) {
            if (root.weighted && (columns.weights[row] >> root.digit[part] & 1) == 0) continue;
            if (const auto code = codes[row]; code != 0)
                root.plane(first_plane[v] + code - 1u)[bit / 64] |= Word{1} << (bit % 64);
            ++bit;
        }
    }
};

class Worker {
 public:
    Worker(const Problem& problem, SetValues& values, Control& control)
        : problem_(problem),
          values_(values),
          control_(control),
          tables_(problem.function, problem.columns.total_weight, control),
          partitions_(problem.split_depth + 1) {}

    // All wanted sets whose highest members are `prefix` (descending), and the prefix itself; tells
    // how many they were.
    double run(const std::vector<std::size_t>& prefix, bool extend) {
        members_.clear();
        counted_ = 0;
        const Partition* partition = &problem_.root;
        for (const std::size_t variable : prefix) {
            if (control_.stopped()) return counted_;
            Partition& next = partitions_[members_.size() + 1];
            split(*partition, variable, next);
            members_.push_back(variable);
            partition = &next;
        }
        if (extend)
            visit(*partition);
        else
            record(*partition);
        return counted_;
    }

 private:
    std::size_t max_size() const { return problem_.function.wanted.max_size; }

    // Columns below that a set of so many cells can be extended by.
    std::size_t fitting(std::size_t below, double cells) const {
        return problem_.function.wanted.fitting(problem_.columns.arities, below, cells);
    }

    // Sum of C(member, position + 1) when `lower` members are still to come below: the rank of a
    // set is this plus the same sum for the lower members.
    std::size_t rank_base(std::size_t lower) const {
        std::size_t rank = 0;
        for (std::size_t i = 0; i < members_.size(); ++i)
            rank += problem_.binomials(members_[i], members_.size() - i + lower);
        return rank;
    }

    double finish(std::int64_t sum, std::uint32_t singletons,
                  const CellTables::Entry& table) const {
        return tables_.to_nats(sum + singletons * table.value[1]) + table.constant;
    }

    void record(const Partition& partition) {
        const auto& table = tables_.get(partition.cells);
        std::int64_t sum = 0;
        for (const std::uint32_t rows : partition.rows) sum += table.value[rows];
        values_[members_.size()][rank_base(0)] = finish(sum, partition.singletons, table);
        ++counted_;
    }

    void visit(const Partition& partition) {
        if (control_.stopped()) return;
        record(partition);
        const std::size_t size = members_.size();
        if (size == max_size()) return;
        const std::size_t below =
            fitting(size ? members_.back() : problem_.columns.size(), partition.cells);
        if (below == 0) return;
        if (size == problem_.split_depth && problem_.binary) {
            finish_binary(partition, below);
            return;
        }
        // Where no more than two variables fit, bits need not be moved.
        const std::size_t deeper =
            size == problem_.split_depth ? 0 : first_without_two_more(partition, below);
        if (deeper < below) finish_any(partition, deeper, below);
        for (std::size_t y = deeper; y-- > 0;) {
            if (control_.stopped()) return;
            Partition& next = partitions_[size + 1];
            split(partition, y, next);
            members_.push_back(y);
            visit(next);
            members_.pop_back();
        }
    }

    // From this variable up, none can be joined by two more.
    std::size_t first_without_two_more(const Partition& partition, std::size_t below) const {
        const auto& arities = problem_.columns.arities;
        return below < 3 ? 0 : fitting(below, partition.cells * arities[0] * arities[1]);
    }

    // Splits every class by the values of y and moves the planes of the variables below y along.
    void split(const Partition& from, std::size_t y, Partition& to) {
        const Kernels& k = problem_.kernels;
        const auto arity = static_cast<std::size_t>(problem_.columns.arities[y]);
        const std::size_t parts = from.bits.size(), words = from.word_begin.back();

        // One mask row a value. Value 0 is what the planes leave of the rows in use.
        masks_.resize(arity * words);
        Word* const rest = masks_.data();
        std::fill(rest, rest + words, ~Word{0});
        for (std::size_t p = 0; p < parts; ++p)
            if (from.bits[p] % 64)
                rest[from.word_begin[p + 1] - 1] = (Word{1} << from.bits[p] % 64) - 1;
        counts_.resize(arity * parts);
        std::copy(from.bits.begin(), from.bits.end(), counts_.begin());
        for (std::size_t a = 1; a < arity; ++a) {
            const Word* const plane = from.plane(problem_.first_plane[y] + a - 1);
            Word* const mask = masks_.data() + a * words;
            for (std::size_t w = 0; w < words; ++w) {
                mask[w] = plane[w];
                rest[w] &= ~plane[w];
            }
            k.count(plane, from.parts(), counts_.data() + a * parts);
            for (std::size_t p = 0; p < parts; ++p) counts_[p] -= counts_[a * parts + p];
        }

        to.clear();
        to.weighted = from.weighted;
        to.cells = from.cells * static_cast<double>(arity);
        to.singletons = from.singletons;
        segments_.clear();
        for (std::size_t j = 0; j < from.rows.size(); ++j)
            for (std::size_t a = 0; a < arity; ++a) {
                const std::uint32_t begin = from.part_begin[j], end = from.part_begin[j + 1];
                std::uint32_t rows = 0;
                for (std::uint32_t p = begin; p < end; ++p)
                    rows += counts_[a * parts + p] << from.digit[p];
                if (rows <= 1) {
                    to.singletons += rows;
                    continue;
                }
                for (std::uint32_t p = begin; p < end; ++p) {
                    const std::uint32_t bits = counts_[a * parts + p];
                    if (bits == 0) continue;
                    segments_.push_back({from.word_begin[p], from.word_begin[p + 1],
                                         to.word_begin.back(), static_cast<std::uint32_t>(a)});
                    to.add_part(bits, from.digit[p]);
                }
                to.add_class(rows);
            }

        const std::size_t planes = problem_.first_plane[y];
        to.stride = to.word_begin.back();
        // `extract` may write a zero word past the end of a plane, into the one that follows.
        if (to.planes.size() < planes * to.stride + 1) to.planes.resize(planes * to.stride + 1);
        for (std::size_t p = 0; p < planes; ++p)
            k.extract(segments_.data(), segments_.size(), masks_.data(), words, from.plane(p),
                      to.plane(p));
    }

    // One, two and three more binary variables.
    void finish_binary(const Partition& partition, std::size_t below) {
        const Kernels& k = problem_.kernels;
        const Classes classes = partition.classes();
        const std::size_t size = members_.size(), width = classes.count;
        const std::size_t base1 = rank_base(1), base2 = rank_base(2), base3 = rank_base(3);
        const auto pair_index = [](std::size_t high, std::size_t low) {
            return high * (high - 1) / 2 + low;
        };

        singles_.resize(below * width);
        const auto& table1 = tables_.get(partition.cells * 2);
        for (std::size_t y = 0; y < below; ++y) {
            std::uint32_t* const counts = singles_.data() + y * width;
            k.count(partition.plane(y), classes, counts);
            std::int64_t sum = 0;
            for (std::size_t j = 0; j < width; ++j)
                sum += table1.value[counts[j]] + table1.value[classes.rows[j] - counts[j]];
            values_[size + 1][base1 + y] = finish(sum, partition.singletons, table1);
        }
        counted_ += static_cast<double>(below);
        const auto fit = [&](double cells) {
            return partition.cells * cells < problem_.function.wanted.cells_below;
        };
        if (size + 2 > max_size() || !fit(4)) return;
        counted_ += static_cast<double>(problem_.binomials(below, 2));

        const bool triples = size + 3 <= max_size() && fit(8);
        pairs_.resize((triples ? below * (below - 1) / 2 : 1) * width);
        const auto& table2 = tables_.get(partition.cells * 4);
        for (std::size_t z = 1; z < below && !control_.stopped(); ++z)
            for (std::size_t y = 0; y < z; ++y) {
                std::uint32_t* const both =
                    pairs_.data() + (triples ? pair_index(z, y) : 0) * width;
                const std::int64_t sum = k.sum_pair(
                    partition.plane(z), partition.plane(y), classes, singles_.data() + z * width,
                    singles_.data() + y * width, table2.value, both);
                values_[size + 2][base2 + problem_.binomials(z, 2) + y] =
                    finish(sum, partition.singletons, table2);
            }
        if (!triples) return;
        counted_ += static_cast<double>(problem_.binomials(below, 3));

        const auto& table3 = tables_.get(partition.cells * 8);
        both_plane_.resize(partition.stride);
        cells_.resize(3 * width);
        for (std::size_t u = 2; u < below; ++u) {
            if (control_.stopped()) return;
            for (std::size_t z = 1; z < u; ++z) {
                const Word *const pu = partition.plane(u), *const pz = partition.plane(z);
                for (std::size_t w = 0; w < partition.stride; ++w) both_plane_[w] = pu[w] & pz[w];
                const std::uint32_t* const both = pairs_.data() + pair_index(u, z) * width;
                const std::uint32_t *const cu = singles_.data() + u * width, *const cz =
                                                                                 singles_.data() +
                                                                                 z * width;
                std::uint32_t *const only_u = cells_.data(), *const only_z = only_u + width,
                                     *const neither = only_z + width;
                for (std::size_t j = 0; j < width; ++j) {
                    only_u[j] = cu[j] - both[j];
                    only_z[j] = cz[j] - both[j];
                    neither[j] = classes.rows[j] - cu[j] - only_z[j];
                }
                const std::uint32_t* const four_cells[4] = {both, only_u, only_z, neither};
                double* const out = values_[size + 3].data() + base3 + problem_.binomials(u, 3) +
                                    problem_.binomials(z, 2);
                for (std::size_t y = 0; y < z; ++y) {
                    const std::int64_t sum =
                        k.sum_triple(both_plane_.data(), partition.plane(y), classes, four_cells,
                                     pairs_.data() + pair_index(u, y) * width,
                                     pairs_.data() + pair_index(z, y) * width,
                                     singles_.data() + y * width, table3.value);
                    out[y] = finish(sum, partition.singletons, table3);
                }
            }
        }
    }

    // One and two more variables of any arity, the higher of them `first` or above.
    void finish_any(const Partition& partition, std::size_t first, std::size_t below) {
        const Kernels& k = problem_.kernels;
        const Classes classes = partition.classes();
        const std::size_t size = members_.size(), width = classes.count;
        const std::size_t base1 = rank_base(1), base2 = rank_base(2);
        const auto& first_plane = problem_.first_plane;
        const auto arity = [&](std::size_t v) {
            return static_cast<std::size_t>(problem_.columns.arities[v]);
        };

        // singles_ holds, by value and class, the counts of all values of all variables below.
        first_count_.assign(below + 1, 0);
        for (std::size_t y = 0; y < below; ++y)
            first_count_[y + 1] = first_count_[y] + arity(y) * width;
        singles_.resize(first_count_.back());
        for (std::size_t y = 0; y < below; ++y) {
            std::uint32_t* const counts = singles_.data() + first_count_[y];
            std::copy(classes.rows, classes.rows + width, counts);
            for (std::size_t a = 1; a < arity(y); ++a) {
                k.count(partition.plane(first_plane[y] + a - 1), classes, counts + a * width);
                for (std::size_t j = 0; j < width; ++j) counts[j] -= counts[a * width + j];
            }
            if (y < first) continue;
            const auto& table = tables_.get(partition.cells * static_cast<double>(arity(y)));
            std::int64_t sum = 0;
            for (std::size_t c = 0; c < arity(y) * width; ++c) sum += table.value[counts[c]];
            values_[size + 1][base1 + y] = finish(sum, partition.singletons, table);
            ++counted_;
        }
        if (size + 2 > max_size()) return;

        for (std::size_t z = first; z < below && !control_.stopped(); ++z) {
            const std::size_t end = fitting(z, partition.cells * static_cast<double>(arity(z)));
            counted_ += static_cast<double>(end);
            for (std::size_t y = 0; y < end; ++y) {
                const std::size_t rz = arity(z), ry = arity(y);
                const std::uint32_t *const cz = singles_.data() + first_count_[z],
                                           *const cy = singles_.data() + first_count_[y];
                const auto& table = tables_.get(partition.cells * static_cast<double>(rz) *
                                                static_cast<double>(ry));
                std::int64_t sum = 0;
                // What is left of each value of z and of y when the counted cells are taken away.
                left_z_.assign(cz, cz + rz * width);
                left_y_.assign(cy, cy + ry * width);
                counts_.resize(width);
                for (std::size_t a = 1; a < rz; ++a)
                    for (std::size_t b = 1; b < ry; ++b) {
                        k.count_both(partition.plane(first_plane[z] + a - 1),
                                     partition.plane(first_plane[y] + b - 1), classes,
                                     counts_.data());
                        std::uint32_t *const lz = left_z_.data() + a * width, *const ly =
                                                                                  left_y_.data() +
                                                                                  b * width;
                        for (std::size_t j = 0; j < width; ++j) {
                            sum += table.value[counts_[j]];
                            lz[j] -= counts_[j];
                            ly[j] -= counts_[j];
                        }
                    }
                for (std::size_t a = 1; a < rz; ++a)
                    for (std::size_t j = 0; j < width; ++j) {
                        const std::uint32_t rest = left_z_[a * width + j];
                        sum += table.value[rest];
                        left_y_[j] -= rest;  // value 0 of y keeps what no other value of z took
                    }
                for (std::size_t c = 0; c < ry * width; ++c) sum += table.value[left_y_[c]];
                values_[size + 2][base2 + problem_.binomials(z, 2) + y] =
                    finish(sum, partition.singletons, table);
            }
        }
    }

    const Problem& problem_;
    SetValues& values_;
    Control& control_;
    CellTables tables_;
    std::vector<Partition> partitions_;  // by size of the set
    std::vector<std::size_t> members_;   // descending

    // Scratch, kept to avoid allocation.
    std::vector<Word> masks_, both_plane_;
    std::vector<Segment> segments_;
    std::vector<std::uint32_t> counts_, singles_, pairs_, cells_, left_z_, left_y_;
    std::vector<std::size_t> first_count_;
    double counted_ = 0;
};

}  // namespace

void count_bitwise(const Columns& columns, const CellFunction& function, std::size_t jobs,
                   Control& control, SetValues& values) {
    const Problem problem(columns, function);
    const std::size_t n = columns.size();

    // A task is one prefix of up to two variables; the largest come first.
    const WantedSets& wanted = function.wanted;
    std::vector<std::vector<std::size_t>> tasks;
    const std::size_t depth = std::min<std::size_t>(2, problem.split_depth);
    for (std::size_t high = wanted.fitting(columns.arities, n, 1); high-- > 0;) {
        if (wanted.max_size == 0) break;
        if (!wanted.has_highest(high)) continue;
        if (depth == 2)
            for (std::size_t low = wanted.fitting(columns.arities, high, columns.arities[high]);
                 low-- > 0;)
                tasks.push_back({high, low});
        else
            tasks.push_back({high});
    }
    const auto sets_in = [&](const std::vector<std::size_t>& prefix) {
        double sets = 0;
        for (std::size_t size = prefix.size(); size <= wanted.max_size; ++size)
            sets += static_cast<double>(problem.binomials(prefix.back(), size - prefix.size()));
        return sets;
    };
    std::stable_sort(tasks.begin(), tasks.end(),
                     [&](const auto& a, const auto& b) { return sets_in(a) > sets_in(b); });

    std::deque<Worker> workers;  // never moved: their tables hold pointers into themselves
    for (std::size_t worker = 0; worker < std::max<std::size_t>(1, jobs); ++worker)
        workers.emplace_back(problem, values, control);
    workers[0].run({}, false);
    if (depth == 2)
        for (std::size_t v = 0; v < wanted.fitting(columns.arities, n, 1); ++v)
            if (wanted.has_highest(v)) workers[0].run({v}, false);
    parallel_for(tasks.size(), jobs, [&](std::size_t task, std::size_t worker) {
        const double counted = workers[worker].run(tasks[task], true);
        if (!control.stopped()) control.advance(counted);
    });
}

}  // namespace anytimebn
