// Greedy equivalence search (Chickering 2002): over classes of networks instead of networks. First
// the best insertions of an edge while any helps, then the best deletions, then turns of an edge
// (Hauser & Buhlmann 2012), and again while that helps. Every operator is checked to lead to a
// class, and the gain of an insertion or deletion is a difference of two local costs, since scores
// here (fnml excepted) cost the same for all members of a class.
//
// The operators of a variable as child depend on its parents, its neighbours, and who is adjacent
// to these: only where a step changes that are they made again.
#include "arcs/equivalence_search.h"

#include <algorithm>
#include <bit>
#include <queue>
#include <stdexcept>

#include "arcs/climber.h"
#include "arcs/equivalence_class.h"

namespace anytimebn {
namespace {

// Makes an edge between x and y, or takes it away. `kept` is the clique of neighbours of y that
// stays with y: for an insertion the neighbours that both share and those that become parents of y,
// for a deletion the shared ones that do not become children.
struct Operator {
    Cost delta;
    std::uint32_t x, y;
    Parents kept;
    std::uint64_t version;  // of the operators of y
};

struct Later {
    bool operator()(const Operator& a, const Operator& b) const {
        if (a.delta != b.delta) return a.delta > b.delta;
        if (a.y != b.y) return a.y > b.y;
        if (a.x != b.x) return a.x > b.x;
        return a.kept > b.kept;
    }
};

class EquivalenceSearch {
 public:
    explicit EquivalenceSearch(GraphSearch& search)
        : search_(search),
          costs_(search.costs),
          n_(costs_.variables()),
          words_((n_ + 63) / 64),
          pattern_(n_),
          network_(n_),
          version_(n_, 0),
          row_(n_) {}

    void run() {
        const std::vector<Cost> own = costs_of(search_.start);
        search_.improve(search_.start, own);
        if (!use_memory() || search_.out_of_budget()) return;
        if (sum_of(own) < infinite_cost) {
            network_ = search_.start;
            pattern_ = class_of(network_);
        }
        costs_.prepare(network_, search_.options.jobs);
        Cost before = total_of(network_);
        while (phase(true) && phase(false) && turn_edges()) {
            const Cost now = total_of(network_);
            if (now >= before) {
                fit_permissions();
                return;
            }
            before = now;
        }
    }

 private:
    // Steps of one kind while any helps. False when the budget has ended.
    bool phase(bool inserting) {
        operators_ = {};
        for (std::uint32_t y = 0; y < n_; ++y)
            if (!make_operators(y, inserting)) return false;
        std::vector<Operator> blocked;
        while (!operators_.empty()) {
            Operator next = operators_.top();
            operators_.pop();
            if (next.version != version_[next.y]) continue;
            if (search_.out_of_budget()) return false;
            if (inserting && !separated(next)) {  // but it may be, later
                blocked.push_back(std::move(next));
                continue;
            }
            if (!search_.budget.expand()) return false;
            const PartlyDirected before = pattern_;
            inserting ? insert(next) : remove(next);
            network_ = pattern_.extension();
            if (network_.empty()) throw std::logic_error("a class without a network");
            pattern_ = class_of(network_);
            search_.improve(network_, costs_of(network_));
            for (std::uint32_t v = 0; v < n_; ++v) {
                const bool affected = !pattern_.same_around(v, before) ||
                                      pattern_.neighbours().test(v, next.x) ||
                                      pattern_.neighbours().test(v, next.y);
                if (affected && !make_operators(v, inserting)) return false;
            }
            for (Operator& one : blocked) operators_.push(std::move(one));
            blocked.clear();
        }
        return true;
    }

    // Turns edges while that helps. False when the budget has ended.
    bool turn_edges() {
        while (true) {
            operators_ = {};
            for (std::uint32_t y = 0; y < n_; ++y)
                if (search_.out_of_budget() || !make_turns(y)) return false;
            const Cost before = total_of(network_);
            bool turned = false;
            for (; !operators_.empty() && !turned; operators_.pop()) {
                if (search_.out_of_budget()) return false;
                PartlyDirected changed = pattern_;
                for (const std::uint32_t v : operators_.top().kept)
                    changed.direct(v, operators_.top().y);
                changed.direct(operators_.top().x, operators_.top().y);
                const ParentLists network = changed.extension();
                // The gain was that of one way to direct the other edges, which there may not be.
                if (network.empty() || total_of(network) >= before) continue;
                if (!search_.budget.expand()) return false;
                network_ = network;
                pattern_ = class_of(network_);
                search_.improve(network_, costs_of(network_));
                turned = true;
            }
            if (!turned) return true;
        }
    }

    // Directs an edge that is without direction, or leads from y to x, from x to y; for each clique
    // among the neighbours of y, whose members become parents of y.
    bool make_turns(std::uint32_t y) {
        const Parents parents = members(pattern_.parents().row(y), words_);
        const Parents neighbours = members(pattern_.neighbours().row(y), words_);
        const Parents children = members(pattern_.children().row(y), words_);
        for (const std::uint32_t x : joined(neighbours, children)) {
            const bool directed = pattern_.children().test(y, x);
            Parents others = neighbours;
            if (!directed) others = without(others, x);
            const Parents own = members(pattern_.parents().row(x), words_);
            const bool made = for_each_clique(others, [&](const Parents& clique) {
                Parents shared;  // of the clique, which stay parents of x as well
                for (const std::uint32_t v : clique)
                    if (!directed && pattern_.neighbours().test(x, v)) shared.push_back(v);
                const Parents base = joined(parents, clique);
                const Parents fewer = joined(directed ? without(own, y) : own, shared);
                const Cost loss = costs_.cost(x, fewer) - costs_.cost(x, with(fewer, y));
                const Cost delta = costs_.cost(y, with(base, x)) - costs_.cost(y, base) + loss;
                if (delta < 0) operators_.push({delta, x, y, clique, 0});
                return true;
            });
            if (!made) return false;
        }
        return true;
    }

    bool make_operators(std::uint32_t y, bool inserting) {
        ++version_[y];
        return inserting ? make_insertions(y) : make_deletions(y);
    }

    // For each clique among the neighbours of y: all variables whose shared neighbours are in it.
    bool make_insertions(std::uint32_t y) {
        const Parents neighbours = members(pattern_.neighbours().row(y), words_);
        const Parents parents = members(pattern_.parents().row(y), words_);
        return for_each_clique(neighbours, [&](const Parents& clique) {
            const Parents base = joined(parents, clique);
            if (!costs_.additions(y, base, row_.data()) || !use_memory()) return false;
            const Cost own = costs_.cost(y, base);
            const std::vector<std::uint64_t> inside = bits_of(clique);
            for (std::uint32_t x = 0; x < n_; ++x)
                if (row_[x] < own && x != y && !pattern_.adjacent(x, y) &&
                    shared_are_within(x, y, inside))
                    operators_.push({row_[x] - own, x, y, clique, version_[y]});
            return true;
        });
    }

    bool make_deletions(std::uint32_t y) {
        const Parents parents = members(pattern_.parents().row(y), words_);
        const Parents neighbours = members(pattern_.neighbours().row(y), words_);
        for (const std::uint32_t x : joined(parents, neighbours)) {
            Parents shared;
            for (const std::uint32_t v : neighbours)
                if (v != x && pattern_.adjacent(v, x)) shared.push_back(v);
            const bool made = for_each_clique(shared, [&](const Parents& clique) {
                Parents base = joined(parents, clique);
                if (std::binary_search(base.begin(), base.end(), x)) base = without(base, x);
                const Cost less = costs_.cost(y, base);
                const Cost delta = less - costs_.cost(y, with(base, x));
                if (less < infinite_cost && delta <= 0)
                    operators_.push({delta, x, y, clique, version_[y]});
                return true;
            });
            if (!made) return false;
        }
        return true;
    }

    // Calls body(clique) for all cliques among the variables, the empty one first, until it is
    // false.
    template <class Body>
    bool for_each_clique(const Parents& among, Body&& body) {
        Parents clique;
        const auto grow = [&](const auto& self, std::size_t next) -> bool {
            constexpr std::uint64_t cliques_between_checks = 16;
            if (++cliques_ % cliques_between_checks == 0 && search_.out_of_budget()) return false;
            if (!body(clique)) return false;
            for (std::size_t i = next; i < among.size(); ++i) {
                if (!std::all_of(clique.begin(), clique.end(),
                                 [&](std::uint32_t v) { return pattern_.adjacent(v, among[i]); }))
                    continue;
                clique.push_back(among[i]);
                const bool going_on = self(self, i + 1);
                clique.pop_back();
                if (!going_on) return false;
            }
            return true;
        };
        return grow(grow, 0);
    }

    bool shared_are_within(std::uint32_t x, std::uint32_t y,
                           const std::vector<std::uint64_t>& inside) const {
        for (std::size_t w = 0; w < words_; ++w) {
            const std::uint64_t adjacent = pattern_.parents().row(x)[w] |
                                           pattern_.children().row(x)[w] |
                                           pattern_.neighbours().row(x)[w];
            if (pattern_.neighbours().row(y)[w] & adjacent & ~inside[w]) return false;
        }
        return true;
    }

    // Whether every way from y to x along edges and arcs passes through the clique: otherwise the
    // new arc from x to y would close a cycle.
    bool separated(const Operator& insertion) const {
        std::vector<std::uint64_t> seen = bits_of(insertion.kept);
        seen[insertion.y / 64] |= std::uint64_t{1} << (insertion.y % 64);
        std::vector<std::uint32_t> open{insertion.y};
        while (!open.empty()) {
            const std::uint32_t v = open.back();
            open.pop_back();
            for (std::size_t w = 0; w < words_; ++w) {
                std::uint64_t fresh =
                    (pattern_.children().row(v)[w] | pattern_.neighbours().row(v)[w]) & ~seen[w];
                seen[w] |= fresh;
                for (; fresh != 0; fresh &= fresh - 1)
                    open.push_back(static_cast<std::uint32_t>(w * 64) +
                                   static_cast<std::uint32_t>(std::countr_zero(fresh)));
            }
            if (seen[insertion.x / 64] >> (insertion.x % 64) & 1) return false;
        }
        return true;
    }

    void insert(const Operator& insertion) {
        for (const std::uint32_t v : insertion.kept)
            if (!pattern_.adjacent(v, insertion.x)) pattern_.direct(v, insertion.y);
        pattern_.add_arc(insertion.x, insertion.y);
    }

    void remove(const Operator& deletion) {
        const auto [x, y] = std::pair(deletion.x, deletion.y);
        for (const std::uint32_t v : members(pattern_.neighbours().row(y), words_)) {
            if (v == x || !pattern_.adjacent(v, x) ||
                std::binary_search(deletion.kept.begin(), deletion.kept.end(), v))
                continue;
            pattern_.direct(y, v);
            if (pattern_.neighbours().test(x, v)) pattern_.direct(x, v);
        }
        pattern_.remove(x, y);
    }

    // Constraints are about arcs, not about classes. The arcs of the network found that are
    // allowed, and the required ones, start a search over arcs that keeps to the constraints.
    void fit_permissions() {
        const Permissions& permissions = costs_.permissions();
        if (permissions.permit(network_)) return;
        Graph graph(search_.start);
        for (const std::uint32_t child : order_of(network_))
            for (const std::uint32_t parent : network_[child])
                if (permissions.allowed[child][parent] && !graph.has(child, parent) &&
                    graph.parents(child).size() < permissions.most_parents[child] &&
                    graph.can_add(child, parent))
                    graph.add(child, parent);
        Climber(search_, graph.parents()).run({});
    }

    // Of each variable; after an infinite one the others do not matter, and are infinite too.
    std::vector<Cost> costs_of(const ParentLists& network) {
        std::vector<Cost> own(n_, infinite_cost);
        for (std::uint32_t v = 0; v < n_; ++v)
            if ((own[v] = costs_.cost(v, network[v])) >= infinite_cost) break;
        return own;
    }
    Cost total_of(const ParentLists& network) { return sum_of(costs_of(network)); }

    bool use_memory() {
        return search_.use_memory(2 * pattern_.memory_bytes() +
                                  operators_.size() * (sizeof(Operator) + 32));
    }

    Parents joined(const Parents& a, const Parents& b) const {
        Parents both;
        std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
        return both;
    }
    std::vector<std::uint64_t> bits_of(const Parents& set) const {
        std::vector<std::uint64_t> bits(words_, 0);
        for (const std::uint32_t v : set) bits[v / 64] |= std::uint64_t{1} << (v % 64);
        return bits;
    }

    GraphSearch& search_;
    LocalCosts& costs_;
    std::size_t n_, words_;
    PartlyDirected pattern_;
    ParentLists network_;  // a member of the class
    std::vector<std::uint64_t> version_;
    std::priority_queue<Operator, std::vector<Operator>, Later> operators_;
    std::vector<Cost> row_;
    std::uint64_t cliques_ = 0;
};

const AlgorithmRegistry equivalence_search(
    {"equivalence-search",
     "greedy search over equivalence classes of networks; fnml, which tells their members apart, "
     "is no score for it",
     "Chickering 2002; Hauser & Buhlmann 2012"},
    search_of_graphs(search_classes, {}));

}  // namespace

void search_classes(GraphSearch& search) { EquivalenceSearch(search).run(); }

}  // namespace anytimebn
