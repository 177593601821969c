#include "cuts/rounding.h"

namespace anytimebn {

std::vector<std::uint32_t> order_of_point(const JoinedProblem& problem, const Point& point,
                                          Random& random) {
    const std::size_t n = problem.variables();
    std::vector<std::uint32_t> waiting_for(point.size());
    std::vector<std::vector<std::uint32_t>> containing(n);
    std::vector<double> mass(n);
    for (double& m : mass) m = 1e-3 * random.fraction();
    for (std::uint32_t i = 0; i < point.size(); ++i) {
        const auto members = problem.sets.members(point.sets[i]);
        waiting_for[i] = static_cast<std::uint32_t>(members.size());
        if (members.empty()) mass[problem.child_of[point.sets[i]]] += point.values[i];
        for (const std::int32_t y : members) containing[static_cast<std::size_t>(y)].push_back(i);
    }
    std::vector<bool> placed(n, false);
    std::vector<std::uint32_t> order;
    while (order.size() < n) {
        std::uint32_t next = 0;
        double most = -1;
        for (std::uint32_t x = 0; x < n; ++x)
            if (!placed[x] && mass[x] > most) {
                most = mass[x];
                next = x;
            }
        placed[next] = true;
        order.push_back(next);
        for (const std::uint32_t i : containing[next])
            if (--waiting_for[i] == 0) mass[problem.child_of[point.sets[i]]] += point.values[i];
    }
    return order;
}

}  // namespace anytimebn
