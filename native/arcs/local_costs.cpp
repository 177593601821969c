#include "arcs/local_costs.h"

#include <algorithm>

namespace anytimebn {

bool Permissions::is_required(std::uint32_t child, std::uint32_t parent) const {
    return std::binary_search(required[child].begin(), required[child].end(), parent);
}

bool Permissions::permit(std::size_t child, const Parents& parents) const {
    if (by_costs) return true;
    if (parents.size() > most_parents[child]) return false;
    for (const std::uint32_t parent : parents)
        if (!allowed[child][parent]) return false;
    return std::includes(parents.begin(), parents.end(), required[child].begin(),
                         required[child].end());
}

bool Permissions::permit(const ParentLists& network) const {
    for (std::size_t child = 0; child < network.size(); ++child)
        if (!permit(child, network[child])) return false;
    return true;
}

bool LocalCosts::toggles(std::uint32_t child, const Parents& parents, Cost* row) {
    if (!additions(child, parents, row)) return false;
    for (const std::uint32_t parent : parents)
        if (!permissions_.is_required(child, parent))
            row[parent] = cost(child, without(parents, parent));
    return true;
}

bool LocalCosts::extensions(std::uint32_t child, const Parents& parents, Cost below,
                            std::vector<Step>& found) {
    std::vector<Cost> row(variables());
    if (!additions(child, parents, row.data())) return false;
    for (std::uint32_t y = 0; y < variables(); ++y)
        if (row[y] < below) found.push_back({row[y], y});
    return true;
}

Step LocalCosts::best_removal(std::uint32_t child, const Parents& parents) {
    Step best{infinite_cost, 0};
    for (const std::uint32_t parent : parents)
        if (!permissions_.is_required(child, parent))
            best = std::min(best, {cost(child, without(parents, parent)), parent});
    return best;
}

Cost sum_of(const std::vector<Cost>& costs) {
    Cost sum = 0;
    for (const Cost cost : costs) {
        if (cost >= infinite_cost) return infinite_cost;
        sum += cost;
    }
    return sum;
}

Parents with(const Parents& parents, std::uint32_t member) {
    Parents more = parents;
    more.insert(std::lower_bound(more.begin(), more.end(), member), member);
    return more;
}

Parents without(const Parents& parents, std::uint32_t member) {
    Parents fewer = parents;
    fewer.erase(std::lower_bound(fewer.begin(), fewer.end(), member));
    return fewer;
}

}  // namespace anytimebn
