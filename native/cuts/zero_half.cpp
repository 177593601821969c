#include "cuts/zero_half.h"

#include <algorithm>
#include <bit>
#include <set>

namespace anytimebn {
namespace {

constexpr double most_slack = 0.98;  // beyond it hardly anything can be violated
constexpr std::size_t most_sources = 60;

// What a sum is made of: rows by number, one-set-a-child rows by child.
struct Source {
    bool is_child;
    std::uint32_t number;
    auto operator<=>(const Source&) const = default;
};

using Bits = std::vector<std::uint64_t>;

// A sum of rows modulo 2: its odd columns, what it is made of, the parity of its right-hand side,
// its slack. A row that came in twice is out again, with its slack.
struct Sum {
    Bits odd_columns, sources;  // sources by their numbers among the sums to start with
    bool odd = false;
    double slack = 0;
    std::size_t size = 1;  // number of sources

    bool has(std::size_t column) const { return odd_columns[column / 64] >> (column % 64) & 1; }
};

void flip(Bits& bits, std::size_t i) { bits[i / 64] ^= std::uint64_t{1} << (i % 64); }

template <class Body>
void for_each_bit(const Bits& bits, Body&& body) {
    for (std::size_t w = 0; w < bits.size(); ++w)
        for (std::uint64_t left = bits[w]; left != 0; left &= left - 1)
            body(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
}

struct Candidate {
    double violation;
    std::vector<Source> sources;

    // Rows that are made of few others have few entries, which linear programs are faster with.
    double merit() const { return violation / static_cast<double>(sources.size()); }
};

class Eliminator {
 public:
    Eliminator(const Rows& rows, const std::vector<RowNumber>& active, const Point& point,
               const ZeroHalfLimits& limits)
        : rows_(rows),
          point_(point),
          checkpoint_(rows.checkpoint()),
          columns_(point.size()),
          ones_(words(columns_), 0) {
        std::vector<std::int32_t> column_of_set(rows.problem().sets.size(), -1);
        std::vector<std::vector<std::uint32_t>> columns_of(rows.problem().variables());
        for (std::uint32_t i = 0; i < columns_; ++i) {
            column_of_set[point.sets[i]] = static_cast<std::int32_t>(i);
            columns_of[rows.problem().child_of[point.sets[i]]].push_back(i);
            if (is_one(i)) flip(ones_, i);
        }
        for (std::uint32_t x = 0; x < columns_of.size(); ++x) {
            if (columns_of[x].size() < 2) continue;
            Sum sum = empty_sum();
            sum.odd = true;
            for (const std::uint32_t i : columns_of[x]) flip(sum.odd_columns, i);
            start_with(std::move(sum), {true, x});
        }
        for (const RowNumber number : active) {
            const Row& row = rows[number];
            if (row.rank >= limits.highest_rank) continue;
            checkpoint_(row.sets.size());
            Sum sum = empty_sum();
            sum.odd = row.right_hand_side % 2 != 0;
            double activity = 0;
            bool fractional = false;
            for (std::size_t k = 0; k < row.sets.size(); ++k) {
                const std::int32_t column = column_of_set[row.sets[k]];
                if (column < 0) continue;
                const double value = point.values[static_cast<std::size_t>(column)];
                activity += row.coefficients[k] * value;
                if (row.coefficients[k] % 2 == 0) continue;
                flip(sum.odd_columns, static_cast<std::size_t>(column));
                fractional |= !is_one(static_cast<std::size_t>(column));
            }
            sum.slack = std::max(0.0, static_cast<double>(row.right_hand_side) - activity);
            if (fractional && sum.slack <= 0.9) start_with(std::move(sum), {false, number});
        }
        for (std::size_t i = 0; i < start_.size(); ++i) {
            start_[i].sources.assign(words(start_.size()), 0);
            flip(start_[i].sources, i);
            consider(start_[i]);
        }
    }

    void eliminate(bool perturb, Random& random) {
        std::vector<Sum> sums = start_;
        random.shuffle(sums);
        std::vector<std::uint32_t> order;
        std::vector<double> key(columns_);
        for (std::uint32_t i = 0; i < columns_; ++i) {
            if (is_one(i)) continue;
            order.push_back(i);
            key[i] = point_.values[i] * (perturb ? 0.5 + random.fraction() : 1);
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return key[a] > key[b]; });
        for (const std::uint32_t column : order) {
            std::size_t pivot = sums.size();
            double least = 1e9;
            for (std::size_t i = 0; i < sums.size(); ++i) {
                if (!sums[i].has(column)) continue;
                const double price = sums[i].slack + 1e-4 * static_cast<double>(sums[i].size);
                if (price < least) {
                    least = price;
                    pivot = i;
                }
            }
            work_ += sums.size();
            if (pivot == sums.size()) continue;
            const Sum chosen = std::move(sums[pivot]);
            take_out(sums, pivot);
            for (std::size_t i = 0; i < sums.size();) {
                if (!sums[i].has(column)) {
                    ++i;
                    continue;
                }
                add(sums[i], chosen);
                if (sums[i].slack >= most_slack || sums[i].size > most_sources) {
                    take_out(sums, i);
                    continue;
                }
                consider(sums[i++]);
            }
            checkpoint_((work_ - asked_work_) / 8);
            asked_work_ = work_;
            if (work_ > most_work) return;
        }
    }

    std::vector<Candidate> candidates() {
        std::stable_sort(
            candidates_.begin(), candidates_.end(),
            [](const Candidate& a, const Candidate& b) { return a.merit() > b.merit(); });
        return std::move(candidates_);
    }

 private:
    static constexpr std::uint64_t most_work = 100'000'000;  // words; about a tenth of a second

    static std::size_t words(std::size_t bits) { return (bits + 63) / 64; }
    bool is_one(std::size_t column) const { return point_.values[column] > 1 - 1e-6; }
    Sum empty_sum() const {
        Sum sum;
        sum.odd_columns.assign(words(columns_), 0);
        return sum;
    }
    void start_with(Sum sum, Source source) {
        start_.push_back(std::move(sum));
        sources_.push_back(source);
    }
    static void take_out(std::vector<Sum>& sums, std::size_t i) {
        if (i + 1 < sums.size()) sums[i] = std::move(sums.back());
        sums.pop_back();
    }
    void add(Sum& sum, const Sum& other) {
        for (std::size_t w = 0; w < sum.odd_columns.size(); ++w)
            sum.odd_columns[w] ^= other.odd_columns[w];
        sum.odd ^= other.odd;
        sum.slack += other.slack;
        sum.size = 0;
        for (std::size_t w = 0; w < sum.sources.size(); ++w) {
            for (std::uint64_t both = sum.sources[w] & other.sources[w]; both != 0;
                 both &= both - 1)
                sum.slack -=
                    2 * start_[w * 64 + static_cast<std::size_t>(std::countr_zero(both))].slack;
            sum.sources[w] ^= other.sources[w];
            sum.size += static_cast<std::size_t>(std::popcount(sum.sources[w]));
        }
        sum.slack = std::max(0.0, sum.slack);
        work_ += sum.odd_columns.size() + sum.sources.size();
    }

    // A column of value 1 is the only one of its child: the child's own row, without slack, makes
    // its coefficient even.
    void consider(const Sum& sum) {
        int ones = 0;
        double loss = sum.slack;
        for (std::size_t w = 0; w < sum.odd_columns.size(); ++w) {
            ones += std::popcount(sum.odd_columns[w] & ones_[w]);
            for (std::uint64_t bits = sum.odd_columns[w] & ~ones_[w]; bits != 0; bits &= bits - 1) {
                loss += point_.values[w * 64 + static_cast<std::size_t>(std::countr_zero(bits))];
                if (loss >= most_slack) return;
            }
        }
        if (sum.odd == (ones % 2 != 0)) return;
        std::vector<Source> sources;
        for_each_bit(sum.sources, [&](std::size_t i) { sources.push_back(sources_[i]); });
        for_each_bit(sum.odd_columns, [&](std::size_t column) {
            if (!is_one(column)) return;
            const Source child{true, rows_.problem().child_of[point_.sets[column]]};
            const auto twin = std::find(sources.begin(), sources.end(), child);
            if (twin == sources.end())
                sources.push_back(child);
            else
                sources.erase(twin);  // twice the same row is even: it can be left out
        });
        std::sort(sources.begin(), sources.end());
        if (known_.insert(sources).second)
            candidates_.push_back({(1 - loss) / 2, std::move(sources)});
    }

    const Rows& rows_;
    const Point& point_;
    Checkpoint checkpoint_;
    std::size_t columns_;
    Bits ones_;  // columns of value 1
    std::vector<Sum> start_;
    std::vector<Source> sources_;  // of start_
    std::set<std::vector<Source>> known_;
    std::vector<Candidate> candidates_;
    std::uint64_t work_ = 0, asked_work_ = 0;
};

}  // namespace

std::vector<RowNumber> separate_zero_half(Rows& rows, const std::vector<RowNumber>& active,
                                          const Point& point, const ZeroHalfLimits& limits,
                                          Random& random) {
    constexpr int most_of_a_variable = 15;
    Eliminator eliminator(rows, active, point, limits);
    for (int repetition = 0; repetition < limits.repetitions; ++repetition)
        eliminator.eliminate(repetition > 0, random);

    const SortedPoint sorted(point);
    std::vector<bool> is_active(rows.size(), false);
    for (const RowNumber row : active) is_active[row] = true;
    std::vector<int> uses(rows.problem().variables(), 0);
    std::vector<RowNumber> added;
    for (const Candidate& candidate : eliminator.candidates()) {
        if (added.size() >= limits.most_rows) break;
        std::vector<RowNumber> parents;
        std::vector<std::uint32_t> children;
        for (const Source& source : candidate.sources)
            (source.is_child ? children : parents).push_back(source.number);
        if (parents.empty()) continue;
        int most_uses = 0;
        for (const std::uint32_t x : children) most_uses = std::max(most_uses, uses[x]);
        for (const RowNumber parent : parents)
            for (const std::uint32_t x : rows[parent].variables)
                most_uses = std::max(most_uses, uses[x]);
        if (most_uses >= most_of_a_variable) continue;
        const RowNumber row = rows.add_zero_half(std::move(parents), std::move(children));
        if (row == Rows::none || (row < is_active.size() && is_active[row])) continue;
        if (rows.violation(row, sorted) < limits.least_violation) continue;
        for (const std::uint32_t x : rows[row].variables) ++uses[x];
        added.push_back(row);
    }
    return added;
}

}  // namespace anytimebn
