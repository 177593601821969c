// Hill climbing over arcs, the workhorse of practice (Heckerman, Geiger & Chickering 1995), with a
// tabu list and random restarts.
#include <algorithm>

#include "arcs/climber.h"

namespace anytimebn {
namespace {

constexpr double tabu_length = 25, patience = 300, restarts = 10, kicks = 0;

void climb_hills(GraphSearch& search) {
    const auto whole = [&](const char* name, double otherwise) {
        return static_cast<std::size_t>(search.options.parameter(name, otherwise));
    };
    Climber climber(search, search.start);
    Climbing wanted;
    wanted.tabu_length = whole("tabu-length", tabu_length);
    wanted.patience = whole("patience", patience);
    wanted.restarts = whole("restarts", restarts);
    wanted.kicks = whole("kicks", kicks);
    if (wanted.kicks == 0) wanted.kicks = std::min<std::size_t>(2 * search.costs.variables(), 60);
    climber.run(wanted);
}

const AlgorithmRegistry hill_climbing(
    {"hill-climbing", "adds, deletes and reverses arcs; tabu list and random restarts",
     "Heckerman, Geiger & Chickering 1995; Glover 1989"},
    search_of_graphs(climb_hills,
                     {{"tabu-length", tabu_length, 0, 1e6,
                       "moves for which a changed arc stays as it is, on average"},
                      {"patience", patience, 0, 1e9,
                       "moves in a row without a better network; 0: no tabu list"},
                      {"restarts", restarts, 0, 1e9, "from the best network after random moves"},
                      {"kicks", kicks, 0, 1e6,
                       "random moves before a restart; 0: twice the variables, at most 60"}}));

}  // namespace
}  // namespace anytimebn
