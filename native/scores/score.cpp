#include "scores/score.h"

namespace anytimebn {

double CountedScore::loss_alone(const std::vector<std::int64_t>& counts) const {
    const auto cells = static_cast<double>(counts.size());
    double loss = set_constant(1) - set_constant(cells);
    std::int64_t rows = 0;
    for (const std::int64_t count : counts) {
        rows += count;
        if (count > 0) loss -= cell(count, cells);
    }
    return rows > 0 ? loss + cell(rows, 1) : loss;
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
