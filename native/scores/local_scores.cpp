#include "scores/local_scores.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "base/parallel.h"
#include "scores/pruning.h"
#include "scores/score.h"

namespace anytimebn {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The task in terms of the columns that vary, by ascending arity. Constant columns change no table,
// so they never are worth being a parent, and as children they cost nothing whatever their parents.
struct Plan {
    Columns columns;
    std::vector<std::uint32_t> variable;                       // of each column
    std::vector<ChildConstraints> children;                    // of each column
    std::vector<std::vector<std::uint32_t>> constant_parents;  // required though constant
    std::size_t largest_family = 0;
    std::vector<int> distinct_arities;

    explicit Plan(const ScoringTask& task) {
        columns.rows = task.rows;
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
            largest_family = std::max(largest_family, child.max_parents + 1);
            children.push_back(std::move(child));
            constant_parents.push_back(std::move(constants));
        }
    }
};

double set_count(const Binomials& binomials, std::size_t variables, std::size_t max_size) {
    double sets = 0;
    for (std::size_t k = 0; k <= max_size; ++k)
        sets += static_cast<double>(binomials(variables, k));
    return sets;
}

SetValues allocate(const Binomials& binomials, std::size_t variables, std::size_t max_size) {
    SetValues values(max_size + 1);
    for (std::size_t k = 0; k <= max_size; ++k) values[k].resize(binomials(variables, k));
    return values;
}

// Reading and comparing a parent set costs about as much as this part of counting a joint table.
constexpr double prune_share = 0.05;

void append_child(const ChildSets& child, const Plan& plan, std::size_t column,
                  ScoringResult& result) {
    struct Sorted {
        double units, cost;
        std::vector<std::int32_t> members;
    };
    std::vector<Sorted> sets;
    sets.reserve(child.sets.size());
    for (const auto& set : child.sets) {
        std::vector<std::int32_t> members;
        for (std::size_t i = 0; i < set.size; ++i)
            members.push_back(
                static_cast<std::int32_t>(plan.variable[child.members[set.first_member + i]]));
        for (const std::uint32_t parent : plan.constant_parents[column])
            members.push_back(static_cast<std::int32_t>(parent));
        std::sort(members.begin(), members.end());
        sets.push_back({std::nearbyint(set.cost * 1e6), set.cost, std::move(members)});
    }
    std::sort(sets.begin(), sets.end(), [](const Sorted& a, const Sorted& b) {
        if (a.units != b.units) return a.units < b.units;
        if (a.members.size() != b.members.size()) return a.members.size() < b.members.size();
        return a.members < b.members;
    });
    for (const Sorted& set : sets) {
        result.costs.push_back(set.cost);
        result.members.insert(result.members.end(), set.members.begin(), set.members.end());
        result.first_member.push_back(static_cast<std::int64_t>(result.members.size()));
    }
}

}  // namespace

std::unique_ptr<Score> score_of(const ScoringTask& task) {
    return make_score(task.score, static_cast<std::int64_t>(task.rows), task.parameters);
}

ScoringEstimate estimate_scoring(const ScoringTask& task) {
    const Plan plan(task);
    const std::size_t n = plan.columns.size();
    const Binomials binomials(n + 1, plan.largest_family + 4);
    ScoringEstimate estimate;
    estimate.sets = set_count(binomials, n, plan.largest_family);
    estimate.memory_bytes = 8 * estimate.sets;
    const auto score = score_of(task);
    if (score->has_parent_term()) {
        const double parent_tables =
            static_cast<double>(plan.distinct_arities.size()) *
            set_count(binomials, n, plan.largest_family ? plan.largest_family - 1 : 0);
        estimate.memory_bytes += 8 * parent_tables;
    }
    double largest_sweep = 0;
    for (const auto& child : plan.children) {
        estimate.parent_sets += prune_work(child);
        // Two levels of best subsets, the larger one below the last.
        if (child.max_parents > child.required.size()) {
            ChildConstraints smaller = child;
            --smaller.max_parents;
            largest_sweep = std::max(largest_sweep, prune_work(smaller));
        }
    }
    estimate.memory_bytes += 8 * 1.5 * largest_sweep * static_cast<double>(task.jobs);
    double planes = 0, arity = 0;
    for (const int r : plan.columns.arities) {
        planes += r - 1;
        arity += r;
    }
    const double row_words = static_cast<double>(task.rows) / 64;
    const auto depth = static_cast<double>(plan.largest_family);
    estimate.memory_bytes += static_cast<double>(task.jobs) * depth * planes * (row_words + 64) * 8;

    arity /= static_cast<double>(std::max<std::size_t>(1, n));
    for (std::size_t k = 1; k <= plan.largest_family; ++k)
        estimate.cell_visits +=
            static_cast<double>(binomials(n, k)) *
            (row_words * (arity - 1) * (arity - 1) +
             std::min(std::pow(arity, static_cast<double>(k)), static_cast<double>(task.rows)));
    estimate.cell_visits += 4 * estimate.parent_sets;
    return estimate;
}

ScoringResult compute_local_scores(const ScoringTask& task, Control& control) {
    const Plan plan(task);
    const std::size_t n = plan.columns.size();
    const Binomials binomials(n + 1, plan.largest_family + 4);
    const auto score = score_of(task);
    ScoringResult result;

    // Count: the set function of the score, and for some scores one more for each child arity.
    struct Wanted {
        std::unique_ptr<SetFunction> function;
        std::size_t max_size;
    };
    std::vector<Wanted> functions;
    functions.push_back({score->joint_function(plan.columns, task.counter), plan.largest_family});
    const std::size_t most_parents = plan.largest_family ? plan.largest_family - 1 : 0;
    if (score->has_parent_term())
        for (const int arity : plan.distinct_arities)
            functions.push_back(
                {score->parent_function(plan.columns, task.counter, arity), most_parents});
    double parent_sets = 0, sets = 0;
    for (const auto& child : plan.children) parent_sets += prune_work(child);
    for (const auto& wanted : functions) sets += set_count(binomials, n, wanted.max_size);
    control.begin(sets + prune_share * parent_sets);

    const auto counting_start = std::chrono::steady_clock::now();
    std::vector<SetValues> values;
    for (const auto& [function, max_size] : functions) {
        values.push_back(allocate(binomials, n, max_size));
        if (n > 0) function->evaluate(max_size, task.jobs, control, values.back());
    }
    result.sets_counted = sets;
    result.counting_seconds = seconds_since(counting_start);
    const SetValues joint_values = std::move(values.front());
    values.erase(values.begin());
    if (control.stopped()) return result;

    // Prune, a child a task.
    const auto pruning_start = std::chrono::steady_clock::now();
    std::vector<ChildSets> children(n);
    std::vector<ChildPruner> pruners(
        std::max<std::size_t>(1, task.jobs),
        ChildPruner(plan.columns, *score, joint_values, values, binomials));
    parallel_for(n, task.jobs, [&](std::size_t child, std::size_t worker) {
        const auto arity_index = static_cast<std::size_t>(
            std::lower_bound(plan.distinct_arities.begin(), plan.distinct_arities.end(),
                             plan.columns.arities[child]) -
            plan.distinct_arities.begin());
        children[child] = pruners[worker].prune(child, plan.children[child], arity_index, control);
        control.advance(prune_share * prune_work(plan.children[child]));
    });
    if (control.stopped()) return result;

    std::vector<std::size_t> column(task.variables(), n);
    for (std::size_t c = 0; c < n; ++c) column[plan.variable[c]] = c;
    result.first_set.push_back(0);
    result.first_member.push_back(0);
    result.limit_matters.assign(task.variables(), false);
    for (std::size_t v = 0; v < task.variables(); ++v) {
        if (column[v] < n) {
            append_child(children[column[v]], plan, column[v], result);
            result.limit_matters[v] = children[column[v]].limit_matters;
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
