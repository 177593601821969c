#include "local/relations.h"

#include <algorithm>

namespace anytimebn {

Relations::Relations(const ParentSets& sets, Checkpoint checkpoint) : first_number_{0, 0} {
    const std::size_t n = sets.variables();
    std::vector<std::vector<Neighbour>> all(n);
    std::vector<std::size_t> occurrences(n, 0);
    std::vector<std::uint32_t> parents;
    std::vector<std::size_t> end(n);
    for (std::uint32_t child = 0; child < n; ++child) {
        parents.clear();
        for (std::size_t s = sets.first(child); s < sets.first(child + 1); ++s) {
            for (const std::int32_t member : sets.members(s))
                if (occurrences[static_cast<std::size_t>(member)]++ == 0)
                    parents.push_back(static_cast<std::uint32_t>(member));
            checkpoint();
        }
        for (const std::uint32_t parent : parents) {
            const auto list = static_cast<List>(first_number_.size() - 1);
            end[parent] = first_number_.back();
            first_number_.push_back(first_number_.back() + occurrences[parent]);
            occurrences[parent] = 0;
            all[child].push_back({parent, empty, list});
            all[parent].push_back({child, list, empty});
        }
        numbers_.resize(first_number_.back());
        for (std::size_t s = sets.first(child); s < sets.first(child + 1); ++s) {
            for (const std::int32_t member : sets.members(s))
                numbers_[end[static_cast<std::size_t>(member)]++] =
                    static_cast<std::uint32_t>(s - sets.first(child));
            checkpoint();
        }
    }

    first_neighbour_.push_back(0);
    for (std::vector<Neighbour>& own : all) {
        std::sort(own.begin(), own.end(),
                  [](const Neighbour& a, const Neighbour& b) { return a.variable < b.variable; });
        for (const Neighbour& neighbour : own) {
            const bool both = neighbours_.size() > first_neighbour_.back() &&
                              neighbours_.back().variable == neighbour.variable;
            if (!both) {
                neighbours_.push_back(neighbour);
                continue;
            }
            if (neighbour.as_child != empty) neighbours_.back().as_child = neighbour.as_child;
            if (neighbour.as_parent != empty) neighbours_.back().as_parent = neighbour.as_parent;
        }
        first_neighbour_.push_back(neighbours_.size());
    }
}

}  // namespace anytimebn
