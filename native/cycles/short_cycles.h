// Short cycles of a directed graph in which every variable knows its parents.
#pragma once

#include <cstdint>
#include <vector>

namespace anytimebn {

// Each variable has the next one as a parent, and the last one the first.
using Cycle = std::vector<std::uint32_t>;

class ShortCycles {
 public:
    explicit ShortCycles(std::size_t variables);

    // All cycles of two variables, and shortest cycles through the others that have any.
    void find(const std::vector<std::vector<std::uint32_t>>& parents, std::vector<Cycle>& cycles);
    // Those on no cycle before whom all parents come; after a search that found no cycle, all.
    const std::vector<std::uint32_t>& order() const { return order_; }

 private:
    void trim(const std::vector<std::vector<std::uint32_t>>& parents);
    void shortest_through(std::uint32_t variable,
                          const std::vector<std::vector<std::uint32_t>>& parents,
                          std::vector<Cycle>& cycles);

    std::vector<std::vector<std::uint32_t>> children_;
    std::vector<std::uint32_t> order_, waiting_, child_count_, queue_, child_on_path_;
    std::vector<bool> core_, covered_;
    std::vector<std::uint64_t> seen_;
    std::uint64_t search_ = 0;
};

}  // namespace anytimebn
