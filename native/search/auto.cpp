// What `learn` does when it is not told how: the algorithm that is best at the size of the
// component.
#include "search/algorithm.h"

namespace anytimebn {
namespace {

void run_auto(SearchContext& context) {
    AlgorithmRegistry::find("anytime-window-astar").make.run(context);
}

const AlgorithmRegistry automatic(
    {"auto", "whatever suits the problem; the default", ""},
    {.run = run_auto, .uses_heuristic = true, .proves = true, .parameters = {}});

}  // namespace
}  // namespace anytimebn
