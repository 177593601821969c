#include "cuts/cutting_planes.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "cuts/cluster_separation.h"
#include "cuts/rounding.h"
#include "local/insertion_search.h"

namespace anytimebn {

CuttingPlanes::CuttingPlanes(const std::vector<Component>& components, std::uint64_t seed,
                             Checkpoint checkpoint)
    : checkpoint_(std::move(checkpoint)),
      problem_(std::make_shared<JoinedProblem>(components, checkpoint_)),
      rows_(problem_, checkpoint_),
      relations_(std::make_shared<Relations>(problem_->sets, checkpoint_)),
      random_(seed) {}

CuttingPlanes::CuttingPlanes(const CuttingPlanes& other, std::uint64_t seed, Checkpoint checkpoint)
    : checkpoint_(std::move(checkpoint)),
      problem_(other.problem_),
      rows_(problem_, checkpoint_),
      relations_(other.relations_),
      random_(seed) {}

void CuttingPlanes::check_numbers(const std::vector<RowNumber>& numbers) const {
    for (const RowNumber number : numbers)
        if (number >= rows_.size()) throw std::invalid_argument("no such row");
}

template <class Body>
void CuttingPlanes::for_each_own_column(const Row& row,
                                        const std::vector<std::int32_t>& column_of_set,
                                        Body&& body) const {
    for (const std::uint32_t x : row.variables)
        for (std::size_t s = problem_->sets.first(x); s < problem_->sets.first(x + 1); ++s)
            if (column_of_set[s] >= 0) body(s);
}

std::size_t CuttingPlanes::sets_of_row(const Row& row) const {
    std::size_t sets = 0;
    for (const std::uint32_t x : row.variables) sets += problem_->sets.count(x);
    return sets;
}

std::vector<RowNumber> CuttingPlanes::separate_clusters(const Point& point, int effort,
                                                        double least_violation, std::size_t most,
                                                        const std::vector<RowNumber>& active) {
    constexpr int most_of_a_variable = 8;
    const auto found =
        ClusterSeparator(*problem_, point, least_violation, random_, checkpoint_).find(effort);
    std::vector<bool> taken(found.size(), false);
    std::vector<int> uses(problem_->variables(), 0);
    std::vector<bool> is_active(rows_.size(), false);
    check_numbers(active);
    for (const RowNumber row : active) is_active[row] = true;
    std::vector<RowNumber> chosen;
    for (const bool limited : {true, false})
        for (std::size_t i = 0; i < found.size() && chosen.size() < most; ++i) {
            if (taken[i]) continue;
            int most_uses = 0;
            for (const std::uint32_t x : found[i].members) most_uses = std::max(most_uses, uses[x]);
            if (limited && most_uses >= most_of_a_variable) continue;
            taken[i] = true;
            const RowNumber row = rows_.add_cluster(found[i].members);
            if (row == Rows::none || (row < is_active.size() && is_active[row])) continue;
            for (const std::uint32_t x : found[i].members) ++uses[x];
            chosen.push_back(row);
        }
    return chosen;
}

std::vector<RowNumber> CuttingPlanes::separate_zero_half(const std::vector<RowNumber>& active,
                                                         const Point& point,
                                                         const ZeroHalfLimits& limits) {
    check_numbers(active);
    return anytimebn::separate_zero_half(rows_, active, point, limits, random_);
}

std::vector<double> CuttingPlanes::violations(const std::vector<RowNumber>& rows,
                                              const Point& point) const {
    const SortedPoint sorted(*problem_, point);
    std::vector<double> all;
    for (const RowNumber row : rows) all.push_back(rows_.violation(row, sorted));
    return all;
}

SparseRows CuttingPlanes::sparse_rows(const std::vector<RowNumber>& numbers,
                                      const std::vector<std::int32_t>& column_of_set) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (column_of_set.size() != problem_->sets.size())
        throw std::invalid_argument("each set needs its column, or -1");
    check_numbers(numbers);
    SparseRows sparse;
    Checkpoint checkpoint = checkpoint_;
    std::vector<bool> inside(problem_->sets.size(), false);
    for (const RowNumber number : numbers) {
        const Row& row = rows_[number];
        checkpoint(sets_of_row(row));
        sparse.starts.push_back(static_cast<std::int32_t>(sparse.indices.size()));
        std::size_t meeting = 0, avoiding = 0;
        for (const std::uint32_t set : row.sets) {
            inside[set] = true;
            meeting += column_of_set[set] >= 0;
        }
        if (row.is_cluster())
            for_each_own_column(row, column_of_set,
                                [&](std::size_t set) { avoiding += !inside[set]; });
        if (row.is_cluster() && avoiding <= meeting) {
            sparse.lower.push_back(1);
            sparse.upper.push_back(infinity);
            for_each_own_column(row, column_of_set, [&](std::size_t set) {
                if (inside[set]) return;
                sparse.indices.push_back(column_of_set[set]);
                sparse.values.push_back(1);
            });
        } else {
            sparse.lower.push_back(-infinity);
            sparse.upper.push_back(static_cast<double>(row.right_hand_side));
            for (std::size_t k = 0; k < row.sets.size(); ++k) {
                if (column_of_set[row.sets[k]] < 0) continue;
                sparse.indices.push_back(column_of_set[row.sets[k]]);
                sparse.values.push_back(row.coefficients[k]);
            }
        }
        for (const std::uint32_t set : row.sets) inside[set] = false;
    }
    return sparse;
}

SparseRows CuttingPlanes::sparse_columns(const std::vector<std::uint32_t>& sets,
                                         const std::vector<RowNumber>& active,
                                         const std::vector<std::uint8_t>& at_least) const {
    if (active.size() != at_least.size()) throw std::invalid_argument("each row needs its form");
    check_numbers(active);
    std::vector<std::int32_t> place(problem_->sets.size(), -1);
    for (std::size_t i = 0; i < sets.size(); ++i) place.at(sets[i]) = static_cast<std::int32_t>(i);
    struct Entry {
        std::int32_t row;
        double value;
    };
    Checkpoint checkpoint = checkpoint_;
    std::vector<std::vector<Entry>> entries(sets.size());
    for (std::size_t i = 0; i < sets.size(); ++i)
        entries[i].push_back({static_cast<std::int32_t>(problem_->child_of[sets[i]]), 1});
    std::vector<bool> inside(problem_->sets.size(), false);
    for (std::size_t r = 0; r < active.size(); ++r) {
        const Row& row = rows_[active[r]];
        checkpoint(sets_of_row(row));
        const auto number = static_cast<std::int32_t>(problem_->variables() + r);
        if (!at_least[r]) {
            for (std::size_t k = 0; k < row.sets.size(); ++k)
                if (const std::int32_t i = place[row.sets[k]]; i >= 0)
                    entries[static_cast<std::size_t>(i)].push_back(
                        {number, static_cast<double>(row.coefficients[k])});
            continue;
        }
        for (const std::uint32_t set : row.sets) inside[set] = true;
        for_each_own_column(row, place, [&](std::size_t set) {
            if (!inside[set]) entries[static_cast<std::size_t>(place[set])].push_back({number, 1});
        });
        for (const std::uint32_t set : row.sets) inside[set] = false;
    }
    SparseRows sparse;
    for (const auto& column : entries) {
        sparse.starts.push_back(static_cast<std::int32_t>(sparse.indices.size()));
        for (const Entry& entry : column) {
            sparse.indices.push_back(entry.row);
            sparse.values.push_back(entry.value);
        }
    }
    return sparse;
}

std::vector<FamilyId> CuttingPlanes::round(const Point& point, std::uint64_t work) {
    InsertionSearch search;
    search.max_work = work;
    search.seed = random_.below(0xffffffffu);
    search.order = order_of_point(*problem_, point, random_);
    std::vector<std::uint32_t> best;
    search.improved = [&](Cost, const std::vector<std::uint32_t>& order) { best = order; };
    search.checkpoint = checkpoint_;
    const ParentSets& sets = left_ ? left_->sets : problem_->sets;
    const Relations& relations = left_ ? left_->relations : *relations_;
    std::vector<FamilyId> chosen;
    if (!search_orderings(sets, nullptr, relations, search)) return chosen;
    for (const std::size_t set : sets_of_order(sets, best, checkpoint_))
        chosen.push_back(sets.family(set));
    return chosen;
}

ParentSets CuttingPlanes::possible_sets() const {
    const ParentSets& sets = problem_->sets;
    std::vector<std::int64_t> first_set{0}, costs, first_member{0};
    std::vector<std::int32_t> members;
    std::vector<FamilyId> families;
    Checkpoint checkpoint = checkpoint_;
    for (std::size_t x = 0; x < sets.variables(); ++x) {
        for (std::size_t s = sets.first(x); s < sets.first(x + 1); ++s) {
            checkpoint();
            if (!rows_.possible(s)) continue;
            costs.push_back(sets.cost(s));
            families.push_back(sets.family(s));
            const auto own = sets.members(s);
            members.insert(members.end(), own.begin(), own.end());
            first_member.push_back(static_cast<std::int64_t>(members.size()));
        }
        first_set.push_back(static_cast<std::int64_t>(costs.size()));
    }
    return {std::move(first_set), std::move(costs),    std::move(first_member),
            std::move(members),   std::move(families), checkpoint};
}

void CuttingPlanes::drop_ruled_out() {
    rows_.drop_ruled_out();
    left_ = std::make_unique<Choices>(possible_sets(), checkpoint_);
}

void CuttingPlanes::allow_all() {
    rows_.allow_all();
    left_.reset();
}

std::vector<std::uint32_t> CuttingPlanes::sets_of(const ParentLists& network) const {
    if (network.size() != problem_->variables())
        throw std::invalid_argument("each variable needs one set");
    std::vector<std::uint32_t> found;
    std::vector<bool> is_parent(network.size(), false);
    for (std::size_t x = 0; x < network.size(); ++x) {
        for (const std::uint32_t parent : network[x]) is_parent.at(parent) = true;
        const std::size_t s = problem_->sets.cheapest_inside(x, is_parent);
        if (s == ParentSets::nowhere) throw std::invalid_argument("not a network of this problem");
        found.push_back(static_cast<std::uint32_t>(s));
        for (const std::uint32_t parent : network[x]) is_parent[parent] = false;
    }
    return found;
}

std::vector<std::vector<std::uint32_t>> CuttingPlanes::possible_parents() const {
    const ParentSets& sets = problem_->sets;
    std::vector<std::vector<std::uint32_t>> parents(sets.variables());
    Checkpoint checkpoint = checkpoint_;
    for (std::size_t x = 0; x < sets.variables(); ++x) {
        std::vector<bool> seen(sets.variables(), false);
        for (std::size_t s = sets.first(x); s < sets.first(x + 1); ++s) {
            checkpoint();
            if (!rows_.possible(s)) continue;
            for (const std::int32_t member : sets.members(s))
                seen[static_cast<std::size_t>(member)] = true;
        }
        for (std::uint32_t y = 0; y < sets.variables(); ++y)
            if (seen[y]) parents[x].push_back(y);
    }
    return parents;
}

std::vector<FamilyId> CuttingPlanes::ruled_out() const {
    std::vector<FamilyId> families;
    for (std::size_t s = 0; s < problem_->sets.size(); ++s)
        if (!rows_.possible(s)) families.push_back(problem_->sets.family(s));
    return families;
}

}  // namespace anytimebn
