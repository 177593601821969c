// What a decomposable score must say about itself. Every score here is a difference of one function
// of sets of variables (plus, for some, terms that depend on the parents alone):
//
//   s(x, P) = F(P) - F(P + x) + penalty(arity of x) * |cells of P| + parent_term(arity of x, P)
//
// so each set is looked at once and serves all its members as children. Costs are in nats and
// minimised. A new score is one file that derives from CountedScore and registers itself; one of
// something else than joint counts derives from Score and has a SetFunction of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/parameters.h"
#include "base/registry.h"
#include "scores/counting.h"

namespace anytimebn {

class CountedScore;

class Score {
 public:
    virtual ~Score() = default;

    // F on the sets of a table.
    virtual std::unique_ptr<SetFunction> joint_function(const Columns& columns,
                                                        Counter counter) const = 0;

    // Whether s(x, P) also has a term of the parents, and that of children of one arity.
    virtual bool has_parent_term() const { return false; }
    virtual std::unique_ptr<SetFunction> parent_function(const Columns& /*columns*/,
                                                         Counter /*counter*/,
                                                         int /*child_arity*/) const {
        return nullptr;
    }

    // Larger joint tables have no score.
    virtual double most_cells() const { return std::numeric_limits<double>::infinity(); }

    // Cost of each parent configuration, seen or not. Scores with one never cost less than it, and
    // what a family costs beyond it does not rise when parents are added.
    virtual double penalty(int /*child_arity*/) const { return 0; }

    // For a sample, one row of each `every` of the table that this score is made for: what helps in
    // all rows should help in these. Null if any table of so many rows has the same score.
    virtual std::unique_ptr<Score> of_sample(std::size_t /*every*/,
                                             std::size_t /*variables*/) const {
        return nullptr;
    }

    // Itself, if it is a score of joint counts: those of single families can be asked for.
    virtual const CountedScore* counted() const { return nullptr; }
};

// F(W) = sum over cells of the joint table of W of cell(count, |cells|) + set_constant(|cells|)
class CountedScore : public Score {
 public:
    // Contribution of a cell that holds `count` > 0 of the rows in a table of `cells` cells.
    virtual double cell(std::int64_t count, double cells) const = 0;
    virtual bool cell_depends_on_table_size() const { return false; }

    // Added once to F(W), by the number of cells of its table.
    virtual double set_constant(double /*cells*/) const { return 0; }

    // The parent term, if there is one, is a sum of these over parent configurations.
    virtual double parent_cell(int /*child_arity*/, std::int64_t /*count*/) const { return 0; }

    // F(empty set) - F(x), for a column with these counts of its values: the cost of x without
    // parents, but for its penalty.
    double loss_alone(const std::vector<std::int64_t>& counts) const;

    // Both as sums over cells, for whoever counts.
    CellFunction joint_cells() const;
    CellFunction parent_cells(int child_arity) const;

    std::unique_ptr<SetFunction> joint_function(const Columns& columns,
                                                Counter counter) const override;
    std::unique_ptr<SetFunction> parent_function(const Columns& columns, Counter counter,
                                                 int child_arity) const override;
    const CountedScore* counted() const override { return this; }
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
