#include "local/insertion_search.h"

#include <algorithm>

#include "base/random.h"
#include "local/first_order.h"
#include "local/ordering.h"

namespace anytimebn {
namespace {

class Searcher {
 public:
    Searcher(const ParentSets& sets, const BestParents* columns, const Relations& relations,
             const InsertionSearch& search)
        : sets_(sets),
          search_(search),
          random_(search.seed),
          relations_(relations),
          checkpoint_(search.checkpoint),
          ordering_(sets, columns, relations_),
          queued_(sets.variables(), false) {
        for (std::uint32_t v = 0; v < sets.variables(); ++v)
            if (!relations_.neighbours(v).empty()) movable_.push_back(v);
    }

    bool run() {
        std::vector<std::uint32_t> order =
            search_.order.empty() ? greedy_order(sets_, relations_, random_, checkpoint_)
                                  : feasible_order(sets_, relations_, search_.order, checkpoint_);
        if (order.size() < sets_.variables()) return false;
        ordering_.assign(std::move(order));
        if (search_.max_work > 0) descend_everywhere();
        note();
        report();
        if (movable_.empty()) return true;
        const std::uint64_t begin = std::min(ordering_.work(), search_.max_work);
        Cost heat_divisor = 2;
        for (std::uint64_t round = 1; round <= rounds && !finished(); ++round, heat_divisor *= 3)
            anneal(begin + (search_.max_work - begin) / rounds * round, heat_divisor);
        report();
        return true;
    }

 private:
    // Each round of annealing starts from the best ordering, a third as hot as the one before.
    static constexpr std::uint64_t rounds = 3;
    // Work is counted in parent sets that a glance is enough for.
    static constexpr std::uint64_t work_of_a_unit = 8;

    bool finished() const {
        return given_up_ || best_ == 0 || ordering_.work() >= search_.max_work || search_.stopped();
    }

    // ---- descent ----

    void descend_everywhere() {
        std::vector<std::uint32_t> everything = movable_;
        for (Cost before = infinite_cost; ordering_.regret() < before && !given_up_;) {
            before = ordering_.regret();
            random_.shuffle(everything);
            for (const std::uint32_t v : everything) enqueue(v);
            descend();
        }
    }

    void enqueue(std::uint32_t v) {
        if (queued_[v]) return;
        queued_[v] = true;
        queue_.push_back(v);
    }

    // Moves variables from the queue until none gains. After a move the variables that got other
    // parents come again, and so do their parents.
    void descend() {
        for (std::size_t next = 0; next < queue_.size(); ++next) {
            const std::uint32_t v = queue_[next];
            queued_[v] = false;
            if (gives_up()) continue;
            changed_.clear();
            if (!ordering_.improve(v, changed_)) continue;
            enqueue(v);
            for (const std::uint32_t w : changed_) {
                enqueue(w);
                for (const std::int32_t parent : parents(w))
                    enqueue(static_cast<std::uint32_t>(parent));
            }
        }
        queue_.clear();
    }

    // Asked between moves, after which the ordering is as good as any.
    bool gives_up() {
        const std::uint64_t done = ordering_.work() - asked_work_;
        asked_work_ = ordering_.work();
        if (!given_up_) try {
                checkpoint_(done / work_of_a_unit);
            } catch (const WorkStopped&) {
                given_up_ = true;
            }
        return given_up_;
    }

    std::span<const std::int32_t> parents(std::uint32_t v) const {
        if (ordering_.chosen(v) == Ordering::none) return {};
        return sets_.members(sets_.first(v) + ordering_.chosen(v));
    }

    // ---- perturbation ----

    std::uint32_t any_movable() { return movable_[random_.below(movable_.size())]; }

    void kick() {
        changed_.clear();
        if (random_.below(2u) == 0)
            move_block();
        else
            move_neighbours();
        random_.shuffle(changed_);
        for (const std::uint32_t v : changed_) enqueue(v);
    }

    // Gives a variable a cheaper parent set than it has, often one of the cheapest, whatever others
    // lose. Single insertions do not get there when the way leads over worse orderings.
    void move_block() {
        constexpr int tries = 50;
        std::uint32_t v = any_movable();
        for (int i = 0; ordering_.chosen(v) == 0 && i < tries; ++i) v = any_movable();
        std::uint32_t cheaper = std::min<std::size_t>(ordering_.chosen(v), sets_.count(v));
        if (cheaper == 0) return;
        if (random_.below(2u) == 0) cheaper = std::min(cheaper, 1 + random_.below(8u));
        const std::uint32_t number = random_.below(cheaper);
        if (random_.below(2u) == 0)
            ordering_.pull_parents(v, number, changed_);
        else
            ordering_.push_behind_parents(v, number, changed_);
        changed_.push_back(v);
        for (const std::int32_t member : sets_.members(sets_.first(v) + number))
            changed_.push_back(static_cast<std::uint32_t>(member));
    }

    // Puts a few variables that know each other to the places of one another.
    void move_neighbours() {
        std::uint32_t v = any_movable();
        for (std::uint32_t moves = 1 + random_.below(4u); moves > 0; --moves) {
            const auto neighbours = relations_.neighbours(v);
            const std::uint32_t w = neighbours[random_.below(neighbours.size())].variable;
            const std::uint32_t place = ordering_.position(v), other = ordering_.position(w);
            const std::uint32_t kind = random_.below(3u);
            if (kind != 1) ordering_.insert(v, other, changed_);
            if (kind != 0) ordering_.insert(w, place, changed_);
            changed_.push_back(v);
            changed_.push_back(w);
            if (random_.below(2u) == 0) v = w;
        }
    }

    // ---- acceptance ----

    // Worse orderings are kept with a probability that falls with the loss and with the work done.
    // The first heat is a fraction of what a variable loses on average in the best network.
    void anneal(std::uint64_t end, Cost heat_divisor) {
        ordering_.assign(best_order_);
        ordering_.keep();
        Cost current = best_;
        const Cost hottest = best_ / (heat_divisor * static_cast<Cost>(movable_.size()));
        const std::uint64_t begin = ordering_.work();
        while (ordering_.work() < end && !finished()) {
            kick();
            descend();
            note();
            const std::uint64_t left = end - std::min(end, ordering_.work());
            const double heat = static_cast<double>(hottest) * static_cast<double>(left) /
                                static_cast<double>(end - begin);
            const double loss = static_cast<double>(ordering_.regret() - current);
            if (loss <= heat * random_.exponential()) {
                ordering_.keep();
                current = ordering_.regret();
            } else {
                ordering_.restore();
            }
        }
    }

    // ---- the best network ----

    void note() {
        if (ordering_.regret() >= best_) return;
        best_ = ordering_.regret();
        best_order_ = ordering_.order();
        // Large problems improve thousands of times: more often than anyone wants to hear it.
        if (ordering_.work() - reported_work_ >= ordering_.work() / 64) report();
    }

    void report() {
        if (best_ >= reported_) return;
        reported_ = best_;
        reported_work_ = ordering_.work();
        search_.improved(best_, best_order_);
    }

    const ParentSets& sets_;
    const InsertionSearch& search_;
    Random random_;
    const Relations& relations_;
    Checkpoint checkpoint_;
    bool given_up_ = false;
    std::uint64_t asked_work_ = 0;
    Ordering ordering_;
    std::vector<std::uint32_t> movable_;  // the variables that have neighbours
    std::vector<std::uint32_t> queue_, changed_;
    std::vector<bool> queued_;
    std::vector<std::uint32_t> best_order_;
    Cost best_ = infinite_cost, reported_ = infinite_cost;
    std::uint64_t reported_work_ = 0;
};

}  // namespace

std::uint64_t usual_work(std::size_t variables) {
    const std::uint64_t n = variables, crowd = std::min<std::uint64_t>(n, 45);
    return std::min<std::uint64_t>(350 * n * crowd * crowd, 300'000'000);
}

bool search_orderings(const ParentSets& sets, const BestParents* columns,
                      const InsertionSearch& search) {
    return search_orderings(sets, columns, Relations(sets, search.checkpoint), search);
}

bool search_orderings(const ParentSets& sets, const BestParents* columns,
                      const Relations& relations, const InsertionSearch& search) {
    return Searcher(sets, columns, relations, search).run();
}

bool search_orderings(const Component& component, const InsertionSearch& search) {
    return search_orderings(component.sets, &component.best, search);
}

std::vector<std::size_t> sets_of_order(const ParentSets& sets,
                                       const std::vector<std::uint32_t>& order,
                                       Checkpoint checkpoint) {
    std::vector<std::size_t> chosen(sets.variables());
    std::vector<bool> placed(sets.variables(), false);
    for (const std::uint32_t v : order) {
        const auto fits = [&](std::size_t set) {
            checkpoint();
            for (const std::int32_t member : sets.members(set))
                if (!placed[static_cast<std::size_t>(member)]) return false;
            return true;
        };
        chosen[v] = sets.first(v);
        while (!fits(chosen[v])) ++chosen[v];
        placed[v] = true;
    }
    return chosen;
}

}  // namespace anytimebn
