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

using Words = std::vector<std::uint64_t>;

void flip(std::uint64_t* bits, std::size_t i) { bits[i / 64] ^= std::uint64_t{1} << (i % 64); }
bool has(const std::uint64_t* bits, std::size_t i) { return bits[i / 64] >> (i % 64) & 1; }

template <class Body>
void for_each_bit(const std::uint64_t* bits, std::size_t words, Body&& body) {
    for (std::size_t w = 0; w < words; ++w)
        for (std::uint64_t left = bits[w]; left != 0; left &= left - 1)
            body(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
}

// Sums of rows modulo 2. Each has its odd columns, what it is made of, the parity of its right-hand
// side, its slack. A row that came in twice is out again, with its slack.
struct Sums {
    struct Sum {
        double slack = 0;
        std::uint32_t size = 1;  // number of sources
        bool odd = false;
        bool alive = true;
    };
    std::size_t column_words = 0, source_words = 0;
    std::vector<Sum> all;
    Words columns, sources;  // of one after the other; sources by the number of the first sums

    std::uint64_t* columns_of(std::size_t i) { return columns.data() + i * column_words; }
    const std::uint64_t* columns_of(std::size_t i) const {
        return columns.data() + i * column_words;
    }
    std::uint64_t* sources_of(std::size_t i) { return sources.data() + i * source_words; }
    const std::uint64_t* sources_of(std::size_t i) const {
        return sources.data() + i * source_words;
    }
    void add_empty() {
        all.emplace_back();
        columns.resize(columns.size() + column_words, 0);
    }
    void take_back_last() {
        all.pop_back();
        columns.resize(columns.size() - column_words);
    }
};

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
        start_.column_words = words(columns_);
        std::vector<std::int32_t> column_of_set(rows.problem().sets.size(), -1);
        std::vector<std::vector<std::uint32_t>> columns_of(rows.problem().variables());
        for (std::uint32_t i = 0; i < columns_; ++i) {
            column_of_set[point.sets[i]] = static_cast<std::int32_t>(i);
            columns_of[rows.problem().child_of[point.sets[i]]].push_back(i);
            if (is_one(i)) flip(ones_.data(), i);
        }
        for (std::uint32_t x = 0; x < columns_of.size(); ++x) {
            if (columns_of[x].size() < 2) continue;
            start_.add_empty();
            start_.all.back().odd = true;
            for (const std::uint32_t i : columns_of[x]) flip(last_columns(), i);
            sources_.push_back({true, x});
        }
        for (const RowNumber number : active) {
            const Row& row = rows[number];
            if (row.rank >= limits.highest_rank) continue;
            checkpoint_(row.sets.size());
            start_.add_empty();
            double activity = 0;
            bool fractional = false;
            for (std::size_t k = 0; k < row.sets.size(); ++k) {
                const std::int32_t column = column_of_set[row.sets[k]];
                if (column < 0) continue;
                const double value = point.values[static_cast<std::size_t>(column)];
                activity += row.coefficients[k] * value;
                if (row.coefficients[k] % 2 == 0) continue;
                flip(last_columns(), static_cast<std::size_t>(column));
                fractional |= !is_one(static_cast<std::size_t>(column));
            }
            Sums::Sum& sum = start_.all.back();
            sum.odd = row.right_hand_side % 2 != 0;
            sum.slack = std::max(0.0, static_cast<double>(row.right_hand_side) - activity);
            if (fractional && sum.slack <= 0.9)
                sources_.push_back({false, number});
            else
                start_.take_back_last();
        }
        const std::size_t count = start_.all.size();
        start_.source_words = words(count);
        start_.sources.assign(count * start_.source_words, 0);
        for (std::size_t i = 0; i < count; ++i) {
            flip(start_.sources_of(i), i);
            consider(start_, i);
        }
    }

    // Makes column after column even in all sums but one, which is left behind.
    void eliminate(bool perturb, Random& random) {
        Sums sums = start_;
        std::vector<std::uint32_t> order;
        std::vector<double> key(columns_);
        for (std::uint32_t i = 0; i < columns_; ++i) {
            if (is_one(i)) continue;
            order.push_back(i);
            key[i] = point_.values[i] * (perturb ? 0.5 + random.fraction() : 1);
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return key[a] > key[b]; });
        // Those that have it, and some that had it: sums know few columns.
        std::vector<std::vector<std::uint32_t>> having(columns_);
        for (const std::uint32_t i : shuffled(sums.all.size(), random))
            for_each_bit(sums.columns_of(i), sums.column_words,
                         [&](std::size_t column) { having[column].push_back(i); });
        work_ += sums.columns.size() + sums.sources.size();
        for (const std::uint32_t column : order) {
            std::vector<std::uint32_t>& own = having[column];
            std::erase_if(own, [&](std::uint32_t i) {
                return !sums.all[i].alive || !has(sums.columns_of(i), column);
            });
            work_ += own.size();
            std::uint32_t pivot = nobody;
            double least = 1e9;
            for (const std::uint32_t i : own) {
                const double price = sums.all[i].slack + 1e-4 * sums.all[i].size;
                if (price < least) {
                    least = price;
                    pivot = i;
                }
            }
            if (pivot == nobody) continue;
            sums.all[pivot].alive = false;
            for (const std::uint32_t i : own) {
                // A sum may be listed twice, and be done.
                if (!sums.all[i].alive || !has(sums.columns_of(i), column)) continue;
                add(sums, i, pivot, having);
                if (sums.all[i].slack >= most_slack || sums.all[i].size > most_sources)
                    sums.all[i].alive = false;
                else
                    consider(sums, i);
            }
            checkpoint_((work_ - asked_work_) / 8);
            asked_work_ = work_;
            if (work_ > most_work) return;
        }
    }

    std::size_t found() const { return candidates_.size(); }

    std::vector<Candidate> candidates() {
        std::stable_sort(
            candidates_.begin(), candidates_.end(),
            [](const Candidate& a, const Candidate& b) { return a.merit() > b.merit(); });
        return std::move(candidates_);
    }

 private:
    static constexpr std::uint64_t most_work = 100'000'000;  // words; about a tenth of a second

    static constexpr std::uint32_t nobody = 0xffffffffu;

    static std::size_t words(std::size_t bits) { return (bits + 63) / 64; }
    static std::vector<std::uint32_t> shuffled(std::size_t count, Random& random) {
        std::vector<std::uint32_t> numbers(count);
        std::iota(numbers.begin(), numbers.end(), 0u);
        random.shuffle(numbers);
        return numbers;
    }
    bool is_one(std::size_t column) const { return point_.values[column] > 1 - 1e-6; }
    std::uint64_t* last_columns() { return start_.columns_of(start_.all.size() - 1); }

    void add(Sums& sums, std::uint32_t to, std::uint32_t other,
             std::vector<std::vector<std::uint32_t>>& having) {
        Sums::Sum& sum = sums.all[to];
        std::uint64_t* const columns = sums.columns_of(to);
        const std::uint64_t* const added = sums.columns_of(other);
        for (std::size_t w = 0; w < sums.column_words; ++w) {
            if (added[w] == 0) continue;
            columns[w] ^= added[w];
            for (std::uint64_t fresh = columns[w] & added[w]; fresh != 0; fresh &= fresh - 1)
                having[w * 64 + static_cast<std::size_t>(std::countr_zero(fresh))].push_back(to);
        }
        sum.odd ^= sums.all[other].odd;
        sum.slack += sums.all[other].slack;
        sum.size = 0;
        std::uint64_t* const sources = sums.sources_of(to);
        const std::uint64_t* const more = sums.sources_of(other);
        for (std::size_t w = 0; w < sums.source_words; ++w) {
            for (std::uint64_t both = sources[w] & more[w]; both != 0; both &= both - 1)
                sum.slack -=
                    2 * start_.all[w * 64 + static_cast<std::size_t>(std::countr_zero(both))].slack;
            sources[w] ^= more[w];
            sum.size += static_cast<std::uint32_t>(std::popcount(sources[w]));
        }
        sum.slack = std::max(0.0, sum.slack);
        work_ += sums.column_words + sums.source_words;
    }

    // A column of value 1 is the only one of its child: the child's own row, without slack, makes
    // its coefficient even.
    void consider(const Sums& sums, std::size_t number) {
        const std::uint64_t* const columns = sums.columns_of(number);
        int ones = 0;
        double loss = sums.all[number].slack;
        for (std::size_t w = 0; w < sums.column_words; ++w) {
            ones += std::popcount(columns[w] & ones_[w]);
            for (std::uint64_t bits = columns[w] & ~ones_[w]; bits != 0; bits &= bits - 1) {
                loss += point_.values[w * 64 + static_cast<std::size_t>(std::countr_zero(bits))];
                if (loss >= most_slack) return;
            }
        }
        if (sums.all[number].odd == (ones % 2 != 0)) return;
        std::vector<Source> sources;
        for_each_bit(sums.sources_of(number), sums.source_words,
                     [&](std::size_t i) { sources.push_back(sources_[i]); });
        for_each_bit(columns, sums.column_words, [&](std::size_t column) {
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
    Words ones_;  // columns of value 1
    Sums start_;
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
    // With so many to choose from, further ones are hardly better.
    constexpr std::size_t choice = 50;
    Eliminator eliminator(rows, active, point, limits);
    for (int repetition = 0; repetition < limits.repetitions; ++repetition) {
        if (eliminator.found() >= choice * limits.most_rows) break;
        eliminator.eliminate(repetition > 0, random);
    }

    const SortedPoint sorted(rows.problem(), point);
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
