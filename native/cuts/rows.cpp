#include "cuts/rows.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace anytimebn {
namespace {

// Does something when a block is left, in whatever way.
template <class Action>
class Finally {
 public:
    explicit Finally(Action action) : action_(std::move(action)) {}
    ~Finally() { action_(); }
    Finally(const Finally&) = delete;
    Finally& operator=(const Finally&) = delete;

 private:
    Action action_;
};

}  // namespace

Rows::Rows(std::shared_ptr<const JoinedProblem> problem, Checkpoint checkpoint)
    : problem_(std::move(problem)),
      checkpoint_(std::move(checkpoint)),
      possible_(problem_->sets.size(), true),
      possible_count_(problem_->sets.size()),
      adjusted_(problem_->sets.size()),
      least_(problem_->variables()),
      sum_of_set_(problem_->sets.size(), 0),
      in_cluster_(problem_->variables(), false) {
    // The component's sets and columns, relations, what is kept here, and vectors over all sets
    // that the linear program needs.
    constexpr std::uint64_t bytes_of_a_set = 112;
    memory_bytes_ = problem_->sets.size() * bytes_of_a_set + problem_->variables() * 64;
    evaluate({}, {}, 0);
}

RowNumber Rows::add(Row row) {
    for (const std::uint32_t x : row.variables)
        if (problem_->component_of[x] != problem_->component_of[row.variables[0]]) return none;
    rows_are_complete_ &= possible_count_ == possible_.size();
    if (rows_.size() >= none) throw std::length_error("too many rows");
    fill(row);
    memory_bytes_ += sizeof(Row) + 4 * row.variables.size() + 64;
    rows_.push_back(std::move(row));
    return static_cast<RowNumber>(rows_.size() - 1);
}

RowNumber Rows::add_cluster(std::vector<std::uint32_t> members) {
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    if (members.empty() || members.back() >= problem_->variables())
        throw std::invalid_argument("a cluster needs members that exist");
    if (const auto known = clusters_.find(members); known != clusters_.end()) return known->second;
    Row row;
    row.variables = members;
    row.right_hand_side = static_cast<std::int64_t>(members.size()) - 1;
    const RowNumber number = add(std::move(row));
    if (number != none) clusters_.emplace(std::move(members), number);
    return number;
}

RowNumber Rows::add_zero_half(std::vector<RowNumber> parents, std::vector<std::uint32_t> children) {
    std::sort(parents.begin(), parents.end());
    std::sort(children.begin(), children.end());
    if (!children.empty() && children.back() >= problem_->variables())
        throw std::invalid_argument("a zero-half row needs variables that exist");
    std::pair key{parents, children};
    if (const auto known = zero_halves_.find(key); known != zero_halves_.end())
        return known->second;
    Row row;
    row.variables = children;
    std::int64_t right_hand_sides = static_cast<std::int64_t>(children.size());
    for (const RowNumber parent : parents) {
        const Row& from = rows_.at(parent);
        row.rank = std::max(row.rank, from.rank);
        right_hand_sides += from.right_hand_side;
        row.variables.insert(row.variables.end(), from.variables.begin(), from.variables.end());
    }
    ++row.rank;
    row.right_hand_side = right_hand_sides / 2;
    std::sort(row.variables.begin(), row.variables.end());
    row.variables.erase(std::unique(row.variables.begin(), row.variables.end()),
                        row.variables.end());
    row.parents = std::move(parents);
    row.children = std::move(children);
    if (row.variables.empty()) throw std::invalid_argument("a zero-half row needs parents");
    const RowNumber number = add(std::move(row));
    if (number != none) zero_halves_.emplace(std::move(key), number);
    return number;
}

void Rows::fill(Row& row) {
    memory_bytes_ -= 8 * row.sets.size();
    row.sets.clear();
    row.coefficients.clear();
    if (row.is_cluster())
        fill_cluster(row);
    else
        fill_zero_half(row);
    constexpr std::size_t worth_a_copy = 4096;
    if (row.sets.capacity() > row.sets.size() + worth_a_copy) {
        row.sets.shrink_to_fit();
        row.coefficients.shrink_to_fit();
    }
    memory_bytes_ += 8 * row.sets.size();
}

void Rows::fill_cluster(Row& row) {
    const ParentSets& sets = problem_->sets;
    for (const std::uint32_t x : row.variables) in_cluster_[x] = true;
    const Finally clean_up([&] {
        for (const std::uint32_t x : row.variables) in_cluster_[x] = false;
    });
    for (const std::uint32_t x : row.variables)
        for (std::size_t s = sets.first(x); s < sets.first(x + 1); ++s) {
            checkpoint_();
            if (!possible_[s]) continue;
            for (const std::int32_t parent : sets.members(s))
                if (in_cluster_[static_cast<std::size_t>(parent)]) {
                    row.sets.push_back(static_cast<std::uint32_t>(s));
                    break;
                }
        }
    row.coefficients.assign(row.sets.size(), 1);
}

void Rows::fill_zero_half(Row& row) {
    std::vector<std::uint32_t> touched;
    const Finally clean_up([&] {
        for (const std::uint32_t set : touched) sum_of_set_[set] = 0;
    });
    const auto count = [&](std::uint32_t set, std::int32_t coefficient) {
        if (sum_of_set_[set] == 0) touched.push_back(set);
        sum_of_set_[set] += coefficient;
    };
    for (const RowNumber parent : row.parents) {
        const Row& from = rows_[parent];
        for (std::size_t i = 0; i < from.sets.size(); ++i)
            count(from.sets[i], from.coefficients[i]);
        checkpoint_(from.sets.size());
    }
    for (const std::uint32_t x : row.children) {
        for (std::size_t s = problem_->sets.first(x); s < problem_->sets.first(x + 1); ++s)
            if (possible_[s]) count(static_cast<std::uint32_t>(s), 1);
        checkpoint_(problem_->sets.count(x));
    }
    const auto halve = [&](std::size_t set) {
        checkpoint_();
        if (const std::int32_t half = sum_of_set_[set] / 2; half > 0) {
            row.sets.push_back(static_cast<std::uint32_t>(set));
            row.coefficients.push_back(half);
        }
    };
    if (touched.size() > Checkpoint::units_between) {  // sorting these would take too long at once
        for (const std::uint32_t x : row.variables)
            for (std::size_t s = problem_->sets.first(x); s < problem_->sets.first(x + 1); ++s)
                halve(s);
        return;
    }
    std::sort(touched.begin(), touched.end());
    for (const std::uint32_t set : touched) halve(set);
}

bool Rows::evaluate(const std::vector<RowNumber>& rows, const std::vector<Cost>& multipliers,
                    int shift) {
    if (rows.size() != multipliers.size())
        throw std::invalid_argument("each row needs one multiplier");
    const ParentSets& sets = problem_->sets;
    // The sums below stay far from the limits of 64 bits if this estimate does.
    double largest = std::ldexp(static_cast<double>(largest_possible_cost()), shift);
    double right_hand_sides = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows_.at(rows[i]);
        if (multipliers[i] < 0) throw std::invalid_argument("a multiplier is negative");
        std::int32_t coefficient = 0;
        for (const std::int32_t c : row.coefficients) coefficient = std::max(coefficient, c);
        checkpoint_(row.sets.size() / 8);
        largest += static_cast<double>(multipliers[i]) * coefficient;
        right_hand_sides +=
            static_cast<double>(multipliers[i]) * static_cast<double>(row.right_hand_side);
    }
    constexpr double limit = 2e18;
    if (largest * static_cast<double>(problem_->variables()) + right_hand_sides > limit)
        return false;

    shift_ = shift;
    exact_bounds_.assign(problem_->components(), 0);
    for (std::size_t s = 0; s < sets.size(); ++s) {
        if (possible_[s]) adjusted_[s] = sets.cost(s) << shift;
        if (s % 4 == 0) checkpoint_();
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows_[rows[i]];
        const Cost multiplier = multipliers[i];
        exact_bounds_[problem_->component_of[row.variables[0]]] -= multiplier * row.right_hand_side;
        for (std::size_t k = 0; k < row.sets.size(); ++k)
            if (possible_[row.sets[k]]) adjusted_[row.sets[k]] += multiplier * row.coefficients[k];
        checkpoint_(row.sets.size() / 4);
    }
    std::vector<bool> hopeless(problem_->components(), false);
    for (std::size_t x = 0; x < sets.variables(); ++x) {
        const std::uint32_t c = problem_->component_of[x];
        Cost least = infinite_cost;
        for (std::size_t s = sets.first(x); s < sets.first(x + 1); ++s)
            if (possible_[s]) least = std::min(least, adjusted_[s]);
        checkpoint_(sets.count(x) / 4);
        least_[x] = least;
        if (least == infinite_cost)
            hopeless[c] = true;  // no better network has any parents for x
        else
            exact_bounds_[c] += least;
    }
    bounds_.assign(problem_->components(), infinite_cost);
    const Cost fraction = (Cost{1} << shift) - 1;
    for (std::size_t c = 0; c < bounds_.size(); ++c)
        if (!hopeless[c]) bounds_[c] = (exact_bounds_[c] + fraction) >> shift;
    return true;
}

std::size_t Rows::rule_out(const std::vector<Cost>& incumbents,
                           const std::vector<std::uint32_t>& keep) {
    if (incumbents.size() != bounds_.size())
        throw std::invalid_argument("each component needs one incumbent");
    const std::size_t before = possible_count_;
    std::vector<bool> kept(possible_.size(), false);
    for (const std::uint32_t set : keep) kept.at(set) = true;
    for (std::size_t s = 0; s < possible_.size(); ++s) {
        checkpoint_();
        if (!possible_[s] || kept[s]) continue;
        const std::uint32_t x = problem_->child_of[s];
        const std::uint32_t c = problem_->component_of[x];
        if (bounds_[c] >= infinite_cost || incumbents[c] >= infinite_cost) continue;
        // A better network costs at most one unit less.
        const double room = std::ldexp(static_cast<double>(incumbents[c]), shift_);
        if (room > 4e18) continue;
        if (exact_bounds_[c] + adjusted_[s] - least_[x] <=
            (incumbents[c] - 1) * (Cost{1} << shift_))
            continue;
        possible_[s] = false;
        --possible_count_;
    }
    return before - possible_count_;
}

Cost Rows::largest_possible_cost() const {
    Cost largest = 0;
    for (std::size_t s = 0; s < possible_.size(); ++s)
        if (possible_[s]) largest = std::max(largest, problem_->sets.cost(s));
    return largest;
}

std::vector<std::uint32_t> Rows::price(const std::vector<std::int32_t>& column_of_set,
                                       std::size_t most_of_a_child) const {
    if (column_of_set.size() != possible_.size())
        throw std::invalid_argument("each set needs its column, or -1");
    const ParentSets& sets = problem_->sets;
    const Cost tolerance = (Cost{1} << shift_) / 1000;
    std::vector<std::uint32_t> found;
    for (std::size_t x = 0; x < sets.variables(); ++x) {
        Cost inside = infinite_cost;
        for (std::size_t s = sets.first(x); s < sets.first(x + 1); ++s)
            if (possible_[s] && column_of_set[s] >= 0) inside = std::min(inside, adjusted_[s]);
        if (inside < infinite_cost) inside -= tolerance;
        std::vector<std::pair<Cost, std::uint32_t>> better;
        for (std::size_t s = sets.first(x); s < sets.first(x + 1); ++s)
            if (possible_[s] && column_of_set[s] < 0 && adjusted_[s] < inside)
                better.emplace_back(adjusted_[s], static_cast<std::uint32_t>(s));
        checkpoint_(sets.count(x));
        const std::size_t count = std::min(most_of_a_child, better.size());
        std::partial_sort(better.begin(), better.begin() + static_cast<std::ptrdiff_t>(count),
                          better.end());
        for (std::size_t i = 0; i < count; ++i) found.push_back(better[i].second);
    }
    return found;
}

// Rows have many sets, solutions few: of a zero-half row each of these is looked up; whether a
// cluster counts them, their parents tell.
double Rows::violation(RowNumber number, const SortedPoint& point) const {
    const Row& row = rows_.at(number);
    double sum = -static_cast<double>(row.right_hand_side);
    if (row.is_cluster()) {
        const auto is_member = [&](std::int32_t x) {
            return in_cluster_[static_cast<std::size_t>(x)];
        };
        for (const std::uint32_t x : row.variables) in_cluster_[x] = true;
        for (const std::uint32_t x : row.variables)
            for (const auto& [set, value] : point.of(x)) {
                const auto parents = problem_->sets.members(set);
                if (std::any_of(parents.begin(), parents.end(), is_member)) sum += value;
            }
        for (const std::uint32_t x : row.variables) in_cluster_[x] = false;
        return sum;
    }
    auto from = row.sets.begin();
    for (const std::uint32_t x : row.variables)
        for (const auto& [set, value] : point.of(x)) {
            from = std::lower_bound(from, row.sets.end(), set);
            if (from == row.sets.end()) return sum;
            if (*from == set)
                sum += row.coefficients[static_cast<std::size_t>(from - row.sets.begin())] * value;
        }
    return sum;
}

void Rows::allow_all() {
    possible_.assign(possible_.size(), true);
    possible_count_ = possible_.size();
    if (rows_are_complete_) return;
    for (Row& row : rows_) {
        fill(row);  // those that a row is made of come before it
        checkpoint_(row.sets.size());
    }
    rows_are_complete_ = true;
}

void Rows::drop_ruled_out() {
    if (possible_count_ == possible_.size()) return;
    rows_are_complete_ = false;
    for (Row& row : rows_) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < row.sets.size(); ++i) {
            if (!possible_[row.sets[i]]) continue;
            row.sets[kept] = row.sets[i];
            row.coefficients[kept++] = row.coefficients[i];
        }
        memory_bytes_ -= 8 * (row.sets.size() - kept);
        row.sets.resize(kept);
        row.coefficients.resize(kept);
        row.sets.shrink_to_fit();
        row.coefficients.shrink_to_fit();
    }
}

}  // namespace anytimebn
