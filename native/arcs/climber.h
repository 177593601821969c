// Hill climbing over arcs: add, delete or reverse the one that helps most, until none helps; then,
// if wanted, on over the least bad move that undoes none of the last ones (tabu search, Glover
// 1989), and again from the best network after random moves.
//
// What every toggle of an arc costs is kept as a row for each child, and only the rows of children
// whose parents change are asked for again.
#pragma once

#include <unordered_map>

#include "arcs/graph.h"
#include "arcs/graph_search.h"
#include "base/random.h"

namespace anytimebn {

struct Climbing {
    std::size_t tabu_length = 0;  // moves for which a changed arc stays as it is, on average
    std::size_t patience = 0;     // moves in a row that may lead to nothing better
    std::size_t restarts = 0;
    std::size_t kicks = 0;  // random moves before a restart
};

class Climber {
 public:
    // Reports the network that it starts with. It must be allowed.
    Climber(GraphSearch& search, const ParentLists& start);

    // Until a local optimum, or the end of the budget.
    void run(const Climbing& wanted);

 private:
    enum class Kind { none, remove, add, reverse };
    struct Move {
        Kind kind = Kind::none;
        std::uint32_t child = 0, parent = 0;
        Cost delta = infinite_cost;
    };

    bool climb(const Climbing& wanted);
    bool kick(std::size_t moves);
    bool go_to(const ParentLists& network);
    Move best_move(bool only_better, bool use_tabu) const;
    Move random_move();
    bool is_tabu(std::uint32_t a, std::uint32_t b, Cost delta) const;
    bool apply(const Move& move, std::size_t tabu_length);
    bool refresh(std::uint32_t child);
    void note_best();
    Cost toggled(std::uint32_t child, std::uint32_t parent) const {
        return rows_[child * n_ + parent];
    }

    GraphSearch& search_;
    std::size_t n_;
    Graph graph_;
    Random random_;
    std::vector<Cost> own_;        // of each variable
    std::vector<Cost> rows_;       // [child][parent]: the cost of the child with the arc toggled
    std::vector<Cost> best_step_;  // of each child, cycles or not
    Cost cost_ = 0;
    ParentLists best_;
    Cost best_cost_;
    std::size_t best_arcs_;
    bool ready_ = false;
    std::uint64_t moves_ = 0;
    std::unordered_map<std::uint64_t, std::uint64_t> tabu_until_;  // by pair of variables
};

}  // namespace anytimebn
