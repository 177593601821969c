// What a decomposable score must say about itself. Every score here is a difference of one function
// of joint counts (plus, for some, terms that depend on the parents alone):
//
//   F(W)    = sum over cells of the joint table of W of cell(count, |cells|)
//             + set_constant(|cells|)
//   s(x, P) = F(P) - F(P + x) + penalty(arity of x) * |cells of P| + parent_term(arity of x, P)
//
// so each set W is counted once and serves all its members as children. Costs are in nats and
// minimised. A new score is one file that derives from Score and registers itself.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/parameters.h"
#include "base/registry.h"
#include "scores/counting.h"

namespace anytimebn {

class Score {
 public:
    virtual ~Score() = default;

    // Contribution of a cell that holds `count` > 0 of the rows in a table of `cells` cells.
    virtual double cell(std::int64_t count, double cells) const = 0;
    virtual bool cell_depends_on_table_size() const { return false; }

    // Added once to F(W), by the number of cells of its table.
    virtual double set_constant(double /*cells*/) const { return 0; }

    // Larger joint tables have no score.
    virtual double most_cells() const { return std::numeric_limits<double>::infinity(); }

    // Cost of each parent configuration, seen or not. Scores with one never cost less than it.
    virtual double penalty(int /*child_arity*/) const { return 0; }

    // Most parents beyond the required ones, which have so many configurations, that can be optimal
    // for any child of a table of so many rows; none if any number can.
    virtual std::optional<std::size_t> most_parents(std::int64_t rows,
                                                    double required_configurations) const;

    // Whether s(x, P) also has a sum of parent_cell(arity of x, N_j) over parent configurations j.
    virtual bool has_parent_term() const { return false; }
    virtual double parent_cell(int /*child_arity*/, std::int64_t /*count*/) const { return 0; }

    // F and the parent term as sums over cells, for whoever counts.
    CellFunction joint_cells() const;
    CellFunction parent_cells(int child_arity) const;
    // F on the sets of a table. A score of something else than counts computes it in its own way.
    virtual std::unique_ptr<SetFunction> joint_function(const Columns& columns,
                                                        Counter counter) const;
    // The parent term of children of this arity, if the score has one.
    virtual std::unique_ptr<SetFunction> parent_function(const Columns& columns, Counter counter,
                                                         int child_arity) const;
};

struct ScoreKind {
    // For a table of so many rows.
    std::function<std::unique_ptr<Score>(std::int64_t rows, const Parameters&)> make;
    std::vector<Parameter> parameters = {};
};

using ScoreRegistry = Registry<ScoreKind>;

// The score of this name, with what the user set and the defaults of the rest.
std::unique_ptr<Score> make_score(const std::string& name, std::int64_t rows,
                                  const std::map<std::string, double>& parameters);

}  // namespace anytimebn
