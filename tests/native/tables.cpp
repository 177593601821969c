#include "tables.h"

#include <utility>

#include "base/random.h"

namespace anytimebn::test {

Table::Table(std::size_t rows, std::vector<int> arities, std::uint64_t seed)
    : arities_(std::move(arities)), codes_(arities_.size()), rows_(rows) {
    Random random(seed);
    for (std::size_t v = 0; v < arities_.size(); ++v)
        for (std::size_t row = 0; row < rows; ++row) {
            const auto arity = static_cast<std::size_t>(arities_[v]);
            const bool follows = v > 0 && random.below(2) == 0;
            codes_[v].push_back(static_cast<std::uint16_t>(follows ? codes_[v - 1][row] % arity
                                                                   : random.below(arity)));
        }
}

ScoringTask Table::task(const char* score, std::uint32_t max_parents, std::size_t jobs) const {
    ScoringTask task;
    task.rows = rows_;
    task.arities = arities_;
    task.score = score;
    task.jobs = jobs;
    for (std::uint32_t v = 0; v < codes_.size(); ++v) {
        task.codes.push_back(codes_[v].data());
        task.required.emplace_back();
        task.allowed.emplace_back();
        for (std::uint32_t parent = 0; parent < codes_.size(); ++parent)
            if (parent != v) task.allowed.back().push_back(parent);
        task.max_parents.push_back(max_parents);
    }
    return task;
}

}  // namespace anytimebn::test
