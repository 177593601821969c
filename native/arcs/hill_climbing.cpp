// Hill climbing over arcs, the workhorse of practice (Heckerman, Geiger & Chickering 1995), with a
// tabu list and random restarts.
#include <algorithm>

#include "arcs/climber.h"

namespace anytimebn {
namespace {

void climb_hills(GraphSearch& search) {
    const auto whole = [&](const char* name) {
        return static_cast<std::size_t>(search.parameters[name]);
    };
    Climber climber(search, search.start);
    Climbing wanted;
    wanted.tabu_length = whole("tabu-length");
    wanted.patience = whole("patience");
    wanted.restarts = whole("restarts");
    wanted.kicks = whole("kicks");
    if (wanted.kicks == 0) wanted.kicks = std::min<std::size_t>(2 * search.costs.variables(), 60);
    climber.run(wanted);
}

const AlgorithmRegistry hill_climbing(
    {"hill-climbing", "adds, deletes and reverses arcs; tabu list and random restarts",
     "Heckerman, Geiger & Chickering 1995; Glover 1989"},
    search_of_graphs(
        climb_hills,
        {{"tabu-length", 25, 0, 1e6, "moves for which a changed arc stays as it is, on average"},
         {"patience", 300, 0, 1e9, "moves in a row without a better network; 0: no tabu list"},
         {"restarts", 10, 0, 1e9, "from the best network after random moves"},
         {"kicks", 0, 0, 1e6,
          "random moves before a restart; 0: twice the variables, at most 60"}}));

}  // namespace
}  // namespace anytimebn
