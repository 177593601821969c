#include "cuts/rounding.h"

#include <algorithm>
#include <deque>
#include <numeric>

namespace anytimebn {
namespace {

// What no set at all costs: more than any network, and safe to add up for thousands of variables.
constexpr Cost missing_cost = infinite_cost / 65536;

}  // namespace

std::vector<std::uint32_t> order_of_point(const JoinedProblem& problem, const Point& point,
                                          Random& random) {
    const std::size_t n = problem.variables();
    std::vector<std::uint32_t> waiting_for(point.size());
    std::vector<std::vector<std::uint32_t>> containing(n);
    std::vector<double> mass(n);
    for (double& m : mass) m = 1e-3 * random.fraction();
    for (std::uint32_t i = 0; i < point.size(); ++i) {
        const auto members = problem.sets.members(point.sets[i]);
        waiting_for[i] = static_cast<std::uint32_t>(members.size());
        if (members.empty()) mass[problem.child_of[point.sets[i]]] += point.values[i];
        for (const std::int32_t y : members) containing[static_cast<std::size_t>(y)].push_back(i);
    }
    std::vector<bool> placed(n, false);
    std::vector<std::uint32_t> order;
    while (order.size() < n) {
        std::uint32_t next = 0;
        double most = -1;
        for (std::uint32_t x = 0; x < n; ++x)
            if (!placed[x] && mass[x] > most) {
                most = mass[x];
                next = x;
            }
        placed[next] = true;
        order.push_back(next);
        for (const std::uint32_t i : containing[next])
            if (--waiting_for[i] == 0) mass[problem.child_of[point.sets[i]]] += point.values[i];
    }
    return order;
}

OrderPolisher::OrderPolisher(const JoinedProblem& problem)
    : sets_(problem.sets),
      n_(problem.variables()),
      children_(n_),
      relatives_(n_),
      order_(n_),
      position_(n_),
      choice_(n_),
      queued_(n_, false),
      marked_(n_, false) {
    for (std::uint32_t x = 0; x < n_; ++x) {
        std::vector<std::uint32_t> parents;
        for (std::size_t s = sets_.first(x); s < sets_.first(x + 1); ++s)
            for (const std::int32_t y : sets_.members(s))
                if (!marked_[static_cast<std::size_t>(y)]) {
                    marked_[static_cast<std::size_t>(y)] = true;
                    parents.push_back(static_cast<std::uint32_t>(y));
                }
        for (const std::uint32_t y : parents) {
            marked_[y] = false;
            children_[y].push_back(x);
            relatives_[x].push_back(y);
            relatives_[y].push_back(x);
        }
    }
    for (auto& relatives : relatives_) {
        std::sort(relatives.begin(), relatives.end());
        relatives.erase(std::unique(relatives.begin(), relatives.end()), relatives.end());
    }
}

Cost OrderPolisher::cost(std::uint32_t x, std::uint32_t choice) const {
    return choice == sets_.count(x) ? missing_cost : sets_.cost(sets_.first(x) + choice);
}

bool OrderPolisher::contains(std::uint32_t x, std::uint32_t choice, std::uint32_t member) const {
    if (choice == sets_.count(x)) return false;
    const auto members = sets_.members(sets_.first(x) + choice);
    return std::find(members.begin(), members.end(), static_cast<std::int32_t>(member)) !=
           members.end();
}

// The first from `from` on whose members all come before position `limit`.
std::uint32_t OrderPolisher::first_fitting(std::uint32_t x, std::uint32_t from,
                                           std::uint32_t limit) {
    const auto count = static_cast<std::uint32_t>(sets_.count(x));
    for (std::uint32_t i = from; i < count; ++i) {
        ++looked_;
        const auto members = sets_.members(sets_.first(x) + i);
        if (std::all_of(members.begin(), members.end(), [&](std::int32_t y) {
                return position_[static_cast<std::size_t>(y)] < limit;
            }))
            return i;
    }
    return count;
}

// The first below `below` that contains `member`, all others of it before `limit`; or `below`.
std::uint32_t OrderPolisher::choice_with(std::uint32_t x, std::uint32_t member, std::uint32_t limit,
                                         std::uint32_t below) {
    for (std::uint32_t i = 0; i < below; ++i) {
        ++looked_;
        bool has = false, fits = true;
        for (const std::int32_t y : sets_.members(sets_.first(x) + i)) {
            if (static_cast<std::uint32_t>(y) == member)
                has = true;
            else if (position_[static_cast<std::size_t>(y)] >= limit)
                fits = false;
        }
        if (has && fits) return i;
    }
    return below;
}

// The first from `from` on without `member`, all of it before `limit`.
std::uint32_t OrderPolisher::choice_without(std::uint32_t x, std::uint32_t member,
                                            std::uint32_t limit, std::uint32_t from) {
    for (std::uint32_t i = first_fitting(x, from, limit);;) {
        if (i == sets_.count(x) || !contains(x, i, member)) return i;
        i = first_fitting(x, i + 1, limit);
    }
}

void OrderPolisher::set_order(const std::vector<std::uint32_t>& order) {
    order_ = order;
    for (std::uint32_t i = 0; i < n_; ++i) position_[order_[i]] = i;
    regret_ = 0;
    missing_ = 0;
    for (std::uint32_t x = 0; x < n_; ++x) {
        choice_[x] = first_fitting(x, 0, position_[x]);
        regret_ += cost(x, choice_[x]);
        missing_ += choice_[x] == sets_.count(x);
    }
}

void OrderPolisher::choose_again(std::uint32_t x) {
    const std::uint32_t choice = first_fitting(x, 0, position_[x]);
    if (choice == choice_[x]) return;
    regret_ += cost(x, choice) - cost(x, choice_[x]);
    missing_ -= choice_[x] == sets_.count(x);
    missing_ += choice == sets_.count(x);
    choice_[x] = choice;
    changed_.push_back(x);
}

void OrderPolisher::move(std::uint32_t x, std::uint32_t to) {
    const std::uint32_t from = position_[x];
    if (from == to) return;
    const int step = to < from ? -1 : 1;
    for (std::uint32_t i = from; i != to;
         i = static_cast<std::uint32_t>(static_cast<int>(i) + step)) {
        order_[i] = order_[static_cast<std::size_t>(static_cast<int>(i) + step)];
        position_[order_[i]] = i;
    }
    order_[to] = x;
    position_[x] = to;
    choose_again(x);
    for (const std::uint32_t y : children_[x])
        if (position_[y] >= std::min(from, to) && position_[y] <= std::max(from, to))
            choose_again(y);
}

// Puts x where the ordering costs least: walks over the positions of its relatives, to the left and
// to the right; passing one changes the choices of these two only.
bool OrderPolisher::reinsert(std::uint32_t x) {
    const std::uint32_t from = position_[x];
    places_.clear();
    for (const std::uint32_t y : relatives_[x]) places_.push_back(position_[y]);
    std::sort(places_.begin(), places_.end());
    const auto behind = static_cast<std::size_t>(
        std::lower_bound(places_.begin(), places_.end(), from) - places_.begin());
    const Cost own = cost(x, choice_[x]);
    Cost best_change = 0;
    std::uint32_t best_place = from;
    const auto consider = [&](Cost change, std::uint32_t place) {
        if (change >= best_change) return;
        best_change = change;
        best_place = place;
    };

    Cost others = 0;
    std::uint32_t choice = choice_[x];
    for (std::size_t i = behind; i-- > 0;) {  // x comes before y, which gains it
        const std::uint32_t place = places_[i], y = order_[place];
        if (contains(x, choice, y)) choice = first_fitting(x, choice + 1, place);
        others += cost(y, choice_with(y, x, place, choice_[y])) - cost(y, choice_[y]);
        consider(others + cost(x, choice) - own, place);
    }
    others = 0;
    choice = choice_[x];
    for (std::size_t i = behind; i < places_.size(); ++i) {  // x comes behind y, which loses it
        const std::uint32_t place = places_[i], y = order_[place];
        if (contains(y, choice_[y], x))
            others += cost(y, choice_without(y, x, place, choice_[y] + 1)) - cost(y, choice_[y]);
        choice = choice_with(x, y, place + 1, choice);
        consider(others + cost(x, choice) - own, place);
        if (others - own >= best_change) break;  // later places only cost the others more
    }
    if (best_change >= 0) return false;
    move(x, best_place);
    return true;
}

void OrderPolisher::descend_from(std::vector<std::uint32_t> start, Random& random) {
    std::deque<std::uint32_t> queue;
    const auto push = [&](std::uint32_t x) {
        if (queued_[x]) return;
        queued_[x] = true;
        queue.push_back(x);
    };
    for (const std::uint32_t x : start) push(x);
    while (!queue.empty()) {
        const std::uint32_t x = queue.front();
        queue.pop_front();
        queued_[x] = false;
        changed_.clear();
        if (!reinsert(x)) continue;
        push(x);
        for (const std::uint32_t y : changed_) {
            push(y);
            if (choice_[y] == sets_.count(y)) continue;
            for (const std::int32_t z : sets_.members(sets_.first(y) + choice_[y]))
                push(static_cast<std::uint32_t>(z));
        }
        for (const std::uint32_t y : relatives_[x])
            if (random.below(50) == 0) push(y);
    }
}

void OrderPolisher::descend(Random& random) {
    std::vector<std::uint32_t> all(n_);
    std::iota(all.begin(), all.end(), 0u);
    for (Cost before = infinite_cost; regret_ < before;) {
        before = regret_;
        random.shuffle(all);
        descend_from(all, random);
    }
}

// Makes a set of x possible: its members that come later move to just before x, together with
// those of their ancestors that lie in between, so that these lose nothing.
void OrderPolisher::pull_parents_forward(std::uint32_t x, std::uint32_t choice) {
    const std::uint32_t begin = position_[x];
    std::uint32_t end = begin;
    std::vector<std::uint32_t> moving;
    const auto pull = [&](std::int32_t member) {
        const auto y = static_cast<std::uint32_t>(member);
        if (position_[y] <= begin || marked_[y]) return;
        marked_[y] = true;
        moving.push_back(y);
        end = std::max(end, position_[y]);
    };
    for (const std::int32_t y : sets_.members(sets_.first(x) + choice)) pull(y);
    for (std::size_t i = 0; i < moving.size(); ++i)
        if (choice_[moving[i]] != sets_.count(moving[i]))
            for (const std::int32_t z : sets_.members(sets_.first(moving[i]) + choice_[moving[i]]))
                pull(z);
    const auto at = [&](std::uint32_t i) {
        return order_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    std::stable_partition(at(begin), at(end + 1), [&](std::uint32_t y) { return marked_[y]; });
    for (std::uint32_t i = begin; i <= end; ++i) position_[order_[i]] = i;
    for (std::uint32_t i = begin; i <= end; ++i) choose_again(order_[i]);
    for (const std::uint32_t y : moving) {
        marked_[y] = false;
        changed_.push_back(y);
    }
    changed_.push_back(x);
}

void OrderPolisher::kick(std::uint64_t work, Random& random) {
    std::vector<std::uint32_t> connected;
    for (std::uint32_t x = 0; x < n_; ++x)
        if (!relatives_[x].empty()) connected.push_back(x);
    if (connected.empty()) return;
    const std::uint64_t end = looked_ + work;
    while (looked_ < end && regret_ > 0) {
        ++looked_;
        const auto order = order_, position = position_, choice = choice_;
        const Cost regret = regret_;
        const std::size_t missing = missing_;
        changed_.clear();
        std::uint32_t x = connected[random.below(connected.size())];
        if (random.below(10) < 7) {
            for (int i = 0; i < 50 && choice_[x] == 0; ++i)
                x = connected[random.below(connected.size())];
            if (choice_[x] > 0)
                pull_parents_forward(
                    x,
                    random.below(random.below(2) == 0 ? choice_[x]
                                                      : std::min(choice_[x], 1 + random.below(8))));
        } else {
            for (std::uint32_t moves = 1 + random.below(4); moves > 0; --moves) {
                const std::uint32_t y = relatives_[x][random.below(relatives_[x].size())];
                const std::uint32_t place_x = position_[x], place_y = position_[y];
                const std::uint32_t kind = random.below(3);
                if (kind != 1) move(x, place_y);
                if (kind != 0) move(y, place_x);
                changed_.push_back(x);
                changed_.push_back(y);
                if (random.below(2) == 0) x = y;
            }
        }
        auto start = changed_;
        for (const std::uint32_t y : changed_)
            if (choice_[y] != sets_.count(y))
                for (const std::int32_t z : sets_.members(sets_.first(y) + choice_[y]))
                    start.push_back(static_cast<std::uint32_t>(z));
        random.shuffle(start);
        descend_from(std::move(start), random);
        if (regret_ > regret) {
            order_ = order;
            position_ = position;
            choice_ = choice;
            regret_ = regret;
            missing_ = missing;
        }
    }
}

std::vector<std::uint32_t> OrderPolisher::chosen() const {
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t x = 0; x < n_; ++x)
        chosen.push_back(static_cast<std::uint32_t>(sets_.first(x)) + choice_[x]);
    return chosen;
}

}  // namespace anytimebn
