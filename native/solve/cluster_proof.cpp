#include "solve/cluster_proof.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>

#include "clusters/ascent.h"
#include "clusters/node_samples.h"
#include "heuristics/cluster_pd.h"
#include "order_graph/engine.h"
#include "order_graph/window.h"
#include "sweep/sweep.h"

namespace anytimebn {
namespace {

// The component with the parent sets that are left, regrets counted from what is cheapest now.
Component reduced_component(const Component& whole, const MaskedSets& left, Checkpoint checkpoint) {
    std::vector<std::int64_t> first_set{0}, costs, first_member{0};
    std::vector<std::int32_t> members;
    std::vector<FamilyId> families;
    std::vector<Cost> lowest;
    for (std::size_t x = 0; x < whole.size(); ++x) {
        const auto& own = left.of[x];
        lowest.push_back(whole.lowest_cost(x) + own[0].cost);
        for (const auto& set : own) {
            const std::size_t s = whole.sets.first(x) + set.number;
            costs.push_back(set.cost - own[0].cost);
            const auto inside = whole.sets.members(s);
            members.insert(members.end(), inside.begin(), inside.end());
            first_member.push_back(static_cast<std::int64_t>(members.size()));
            families.push_back(whole.sets.family(s));
            checkpoint();
        }
        first_set.push_back(static_cast<std::int64_t>(costs.size()));
    }
    return Component(whole.variables,
                     ParentSets(std::move(first_set), std::move(costs), std::move(first_member),
                                std::move(members), std::move(families), checkpoint),
                     std::move(lowest), checkpoint);
}

// Clusters of a component by the variables of the whole problem.
RootCertificate as_certificate(const SearchContext& context, const Clusters& clusters) {
    const auto variables_of = [&](std::uint64_t set) {
        std::vector<std::uint32_t> variables;
        for (; set != 0; set &= set - 1)
            variables.push_back(static_cast<std::uint32_t>(
                context.component.variables[static_cast<std::size_t>(std::countr_zero(set))]));
        return variables;
    };
    RootCertificate certificate;
    for (const std::uint64_t group : clusters.groups)
        certificate.groups.push_back(variables_of(group));
    for (const std::uint64_t cluster : clusters.members)
        certificate.clusters.push_back(variables_of(cluster));
    certificate.multipliers = clusters.multipliers;
    return certificate;
}

// What the clusters prove by themselves, from all parent sets: the ascent's own bounds also use
// that sets were ruled out, which only holds together with the incumbent. When the budget has ended
// and this takes long, there is no certificate.
std::optional<RootCertificate> certify(SearchContext& context, const Clusters& clusters) {
    if (clusters.groups.empty()) return std::nullopt;
    RootCertificate certificate = as_certificate(context, clusters);
    try {
        const Checkpoint checkpoint = context.budget.last_words();
        certificate.lower_bound =
            context.component.base + root_bound(MaskedSets(context.component, checkpoint), clusters,
                                                context.options.jobs, checkpoint);
    } catch (const WorkStopped&) {
        return std::nullopt;
    }
    context.progress.certify(context.number, certificate);
    return certificate;
}

// The part of a certificate that is about a component, by the bits of its variables; without groups
// if it has none. Clusters that reach beyond are left out: any others prove something as well.
Clusters part_within(const Component& component, const RootCertificate& known) {
    std::map<std::uint32_t, std::uint64_t> bit_of;
    for (std::size_t x = 0; x < component.size(); ++x)
        bit_of[static_cast<std::uint32_t>(component.variables[x])] = std::uint64_t{1} << x;
    // 0 for what is not inside.
    const auto bits_of = [&](const std::vector<std::uint32_t>& variables) {
        std::uint64_t bits = 0;
        for (const std::uint32_t v : variables) {
            const auto found = bit_of.find(v);
            if (found == bit_of.end() || (bits & found->second)) return std::uint64_t{0};
            bits |= found->second;
        }
        return bits;
    };
    Clusters part;
    std::uint64_t covered = 0;
    for (const auto& group : known.groups) {
        const std::uint64_t bits = bits_of(group);
        if (bits == 0) continue;
        if (covered & bits) return {};
        covered |= bits;
        part.groups.push_back(bits);
    }
    if (std::popcount(covered) != static_cast<int>(component.size())) return {};
    // As much as costs can be, so that tables of whole units stay exact.
    constexpr Cost most = Cost{1} << 47;
    Cost sum = 0;
    for (std::size_t c = 0; c < known.clusters.size(); ++c) {
        const std::uint64_t bits = bits_of(known.clusters[c]);
        const Cost multiplier = known.multipliers[c];
        if (bits == 0 || multiplier <= 0) continue;
        if (multiplier > most - sum) return {};
        sum += multiplier;
        part.members.push_back(bits);
        part.multipliers.push_back(multiplier);
    }
    return part;
}

// Seconds that one core takes for so many nodes, whatever core it is: plans must repeat.
double sweep_seconds(double nodes) { return nodes * 1e-6; }

class ClusterProof {
 public:
    explicit ClusterProof(SearchContext& context)
        : context_(context),
          left_(context.component, context.checkpoint()),
          ascent_(left_, context.incumbent(), context.options.seed, ascent_limits()),
          known_(part_within(context.component, context.progress.take_remembered(context.number))) {
    }

    // Whether to begin again, with fewer parent sets.
    bool run() {
        const double start = context_.budget.seconds();
        context_.progress.enter(Stage::bounds);
        if (!drop_ruled_out()) return false;
        try {
            raise_bounds();
        } catch (const WorkStopped&) {
            context_.budget.exhausted_now();  // takes note of why
        }
        certify(context_, ascent_.best());
        context_.progress.note_bounds(context_.budget.seconds() - start);
        if (!ascent_.possible()) context_.raise_bound(context_.incumbent());  // nothing better
        if (context_.solved() || context_.budget.reason() != Status::running) return false;
        if (vectors_.empty() || !drop_ruled_out()) return false;
        const Component reduced =
            reduced_component(context_.component, left_, context_.checkpoint());
        SearchContext rest{reduced, context_.number, context_.options, context_.budget,
                           context_.progress};
        if (sweep_fits()) {
            try {
                sweep(rest);
            } catch (const DiskFailed&) {
                rest.budget.end(Status::disk);
            }
        } else {
            search_windows(rest);
        }
        context_.progress.end_work();
        return plan_again_ && !context_.solved() && !context_.out_of_budget();
    }

 private:
    void raise_bounds() {
        if (known_.groups.empty())
            ascent_.scout();
        else
            ascent_.begin_with(known_);
        goes_on_ = ascent_.has_partition();
        if (!ascent_.done() && !goes_on_) ascent_.try_partition();
        if (!ascent_.done()) plan();
        if (!ascent_.done() && !sweep_fits()) {
            context_.progress.enter(Stage::root_bound);
            raise_root_bound();
            consider(true);
        }
    }

    // What is done between two of these questions can take milliseconds.
    bool stopped() {
        if (context_.progress.gap_reached()) context_.budget.end(Status::gap);
        return context_.solved() || context_.budget.exhausted_now();
    }

    AscentLimits ascent_limits() {
        AscentLimits limits;
        limits.largest_group = largest_group_within(context_.component.size(), limits.largest_group,
                                                    context_.budget.limits().memory_bytes);
        limits.jobs = context_.options.jobs;
        limits.stopped = [this] { return stopped(); };
        limits.checkpoint = context_.budget.checkpoint_of_others();
        limits.raised = [this](Cost bound) {
            context_.raise_bound(bound);
            // One more evaluation, after the dozens that it took to raise the bound.
            if (context_.options.certify_along) certify(context_, ascent_.best());
        };
        if (context_.options.certify_along)
            limits.on_the_way = [this](const ClusterCandidate& better) { suggest(better); };
        return limits;
    }

    // Whoever goes on after a crash need not begin this climb again. What is lost is not worth
    // more than a few of these a second.
    void suggest(const ClusterCandidate& better) {
        constexpr double seconds_between = 0.25;
        const double now = context_.budget.seconds();
        if (now < last_suggested_ + seconds_between || better.value <= suggested_) return;
        last_suggested_ = now;
        suggested_ = better.value;
        context_.progress.suggest(context_.number, as_certificate(context_, better.rounded()));
    }

    // Sets of a variable that are in a list by the number of the family.
    auto in_list(const std::vector<bool>& list, std::size_t x) const {
        return [&list, &sets = context_.component.sets, x](const MaskedSets::Set& set) {
            const std::size_t family = number_of(sets.family(sets.first(x) + set.number));
            return family < list.size() && list[family];
        };
    }

    // What others have ruled out meanwhile; false if that shows that nothing better exists.
    bool drop_ruled_out() {
        ruled_out_before_ = context_.progress.ruled_out_count();
        if (ruled_out_before_ == 0) return true;
        const auto ruled_out = context_.progress.ruled_out();
        Checkpoint checkpoint = context_.checkpoint();
        for (std::size_t x = 0; x < left_.variables(); ++x) {
            checkpoint(left_.of[x].size());
            std::erase_if(left_.of[x], in_list(ruled_out, x));
            if (left_.of[x].empty()) {
                context_.raise_bound(context_.incumbent());
                return false;
            }
        }
        return true;
    }

    // Whether others have ruled out half of the parent sets that the plan is for. It is out of date
    // then: what was far too long to sweep may be short now.
    bool many_were_ruled_out() {
        const std::size_t many = left_.size() / 2;
        const std::size_t now = context_.progress.ruled_out_count();
        if (now - ruled_out_before_ <= many) return false;
        ruled_out_before_ = now;  // perhaps of other components
        const auto ruled_out = context_.progress.ruled_out();
        std::size_t mine = 0;
        for (std::size_t x = 0; x < left_.variables(); ++x)
            mine +=
                static_cast<std::size_t>(std::ranges::count_if(left_.of[x], in_list(ruled_out, x)));
        plan_again_ = mine > many;
        return plan_again_;
    }

    // Better bounds take time, and save the time to visit nodes: goes on as long as that pays, by
    // what samples of nodes tell.
    void plan() {
        if (context_.component.size() <= most_variables_without_samples) {
            vectors_ = {ascent_.best()};
            early_.assign(context_.component.size(), 0);
            return;
        }
        const double evaluation = ascent_.evaluation_seconds();
        const auto pays = [&](double evaluations, double saved_part) {
            const double better = evaluations * evaluation, all = sweep_seconds(expected_);
            const bool better_first = !ascent_.done() && better < saved_part * all;
            tell_plan(better_first ? better + (1 - saved_part) * all : all);
            return better_first;
        };
        consider(false);
        if (pays(130, 0.8)) consider(true);
        if (!goes_on_ && pays(3 * 45 + 130, 0.3)) {
            for (int trial = 0; trial < 3 && !ascent_.done(); ++trial) ascent_.try_partition();
            consider(true);
        }
        for (int i = 0; i < 2 && pays(280 + 130, 0.3); ++i) {
            ascent_.finish_next();
            consider(true);
        }
    }

    // The present best vector, with another one tuned for the nodes that survive it.
    void consider(bool tune) {
        if (ascent_.done() || !drop_ruled_out()) return;
        const std::size_t jobs = context_.options.jobs;
        NodeSamples samples(left_, context_.incumbent(), context_.options.seed, jobs,
                            [&] { return ascent_.done(); });
        if (ascent_.done()) return;
        const Checkpoint checkpoint = context_.budget.checkpoint_of_others();
        samples.add(left_, ascent_.best(), jobs, checkpoint);
        std::vector<Clusters> vectors{ascent_.best()};
        if (tune) {
            vectors.push_back(ascent_.tuned(ascent_.best(), samples.survivors(200)));
            samples.add(left_, vectors.back(), jobs, checkpoint);
        }
        const double expected = samples.expected_nodes();
        if (!vectors_.empty() && expected >= expected_) return;
        vectors_ = std::move(vectors);
        expected_ = expected;
        early_.assign(context_.component.size(), 0);
        for (const PlacedSample& sample : samples.survivors(SIZE_MAX))
            for (std::uint64_t left = sample.placed; left != 0; left &= left - 1)
                ++early_[static_cast<std::size_t>(std::countr_zero(left))];
    }

    // What others do meanwhile may depend on how long this will take.
    void tell_plan(double seconds_of_a_core) {
        if (!sweep_fits()) return;
        context_.progress.plan(seconds_of_a_core / static_cast<double>(context_.options.jobs));
    }

    bool sweep_fits() const {
        constexpr double node_bytes = 8;  // of those kept at a time, all included
        const double seconds_left = context_.budget.limits().seconds - context_.budget.seconds();
        const double room = static_cast<double>(context_.budget.limits().memory_bytes) +
                            static_cast<double>(context_.budget.disk().limit_bytes());
        return expected_ * node_bytes < room &&
               sweep_seconds(expected_) / static_cast<double>(context_.options.jobs) <
                   2 * seconds_left;
    }

    // For when the root bound may be all that there will be.
    void raise_root_bound() {
        while (!ascent_.done() && drop_ruled_out() && ascent_.finish_next()) {
        }
        if (!ascent_.done()) ascent_.refine();
    }

    void search_windows(SearchContext& rest) {
        const Checkpoint checkpoint = context_.checkpoint();
        const auto heuristic = make_cluster_heuristic(MaskedSets(rest.component, checkpoint),
                                                      ascent_.best(), checkpoint);
        context_.progress.enter(Stage::windows);
        search_order_graph(rest, *heuristic, [&](OrderGraph& graph) {
            slide_windows(graph, {.stopped = [&] { return many_were_ruled_out(); }});
        });
    }

    void sweep(SearchContext& rest) {
        const auto block_bits =
            static_cast<unsigned>(context_.for_algorithm("block-sweep").parameter("block-bits"));
        const Checkpoint checkpoint = context_.budget.checkpoint_of_others();
        const SweepProblem problem(MaskedSets(rest.component, checkpoint), vectors_, early_,
                                   block_bits, context_.options.jobs, checkpoint);
        SweepHooks hooks;
        hooks.checkpoint = checkpoint;
        hooks.jobs = context_.options.jobs;
        hooks.memory_bytes = context_.budget.limits().memory_bytes;
        if (context_.budget.disk().enabled()) hooks.disk = &context_.budget.disk();
        double swept = 0;
        bool complete = false;
        // A sweep that is half done, and not longer than expected, ends sooner than another.
        const auto worth_planning_again = [&] {
            return !complete && (2 * swept < expected_ || swept > expected_) &&
                   many_were_ruled_out();
        };
        hooks.stopped = [&, this] { return stopped() || worth_planning_again(); };
        hooks.wait_for_turn = [this] { context_.budget.wait_for_turn(); };
        hooks.swept = [&](std::uint64_t nodes) {
            swept += static_cast<double>(nodes);
            return rest.budget.expand(nodes);
        };
        hooks.stored = [&](std::uint64_t nodes, std::uint64_t bytes) {
            rest.progress.note_work(nodes, bytes);
        };
        hooks.raised = [&](double bound) { rest.raise_bound(static_cast<Cost>(bound)); };
        Sweep sweep(problem, std::move(hooks));
        context_.progress.enter(Stage::sweep);
        if (expected_ > 0) context_.progress.expect(expected_);
        constexpr double no_limit = never / 2;
        const double limit =
            rest.incumbent() >= infinite_cost ? no_limit : static_cast<double>(rest.incumbent());
        switch (sweep.run(limit)) {
            case SweepEnd::stopped: return;
            case SweepEnd::memory: rest.budget.end(Status::memory); return;
            case SweepEnd::disk: rest.budget.end(Status::disk); return;
            case SweepEnd::complete: break;
        }
        complete = true;  // but for the path
        const auto cost = static_cast<Cost>(sweep.cost());
        rest.raise_bound(cost);
        if (sweep.cost() >= limit) return;
        std::vector<unsigned> positions;
        switch (sweep.trace(positions)) {
            case SweepEnd::stopped: return;
            case SweepEnd::memory: rest.budget.end(Status::memory); return;
            case SweepEnd::disk: rest.budget.end(Status::disk); return;
            case SweepEnd::complete: break;
        }
        std::vector<std::uint32_t> order;
        for (const unsigned position : positions) order.push_back(problem.variable_at[position]);
        rest.improve(cost, order);
    }

    static constexpr std::size_t most_variables_without_samples = 20;

    SearchContext& context_;
    MaskedSets left_;  // parent sets that a better network may have
    Ascent ascent_;
    Clusters known_;        // of an earlier run
    bool goes_on_ = false;  // from a partition that an earlier run has chosen
    double last_suggested_ = -std::numeric_limits<double>::infinity();
    double suggested_ = -std::numeric_limits<double>::infinity();
    std::vector<Clusters> vectors_;
    std::vector<double> early_;
    double expected_ = 0;
    std::size_t ruled_out_before_ = 0;  // by others, when their list was last read
    bool plan_again_ = false;
};

}  // namespace

void prove_with_known_clusters(SearchContext& context, const RootCertificate& known) {
    if (context.component.size() > 64) return;
    const Clusters clusters = part_within(context.component, known);
    constexpr std::size_t most_members = 22;  // of a group that can be checked
    const auto fits = [&](std::uint64_t group) {
        return static_cast<std::size_t>(std::popcount(group)) <=
               largest_group_within(context.component.size(), most_members,
                                    context.budget.limits().memory_bytes);
    };
    if (clusters.groups.empty() || !std::ranges::all_of(clusters.groups, fits)) return;
    if (const auto proven = certify(context, clusters)) {
        context.raise_bound(proven->lower_bound - context.component.base);
        context.progress.remember(context.number, *proven);
    }
}

void prove_with_clusters(SearchContext& context) {
    while (ClusterProof(context).run()) {
    }
}

}  // namespace anytimebn
