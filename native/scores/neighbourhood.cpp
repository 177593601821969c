#include "scores/neighbourhood.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/checkpoint.h"
#include "base/parallel.h"
#include "scores/family_counter.h"

namespace anytimebn {
namespace {

struct Candidate {
    double cost;
    Parents parents;
    std::uint64_t signature;  // a bit for each parent, several parents may share one
};

std::uint64_t signature_of(const Parents& parents) {
    std::uint64_t bits = 0;
    for (const std::uint32_t parent : parents) bits |= std::uint64_t{1} << (parent % 64);
    return bits;
}

Parents without(const Parents& parents, std::uint32_t left_out) {
    Parents fewer;
    for (const std::uint32_t parent : parents)
        if (parent != left_out) fewer.push_back(parent);
    return fewer;
}

Parents with(const Parents& parents, std::uint32_t added) {
    Parents more = parents;
    more.insert(std::upper_bound(more.begin(), more.end(), added), added);
    return more;
}

// The wanted families of one child, with their costs.
class ChildFamilies {
 public:
    ChildFamilies(const ScoringTask& task, std::uint32_t child, FamilyCounter& counter,
                  const Control& control)
        : task_(task),
          child_(child),
          counter_(counter),
          control_(control),
          required_(task.required[child]) {
        std::sort(required_.begin(), required_.end());
        // Constant columns change no table: they are parents only where the user wants it, and as
        // children they have no others.
        if (task.arities[child] > 1)
            for (const std::uint32_t parent : task.allowed[child])
                if (task.arities[parent] > 1 && !is_required(parent)) free_.push_back(parent);
        std::sort(free_.begin(), free_.end());
        add(required_);
    }

    void add_near(const Parents& parents) {
        const Parents own = allowed_part(parents);
        add(own);
        add_extensions(own);
        std::size_t within_one_change = free_.size();
        for (const std::uint32_t parent : own) {
            if (is_required(parent)) continue;
            const Parents fewer = without(own, parent);
            add(fewer);
            add_extensions(fewer);
            within_one_change += free_.size();
        }
        add_subsets(own, within_one_change);
    }

    void add_further() {
        for (const Candidate& family : worth_keeping()) add_extensions(family.parents);
    }

    void add_with_smaller(const Parents& parents) {
        const Parents own = allowed_part(parents);
        add(own);
        add_removals(own);
    }

    void add_known(double cost, Parents parents) { keep(std::move(parents), cost); }

    std::size_t counted() const { return counted_; }

    // Those that cost less than all others that have only some of their parents, cheapest first.
    std::vector<Candidate> worth_keeping() const {
        std::vector<Candidate> all;
        for (const auto& [parents, cost] : costs_)
            if (std::isfinite(cost)) all.push_back({cost, parents, signature_of(parents)});
        std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
            if (a.cost != b.cost) return a.cost < b.cost;
            return a.parents.size() < b.parents.size();
        });
        std::vector<Candidate> kept;
        for (Candidate& one : all) {
            check();
            const bool beaten =
                std::any_of(kept.begin(), kept.end(), [&](const Candidate& cheaper) {
                    return (cheaper.signature & ~one.signature) == 0 &&
                           std::includes(one.parents.begin(), one.parents.end(),
                                         cheaper.parents.begin(), cheaper.parents.end());
                });
            if (!beaten) kept.push_back(std::move(one));
        }
        // Costs are compared as searches round them, so that the order is the same for all.
        std::sort(kept.begin(), kept.end(), [](const Candidate& a, const Candidate& b) {
            const double left = std::nearbyint(a.cost * 1e6), right = std::nearbyint(b.cost * 1e6);
            if (left != right) return left < right;
            if (a.parents.size() != b.parents.size()) return a.parents.size() < b.parents.size();
            return a.parents < b.parents;
        });
        return kept;
    }

 private:
    bool is_required(std::uint32_t parent) const {
        return std::binary_search(required_.begin(), required_.end(), parent);
    }
    // Without what the task does not allow, and with what it requires.
    Parents allowed_part(const Parents& parents) const {
        Parents own = required_;
        for (const std::uint32_t parent : parents)
            if (own.size() < most_parents() &&
                std::binary_search(free_.begin(), free_.end(), parent))
                own = with(own, parent);
        return own;
    }
    std::size_t most_parents() const {
        return std::max<std::size_t>(required_.size(), task_.max_parents[child_]);
    }

    void check() const {
        if (control_.stopped()) throw WorkStopped{};
    }

    void keep(Parents parents, double cost) { costs_.emplace(std::move(parents), cost); }

    void add(const Parents& parents) {
        if (costs_.contains(parents)) return;
        check();
        keep(parents, counter_.cost(child_, parents));
        ++counted_;
    }

    void add_extensions(const Parents& parents) {
        if (parents.size() >= most_parents() || !extended_.insert(parents).second) return;
        Parents candidates;
        for (const std::uint32_t parent : free_)
            if (!std::binary_search(parents.begin(), parents.end(), parent))
                candidates.push_back(parent);
        if (candidates.empty()) return;
        std::vector<double> costs(candidates.size());
        if (!counter_.additions(child_, parents, candidates, costs.data(),
                                [&] { return control_.stopped(); }))
            throw WorkStopped{};
        for (std::size_t i = 0; i < candidates.size(); ++i)
            keep(with(parents, candidates[i]), costs[i]);
        counted_ += candidates.size();
    }

    void add_removals(const Parents& parents) {
        check();
        std::vector<double> costs(parents.size());
        counter_.removals(child_, parents, costs.data());
        for (std::size_t i = 0; i < parents.size(); ++i)
            if (!is_required(parents[i])) keep(without(parents, parents[i]), costs[i]);
        counted_ += parents.size();
    }

    // Level by level, as long as there are at most so many.
    void add_subsets(const Parents& parents, std::size_t most) {
        std::set<Parents> level;
        for (const std::uint32_t parent : parents)
            if (!is_required(parent)) level.insert(without(parents, parent));
        std::size_t subsets = level.size();
        while (!level.empty() && level.begin()->size() > required_.size()) {
            std::set<Parents> smaller;
            for (const Parents& own : level)
                for (const std::uint32_t parent : own)
                    if (!is_required(parent)) smaller.insert(without(own, parent));
            subsets += smaller.size();
            if (subsets > most) return;
            for (const Parents& own : level) add_removals(own);
            level = std::move(smaller);
        }
    }

    const ScoringTask& task_;
    std::uint32_t child_;
    FamilyCounter& counter_;
    const Control& control_;
    Parents required_, free_;
    std::map<Parents, double> costs_;
    std::set<Parents> extended_;
    std::size_t counted_ = 0;
};

}  // namespace

ScoringResult score_families(const ScoringTask& task, const FamilyRequest& request,
                             std::uint64_t table_bytes, Control& control) {
    const std::size_t n = task.variables();
    const CountedTable table(task, table_bytes);
    std::vector<std::vector<Candidate>> kept(n);
    std::vector<std::size_t> counted(n);
    std::vector<std::unique_ptr<FamilyCounter>> counters(std::max<std::size_t>(1, task.jobs));
    control.begin(static_cast<double>(n));
    const auto score_child = [&](std::size_t variable, std::size_t worker) {
        if (counters[worker] == nullptr)
            counters[worker] = std::make_unique<FamilyCounter>(table, control);
        const auto child = static_cast<std::uint32_t>(variable);
        ChildFamilies families(task, child, *counters[worker], control);
        for (const ParentLists& network : request.networks) families.add_near(network[child]);
        if (request.further) families.add_further();
        if (!request.others.empty())
            for (const Parents& parents : request.others[child]) families.add_with_smaller(parents);
        if (const ScoredFamilies& known = request.known; !known.empty())
            for (auto set = static_cast<std::size_t>(known.first_set[child]);
                 set < static_cast<std::size_t>(known.first_set[child + 1]); ++set) {
                const auto members =
                    known.members.subspan(static_cast<std::size_t>(known.first_member[set]),
                                          static_cast<std::size_t>(known.first_member[set + 1] -
                                                                   known.first_member[set]));
                families.add_known(known.costs[set], {members.begin(), members.end()});
            }
        kept[child] = families.worth_keeping();
        counted[child] = families.counted();
        control.advance(1);
    };
    ScoringResult result;
    try {
        parallel_for(n, task.jobs, score_child);
    } catch (const WorkStopped&) {
    }
    if (control.stopped()) return result;
    result.first_set.push_back(0);
    result.first_member.push_back(0);
    for (std::size_t child = 0; child < n; ++child) {
        for (const Candidate& family : kept[child]) {
            result.costs.push_back(family.cost);
            result.members.insert(result.members.end(), family.parents.begin(),
                                  family.parents.end());
            result.first_member.push_back(static_cast<std::int64_t>(result.members.size()));
        }
        result.first_set.push_back(static_cast<std::int64_t>(result.costs.size()));
        result.sets_counted += static_cast<double>(counted[child]);
    }
    result.limit_matters.assign(n, true);
    result.complete = true;
    return result;
}

}  // namespace anytimebn
