#include "scores/pruning.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scores/kernels.h"

namespace anytimebn {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

// The rank of a set made of `fixed` members and of chosen ones that are added from the highest
// down. The position of a member, hence its share in the rank, depends only on how many members lie
// below.
class MixedRank {
 public:
    MixedRank(std::vector<std::size_t> fixed, const std::vector<std::size_t>& free,
              std::size_t most_chosen, const Binomials& binomials)
        : fixed_(std::move(fixed)), binomials_(binomials), below_(free.size() + 1) {
        for (std::size_t c = 0; c < free.size(); ++c)
            below_[c] = static_cast<std::size_t>(
                std::lower_bound(fixed_.begin(), fixed_.end(), free[c]) - fixed_.begin());
        below_[free.size()] = fixed_.size();
        steps_.resize(fixed_.size() + std::max<std::size_t>(1, most_chosen));
        for (std::size_t t = 0; t < steps_.size(); ++t)
            for (const std::size_t v : free) steps_[t].push_back(binomials(v, t + 1));
    }

    // Fixed members below candidate c; c = number of candidates stands for "above all".
    std::size_t below(std::size_t c) const { return below_[c]; }

    // Share of candidate c at position j among the chosen, and of the fixed members between it and
    // the chosen one above it (`upper`).
    std::size_t share(std::size_t c, std::size_t j, std::size_t upper) const {
        std::size_t rank = steps_[below_[c] + j][c];
        for (std::size_t i = below_[c]; i < below_[upper]; ++i)
            rank += binomials_(fixed_[i], i + j + 2);
        return rank;
    }

    // Share of the fixed members below `upper` when the lowest chosen one lies above `t` of them.
    std::size_t tail(std::size_t t, std::size_t upper) const {
        std::size_t rank = 0;
        for (std::size_t i = 0; i < t; ++i) rank += binomials_(fixed_[i], i + 1);
        for (std::size_t i = t; i < below_[upper]; ++i) rank += binomials_(fixed_[i], i + 2);
        return rank;
    }

    // Share of each candidate when t members lie below it.
    const std::vector<std::uint64_t>& steps(std::size_t t) const { return steps_[t]; }

 private:
    std::vector<std::size_t> fixed_;
    const Binomials& binomials_;
    std::vector<std::size_t> below_;
    std::vector<std::vector<std::uint64_t>> steps_;
};

// All parent sets of one size of one child, visited in colexicographic order: the members above the
// lowest by recursion, the lowest in runs that the kernel takes at once.
class Level {
 public:
    Level(std::size_t chosen, const Columns& columns, const ChildConstraints& constraints,
          const MixedRank& parents, const MixedRank& family, const Binomials& binomials,
          const std::vector<double>& penalties, PruneRun prototype,
          const UntouchedVector<double>& previous, double* current, Control& control,
          ChildSets& out)
        : chosen_(chosen),
          columns_(columns),
          constraints_(constraints),
          parents_(parents),
          family_(family),
          binomials_(binomials),
          penalties_(penalties),
          run_(prototype),
          previous_(previous),
          current_(current),
          control_(control),
          out_(out),
          kernels_(kernels()),
          members_(chosen + 1),
          without_(chosen + 1),
          costs_(constraints.free.size()),
          scratch_(constraints.free.size()),
          kept_(constraints.free.size() + 1),
          least_(chosen, 1) {
        members_[chosen_] = constraints.free.size();  // sentinel above all
        for (std::size_t i = 1; i < chosen; ++i) least_[i] = least_[i - 1] * arity(i - 1);
    }

    void visit() {
        double configurations = 1;
        for (const std::size_t parent : constraints_.required)
            configurations *= columns_.arities[parent];
        descend(chosen_, 0, 0, 0, 0, run_.penalty_factor, configurations);
    }

 private:
    int arity(std::size_t c) const { return columns_.arities[constraints_.free[c]]; }

    // `j` members are still to be chosen; those at positions j and above stand. `rank` and
    // `shifted` are the rank shares of the latter at their positions and one lower.
    void descend(std::size_t j, std::size_t rank, std::size_t shifted, std::size_t parents_rank,
                 std::size_t family_rank, double penalty_factor, double configurations) {
        if (j == 1) {
            runs(rank, shifted, parents_rank, family_rank, penalty_factor, configurations);
            return;
        }
        const std::size_t position = j - 1, upper = members_[j];
        for (std::size_t c = position; c < upper; ++c) {
            if (control_.stopped()) return;
            // Arities ascend, so what is to come has no fewer configurations.
            const double own_configurations = configurations * arity(c);
            if (own_configurations * least_[position] >= constraints_.configurations_below) return;
            members_[position] = c;
            const std::size_t own = binomials_(c, position + 1);
            without_[position] = shifted;
            for (std::size_t i = j; i < chosen_; ++i) without_[i] += own;
            descend(position, rank + own, shifted + binomials_(c, position),
                    parents_rank + parents_.share(c, position, upper),
                    family_rank + family_.share(c, position, upper), penalty_factor * arity(c),
                    own_configurations);
            for (std::size_t i = j; i < chosen_; ++i) without_[i] -= own;
        }
    }

    void runs(std::size_t rank, std::size_t shifted, std::size_t parents_rank,
              std::size_t family_rank, double penalty_factor, double configurations) {
        // What is left out is no subset of anything that is not.
        std::size_t upper = members_[1];
        while (upper > 0 && configurations * arity(upper - 1) >= constraints_.configurations_below)
            --upper;
        if (upper == 0) return;
        double* const best = current_ ? current_ + rank : scratch_.data();
        if (previous_[shifted] == minus_infinity) {  // no superset of the members above can help
            std::fill(best, best + upper, minus_infinity);
            return;
        }
        for (std::size_t begin = 0; begin < upper;) {
            const std::size_t t = family_.below(begin), tp = parents_.below(begin);
            std::size_t end = begin + 1;
            while (end < upper && family_.below(end) == t) ++end;
            one_run(begin, end, best, shifted, parents_rank + parents_.tail(tp, members_[1]), tp,
                    family_rank + family_.tail(t, members_[1]), t, penalty_factor);
            begin = end;
        }
    }

    void one_run(std::size_t begin, std::size_t end, double* best, std::size_t shifted,
                 std::size_t parents_rank, std::size_t tp, std::size_t family_rank, std::size_t t,
                 double penalty_factor) {
        const auto& free = constraints_.free;
        const bool consecutive = free[end - 1] - free[begin] == end - 1 - begin;
        PruneRun run = run_;
        run.length = end - begin;
        const bool parents_contiguous = consecutive && tp == 0;
        const std::size_t parents_offset = parents_rank + (parents_contiguous ? free[begin] : 0);
        run.parents_value += parents_offset;
        if (run.parent_term) run.parent_term += parents_offset;
        run.parents_step = parents_contiguous ? nullptr : parents_.steps(tp).data() + begin;
        const bool family_contiguous = consecutive && t == 0;
        run.family_value += family_rank + (family_contiguous ? free[begin] : 0);
        run.family_step = family_contiguous ? nullptr : family_.steps(t).data() + begin;
        run.penalties = penalties_.data() + begin;
        run.penalty_factor = penalty_factor;
        subset_best_.clear();
        for (std::size_t i = 1; i < chosen_; ++i)
            subset_best_.push_back(previous_.data() + without_[i] + begin);
        run.subset_best = subset_best_.data();
        run.subset_count = subset_best_.size();
        run.without_lowest = previous_[shifted];
        run.best = best + begin;
        run.cost = costs_.data();

        const std::size_t kept = kernels_.prune(run, kept_.data());
        for (std::size_t i = 0; i < kept; ++i) keep(begin + kept_[i], costs_[kept_[i]]);
        if (current_ == nullptr) note_limit(run, begin);
    }

    void keep(std::size_t lowest, double cost) {
        const auto size = static_cast<std::uint32_t>(chosen_ + constraints_.required.size());
        out_.sets.push_back({cost, size, out_.members.size()});
        out_.members.push_back(static_cast<std::uint32_t>(constraints_.free[lowest]));
        for (std::size_t i = 1; i < chosen_; ++i)
            out_.members.push_back(static_cast<std::uint32_t>(constraints_.free[members_[i]]));
        for (const std::size_t variable : constraints_.required)
            out_.members.push_back(static_cast<std::uint32_t>(variable));
    }

    // At the largest size allowed: could one more parent, which multiplies the penalty, help?
    void note_limit(const PruneRun& run, std::size_t begin) {
        // The candidate of fewest values that is no member, if the first of all is one.
        std::size_t next = 1;
        for (std::size_t i = 1; i < chosen_ && members_[i] == next; ++i) ++next;
        for (std::size_t i = 0; i < run.length && !out_.limit_matters; ++i) {
            const std::size_t added = begin + i > 0 ? 0 : next;
            out_.limit_matters = added < constraints_.free.size() &&
                                 1e6 * arity(added) * run.penalty_factor * run.penalties[i] <
                                     run.best[i] + run.slack;
        }
    }

    const std::size_t chosen_;
    const Columns& columns_;
    const ChildConstraints& constraints_;
    const MixedRank& parents_;
    const MixedRank& family_;
    const Binomials& binomials_;
    const std::vector<double>& penalties_;
    const PruneRun run_;
    const UntouchedVector<double>& previous_;
    double* const current_;  // null at the last level, whose values nobody needs
    Control& control_;
    ChildSets& out_;
    const Kernels kernels_;
    std::vector<std::size_t> members_;  // by position; [chosen] is a sentinel, [0] unused
    std::vector<std::size_t> without_;  // rank share of the members other than the i-th
    std::vector<const double*> subset_best_;
    std::vector<double> costs_, scratch_;
    std::vector<std::uint32_t> kept_;
    std::vector<double> least_;  // configurations of so many parents, at least
};

std::size_t levels(const ChildConstraints& constraints) {
    return std::min(constraints.free.size(), constraints.max_parents - constraints.required.size());
}

}  // namespace

std::size_t remembered_sets(const Columns& columns, const ChildConstraints& constraints,
                            std::size_t chosen, const Binomials& binomials) {
    double configurations = 1;
    for (const std::size_t parent : constraints.required) configurations *= columns.arities[parent];
    std::vector<int> arities;
    for (const std::size_t candidate : constraints.free)
        arities.push_back(columns.arities[candidate]);
    const WantedSets wanted{chosen, constraints.configurations_below};
    return binomials(wanted.reach(arities, chosen, configurations), chosen);
}

ChildPruner::ChildPruner(const Columns& columns, const Score& score, const SetValues& family_values,
                         const std::vector<SetValues>& parent_terms, const Binomials& binomials)
    : columns_(columns),
      score_(score),
      values_(family_values),
      parent_terms_(parent_terms),
      binomials_(binomials) {}

ChildSets ChildPruner::prune(std::size_t child, const ChildConstraints& constraints,
                             std::size_t parent_term, Control& control) {
    const auto& required = constraints.required;
    std::vector<std::size_t> family = required;
    family.insert(std::lower_bound(family.begin(), family.end(), child), child);
    const std::size_t base = required.size(), top = levels(constraints);
    const MixedRank parents_rank(required, constraints.free, top, binomials_);
    const MixedRank family_rank(family, constraints.free, top, binomials_);

    double penalty = score_.penalty(columns_.arities[child]);
    for (const std::size_t parent : required) penalty *= columns_.arities[parent];
    std::vector<double> penalties;
    for (const std::size_t candidate : constraints.free)
        penalties.push_back(columns_.arities[candidate]);
    const auto term = [&](std::size_t size) {
        return score_.has_parent_term() ? parent_terms_[parent_term][size].data() : nullptr;
    };

    ChildSets out;
    {  // the required parents alone
        const std::size_t above = constraints.free.size();
        const auto rank_alone = [&](const std::vector<std::size_t>& members) {
            std::size_t rank = 0;
            for (std::size_t i = 0; i < members.size(); ++i) rank += binomials_(members[i], i + 1);
            return rank;
        };
        const std::size_t rank = rank_alone(required);
        double cost = values_[base][rank] - values_[base + 1][rank_alone(family)] + penalty;
        if (term(base)) cost += term(base)[rank];
        out.sets.push_back({cost, static_cast<std::uint32_t>(base), 0});
        for (const std::size_t parent : required)
            out.members.push_back(static_cast<std::uint32_t>(parent));
        const double units = std::nearbyint(cost * 1e6);
        previous_.assign(
            1, penalty > 0 && penalty * 1e6 >= units + constraints.slack ? minus_infinity : units);
        if (top == 0 && above > 0)
            out.limit_matters =
                1e6 * columns_.arities[constraints.free[0]] * penalty < units + constraints.slack;
    }
    for (std::size_t k = 1; k <= top; ++k) {
        PruneRun prototype{};
        prototype.parents_value = values_[base + k].data();
        prototype.family_value = values_[base + k + 1].data();
        prototype.parent_term = term(base + k);
        prototype.penalty_factor = penalty;
        prototype.slack = constraints.slack;
        const bool last = k == top;
        if (!last) current_.resize(remembered_sets(columns_, constraints, k, binomials_));
        Level(k, columns_, constraints, parents_rank, family_rank, binomials_, penalties, prototype,
              previous_, last ? nullptr : current_.data(), control, out)
            .visit();
        if (control.stopped()) break;
        previous_.swap(current_);
    }
    if (top == constraints.free.size() || constraints.larger_ruled_out) out.limit_matters = false;
    return out;
}

}  // namespace anytimebn
