#include "scores/row_sample.h"

#include "base/random.h"

namespace anytimebn {

RowSample::RowSample(const ScoringTask& task, std::size_t every, std::uint64_t seed,
                     SamplePrice price)
    : task_(task) {
    Random random(seed);
    std::vector<std::size_t> drawn;
    for (std::size_t first = 0; first + every <= task.rows; first += every)
        drawn.push_back(first + random.below(every));
    codes_.resize(task.variables() * drawn.size());
    std::uint16_t* next = codes_.data();
    for (std::size_t v = 0; v < task.variables(); ++v) {
        task_.codes[v] = next;
        for (const std::size_t row : drawn) *next++ = task.codes[v][row];
    }
    task_.rows = drawn.size();
    if (price == SamplePrice::of_all_rows) task_.one_of_each = every;
}

}  // namespace anytimebn
