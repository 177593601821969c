#include "scores/local_scores.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <span>

#include "base/checkpoint.h"
#include "base/parallel.h"
#include "scores/distinct_rows.h"
#include "scores/pruning.h"
#include "scores/score.h"
#include "scores/set_census.h"

namespace anytimebn {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// In four lots: a count that waits for the one before takes several times as long.
std::vector<std::int64_t> counts_of(const std::uint16_t* codes, std::size_t rows, int arity) {
    constexpr std::size_t lots = 4;
    std::vector<std::int64_t> counts(static_cast<std::size_t>(arity) * lots, 0);
    for (std::size_t row = 0; row < rows; ++row) ++counts[codes[row] * lots + row % lots];
    for (std::size_t value = 0; value < static_cast<std::size_t>(arity); ++value)
        counts[value] = std::accumulate(
            counts.begin() + static_cast<std::ptrdiff_t>(value * lots),
            counts.begin() + static_cast<std::ptrdiff_t>(value * lots + lots), std::int64_t{0});
    counts.resize(static_cast<std::size_t>(arity));
    return counts;
}

// The penalty alone rules out large parent sets: P costs at least penalty * |configurations of P|,
// and so does every superset, while the required parents R alone cost at most what the child costs
// without parents, plus their penalty. Where the one reaches the other, P is not optimal, nor is
// any superset. (The rules of de Campos, Scanagatta, Corani & Zaffalon 2018, which compare with
// entropies given each subset of P, rule out hardly more: most of what they say is this.)
//
// The margin is more than rounding can add up to: sums of cells, each rounded to a unit, and costs
// compared in millionths. So no set is ruled out that comparing would keep. Where sets may cost
// more than their subsets, that is allowed on top.
double configurations_ruled_out(const Score& score, std::size_t rows, const std::uint16_t* codes,
                                int arity, double required_configurations, double allowed) {
    constexpr double none = std::numeric_limits<double>::infinity();
    // Beyond, products of arities are not exact.
    constexpr double largest = 0x1p50;
    const double penalty = score.penalty(arity);
    if (penalty <= 0 || score.counted() == nullptr || required_configurations * arity > largest)
        return none;
    const std::vector<std::int64_t> counts = counts_of(codes, rows, arity);
    const double margin = 4 * static_cast<double>(rows + 1) * CellTables::unit(rows) + 1e-5;
    const double gain = (score.counted()->loss_alone(counts) + margin + allowed) / penalty;
    const double least = std::floor(required_configurations + gain) + 1;
    return least * arity < largest ? least : none;
}

// The task in terms of the columns that vary, by ascending arity. Constant columns change no table,
// so they never are worth being a parent, and as children they cost nothing whatever their parents.
struct Plan {
    Columns columns;
    std::vector<std::uint32_t> variable;                       // of each column
    std::vector<ChildConstraints> children;                    // of each column
    std::vector<std::vector<std::uint32_t>> constant_parents;  // required though constant
    std::vector<int> distinct_arities;
    WantedSets wanted;  // families and parents

    Plan(const ScoringTask& task, const Score& score) {
        columns.rows = columns.total_weight = task.rows;
        for (std::uint32_t v = 0; v < task.variables(); ++v)
            if (task.arities[v] > 1) variable.push_back(v);
        std::stable_sort(variable.begin(), variable.end(), [&](std::uint32_t a, std::uint32_t b) {
            return task.arities[a] < task.arities[b];
        });
        std::vector<std::size_t> position(task.variables(), task.variables());
        for (std::size_t p = 0; p < variable.size(); ++p) position[variable[p]] = p;
        std::set<int> arities;
        for (const std::uint32_t v : variable) {
            columns.codes.push_back(task.codes[v]);
            columns.arities.push_back(task.arities[v]);
            arities.insert(task.arities[v]);
        }
        distinct_arities.assign(arities.begin(), arities.end());

        for (const std::uint32_t v : variable) {
            ChildConstraints child;
            std::vector<std::uint32_t> constants;
            const auto& required = task.required[v];
            for (const std::uint32_t parent : required) {
                if (task.arities[parent] > 1)
                    child.required.push_back(position[parent]);
                else
                    constants.push_back(parent);
            }
            for (const std::uint32_t parent : task.allowed[v])
                if (task.arities[parent] > 1 &&
                    std::find(required.begin(), required.end(), parent) == required.end())
                    child.free.push_back(position[parent]);
            std::sort(child.required.begin(), child.required.end());
            std::sort(child.free.begin(), child.free.end());
            const std::size_t room =
                task.max_parents[v] - std::min<std::size_t>(task.max_parents[v], constants.size());
            child.max_parents = std::max(child.required.size(),
                                         std::min(room, child.required.size() + child.free.size()));
            rule_out(child, task, score, v);
            // Costs are compared rounded: two more, and nothing within the margin is missed.
            if (task.margin) child.slack = std::ceil(*task.margin * 1e6) + 2;
            children.push_back(std::move(child));
            constant_parents.push_back(std::move(constants));
        }
        wanted.cells_below = 1;
        for (std::size_t c = 0; c < children.size(); ++c) {
            const double cells = children[c].configurations_below * columns.arities[c];
            wanted.cells_below = std::max(wanted.cells_below, cells);
            wanted.max_size = std::max(wanted.max_size, children[c].max_parents + 1);
        }
    }

    std::size_t most_parents() const { return wanted.max_size ? wanted.max_size - 1 : 0; }

 private:
    void rule_out(ChildConstraints& child, const ScoringTask& task, const Score& score,
                  std::uint32_t variable) const {
        double configurations = 1;
        for (const std::size_t parent : child.required) configurations *= columns.arities[parent];
        child.configurations_below =
            configurations_ruled_out(score, task.rows, task.codes[variable], task.arities[variable],
                                     configurations, task.margin.value_or(0));
        std::size_t useful = child.required.size();
        for (const std::size_t parent : child.free) {
            configurations *= columns.arities[parent];
            if (configurations >= child.configurations_below) break;
            ++useful;
        }
        child.larger_ruled_out = useful <= child.max_parents;
        child.max_parents = std::min(child.max_parents, useful);
    }
};

// Equal rows count once if that leaves half of the bits to count, or less.
void merge_equal_rows(const DistinctRows& distinct, Columns& columns) {
    if (!distinct.found()) return;
    Columns merged = with_weights(columns, distinct);
    if (bits_to_count(merged) <= columns.rows / 2) columns = std::move(merged);
}

SetValues allocate(const Binomials& binomials, const Columns& columns, const WantedSets& wanted) {
    SetValues values(wanted.max_size + 1);
    for (std::size_t k = 0; k <= wanted.max_size; ++k)
        values[k].resize(binomials(wanted.reach(columns.arities, k), k));
    return values;
}

double all_sets(const SetCensus& census, std::size_t max_size) {
    double sets = 0;
    for (std::size_t k = 0; k <= max_size; ++k) sets += census.sets(k);
    return sets;
}

// Parent sets of a child that are compared; about as many, where some are ruled out.
double prune_work(const ChildConstraints& child, const Plan& plan, const SetCensus& census) {
    double sets = 1, total = 1, configurations = 1;
    for (const std::size_t parent : child.required) configurations *= plan.columns.arities[parent];
    const double below = child.configurations_below / configurations;
    for (std::size_t k = 1; k <= child.max_parents - child.required.size(); ++k) {
        sets *= static_cast<double>(child.free.size() - k + 1) / static_cast<double>(k);
        total += sets * census.share_below(k, below);
    }
    return total;
}

// Reading and comparing a parent set costs about as much as this part of counting a joint table.
constexpr double prune_share = 0.05;

// The sets of one child as results have them: by variable, cheapest first.
struct SortedSets {
    std::vector<double> costs;
    std::vector<std::uint32_t> sizes;
    std::vector<std::int32_t> members;
};

SortedSets sorted(const ChildSets& child, const Plan& plan, std::size_t column,
                  Checkpoint checkpoint) {
    const auto& constants = plan.constant_parents[column];
    struct Key {
        double units;
        std::uint32_t set;
    };
    std::vector<Key> keys;
    std::vector<std::int32_t> members;      // of all sets, as they came
    std::vector<std::size_t> first_member;  // of each
    keys.reserve(child.sets.size());
    members.reserve(child.members.size() + child.sets.size() * constants.size());
    first_member.reserve(child.sets.size() + 1);
    for (const auto& set : child.sets) {
        checkpoint();
        keys.push_back({std::nearbyint(set.cost * 1e6), static_cast<std::uint32_t>(keys.size())});
        first_member.push_back(members.size());
        for (std::size_t i = 0; i < set.size; ++i)
            members.push_back(
                static_cast<std::int32_t>(plan.variable[child.members[set.first_member + i]]));
        for (const std::uint32_t parent : constants)
            members.push_back(static_cast<std::int32_t>(parent));
        std::sort(members.begin() + static_cast<std::ptrdiff_t>(first_member.back()),
                  members.end());
    }
    first_member.push_back(members.size());
    const auto own = [&](std::uint32_t set) {
        return std::span(members).subspan(first_member[set],
                                          first_member[set + 1] - first_member[set]);
    };
    std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
        checkpoint();
        if (a.units != b.units) return a.units < b.units;
        const auto left = own(a.set), right = own(b.set);
        if (left.size() != right.size()) return left.size() < right.size();
        return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
    });
    SortedSets sets;
    sets.costs.reserve(keys.size());
    sets.sizes.reserve(keys.size());
    sets.members.reserve(members.size());
    for (const Key& key : keys) {
        checkpoint();
        const auto chosen = own(key.set);
        sets.costs.push_back(child.sets[key.set].cost);
        sets.sizes.push_back(static_cast<std::uint32_t>(chosen.size()));
        sets.members.insert(sets.members.end(), chosen.begin(), chosen.end());
    }
    return sets;
}

void append(const SortedSets& sets, ScoringResult& result) {
    result.costs.insert(result.costs.end(), sets.costs.begin(), sets.costs.end());
    result.members.insert(result.members.end(), sets.members.begin(), sets.members.end());
    for (const std::uint32_t size : sets.sizes)
        result.first_member.push_back(result.first_member.back() + size);
}

}  // namespace

std::unique_ptr<Score> score_of(const ScoringTask& task) {
    const auto rows = static_cast<std::int64_t>(task.rows);
    if (task.one_of_each > 1) {
        const auto all = static_cast<std::int64_t>(task.one_of_each) * rows;
        auto score = make_score(task.score, all, task.parameters)
                         ->of_sample(task.one_of_each, task.variables());
        if (score != nullptr) return score;
    }
    return make_score(task.score, rows, task.parameters);
}

std::vector<std::uint32_t> most_useful_parents(const ScoringTask& task) {
    const auto score = score_of(task);
    const Plan plan(task, *score);
    std::vector<std::uint32_t> most;
    for (const auto& required : task.required)
        most.push_back(static_cast<std::uint32_t>(required.size()));
    for (std::size_t c = 0; c < plan.children.size(); ++c)
        most[plan.variable[c]] = static_cast<std::uint32_t>(plan.children[c].max_parents +
                                                            plan.constant_parents[c].size());
    return most;
}

ScoringEstimate estimate_scoring(const ScoringTask& task) {
    const auto score = score_of(task);
    const Plan plan(task, *score);
    const std::size_t n = plan.columns.size();
    const WantedSets& wanted = plan.wanted;
    const Binomials binomials(n + 1, wanted.max_size + 4);
    const SetCensus census(plan.columns.arities, wanted, task.rows);
    ScoringEstimate estimate;
    estimate.sets = all_sets(census, wanted.max_size);
    std::vector<double> stored(wanted.max_size + 1);  // values, up to each size
    for (std::size_t k = 0; k <= wanted.max_size; ++k)
        stored[k] = static_cast<double>(binomials(wanted.reach(plan.columns.arities, k), k)) +
                    (k > 0 ? stored[k - 1] : 0);
    estimate.memory_bytes = 8 * stored[wanted.max_size];
    if (score->has_parent_term())
        estimate.memory_bytes +=
            8 * static_cast<double>(plan.distinct_arities.size()) * stored[plan.most_parents()];
    double largest_sweep = 0;
    for (const auto& child : plan.children) {
        estimate.parent_sets += prune_work(child, plan, census);
        // Two levels of best subsets, the larger one below the last.
        double sweep = 0;
        for (std::size_t k = 0; k + 1 <= child.max_parents - child.required.size(); ++k)
            sweep += static_cast<double>(remembered_sets(plan.columns, child, k, binomials));
        largest_sweep = std::max(largest_sweep, sweep);
    }
    estimate.memory_bytes += 8 * 1.5 * largest_sweep * static_cast<double>(task.jobs);
    if (task.margin && std::isinf(*task.margin))
        estimate.memory_bytes +=
            estimate.parent_sets * (64 + 12 * static_cast<double>(plan.most_parents()));
    double planes = 0;
    for (const int r : plan.columns.arities) planes += r - 1;
    const double row_words = static_cast<double>(task.rows) / 64;
    const auto depth = static_cast<double>(wanted.max_size);
    estimate.memory_bytes += static_cast<double>(task.jobs) * depth * planes * (row_words + 64) * 8;

    for (std::size_t k = 1; k <= wanted.max_size; ++k) {
        const std::size_t reach = wanted.reach(plan.columns.arities, k);
        double arity = 0;
        for (std::size_t c = 0; c < reach; ++c) arity += plan.columns.arities[c];
        arity /= static_cast<double>(std::max<std::size_t>(1, reach));
        estimate.cell_visits +=
            census.sets(k) * row_words * (arity - 1) * (arity - 1) + census.cells(k);
    }
    estimate.cell_visits += 4 * estimate.parent_sets;
    return estimate;
}

namespace {

// The plan of a task, and the set functions that it is to count: that of the score, and for some
// scores one more for each child arity.
struct Counting {
    struct Wanted {
        std::unique_ptr<SetFunction> function;
        WantedSets sets;
    };

    const ScoringTask& task;
    const std::unique_ptr<Score> score;
    Plan plan;
    const DistinctRows distinct;
    const Binomials binomials;
    std::vector<Wanted> functions;

    explicit Counting(const ScoringTask& of)
        : task(of),
          score(score_of(of)),
          plan(of, *score),
          distinct(plan.columns.codes, of.rows, of.rows / 4),
          binomials(plan.columns.size() + 1, plan.wanted.max_size + 4) {
        merge_equal_rows(distinct, plan.columns);
        functions.push_back({score->joint_function(plan.columns, task.counter), plan.wanted});
        if (score->has_parent_term())
            for (const int arity : plan.distinct_arities)
                functions.push_back({score->parent_function(plan.columns, task.counter, arity),
                                     {plan.most_parents(), plan.wanted.cells_below}});
    }
    Counting(const Counting&) = delete;
    Counting& operator=(const Counting&) = delete;

    // Of all sets, or of those with these highest columns and the empty one.
    std::vector<SetValues> count(Control& control, const std::vector<bool>* highest = nullptr) {
        std::vector<SetValues> values;
        for (const auto& [function, sets] : functions) {
            values.push_back(allocate(binomials, plan.columns, sets));
            WantedSets wanted = sets;
            wanted.highest = highest;
            if (plan.columns.size() > 0)
                function->evaluate(wanted, task.jobs, control, values.back());
        }
        return values;
    }

    // Calls visit(values, begin, end) for the ranks of the sets with each highest column.
    template <class Visit>
    void for_ranks(std::vector<SetValues>& values, const std::vector<std::uint32_t>& columns,
                   const Visit& visit) const {
        for (SetValues& own : values)
            for (std::size_t k = 1; k < own.size(); ++k)
                for (const std::uint32_t column : columns) {
                    const std::size_t end = std::min(own[k].size(), binomials(column + 1, k));
                    const std::size_t begin = std::min(end, binomials(column, k));
                    if (begin < end) visit(own[k], begin, end);
                }
    }
};

// What no part has would have any value.
void check_every_column_once(const std::vector<PartView>& parts, std::size_t columns) {
    if (parts.empty()) return;
    std::vector<bool> found(columns, false);
    std::size_t count = 0;
    for (const PartView& part : parts)
        for (const std::uint32_t column : part.columns) {
            if (column >= columns || found[column])
                throw std::invalid_argument("a part of what was counted is not of this table");
            found[column] = true;
            ++count;
        }
    if (count != columns) throw std::invalid_argument("a part of what was counted is missing");
}

}  // namespace

std::vector<double> sets_by_highest_column(const ScoringTask& task) {
    const auto score = score_of(task);
    const Plan plan(task, *score);
    const Binomials binomials(plan.columns.size() + 1, plan.wanted.max_size + 4);
    std::vector<double> sets(plan.columns.size(), 0);
    for (std::size_t k = 1; k <= plan.wanted.max_size; ++k)
        for (std::size_t c = 0; c < plan.wanted.reach(plan.columns.arities, k); ++c)
            sets[c] += static_cast<double>(binomials(c, k - 1));
    return sets;
}

CountedPart count_part(const ScoringTask& task, std::vector<std::uint32_t> columns,
                       Control& control) {
    Counting counting(task);
    const std::size_t n = counting.plan.columns.size();
    std::vector<bool> highest(n, false);
    for (const std::uint32_t column : columns) {
        if (column >= n) throw std::invalid_argument("there is no such column to count");
        highest[column] = true;
    }
    control.begin(1);
    CountedPart part{std::move(columns), {}};
    std::vector<SetValues> values = counting.count(control, &highest);
    if (control.stopped()) return part;
    std::size_t size = 0;
    const auto add_size = [&](auto&, std::size_t begin, std::size_t end) { size += end - begin; };
    counting.for_ranks(values, part.columns, add_size);
    part.values.reserve(size);
    counting.for_ranks(values, part.columns, [&](auto& own, std::size_t begin, std::size_t end) {
        part.values.insert(part.values.end(), own.begin() + static_cast<std::ptrdiff_t>(begin),
                           own.begin() + static_cast<std::ptrdiff_t>(end));
    });
    return part;
}

ScoringResult compute_local_scores(const ScoringTask& task, Control& control,
                                   const std::vector<PartView>& parts) {
    Counting counting(task);
    const auto& score = counting.score;
    const Plan& plan = counting.plan;
    const Binomials& binomials = counting.binomials;
    const std::size_t n = plan.columns.size();
    const SetCensus census(plan.columns.arities, plan.wanted, task.rows);
    ScoringResult result;

    double parent_sets = 0, sets = 0;
    for (const auto& child : plan.children) parent_sets += prune_work(child, plan, census);
    for (const auto& wanted : counting.functions) sets += all_sets(census, wanted.sets.max_size);
    control.begin((parts.empty() ? sets : 0) + prune_share * parent_sets);

    const auto counting_start = std::chrono::steady_clock::now();
    // Of what was counted elsewhere, only the empty set is missing.
    const std::vector<bool> none(n, false);
    std::vector<SetValues> values = counting.count(control, parts.empty() ? nullptr : &none);
    check_every_column_once(parts, n);
    for (const PartView& part : parts) {
        auto next = part.values.begin();
        counting.for_ranks(
            values, part.columns, [&](auto& own, std::size_t begin, std::size_t end) {
                if (part.values.end() - next < static_cast<std::ptrdiff_t>(end - begin))
                    throw std::invalid_argument("a part of what was counted is not of this table");
                const auto after = next + static_cast<std::ptrdiff_t>(end - begin);
                std::copy(next, after, own.begin() + static_cast<std::ptrdiff_t>(begin));
                next = after;
            });
        if (next != part.values.end())
            throw std::invalid_argument("a part of what was counted is not of this table");
    }
    result.sets_counted = sets;
    result.counting_seconds = seconds_since(counting_start);
    const SetValues joint_values = std::move(values.front());
    values.erase(values.begin());
    if (control.stopped()) return result;

    // Prune, a child a task.
    const auto pruning_start = std::chrono::steady_clock::now();
    std::vector<SortedSets> children(n);
    std::vector<std::uint8_t> limit_matters(n, 0);
    const Checkpoint checkpoint([&] { return control.stopped(); });
    std::vector<ChildPruner> pruners(
        std::max<std::size_t>(1, task.jobs),
        ChildPruner(plan.columns, *score, joint_values, values, binomials));
    const auto prune = [&](std::size_t child, std::size_t worker) {
        const auto arity_index = static_cast<std::size_t>(
            std::lower_bound(plan.distinct_arities.begin(), plan.distinct_arities.end(),
                             plan.columns.arities[child]) -
            plan.distinct_arities.begin());
        const ChildSets sets =
            pruners[worker].prune(child, plan.children[child], arity_index, control);
        limit_matters[child] = sets.limit_matters;
        children[child] = sorted(sets, plan, child, checkpoint);
        control.advance(prune_share * prune_work(plan.children[child], plan, census));
    };
    try {
        parallel_for(n, task.jobs, prune);
    } catch (const WorkStopped&) {
    }
    if (control.stopped()) return result;

    std::vector<std::size_t> column(task.variables(), n);
    for (std::size_t c = 0; c < n; ++c) column[plan.variable[c]] = c;
    std::size_t all_sets = task.variables(), all_members = 0;
    for (const SortedSets& sets : children) {
        all_sets += sets.costs.size();
        all_members += sets.members.size();
    }
    result.costs.reserve(all_sets);
    result.first_member.reserve(all_sets + 1);
    result.members.reserve(all_members);
    result.first_set.push_back(0);
    result.first_member.push_back(0);
    result.limit_matters.assign(task.variables(), false);
    for (std::size_t v = 0; v < task.variables(); ++v) {
        if (control.stopped()) return ScoringResult{};
        if (column[v] < n) {
            append(children[column[v]], result);
            result.limit_matters[v] = limit_matters[column[v]] != 0;
            children[column[v]] = {};
        } else {
            result.costs.push_back(0);
            for (const std::uint32_t parent : task.required[v])
                result.members.push_back(static_cast<std::int32_t>(parent));
            result.first_member.push_back(static_cast<std::int64_t>(result.members.size()));
        }
        result.first_set.push_back(static_cast<std::int64_t>(result.costs.size()));
    }
    result.pruning_seconds = seconds_since(pruning_start);
    result.complete = true;
    return result;
}

}  // namespace anytimebn
