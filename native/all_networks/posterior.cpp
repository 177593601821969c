#include "all_networks/posterior.h"

#include <algorithm>
#include <cmath>

#include "all_networks/small_sets.h"
#include "all_networks/wide.h"
#include "all_networks/wide_kernels.h"
#include "base/checkpoint.h"
#include "base/parallel.h"

namespace anytimebn {
namespace {

// How a set of variables is split: the first ones are a position in a dense block, the last ones
// name a part, which is what threads share out. All parts with the same number of these last ones
// depend on parts with fewer (or, backwards, more) of them only.
struct Split {
    std::size_t low, top;

    explicit Split(std::size_t variables)
        : low(std::min<std::size_t>(variables, 8)),
          top(std::min<std::size_t>(variables - low, 4)) {}
};

// A number for each set of all variables, 12 bytes each.
class Table {
 public:
    explicit Table(std::size_t variables) {
        mantissas_.resize(std::size_t{1} << variables);
        exponents_.resize(std::size_t{1} << variables);
    }
    static std::uint64_t memory_bytes(std::size_t variables) {
        return std::uint64_t{12} << variables;
    }

    void set(std::size_t set, Wide value) {
        value.normalise();
        mantissas_[set] = value.mantissa;
        exponents_[set] = static_cast<std::int32_t>(value.exponent);
    }
    Wide operator[](std::size_t set) const {
        return {mantissas_[set], static_cast<double>(exponents_[set])};
    }

 private:
    UntouchedVector<double> mantissas_;
    UntouchedVector<std::int32_t> exponents_;
};

// Products of one number with another, summed: the parts first, so that their largest exponent is
// known when they are added.
class SumOfProducts {
 public:
    void add(Wide a, Wide b) {
        if (a.mantissa > 0 && b.mantissa > 0)
            parts_[count_++] = {a.mantissa * b.mantissa, a.exponent + b.exponent};
    }
    Wide take() {
        Wide sum;
        for (std::size_t i = 0; i < count_; ++i)
            sum.exponent = std::max(sum.exponent, parts_[i].exponent);
        for (std::size_t i = 0; i < count_; ++i)
            sum.mantissa += parts_[i].mantissa_at(sum.exponent);
        count_ = 0;
        return sum;
    }

 private:
    Wide parts_[most_posterior_variables];
    std::size_t count_ = 0;
};

class OrderSums {
 public:
    OrderSums(const WeightedFamilies& weights, bool families, std::size_t jobs, Control& control)
        : n_(weights.variables()),
          split_(n_),
          sets_(n_, weights.most_parents()),
          weights_(weights),
          families_(families),
          jobs_(jobs),
          control_(control),
          add_(add_wide_kernel()),
          left_(n_),
          right_(families ? n_ : 0) {}

    PosteriorSums run() {
        const std::size_t blocks = std::size_t{1} << (n_ - split_.low);
        control_.begin(static_cast<double>(blocks) * (families_ ? 3 : 1));
        clear(root_, sets_.count(n_));
        for (std::size_t x = 0; x < n_; ++x)
            for (std::int64_t s = weights_.first_set[x]; s < weights_.first_set[x + 1]; ++s)
                root_.set(sets_.place(members(s)) * n_ + x,
                          Wide::of_logarithm(weights_.log_weights[static_cast<std::size_t>(s)]));
        workers_.resize(std::max<std::size_t>(1, jobs_));
        for (Worker& worker : workers_) prepare(worker);

        sweep(false);
        PosteriorSums sums;
        const Wide total = left_[(std::size_t{1} << n_) - 1];
        sums.log_total = total.logarithm();
        if (families_) {
            clear(gathered_root_, sets_.count(n_));
            sweep(true);
            for (std::size_t x = 0; x < n_; ++x)
                for (std::int64_t s = weights_.first_set[x]; s < weights_.first_set[x + 1]; ++s) {
                    const std::size_t place = sets_.place(members(s)) * n_ + x;
                    const Wide weight = root_.at(place), rest = gathered_root_.at(place);
                    sums.probabilities.push_back(std::min(
                        1.0,
                        std::ldexp(weight.mantissa * (rest.mantissa / total.mantissa),
                                   exponent_of(weight.exponent + rest.exponent - total.exponent))));
                }
        }
        sums.complete = true;
        return sums;
    }

 private:
    // Of each thread. Lists have a row of n numbers, one a child, for each small set of the first m
    // variables; [m] is that of a level on the way down, or up.
    struct Worker {
        std::vector<WideArray> down, up;
        WideArray block;
    };

    static int exponent_of(double exponent) {
        return static_cast<int>(std::clamp(exponent, -100000.0, 100000.0));
    }

    std::uint32_t members(std::int64_t set) const {
        std::uint32_t mask = 0;
        const auto s = static_cast<std::size_t>(set);
        for (std::int64_t i = weights_.first_member[s]; i < weights_.first_member[s + 1]; ++i)
            mask |= std::uint32_t{1} << weights_.members[static_cast<std::size_t>(i)];
        return mask;
    }

    void clear(WideArray& rows, std::size_t count) const {
        rows.resize(count * n_);
        std::fill(rows.mantissas.begin(), rows.mantissas.end(), 0.0);
        std::fill(rows.exponents.begin(), rows.exponents.end(), zero_exponent);
    }

    void prepare(Worker& worker) const {
        worker.down.resize(n_ + 1);
        worker.up.resize(n_ + 1);
        for (std::size_t m = split_.low; m < n_; ++m) {
            worker.down[m].resize(sets_.count(m) * n_);
            if (families_ && m < n_ - split_.top) worker.up[m].resize(sets_.count(m) * n_);
        }
        worker.block.resize((std::size_t{1} << split_.low) * n_);
    }

    void copy(WideArray& target, const WideArray& source, std::size_t rows) const {
        std::copy_n(source.mantissas.data(), rows * n_, target.mantissas.data());
        std::copy_n(source.exponents.data(), rows * n_, target.exponents.data());
    }
    void add(WideArray& target, std::size_t row, const WideArray& source, std::size_t other,
             std::size_t rows = 1) const {
        add_(target.mantissas.data() + row * n_, target.exponents.data() + row * n_,
             source.mantissas.data() + other * n_, source.exponents.data() + other * n_, rows * n_);
    }

    // All parts: forward, which makes L, or backward, which makes R and gathers gamma.
    void sweep(bool backward) {
        const std::size_t parts = std::size_t{1} << split_.top, middle = n_ - split_.top;
        for (std::size_t step = 0; step <= split_.top; ++step) {
            const std::size_t size = backward ? split_.top - step : step;
            std::vector<std::uint32_t> layer;
            for (std::uint32_t part = 0; part < parts; ++part)
                if (static_cast<std::size_t>(std::popcount(part)) == size) layer.push_back(part);
            std::vector<WideArray> gathered(layer.size());
            parallel_for(layer.size(), jobs_, [&](std::size_t task, std::size_t worker) {
                if (backward) gathered[task].resize(sets_.count(middle) * n_);
                sweep_part(layer[task], workers_[worker], backward ? &gathered[task] : nullptr);
            });
            // One after the other, so that sums are the same however the parts were shared out.
            if (backward)
                for (std::size_t task = 0; task < layer.size(); ++task)
                    gather_part(layer[task], gathered[task]);
        }
    }

    void sweep_part(std::uint32_t part, Worker& worker, WideArray* gathered) {
        const WideArray* list = &root_;
        for (std::size_t m = n_; m > n_ - split_.top; --m)
            if (part >> (m - 1 - (n_ - split_.top)) & 1) list = &with_last(*list, m, worker);
        descend(*list, n_ - split_.top, part, worker, gathered);
    }

    // What the families of a list become when the last of its m variables is in U.
    const WideArray& with_last(const WideArray& list, std::size_t m, Worker& worker) const {
        WideArray& shorter = worker.down[m - 1];
        copy(shorter, list, sets_.count(m - 1));
        for (std::size_t i = sets_.count(m - 1); i < sets_.count(m); ++i)
            add(shorter, sets_.without_last(i), list, i);
        return shorter;
    }

    // All sets of the first m variables together with those of `high`. Without the m-th, the list
    // is the beginning of what it was.
    void descend(const WideArray& list, std::size_t m, std::size_t high, Worker& worker,
                 WideArray* gathered) {
        if (control_.stopped()) throw WorkStopped();
        if (m == split_.low) {
            visit(list, high, worker, gathered);
            return;
        }
        if (gathered == nullptr) {
            descend(list, m - 1, 2 * high, worker, nullptr);
            descend(with_last(list, m, worker), m - 1, 2 * high + 1, worker, nullptr);
            return;
        }
        WideArray& half = worker.up[m - 1];
        descend(with_last(list, m, worker), m - 1, 2 * high + 1, worker, &half);
        copy(*gathered, half, sets_.count(m - 1));
        for (std::size_t i = sets_.count(m - 1); i < sets_.count(m); ++i) {
            const std::size_t from = sets_.without_last(i) * n_;
            std::copy_n(half.mantissas.data() + from, n_, gathered->mantissas.data() + i * n_);
            std::copy_n(half.exponents.data() + from, n_, gathered->exponents.data() + i * n_);
        }
        descend(list, m - 1, 2 * high, worker, &half);
        add(*gathered, 0, half, 0, sets_.count(m - 1));
    }

    void visit(const WideArray& list, std::size_t high, Worker& worker, WideArray* gathered) {
        const std::size_t size = std::size_t{1} << split_.low, base = high << split_.low;
        WideArray& block = worker.block;
        clear(block, size);
        for (std::size_t i = 0; i < sets_.count(split_.low); ++i) {
            std::copy_n(list.mantissas.data() + i * n_, n_, block.mantissas.data() + sets_[i] * n_);
            std::copy_n(list.exponents.data() + i * n_, n_, block.exponents.data() + sets_[i] * n_);
        }
        for (std::size_t half = 1; half < size; half *= 2)
            for (std::size_t begin = 0; begin < size; begin += 2 * half)
                add(block, begin + half, block, begin, half);
        // The families of x have no x: alpha_x of U and of U without x are the same.
        SumOfProducts sum;
        const std::size_t all = (std::size_t{1} << n_) - 1;
        if (gathered == nullptr) {
            for (std::size_t i = 0; i < size; ++i) {
                const std::size_t set = base | i;
                for (std::size_t rest = set; rest != 0; rest &= rest - 1) {
                    const auto x = static_cast<std::size_t>(std::countr_zero(rest));
                    sum.add(block.at(i * n_ + x), left_[set ^ std::size_t{1} << x]);
                }
                left_.set(set, set == 0 ? Wide{1, 0} : sum.take());
            }
            control_.advance(1);
            return;
        }
        for (std::size_t i = size; i-- > 0;) {
            const std::size_t set = base | i;
            for (std::size_t rest = all & ~set; rest != 0; rest &= rest - 1) {
                const auto x = static_cast<std::size_t>(std::countr_zero(rest));
                sum.add(block.at(i * n_ + x), right_[set | std::size_t{1} << x]);
            }
            right_.set(set, set == all ? Wide{1, 0} : sum.take());
            const Wide before = left_[set];
            for (std::size_t x = 0; x < n_; ++x) {
                Wide value;
                if (!(set >> x & 1)) {
                    const Wide after = right_[set | std::size_t{1} << x];
                    value = {before.mantissa * after.mantissa, before.exponent + after.exponent};
                    if (value.mantissa == 0) value = {};
                }
                block.set(i * n_ + x, value);
            }
        }
        for (std::size_t half = 1; half < size; half *= 2)
            for (std::size_t begin = 0; begin < size; begin += 2 * half)
                add(block, begin, block, begin + half, half);
        for (std::size_t i = 0; i < sets_.count(split_.low); ++i) {
            std::copy_n(block.mantissas.data() + sets_[i] * n_, n_,
                        gathered->mantissas.data() + i * n_);
            std::copy_n(block.exponents.data() + sets_[i] * n_, n_,
                        gathered->exponents.data() + i * n_);
        }
        control_.advance(2);
    }

    // Adds what the sets of a part say to all small sets inside them.
    void gather_part(std::uint32_t part, const WideArray& gathered) {
        const std::size_t middle = n_ - split_.top;
        for (std::uint32_t high = part;; high = (high - 1) & part) {
            const auto used = static_cast<std::size_t>(std::popcount(high));
            for (std::size_t i = 0; i < sets_.count(middle); ++i)
                if (static_cast<std::size_t>(std::popcount(sets_[i])) + used <=
                    sets_.most_members())
                    add(gathered_root_, sets_.place(high << middle | sets_[i]), gathered, i);
            if (high == 0) return;
        }
    }

    const std::size_t n_;
    const Split split_;
    const SmallSets sets_;
    const WeightedFamilies& weights_;
    const bool families_;
    const std::size_t jobs_;
    Control& control_;
    const AddWide add_;
    Table left_, right_;
    WideArray root_, gathered_root_;
    std::vector<Worker> workers_;
};

}  // namespace

std::size_t WeightedFamilies::most_parents() const {
    std::int64_t most = 0;
    for (std::size_t s = 0; s + 1 < first_member.size(); ++s)
        most = std::max(most, first_member[s + 1] - first_member[s]);
    return static_cast<std::size_t>(most);
}

std::uint64_t posterior_memory(std::size_t variables, std::size_t most_parents, bool families,
                               std::size_t jobs) {
    const Split split(variables);
    const auto small_sets = [&](std::size_t m) {
        double count = 1, term = 1;
        for (std::size_t k = 1; k <= std::min(m, most_parents); ++k) {
            term *= static_cast<double>(m - k + 1) / static_cast<double>(k);
            count += term;
        }
        return count;
    };
    const double row = 16 * static_cast<double>(variables);  // bytes
    double lists = small_sets(variables) * (8 + row * (families ? 2 : 1)), of_worker = 0;
    for (std::size_t m = split.low; m < variables; ++m)
        of_worker += small_sets(m) * row * (families ? 2 : 1);
    of_worker += static_cast<double>(std::size_t{1} << split.low) * row;
    if (families) lists += 6 * small_sets(variables - split.top) * row;  // the parts of a layer
    lists += of_worker * static_cast<double>(std::max<std::size_t>(1, jobs));
    return Table::memory_bytes(variables) * (families ? 2 : 1) + static_cast<std::uint64_t>(lists);
}

PosteriorSums sum_over_orders(const WeightedFamilies& weights, bool families, std::size_t jobs,
                              Control& control) {
    try {
        return OrderSums(weights, families, jobs, control).run();
    } catch (const WorkStopped&) {
        return {};
    }
}

}  // namespace anytimebn
