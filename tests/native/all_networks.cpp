// Sums over all orders, and lists of networks, against the plainest way to do the same.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "all_networks/network_list.h"
#include "all_networks/posterior.h"
#include "base/random.h"
#include "problems.h"
#include "test.h"

namespace anytimebn::test {
namespace {

// All sets of up to two parents of six variables, with random weights.
struct Families {
    std::vector<std::int64_t> first_set{0}, first_member{0};
    std::vector<std::int32_t> members;
    std::vector<double> log_weights;

    explicit Families(std::size_t n) {
        Random random(3);
        const auto add = [&] {
            first_member.push_back(static_cast<std::int64_t>(members.size()));
            log_weights.push_back(-static_cast<double>(random.below(3000)));
        };
        for (std::size_t x = 0; x < n; ++x) {
            add();
            for (std::size_t a = 0; a < n; ++a) {
                if (a == x) continue;
                members.push_back(static_cast<std::int32_t>(a));
                add();
                for (std::size_t b = 0; b < a; ++b) {
                    if (b == x) continue;
                    members.push_back(static_cast<std::int32_t>(b));
                    members.push_back(static_cast<std::int32_t>(a));
                    add();
                }
            }
            first_set.push_back(static_cast<std::int64_t>(log_weights.size()));
        }
    }
    WeightedFamilies view() const { return {first_set, log_weights, first_member, members}; }
};

TEST(all_networks_sums_are_the_same_for_any_threads_and_add_up_to_one) {
    for (const std::size_t n : {std::size_t{1}, std::size_t{6}, std::size_t{10}, std::size_t{13}}) {
        const Families families(n);
        with_each_instruction_set([&] {
            Control control;
            const PosteriorSums one = sum_over_orders(families.view(), true, 1, control);
            const PosteriorSums more = sum_over_orders(families.view(), true, 3, control);
            CHECK(one.complete && more.complete);
            CHECK(one.log_total == more.log_total);
            CHECK(one.probabilities == more.probabilities);
            for (std::size_t x = 0; x < n; ++x) {
                const auto begin = one.probabilities.begin();
                const double sum = std::accumulate(begin + families.first_set[x],
                                                   begin + families.first_set[x + 1], 0.0);
                CHECK(std::abs(sum - 1) < 1e-9);
            }
        });
    }
}

TEST(all_networks_sums_end_when_stopped) {
    const Families families(9);
    Control control;
    control.stop();
    CHECK(!sum_over_orders(families.view(), true, 2, control).complete);
}

// Regrets of a problem: what sets cost above the cheapest of their variable.
Problem regrets_of(const ParentSets& sets) {
    std::vector<std::int64_t> first_set{0}, costs, first_member{0};
    std::vector<std::int32_t> members;
    for (std::size_t v = 0; v < sets.variables(); ++v) {
        for (std::size_t s = sets.first(v); s < sets.first(v + 1); ++s) {
            costs.push_back(sets.cost(s) - sets.lowest_cost(v));
            const auto own = sets.members(s);
            members.insert(members.end(), own.begin(), own.end());
            first_member.push_back(static_cast<std::int64_t>(members.size()));
        }
        first_set.push_back(static_cast<std::int64_t>(costs.size()));
    }
    return std::make_shared<const ParentSets>(std::move(first_set), std::move(costs),
                                              std::move(first_member), std::move(members));
}

std::vector<NetworkList::Found> all_of(NetworkList& list) {
    std::vector<NetworkList::Found> all;
    for (bool more = true; more;) {
        more = list.find(4);
        for (auto& found : list.take_found()) all.push_back(std::move(found));
    }
    return all;
}

TEST(all_networks_lists_begin_with_the_best_and_are_the_same_with_small_tables) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Problem problem = regrets_of(*random_problem({.levels = 4, .blocks = 2}, seed));
        const Cost optimum = optimum_of(*problem);
        if (optimum >= infinite_cost) continue;
        const Control control;
        NetworkList::Options options;
        options.allowed = 2 * unit;
        options.jobs = 2;
        NetworkList exact(problem, options, {}, control);
        const auto all = all_of(exact);
        CHECK(exact.status() == Status::finished);
        CHECK(!all.empty() && all.front().cost == optimum);
        std::set<std::vector<std::uint32_t>> different;
        for (const auto& found : all) {
            CHECK(found.cost <= optimum + options.allowed);
            different.insert(found.sets);
        }
        CHECK(different.size() == all.size());
        options.optimum = optimum;
        options.largest_table = 2;
        options.rows.clusters = {{0, 1, 2}, {1, 3}, {2, 4, 5}};
        options.rows.zero_half = {{{0, 1, 2}, {3}}};
        options.rows.multipliers = {unit, unit / 2, unit, unit / 3};
        NetworkList split(problem, options, {}, control);
        CHECK(all_of(split).size() == all.size());
        // Stopped at any moment, it is the beginning of the same list.
        for (std::uint64_t check = 1; check < 40; check += 3) {
            Limits limits;
            limits.stop_at_check = check;
            NetworkList stopped(problem, {.allowed = 2 * unit, .rows = {}}, limits, control);
            CHECK(all_of(stopped).size() <= all.size());
        }
    }
}

}  // namespace
}  // namespace anytimebn::test
