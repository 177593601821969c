// Best order search (Andrews, Ramsey, Sanchez-Romero, Camchong & Kummerfeld 2023): the best place
// of one variable after the other in an order, with parents that are grown and shrunk among those
// before it, kicked and restarted.
//
// It works in generations: some chains from random orders, then as many from the best order that
// may also use the families that all chains found good. Chains run on threads of their own; what
// they find does not depend on it.
//
// With many rows a chain begins on few of them, and takes the order that it finds there to more and
// more. Most of the way down from a random order, families are far from the best: which are worse
// shows in few rows as well. Networks of few rows are offered with what they cost in all.
//
// One of the first chains begins with the network of a greedy equivalence search instead of a
// random order. That takes fewer counts, and where counts take long it is far ahead; where they do
// not, little is lost.
#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "arcs/graph.h"
#include "arcs/graph_search.h"
#include "base/parallel.h"
#include "orders/greedy_network.h"
#include "orders/order_chain.h"

namespace anytimebn {
namespace {

constexpr std::size_t chains_that_repeat = 2;
constexpr std::uint64_t usual_patience = 3;
// Whoever gives it a time wants it to be used; only of tables so small that a thousand generations
// take no time, nothing more is to be expected.
constexpr std::uint64_t patience_with_limit = 1000;
constexpr std::uint64_t most_graph_bytes = std::uint64_t{2} << 30;
// With four times the rows each time, all steps before the last take a third of it together.
constexpr std::size_t times_the_rows = 4;
constexpr std::size_t fewest_rows = 2048;

class BestOrderSearch {
 public:
    explicit BestOrderSearch(GraphSearch& search)
        : search_(search),
          permissions_(search.costs.permissions()),
          pool_(permissions_.variables()),
          given_families_(permissions_.variables()),
          pool_size_(static_cast<std::size_t>(search.parameters["pool"])),
          patience_(static_cast<std::uint64_t>(search.parameters["patience"])),
          generations_(static_cast<std::uint64_t>(search.parameters["generations"])) {
        const Limits& limits = search.options.limits;
        const bool repeats = limits.expansions != std::numeric_limits<std::uint64_t>::max() ||
                             limits.stop_at_check > 0;
        jobs_ = repeats ? 1 : std::max<std::size_t>(1, search.options.jobs);
        chains_ = static_cast<std::size_t>(search.parameters["chains"]);
        // With unlimited time results do not depend on the number of threads.
        limited_by_time_ = limits.seconds < std::numeric_limits<double>::infinity() && !repeats;
        // Work that ends by itself does not depend on a clock.
        if (limited_by_time_ && patience_ == 0)
            settings_.seconds = [this] { return search_.budget.seconds(); };
        if (patience_ == 0) patience_ = limited_by_time_ ? patience_with_limit : usual_patience;
        if (chains_ == 0) chains_ = limited_by_time_ ? jobs_ : chains_that_repeat;
        if (generations_ == 0) chains_ = 1;
        jobs_ = std::min(jobs_, chains_);
        goes_on_ = limited_by_time_ && jobs_ == chains_;  // nobody waits for a thread
        // The last one, so that a single thread that comes to the others first has a network soon;
        // a thread that may never come to another chain begins with it.
        if (search.costs.rows() > 0 && generations_ > 0) greedy_chain_ = chains_ - 1;
        // Of a network over parent sets the order is told, which may lead to a better one: how many
        // are told must not depend on threads either.
        waits_for_all_ = !limited_by_time_ && !repeats && (jobs_ > 1 || search.costs.rows() == 0);
        settings_.temperature = search.parameters["temperature"];
        settings_.graph_bytes = std::min(most_graph_bytes, limits.memory_bytes / 3) / jobs_;
        // All at once: each thread fills its own while the first one asks what the others use.
        for (std::size_t number = 0; number < jobs_; ++number)
            workers_.push_back(std::make_unique<Worker>());
    }

    void run() {
        adopt(search_.start);
        if (generations_ > 0 || !has_arcs(search_.start)) draw_fewer_rows();
        if (generations_ == 0) {
            run_chains(0, false);
            return;
        }
        std::uint64_t last_success = 0;
        // What took long to find may be found again: the last half must have brought nothing.
        std::uint64_t next_from_anew = 0, pause = 1;
        for (std::uint64_t generation = 0;
             !ended() && generation < generations_ &&
             generation < std::max(2 * last_success, last_success + patience_);
             ++generation) {
            const Cost before = best_.cost;
            if (generation == next_from_anew) {
                // Ways down that lead nowhere near the best are tried more and more rarely.
                pause = run_chains(2 * generation, false) ? 1 : 2 * pause;
                next_from_anew = generation + pause;
            }
            if (!ended()) run_chains(2 * generation + 1, true);
            if (best_.cost < before) last_success = generation + 1;
        }
    }

 private:
    struct Best {
        Cost cost = infinite_cost;
        std::vector<std::uint32_t> order;
        ParentLists network;
        std::vector<Cost> costs;  // of each variable
    };
    // One chain among those that are not exhausted, until it leaves, whatever ends it.
    class Unexhausted {
     public:
        explicit Unexhausted(std::atomic<std::size_t>& count) : count_(count) {}
        Unexhausted(const Unexhausted&) = delete;
        Unexhausted& operator=(const Unexhausted&) = delete;
        ~Unexhausted() { leave(); }
        bool has_left() const { return has_left_; }
        void leave() {
            if (!std::exchange(has_left_, true)) --count_;
        }

     private:
        std::atomic<std::size_t>& count_;
        bool has_left_ = false;
    };
    // Of one thread.
    struct Worker {
        std::unique_ptr<LocalCosts> own_costs;  // the first thread has those of the search
        std::optional<GrowShrinkGraphs> graphs;
        std::uint64_t bytes_of_fewer_rows = 0;
        std::atomic<std::uint64_t> bytes = 0;
        std::uint64_t steps = 0;  // that the budget has not heard of
    };

    bool ended() { return stop_.load() || search_.out_of_budget(); }

    // Asked by all threads but the first, which has the budget.
    bool others_should_stop() const {
        return stop_.load(std::memory_order_relaxed) || search_.budget.over();
    }
    std::function<bool()> stopped_at(std::size_t at) {
        return [this, at] { return at > 0 ? others_should_stop() : search_.out_of_budget(); };
    }

    // Goes on from a network, if it is better than what there is; its families may be chosen even
    // where growing does not find them.
    void adopt(const ParentLists& network) {
        Best given{0, order_of(network), network, {}};
        for (std::uint32_t v = 0; v < permissions_.variables(); ++v) {
            const Cost own = std::min(search_.costs.cost(v, network[v]), unaffordable);
            given.cost += own;
            given.costs.push_back(own);
            if (own < unaffordable) given_families_[v].emplace(network[v], own);
        }
        if (!best_.order.empty() && given.cost >= best_.cost) return;
        best_ = std::move(given);
        if (best_.cost < unaffordable) search_.improve(best_.network, best_.costs);
    }

    LocalCosts& local_costs(std::size_t at) {
        return at > 0 ? *worker(at).own_costs : search_.costs;
    }

    std::vector<Cost> costs_of(const ParentLists& network, std::size_t at) {
        std::vector<Cost> costs;
        const auto stopped = stopped_at(at);
        for (std::uint32_t v = 0; v < network.size(); ++v) {
            if (stopped()) throw OutOfBudget{};
            costs.push_back(std::min(local_costs(at).cost(v, network[v]), unaffordable));
        }
        return costs;
    }

    Worker& worker(std::size_t number) {
        Worker& own = *workers_[number];
        if (!own.graphs) {
            if (number > 0)
                own.own_costs = search_.costs.for_thread([this] { return others_should_stop(); });
            own.graphs.emplace(number > 0 ? *own.own_costs : search_.costs);
        }
        return own;
    }

    // Whether the way down of a chain led near the best network.
    bool run_chains(std::uint64_t phase, bool pooled) {
        if (const auto network = search_.take_offer()) adopt(*network);
        const std::vector<std::uint32_t> start = best_.order;
        slots_.assign(chains_, Best{});
        ways_down_.assign(chains_, infinite_cost);
        std::vector<std::optional<FamilyPool>> found(chains_);
        unexhausted_ = chains_;
        parallel_for(chains_, jobs_, [&](std::size_t number, std::size_t at) {
            if (stop_.load()) return;
            try {
                found[number].emplace(run_chain(phase, number, at, pooled, start));
            } catch (const OutOfBudget&) {
                stop_ = true;
            } catch (const WorkStopped&) {
                stop_ = true;
            }
        });
        tell(true);
        // Another thread may have been the first to see the end: the budget must know why.
        if (stop_) search_.budget.exhausted_now();
        // What others did counts when all have done their part: then it is the same every time.
        if (stop_) return false;
        for (const auto& worker : workers_)
            if (!search_.budget.expand(std::exchange(worker->steps, 0))) stop_ = true;
        for (const auto& families : found)
            if (families) pool_.add(*families);
        share_pool();
        return *std::min_element(ways_down_.begin(), ways_down_.end()) <= most_near(best_.cost);
    }

    void share_pool() {
        std::vector<ParentLists> families(permissions_.variables());
        for (std::uint32_t v = 0; v < permissions_.variables(); ++v)
            for (auto& [cost, parents] : pool_.best(v, pool_size_))
                families[v].push_back(std::move(parents));
        search_.share(std::move(families));
    }

    void draw_fewer_rows() {
        for (std::size_t every = times_the_rows; search_.costs.rows() / every >= fewest_rows;
             every *= times_the_rows) {
            if (ended()) return;
            most_times_ = every;
            fewer_rows_.push_back(search_.costs.of_fewer_rows(every, search_.options.seed,
                                                              SamplePrice::of_these_rows));
        }
        std::reverse(fewer_rows_.begin(), fewer_rows_.end());
    }

    // The way down on few rows, and on more and more.
    std::vector<std::uint32_t> order_by_fewer_rows(std::uint64_t phase, std::size_t number,
                                                   std::size_t at) {
        Worker& own = worker(at);
        std::vector<std::uint32_t> order;
        for (const auto& shared : fewer_rows_) {
            const auto fewer = shared->for_thread(stopped_at(at));
            GrowShrinkGraphs graphs(*fewer);
            OrderChain chain(
                graphs, permissions_, settings_, seed(phase, number),
                [&] {
                    own.bytes_of_fewer_rows = graphs.memory_bytes();
                    step(own, at);
                },
                [&](const OrderState& state, Cost) { offer(number, at, state.network()); });
            if (order.empty())
                chain.start_anew();
            else
                chain.start_with(order);
            order = chain.best().order();
            own.bytes_of_fewer_rows = 0;
        }
        return order;
    }

    // A network with the costs that it has in all rows: most of its families are those of the one
    // before, and not counted again.
    void offer(std::size_t chain, std::size_t at, ParentLists network) {
        std::vector<Cost> costs = costs_of(network, at);
        std::vector<std::uint32_t> order = order_of(network);
        keep(chain, {sum_of(costs), std::move(order), std::move(network), std::move(costs)});
        if (at == 0) tell(false);
    }

    // On few rows, too, and then on more and more. Where a greedy search has ended it hardly moves
    // any more: few rows must lead it where all rows would.
    ParentLists greedy_start(std::size_t chain, std::size_t at) {
        ParentLists network = permissions_.required;
        for (std::size_t left = fewer_rows_.size(), every = most_times_; left > 0;
             --left, every /= times_the_rows) {
            const auto fewer = local_costs(at).of_fewer_rows(every, search_.options.seed,
                                                             SamplePrice::of_all_rows);
            std::size_t unheard = 0;
            network = search_greedily(*fewer, std::move(network), at,
                                      [&](const ParentLists& better, const std::vector<Cost>&) {
                                          constexpr std::size_t steps_between = 64;
                                          if (++unheard % steps_between == 0)
                                              offer(chain, at, better);
                                      });
            offer(chain, at, network);
        }
        return search_greedily(local_costs(at), std::move(network), at,
                               [&](const ParentLists& better, const std::vector<Cost>& costs) {
                                   keep(chain, {sum_of(costs), order_of(better), better, costs});
                                   if (at == 0) tell(false);
                               });
    }

    // The best of all chains.
    Best best_so_far() {
        const std::lock_guard lock(mutex_);
        Best best = best_;
        for (const Best& slot : slots_)
            if (slot.cost < best.cost) best = slot;
        return best;
    }

    ParentLists search_greedily(
        LocalCosts& costs, ParentLists start, std::size_t at,
        const std::function<void(const ParentLists&, const std::vector<Cost>&)>& better) {
        Worker& own = worker(at);
        Budget of_thread = search_.budget.beside();
        // The table with all rows is shared, and counted elsewhere.
        const std::uint64_t others = &costs == &local_costs(at) ? costs.memory_bytes() : 0;
        const auto note_memory = [&](std::uint64_t bytes) {
            own.bytes.store(bytes - std::min(bytes, others), std::memory_order_relaxed);
        };
        ParentLists found = greedy_network({costs, std::move(start), search_.options,
                                            at > 0 ? of_thread : search_.budget, stopped_at(at),
                                            note_memory, better});
        own.steps += of_thread.expanded();
        return found;
    }

    FamilyPool run_chain(std::uint64_t phase, std::size_t number, std::size_t at, bool pooled,
                         const std::vector<std::uint32_t>& start) {
        Unexhausted counted(unexhausted_);
        Worker& own = worker(at);
        const bool from_users = phase == 0 && number == 0 && has_arcs(search_.start);
        ParentLists greedy;
        if (phase == 0 && number == greedy_chain_ && !from_users) {
            greedy = greedy_start(number, at);
            // If another chain has come further meanwhile, a random order is the better start.
            if (limited_by_time_ && best_so_far().cost < sum_of(costs_of(greedy, at)))
                greedy.clear();
        }
        set_pool(own, pooled, greedy, costs_of(greedy, at));
        local_costs(at).forget();
        OrderChain chain(
            *own.graphs, permissions_, settings_, seed(phase, number), [&] { step(own, at); },
            [&](const OrderState& state, Cost cost) { note(number, state, cost); });
        // The user's network is where the first chain begins.
        if (pooled || from_users)
            chain.start_with(start);
        else if (!greedy.empty())
            chain.start_with(order_of(greedy));
        else if (fewer_rows_.empty())
            chain.start_anew();
        else
            chain.start_with(order_by_fewer_rows(phase, number, at));
        if (generations_ == 0) return std::move(chain.pool());

        ways_down_[number] = chain.best().cost();
        if (++ways_ended_ == jobs_) search_.came_down();
        // From far behind it would find nothing that others could use.
        if (limited_by_time_)
            if (const Best best = best_so_far(); ways_down_[number] > most_near(best.cost)) {
                set_pool(own, pooled, best.network, best.costs);
                chain.start_with(best.order);
            }
        // Whoever is exhausted goes on until all are: waiting would leave its processor idle.
        while (true) {
            if (chain.exhausted()) counted.leave();
            if (counted.has_left() && (!goes_on_ || unexhausted_.load() == 0)) break;
            if (at == 0) tell(false);
            if (const auto network = search_.take_offer()) go_on_from(*network, chain, pooled, at);
            chain.kick();
        }
        return std::move(chain.pool());
    }

    // One chain goes on from what somebody else has found, if it has nothing better; others find
    // what leads elsewhere.
    void go_on_from(const ParentLists& network, OrderChain& chain, bool pooled, std::size_t at) {
        const std::vector<Cost> costs = costs_of(network, at);
        if (sum_of(costs) >= chain.best().cost()) return;
        set_pool(worker(at), pooled, network, costs);
        chain.start_with(order_of(network));
    }

    // What may be chosen beside what growing finds: the families of a network, if there is one,
    // those that were given, and those of all chains.
    void set_pool(Worker& own, bool pooled, const ParentLists& network,
                  const std::vector<Cost>& costs) {
        for (std::uint32_t v = 0; v < permissions_.variables(); ++v) {
            std::vector<std::pair<Cost, Parents>> families;
            if (pooled) families = pool_.best(v, pool_size_);
            if (!network.empty()) families.emplace_back(costs[v], network[v]);
            for (const auto& [parents, cost] : given_families_[v])
                families.emplace_back(cost, parents);
            own.graphs->set_pool(v, std::move(families));
        }
    }

    std::uint64_t seed(std::uint64_t phase, std::size_t number) const {
        return search_.options.seed + (phase * 1000 + number) * 0x9e3779b97f4a7c15u;
    }

    static bool has_arcs(const ParentLists& network) {
        return std::any_of(network.begin(), network.end(),
                           [](const Parents& parents) { return !parents.empty(); });
    }

    void step(Worker& own, std::size_t at) {
        own.bytes.store(own.graphs->memory_bytes() + own.bytes_of_fewer_rows,
                        std::memory_order_relaxed);
        if (at > 0) {
            if (others_should_stop()) throw OutOfBudget{};
            ++own.steps;
            return;
        }
        std::uint64_t bytes = 0;
        for (const auto& fewer : fewer_rows_) bytes += fewer->memory_bytes();
        for (const auto& worker : workers_) bytes += worker->bytes.load(std::memory_order_relaxed);
        if (search_.out_of_budget() || !search_.budget.expand() || !search_.use_memory(bytes)) {
            stop_ = true;
            throw OutOfBudget{};
        }
        if (++steps_since_told_ >= 64) tell(false);
    }

    // From any thread.
    void note(std::size_t chain, const OrderState& state, Cost cost) {
        {
            const std::lock_guard lock(mutex_);
            if (cost >= std::min(best_.cost, slots_[chain].cost)) return;
        }
        ParentLists network = state.network();
        std::vector<std::uint32_t> order = state.order();
        if (order.size() < permissions_.variables()) order = order_of(network);
        keep(chain, {cost, std::move(order), std::move(network), state.costs()});
    }

    void keep(std::size_t chain, Best found) {
        const std::lock_guard lock(mutex_);
        if (found.cost < std::min(best_.cost, slots_[chain].cost)) slots_[chain] = std::move(found);
    }

    // From the first thread: the search hears of networks now and then, and of the last one always.
    // Of equal ones it takes that of the first chain; if results must not depend on threads, it
    // waits until all chains have ended.
    void tell(bool all_ended) {
        steps_since_told_ = 0;
        if (!all_ended && waits_for_all_) return;
        const std::lock_guard lock(mutex_);
        const auto better =
            std::min_element(slots_.begin(), slots_.end(),
                             [](const Best& a, const Best& b) { return a.cost < b.cost; });
        if (better == slots_.end() || better->cost >= best_.cost) return;
        best_ = *better;
        search_.improve(best_.network, best_.costs);
    }

    GraphSearch& search_;
    const Permissions& permissions_;
    FamilyPool pool_;
    std::vector<std::map<Parents, Cost>> given_families_;  // of each variable
    std::size_t pool_size_, jobs_ = 1, chains_ = 1;
    std::size_t greedy_chain_ = SIZE_MAX;  // of the first generation
    std::uint64_t patience_, generations_;
    bool limited_by_time_ = false, waits_for_all_ = false, goes_on_ = false;
    ChainSettings settings_;
    std::vector<std::unique_ptr<LocalCosts>> fewer_rows_;  // the fewest first; all threads use them
    std::size_t most_times_ = 1;                           // more rows than the first of these
    std::vector<std::unique_ptr<Worker>> workers_;
    std::atomic<bool> stop_ = false;
    std::mutex mutex_;
    Best best_;
    // Of each chain of this phase: a network that is better than the best, and the cost to which
    // its way down led.
    std::vector<Best> slots_;
    std::vector<Cost> ways_down_;
    std::atomic<std::size_t> ways_ended_ = 0, unexhausted_ = 0;
    std::size_t steps_since_told_ = 0;
};

void search_orders(GraphSearch& search) { BestOrderSearch(search).run(); }

const AlgorithmRegistry best_order_search(
    {"best-order-search", "best places in an order, with parents grown and shrunk; restarts",
     "Andrews, Ramsey, Sanchez-Romero, Camchong & Kummerfeld 2023"},
    search_of_graphs(search_orders,
                     {{"temperature", 10, 0, 1e6,
                       "nats by which a network may be worse, on average, to go on from it", false},
                      {"pool", 60, 0, 1000, "families of a variable from good networks"},
                      {"generations", 1e9, 0, 1e9,
                       "at most; 0: no more than the way down from one random order"},
                      {"chains", 0, 0, 1000, "of a generation; 0: one a thread"},
                      {"patience", 0, 0, 1e9,
                       "generations without a better network, or half of all if these are more; "
                       "0: 3, with a time limit 1000"}}));

}  // namespace
}  // namespace anytimebn
