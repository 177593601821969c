// Every remaining variable chooses its parents among all others: in terms of regret, nothing.
#include <algorithm>

#include "heuristics/heuristic.h"

namespace anytimebn {
namespace {

class Simple final : public Heuristic {
 public:
    void evaluate(const std::uint64_t*, std::size_t count, Cost* values) const override {
        std::fill(values, values + count, 0);
    }
    void evaluate_added(const std::uint64_t*, std::size_t, const std::uint32_t*, std::size_t count,
                        Cost* values) const override {
        std::fill(values, values + count, 0);
    }
};

const HeuristicRegistry simple({"simple",
                                "each remaining variable takes its best parents among all others",
                                "Yuan, Malone & Wu 2011"},
                               {.make = [](SearchContext&) { return std::make_unique<Simple>(); },
                                .consistent = true,
                                .parameters = {}});

}  // namespace
}  // namespace anytimebn
