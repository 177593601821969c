#include "cuts/zero_half.h"

#include <algorithm>
#include <bit>
#include <numeric>
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

// A sum of rows modulo 2: its odd columns, the parity of its right-hand side, its slack.
struct Sum {
    std::vector<std::uint64_t> odd_columns;
    bool odd = false;
    double slack = 0;
    std::vector<Source> sources;

    bool has(std::size_t column) const { return odd_columns[column / 64] >> (column % 64) & 1; }
    void flip(std::size_t column) { odd_columns[column / 64] ^= std::uint64_t{1} << (column % 64); }
};

struct Candidate {
    double violation;
    std::vector<Source> sources;
};

class Eliminator {
 public:
    Eliminator(const Rows& rows, const std::vector<RowNumber>& active, const Point& point,
               const ZeroHalfLimits& limits)
        : rows_(rows), point_(point), columns_(point.size()), words_((columns_ + 63) / 64) {
        std::vector<std::int32_t> column_of_set(rows.problem().sets.size(), -1);
        std::vector<std::vector<std::uint32_t>> columns_of(rows.problem().variables());
        for (std::uint32_t i = 0; i < columns_; ++i) {
            column_of_set[point.sets[i]] = static_cast<std::int32_t>(i);
            columns_of[rows.problem().child_of[point.sets[i]]].push_back(i);
        }
        for (std::uint32_t x = 0; x < columns_of.size(); ++x) {
            if (columns_of[x].size() < 2) continue;
            Sum sum = empty_sum({true, x});
            sum.odd = true;
            for (const std::uint32_t i : columns_of[x]) sum.flip(i);
            start_.push_back(std::move(sum));
        }
        for (const RowNumber number : active) {
            const Row& row = rows[number];
            if (row.rank >= limits.highest_rank) continue;
            Sum sum = empty_sum({false, number});
            sum.odd = row.right_hand_side % 2 != 0;
            double activity = 0;
            bool fractional = false;
            for (std::size_t k = 0; k < row.sets.size(); ++k) {
                const std::int32_t column = column_of_set[row.sets[k]];
                if (column < 0) continue;
                const double value = point.values[static_cast<std::size_t>(column)];
                activity += row.coefficients[k] * value;
                if (row.coefficients[k] % 2 == 0) continue;
                sum.flip(static_cast<std::size_t>(column));
                fractional |= !is_one(static_cast<std::size_t>(column));
            }
            sum.slack = std::max(0.0, static_cast<double>(row.right_hand_side) - activity);
            if (fractional && sum.slack <= 0.9) start_.push_back(std::move(sum));
        }
    }

    void eliminate(bool perturb, Random& random) {
        std::vector<Sum> sums = start_;
        random.shuffle(sums);
        for (const Sum& sum : sums) consider(sum);
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
                const double price =
                    sums[i].slack + 1e-4 * static_cast<double>(sums[i].sources.size());
                if (price < least) {
                    least = price;
                    pivot = i;
                }
            }
            if (pivot == sums.size()) continue;
            const Sum chosen = std::move(sums[pivot]);
            take_out(sums, pivot);
            for (std::size_t i = 0; i < sums.size();) {
                if (!sums[i].has(column)) {
                    ++i;
                    continue;
                }
                add(sums[i], chosen);
                if (sums[i].slack >= most_slack || sums[i].sources.size() > most_sources) {
                    take_out(sums, i);
                    continue;
                }
                consider(sums[i++]);
            }
            if (work_ > most_work) return;
        }
    }

    std::vector<Candidate> candidates() {
        std::stable_sort(candidates_.begin(), candidates_.end(), [](const auto& a, const auto& b) {
            if (a.violation != b.violation) return a.violation > b.violation;
            return a.sources.size() < b.sources.size();
        });
        return std::move(candidates_);
    }

 private:
    static constexpr std::uint64_t most_work = 100'000'000;  // words; about a tenth of a second

    bool is_one(std::size_t column) const { return point_.values[column] > 1 - 1e-6; }
    Sum empty_sum(Source source) const {
        return {std::vector<std::uint64_t>(words_, 0), false, 0, {source}};
    }
    static void take_out(std::vector<Sum>& sums, std::size_t i) {
        if (i + 1 < sums.size()) sums[i] = std::move(sums.back());
        sums.pop_back();
    }
    void add(Sum& sum, const Sum& other) {
        for (std::size_t w = 0; w < words_; ++w) sum.odd_columns[w] ^= other.odd_columns[w];
        work_ += words_;
        sum.odd ^= other.odd;
        sum.slack += other.slack;
        sum.sources.insert(sum.sources.end(), other.sources.begin(), other.sources.end());
    }

    // A column of value 1 is the only one of its child: the child's own row, without slack, makes
    // its coefficient even.
    void consider(const Sum& sum) {
        double loss = sum.slack;
        bool odd = sum.odd;
        std::vector<Source> sources;
        for (std::size_t w = 0; w < words_; ++w)
            for (std::uint64_t bits = sum.odd_columns[w]; bits != 0; bits &= bits - 1) {
                const std::size_t column =
                    w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
                if (is_one(column)) {
                    odd = !odd;
                    sources.push_back({true, rows_.problem().child_of[point_.sets[column]]});
                } else {
                    loss += point_.values[column];
                }
                if (loss >= most_slack) return;
            }
        if (!odd) return;
        sources.insert(sources.end(), sum.sources.begin(), sum.sources.end());
        std::sort(sources.begin(), sources.end());
        std::vector<Source> once;  // twice the same row is even: it can be left out
        for (std::size_t i = 0; i < sources.size();) {
            std::size_t j = i;
            while (j < sources.size() && sources[j] == sources[i]) ++j;
            if ((j - i) % 2 == 1) once.push_back(sources[i]);
            i = j;
        }
        if (known_.insert(once).second) candidates_.push_back({(1 - loss) / 2, std::move(once)});
    }

    const Rows& rows_;
    const Point& point_;
    std::size_t columns_, words_;
    std::vector<Sum> start_;
    std::set<std::vector<Source>> known_;
    std::vector<Candidate> candidates_;
    std::uint64_t work_ = 0;
};

}  // namespace

std::vector<RowNumber> separate_zero_half(Rows& rows, const std::vector<RowNumber>& active,
                                          const Point& point, const ZeroHalfLimits& limits,
                                          Random& random) {
    constexpr int most_of_a_variable = 15;
    Eliminator eliminator(rows, active, point, limits);
    for (int repetition = 0; repetition < limits.repetitions; ++repetition)
        eliminator.eliminate(repetition > 0, random);

    std::vector<double> value_of_set(rows.problem().sets.size(), 0);
    for (std::size_t i = 0; i < point.size(); ++i) value_of_set[point.sets[i]] = point.values[i];
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
        if (rows.violation(row, value_of_set) < limits.least_violation) continue;
        for (const std::uint32_t x : rows[row].variables) ++uses[x];
        added.push_back(row);
    }
    return added;
}

}  // namespace anytimebn
