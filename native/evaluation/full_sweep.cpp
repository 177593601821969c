#include "evaluation/full_sweep.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <utility>

#include "base/combinatorics.h"
#include "base/parallel.h"
#include "clusters/table_kernels.h"
#include "sweep/kernels.h"

namespace anytimebn {
namespace {

constexpr std::size_t most_low = 12;
constexpr std::size_t beyond_the_end = 16;  // what kernels may read
constexpr double unreachable = std::numeric_limits<double>::infinity();

// Numbers in the tables are doubles that hold whole numbers below 2^52, of three fields: the cost;
// the parents in the whole network so far; those of the variable placed last. Sums are exact, and
// the minimum of two is the cheaper, or the smaller one of equal cost. Added to 2^52 the whole
// number stands in the mantissa, where fields are read without a division.
constexpr double mantissa_reader = 0x1p52;
constexpr std::size_t mantissa_bits = 52;

std::uint64_t bits_of(double value) {
    return std::bit_cast<std::uint64_t>(value + mantissa_reader);
}

// How wide the fields are. Costs that leave no room for the parents of whole networks go without.
struct Fields {
    Fields(std::size_t variables, std::size_t largest_set, Cost largest_cost) {
        last_bits = static_cast<std::size_t>(std::bit_width(largest_set | 1));
        network_bits = static_cast<std::size_t>(std::bit_width(variables * largest_set | 1));
        const auto cost_bits =
            static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(largest_cost)));
        if (cost_bits + network_bits + last_bits > mantissa_bits) network_bits = 0;
        scale = static_cast<double>(std::uint64_t{1} << (network_bits + last_bits));
        last_mask = (std::uint64_t{1} << last_bits) - 1;
        network_mask = (std::uint64_t{1} << network_bits) - 1;
    }
    double number(Cost cost, std::size_t parents) const {
        const std::size_t in_network = network_bits > 0 ? parents << last_bits : 0;
        return scale * static_cast<double>(cost) + static_cast<double>(in_network + parents);
    }
    std::uint64_t last(double value) const { return bits_of(value) & last_mask; }
    std::uint64_t network(double value) const { return bits_of(value) >> last_bits & network_mask; }

    // Sums of sizes and, from bit 40, how often there was no set: only then this bit is set.
    std::uint64_t tally(double value) const {
        const std::uint64_t bits = bits_of(value);
        return (bits & last_mask) | (bits >> 61 & 1) << 40;
    }

    std::size_t last_bits, network_bits;
    double scale;
    std::uint64_t last_mask, network_mask;
};
std::uint64_t sizes(std::uint64_t tally) { return tally & ((std::uint64_t{1} << 40) - 1); }
std::uint64_t absent(std::uint64_t tally) { return tally >> 40; }

// How a set is cut: low | middle | upper. A task of a thread is an upper part, so that parent sets
// which do not fit it are left out once for many blocks.
struct Cut {
    explicit Cut(std::size_t variables)
        : n(variables),
          low(std::min(n, most_low)),
          upper((n - low) / 2),
          middle(n - low - upper),
          block(std::size_t{1} << low) {}
    std::size_t n, low, upper, middle, block;
    std::size_t high() const { return upper + middle; }
};

struct Sets {  // of one child, cheapest first
    std::vector<std::uint32_t> upper, middle;
    std::vector<std::uint16_t> low;
    std::vector<double> cost;

    void clear() {
        middle.clear();
        low.clear();
        cost.clear();
    }
    void pad() {
        middle.resize(cost.size() + beyond_the_end);
        low.resize(cost.size() + beyond_the_end);
    }
};

struct Problem {
    Problem(const ParentSets& sets, const Cut& cut_in)
        : cut(cut_in), children(cut.n), spread(most_cost(sets)), fields(fields_for(sets, spread)) {
        for (std::size_t x = 0; x < cut.n; ++x) {
            std::vector<std::pair<double, std::uint64_t>> sorted;
            for (std::size_t s = sets.first(x); s < sets.first(x + 1); ++s) {
                std::uint64_t mask = 0;
                for (const std::int32_t member : sets.members(s))
                    mask |= std::uint64_t{1} << member;
                sorted.emplace_back(fields.number(sets.cost(s), sets.members(s).size()), mask);
            }
            std::sort(sorted.begin(), sorted.end());
            for (const auto& [cost, mask] : sorted) {
                const std::uint64_t high = mask >> cut.low;
                children[x].upper.push_back(static_cast<std::uint32_t>(high >> cut.middle));
                children[x].middle.push_back(
                    static_cast<std::uint32_t>(high & ((1u << cut.middle) - 1)));
                children[x].low.push_back(static_cast<std::uint16_t>(mask & (cut.block - 1)));
                children[x].cost.push_back(cost);
            }
            cheapest_parents += fields.last(sorted.front().first);
        }
    }

    static Cost most_cost(const ParentSets& sets) {
        Cost sum = 0;
        for (std::size_t x = 0; x < sets.variables(); ++x) sum += sets.cost(sets.first(x + 1) - 1);
        return sum;
    }
    static Fields fields_for(const ParentSets& sets, Cost spread) {
        std::size_t largest = 0;
        const std::size_t count = sets.first(sets.variables());
        for (std::size_t s = 0; s < count; ++s) largest = std::max(largest, sets.members(s).size());
        return Fields(sets.variables(), largest, spread);
    }

    Cut cut;
    std::vector<Sets> children;
    Cost spread;  // no network costs more
    Fields fields;
    std::uint64_t cheapest_parents = 0;  // of the cheapest sets of all variables
};

// What one thread needs and what it has counted.
class Worker {
 public:
    Worker(const Problem& problem, const std::vector<const Heuristic*>& heuristics, Cost limit)
        : problem_(problem),
          cut_(problem.cut),
          fields_(problem.fields),
          heuristics_(heuristics),
          limit_(limit),
          fitting_(cut_.n),
          low_tables_(cut_.low * cut_.block),
          table_(cut_.block),
          sets_(cut_.block),
          values_(cut_.block),
          high_tally_(cut_.block, 0),
          low_tally_(cut_.block, 0),
          last_tally_(cut_.block, 0),
          network_tally_(cut_.block, 0),
          below_(heuristics.size(), std::vector<std::uint64_t>(cut_.n + 1, 0)),
          distributions(heuristics.size()) {
        std::size_t most = 0;
        for (const Sets& own : problem.children) most = std::max(most, own.cost.size());
        kept_low_.resize(most + beyond_the_end);
        kept_cost_.resize(most + beyond_the_end);
    }

    // The parent sets of each child that fit an upper part, without the child itself.
    void begin_task(std::size_t upper) {
        for (std::size_t x = 0; x < cut_.n; ++x) {
            const std::size_t first = cut_.low + cut_.middle;
            const auto placed = static_cast<std::uint32_t>(
                x < first ? upper : upper & ~(std::size_t{1} << (x - first)));
            const Sets& own = problem_.children[x];
            Sets& fitting = fitting_[x];
            fitting.clear();
            for (std::size_t s = 0; s < own.cost.size(); ++s)
                if ((own.upper[s] & ~placed) == 0) {
                    fitting.middle.push_back(own.middle[s]);
                    fitting.low.push_back(own.low[s]);
                    fitting.cost.push_back(own.cost[s]);
                }
            fitting.pad();
        }
    }

    // Fills `here`; before(high) is a block of the layer before.
    template <class Before>
    void sweep_block(std::size_t high, Before&& before, double* here) {
        std::fill(here, here + cut_.block, unreachable);
        if (high == 0) here[0] = 0;
        for (std::size_t left = high; left != 0; left &= left - 1) {
            const std::size_t bit = left & -left;
            fill(cut_.low + static_cast<std::size_t>(std::countr_zero(bit)), high ^ bit,
                 table_.data());
            const double* const there = before(high ^ bit);
            for (std::size_t i = 0; i < cut_.block; ++i) {
                high_tally_[i] += fields_.tally(table_[i]);
                const double cost = there[i] + table_[i];
                here[i] = cost < here[i] ? cost : here[i];
            }
        }
        for (std::size_t x = 0; x < cut_.low; ++x) {
            double* const table = low_tables_.data() + x * cut_.block;
            fill(x, high, table);
            for (std::size_t i = 0; i < cut_.block; ++i) low_tally_[i] += fields_.tally(table[i]);
        }
        if (cut_.block >= lanes)
            place_low<lanes>(here);
        else
            place_low<1>(here);
        count(high, here);
    }

    // Adds what was tallied in blocks of so many high variables to the layers.
    void end_layer(std::size_t placed_high, std::vector<OrderGraphLayer>& layers) {
        std::vector<std::uint64_t> low_sizes(cut_.low + 1, 0), low_absent(cut_.low + 1, 0);
        for (std::size_t i = 0; i < cut_.block; ++i) {
            const auto placed_low = static_cast<std::size_t>(std::popcount(i));
            const std::size_t placed = placed_high + placed_low;
            low_sizes[placed_low] += sizes(low_tally_[i]);
            low_absent[placed_low] += absent(low_tally_[i]);
            layers[placed].last_parents += sizes(last_tally_[i]);
            layers[placed].network_parents += network_tally_[i];
            layers[placed].reachable -= absent(last_tally_[i]);
            if (placed > 0) {  // these tables were of one high variable less
                layers[placed - 1].step_parents += sizes(high_tally_[i]);
                layers[placed - 1].steps -= absent(high_tally_[i]);
            }
            low_tally_[i] = last_tally_[i] = high_tally_[i] = network_tally_[i] = 0;
        }
        // A low table has the same value with and without its own variable: what is counted at so
        // many placed variables is there once more at one more, where it is no step.
        for (std::size_t placed_low = 0; placed_low < cut_.low; ++placed_low) {
            if (placed_low > 0) {
                low_sizes[placed_low] -= low_sizes[placed_low - 1];
                low_absent[placed_low] -= low_absent[placed_low - 1];
            }
            layers[placed_high + placed_low].step_parents += low_sizes[placed_low];
            layers[placed_high + placed_low].steps -= low_absent[placed_low];
        }
    }

    const std::vector<std::uint64_t>& below(std::size_t heuristic) const {
        return below_[heuristic];
    }

 private:
    static constexpr std::size_t lanes = 8;

    // table[A] = cheapest parents of x, with sizes, when `high` and A are placed.
    void fill(std::size_t x, std::size_t high, double* table) {
        const Sets& own = fitting_[x];
        const std::size_t middle = high & ((std::size_t{1} << cut_.middle) - 1);
        const std::size_t kept =
            sweep_.filter(own.middle.data(), own.low.data(), own.cost.data(), own.cost.size(),
                          static_cast<std::uint32_t>(middle), kept_low_.data(), kept_cost_.data());
        std::fill(table, table + cut_.block, unreachable);
        for (std::size_t s = kept; s-- > 0;) table[kept_low_[s]] = kept_cost_[s];
        kernels_.min_over_subsets(table, cut_.block);
    }

    // Places the low variables inside a block: those above the lowest three by vectors.
    template <std::size_t width>
    void place_low(double* here) {
        constexpr auto narrow = static_cast<std::size_t>(std::countr_zero(width));
        for (std::size_t begin = 0; begin < cut_.block; begin += width) {
            double best[width];
            for (std::size_t l = 0; l < width; ++l) best[l] = here[begin + l];
            for (std::size_t left = begin; left != 0; left &= left - 1) {
                const auto x = static_cast<std::size_t>(std::countr_zero(left));
                const double* const there = here + (begin ^ (std::size_t{1} << x));
                const double* const table =
                    low_tables_.data() + x * cut_.block + (begin ^ (std::size_t{1} << x));
                for (std::size_t l = 0; l < width; ++l) {
                    const double cost = there[l] + table[l];
                    best[l] = cost < best[l] ? cost : best[l];
                }
            }
            for (std::size_t l = 0; l < width; ++l) {
                for (std::size_t x = 0; x < narrow; ++x)
                    if (l >> x & 1) {
                        const std::size_t without = begin + l - (std::size_t{1} << x);
                        best[l] = std::min(best[l],
                                           here[without] + low_tables_[x * cut_.block + without]);
                    }
                last_tally_[begin + l] += fields_.tally(best[l]);
                network_tally_[begin + l] += fields_.network(best[l]);
                here[begin + l] = best[l] - static_cast<double>(fields_.last(best[l]));
            }
        }
    }

    void count(std::size_t high, const double* here) {
        const double unscale = 1 / fields_.scale;
        for (std::size_t i = 0; i < cut_.block; ++i) sets_[i] = high << cut_.low | i;
        const auto placed_high = static_cast<std::size_t>(std::popcount(high));
        for (std::size_t h = 0; h < heuristics_.size(); ++h) {
            heuristics_[h]->evaluate(sets_.data(), cut_.block, values_.data());
            FDistribution& own = distributions[h];
            std::vector<std::uint64_t>& below = below_[h];
            for (std::size_t i = 0; i < cut_.block; ++i) {
                const Cost f = here[i] < unreachable
                                   ? static_cast<Cost>(here[i] * unscale) + values_[i]
                                   : infinite_cost;
                if (f < limit_) ++below[placed_high + static_cast<std::size_t>(std::popcount(i))];
                own.at_limit += f == limit_;
                if (f <= problem_.spread)
                    own.histogram.add(f);
                else
                    ++own.dead;
            }
        }
    }

    const Problem& problem_;
    const Cut& cut_;
    const Fields fields_;
    const std::vector<const Heuristic*>& heuristics_;
    const Cost limit_;
    const SweepKernels sweep_ = sweep_kernels();
    const TableKernels<double> kernels_ = table_kernels<double>();
    std::vector<Sets> fitting_;
    std::vector<double> low_tables_, table_, kept_cost_;
    std::vector<std::uint16_t> kept_low_;
    std::vector<std::uint64_t> sets_;
    std::vector<Cost> values_;
    std::vector<std::uint64_t> high_tally_, low_tally_, last_tally_, network_tally_;
    std::vector<std::vector<std::uint64_t>> below_;

 public:
    std::vector<FDistribution> distributions;
};

}  // namespace

std::uint64_t full_sweep_memory(std::size_t variables, std::size_t jobs) {
    const Cut cut(variables);
    const Binomials choose(cut.high() + 1, cut.high() + 1);
    std::uint64_t most = 0;  // blocks of two layers
    for (std::size_t k = 0; k <= cut.high(); ++k)
        most = std::max(most, choose(cut.high() + 1, k + 1));
    const std::uint64_t tables = jobs * (cut.low + 7) * cut.block * 8;
    return most * cut.block * 8 + tables + (std::uint64_t{4} << cut.high());
}

FullSweep sweep_order_graph(const ParentSets& sets, const std::vector<const Heuristic*>& heuristics,
                            Cost limit, std::size_t jobs, Control& control) {
    const Problem problem(sets, Cut(sets.variables()));
    const Cut& cut = problem.cut;
    FullSweep result;
    result.layers.resize(cut.n + 1);
    const Binomials choose(cut.n, cut.n);
    for (std::size_t k = 0; k <= cut.n; ++k) {
        OrderGraphLayer& layer = result.layers[k];
        layer.nodes = layer.reachable = choose(cut.n, k);
        layer.steps = layer.nodes * (cut.n - k);
    }

    // The number of a block in its layer.
    std::vector<std::uint32_t> number(std::size_t{1} << cut.high());
    std::vector<std::uint32_t> count(cut.high() + 1, 0);
    for (std::size_t high = 0; high < number.size(); ++high)
        number[high] = count[static_cast<std::size_t>(std::popcount(high))]++;

    std::vector<std::unique_ptr<Worker>> workers;
    for (std::size_t i = 0; i < jobs; ++i)
        workers.push_back(std::make_unique<Worker>(problem, heuristics, limit));
    control.begin(static_cast<double>(number.size()));
    std::unique_ptr<double[]> before, here;
    for (std::size_t k = 0; k <= cut.high(); ++k) {
        here = std::make_unique_for_overwrite<double[]>(count[k] * cut.block);
        const auto block_before = [&](std::size_t high) {
            return before.get() + std::size_t{number[high]} * cut.block;
        };
        parallel_for(std::size_t{1} << cut.upper, jobs, [&](std::size_t upper, std::size_t worker) {
            const auto placed = static_cast<std::size_t>(std::popcount(upper));
            if (placed > k || k - placed > cut.middle) return;
            workers[worker]->begin_task(upper);
            for (std::size_t middle = 0; middle < std::size_t{1} << cut.middle; ++middle) {
                if (placed + static_cast<std::size_t>(std::popcount(middle)) != k) continue;
                if (control.stopped()) return;
                const std::size_t high = upper << cut.middle | middle;
                workers[worker]->sweep_block(high, block_before,
                                             here.get() + std::size_t{number[high]} * cut.block);
                control.advance(1);
            }
        });
        if (control.stopped()) return result;
        for (const auto& worker : workers) worker->end_layer(k, result.layers);
        before = std::move(here);
    }
    const double last = before[cut.block - 1];
    result.optimum =
        last < unreachable ? static_cast<Cost>(last / problem.fields.scale) : infinite_cost;
    result.counts_networks = problem.fields.network_bits > 0;
    result.cheapest_parents = problem.cheapest_parents;

    result.distributions.resize(heuristics.size());
    for (std::size_t h = 0; h < heuristics.size(); ++h) {
        FDistribution& all = result.distributions[h];
        all.below.assign(cut.n + 1, 0);
        for (const auto& worker : workers) {
            for (std::size_t k = 0; k <= cut.n; ++k) all.below[k] += worker->below(h)[k];
            all.at_limit += worker->distributions[h].at_limit;
            all.dead += worker->distributions[h].dead;
            all.histogram.join(worker->distributions[h].histogram);
        }
    }
    result.complete = true;
    return result;
}

}  // namespace anytimebn
