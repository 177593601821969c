// A lower bound on the regret of placing all remaining variables, for any set of placed ones. Every
// registered heuristic is admissible: tests hold it to that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/registry.h"
#include "run/context.h"

namespace anytimebn {

class Heuristic {
 public:
    virtual ~Heuristic() = default;

    // values[i] for the placed set at sets + i * words.
    virtual void evaluate(const std::uint64_t* sets, std::size_t count, Cost* values) const = 0;
    // values[i] for `placed` with one variable more, added[i].
    virtual void evaluate_added(const std::uint64_t* placed, std::size_t words,
                                const std::uint32_t* added, std::size_t count, Cost* values) const {
        std::vector<std::uint64_t> set(placed, placed + words);
        for (std::size_t i = 0; i < count; ++i) {
            set[added[i] / 64] ^= std::uint64_t{1} << (added[i] % 64);
            evaluate(set.data(), 1, values + i);
            set[added[i] / 64] ^= std::uint64_t{1} << (added[i] % 64);
        }
    }
    virtual std::uint64_t memory_bytes() const { return 0; }

    Cost value(const std::uint64_t* placed) const {
        Cost result;
        evaluate(placed, 1, &result);
        return result;
    }
};

// Asked while a heuristic is built: whether the budget ended, or others closed the gap meanwhile.
// For a problem that was solved before, a heuristic is wanted for its own sake.
class BuildingStopped {
 public:
    explicit BuildingStopped(SearchContext& context)
        : context_(context), solved_before_(context.solved()) {}
    bool operator()() const {
        return context_.budget.exhausted_now() || (!solved_before_ && context_.solved());
    }

 private:
    SearchContext& context_;
    bool solved_before_;
};

struct HeuristicKind {
    // Null when the budget ended, or the problem was solved, before it was ready.
    std::function<std::unique_ptr<Heuristic>(SearchContext&)> make;
    bool consistent = true;
    std::vector<Parameter> parameters;
};

using HeuristicRegistry = Registry<HeuristicKind>;

// A parameter of a heuristic: as the user set it, or as the heuristic declares it.
inline double heuristic_parameter(const SearchContext& context, const std::string& heuristic,
                                  const std::string& parameter) {
    const auto& declared = HeuristicRegistry::find(heuristic).make.parameters;
    return Parameters(heuristic, declared, context.options.parameters)[parameter];
}

}  // namespace anytimebn
