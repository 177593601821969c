#include "scores/score.h"

#include <cmath>

namespace anytimebn {

// A child of r values with its required parents alone costs at most N ln r plus their penalty; k
// more parents multiply the number of configurations, each with its penalty, by 2^k at least. Since
// ln r / (r - 1) is largest for r = 2, k more parents lose as soon as
// 2^k - 1 >= N ln 2 / (penalty * required configurations).
std::optional<std::size_t> Score::most_parents(std::int64_t rows,
                                               double required_configurations) const {
    const double least = penalty(2);
    if (least <= 0) return std::nullopt;
    const double gain = static_cast<double>(rows) * std::log(2.0);
    const double losing = std::ceil(std::log2(1 + gain / (least * required_configurations)));
    return losing < 1 ? 0 : static_cast<std::size_t>(losing) - 1;
}

CellFunction CountedScore::joint_cells() const {
    CellFunction cells;
    cells.cell = [this](std::int64_t count, double size) { return cell(count, size); };
    cells.cell_depends_on_table_size = cell_depends_on_table_size();
    cells.constant = [this](double size) { return set_constant(size); };
    return cells;
}

CellFunction CountedScore::parent_cells(int child_arity) const {
    CellFunction cells;
    cells.cell = [this, child_arity](std::int64_t count, double) {
        return parent_cell(child_arity, count);
    };
    return cells;
}

std::unique_ptr<SetFunction> CountedScore::joint_function(const Columns& columns,
                                                          Counter counter) const {
    return std::make_unique<CountedFunction>(columns, joint_cells(), counter);
}

std::unique_ptr<SetFunction> CountedScore::parent_function(const Columns& columns, Counter counter,
                                                           int child_arity) const {
    return std::make_unique<CountedFunction>(columns, parent_cells(child_arity), counter);
}

std::unique_ptr<Score> make_score(const std::string& name, std::int64_t rows,
                                  const std::map<std::string, double>& parameters) {
    const ScoreKind& kind = ScoreRegistry::find(name).make;
    return kind.make(rows, Parameters(name, kind.parameters, parameters));
}

}  // namespace anytimebn
