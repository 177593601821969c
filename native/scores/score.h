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
#include <memory>

#include "base/registry.h"

namespace anytimebn {

struct ScoreParameters {
    std::int64_t rows = 0;
    double equivalent_sample_size = 1.0;
};

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

    // Whether s(x, P) also has a sum of parent_cell(arity of x, N_j) over parent configurations j.
    virtual bool has_parent_term() const { return false; }
    virtual double parent_cell(int /*child_arity*/, std::int64_t /*count*/) const { return 0; }
};

using ScoreFactory = std::function<std::unique_ptr<Score>(const ScoreParameters&)>;
using ScoreRegistry = Registry<ScoreFactory>;

}  // namespace anytimebn
