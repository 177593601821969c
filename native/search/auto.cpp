// What `learn` does when it is not told how. Local search has given a network by now. Easy
// components are proven by A* with plain pattern databases at once; the others are worth the effort
// of cluster multipliers (clusters/relaxation.h), which raise the bound, rule out most parent sets,
// and leave A* a small part of the nodes. Components beyond the reach of that get anytime window
// A*.
#include "clusters/relaxation.h"
#include "heuristics/cluster_pd.h"
#include "search/engine.h"

namespace anytimebn {
namespace {

constexpr double easy_expansions = 300'000;  // half a second, less than the multipliers take

void try_astar(SearchContext& context) {
    search_order_graph(context, [&](auto& graph) {
        auto left = static_cast<std::uint64_t>(
            context.options.parameter("easy-expansions", easy_expansions));
        for (std::size_t layer; left-- > 0 && (layer = graph.best_layer()) < graph.layers();)
            if (!graph.expand_best(layer)) return;
    });
}

// The component with the parent sets that are left, regrets counted from what is cheapest now.
Component reduced_component(const Component& whole, const MaskedSets& left) {
    std::vector<std::int64_t> first_set{0}, costs, first_member{0};
    std::vector<std::int32_t> members;
    std::vector<std::size_t> origin;
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
            origin.push_back(whole.origin[s]);
        }
        first_set.push_back(static_cast<std::int64_t>(costs.size()));
    }
    return Component(whole.variables, ParentSets(first_set, costs, first_member, members),
                     std::move(origin), std::move(lowest));
}

// What the clusters prove by themselves, from all parent sets: the ascent's own bounds also use
// that sets were ruled out, which only holds together with the incumbent.
void certify(SearchContext& context, const Clusters& clusters) {
    if (clusters.groups.empty()) return;
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
    certificate.lower_bound =
        context.component.base + root_bound(MaskedSets(context.component), clusters);
    context.progress.certify(std::move(certificate));
}

void prove_with_clusters(SearchContext& context) {
    MaskedSets left(context.component);
    AscentLimits limits;
    limits.largest_group = largest_group_within(context.component.size(), limits.largest_group,
                                                context.budget.limits().memory_bytes);
    limits.stopped = [&] {
        if (context.progress.gap_reached()) context.budget.end(Status::gap);
        return context.budget.exhausted_now();
    };
    limits.raised = [&](Cost bound) { context.raise_bound(bound); };
    bool possible = true;
    const Clusters clusters =
        ascend(left, context.incumbent(), context.options.seed, limits, possible);
    certify(context, clusters);
    if (!possible) context.raise_bound(context.incumbent());  // nothing better exists
    if (context.solved() || context.budget.reason() != Status::running) return;

    const Component reduced = reduced_component(context.component, left);
    SearchContext rest{reduced, context.number, context.options, context.budget, context.progress};
    const auto heuristic = make_cluster_heuristic(MaskedSets(reduced), clusters);
    search_order_graph(rest, *heuristic, [](auto& graph) {
        for (std::size_t layer; (layer = graph.best_layer()) < graph.layers();)
            if (!graph.expand_best(layer)) return;
    });
}

void run_auto(SearchContext& context) {
    const std::size_t n = context.component.size();
    if (n > 64 || context.incumbent() >= infinite_cost) {
        AlgorithmRegistry::find("anytime-window-astar").make.run(context);
        return;
    }
    try_astar(context);
    if (context.solved() || context.out_of_budget()) return;
    prove_with_clusters(context);
}

const AlgorithmRegistry automatic({"auto", "whatever suits the problem; the default", ""},
                                  {.run = run_auto,
                                   .uses_heuristic = true,
                                   .proves = true,
                                   .parameters = {{"easy-expansions", easy_expansions, 0, 1e12,
                                                   "of plain A* before clusters are tried"}}});

}  // namespace
}  // namespace anytimebn
