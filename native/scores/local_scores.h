// The scoring step: from a table of codes to the possibly optimal parent sets of every variable.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/control.h"
#include "scores/counting.h"
#include "scores/score.h"

namespace anytimebn {

struct ScoringTask {
    std::size_t rows = 0;
    std::size_t one_of_each = 1;  // rows of the table that costs are about, if this is a sample
    std::vector<const std::uint16_t*> codes;  // a column each
    std::vector<int> arities;
    // Parents of each variable; allowed has the required too.
    std::vector<std::vector<std::uint32_t>> required, allowed;
    std::vector<std::uint32_t> max_parents;  // of each variable
    std::string score = "mdl";
    std::map<std::string, double> parameters;  // of the score
    // Nats by which a parent set may cost more than its best subset; without it, it must cost less.
    // Infinite: all parent sets are wanted.
    std::optional<double> margin;
    std::size_t jobs = 1;
    Counter counter = Counter::automatic;

    std::size_t variables() const { return codes.size(); }
};

// What scoring will take, known before it starts.
struct ScoringEstimate {
    double sets = 0;          // joint tables to count
    double parent_sets = 0;   // local scores to compare
    double memory_bytes = 0;  // at the peak, kept parent sets not included unless all are
    double cell_visits = 0;   // a measure of time: table cells and words of rows looked at
};

struct ScoringResult {
    std::vector<std::int64_t> first_set;  // of each variable, and the total
    std::vector<double> costs;            // cheapest first for each variable
    std::vector<std::int64_t> first_member;
    std::vector<std::int32_t> members;
    // By variable: larger parent sets than allowed might be optimal.
    std::vector<bool> limit_matters;
    double sets_counted = 0;
    double counting_seconds = 0, pruning_seconds = 0;
    bool complete = false;  // false when stopped
};

std::unique_ptr<Score> score_of(const ScoringTask& task);
ScoringEstimate estimate_scoring(const ScoringTask& task);
// Most parents of each variable that can be optimal, as far as the score tells before anything is
// counted; never more than the task allows.
std::vector<std::uint32_t> most_useful_parents(const ScoringTask& task);

// Counting can be shared out by the highest column of sets, of those that vary: these are so many,
// and each has so many sets.
std::vector<double> sets_by_highest_column(const ScoringTask& task);
// A part of what is counted, for `compute_local_scores`; incomplete when stopped.
struct CountedPart {
    std::vector<std::uint32_t> columns;  // the highest ones, ascending
    std::vector<double> values;          // by function, size, highest column and rank
};
CountedPart count_part(const ScoringTask& task, std::vector<std::uint32_t> columns,
                       Control& control);
// Parts hold all that would be counted otherwise; there are none if it is to be counted here.
struct PartView {
    std::vector<std::uint32_t> columns;
    std::span<const double> values;
};
ScoringResult compute_local_scores(const ScoringTask& task, Control& control,
                                   const std::vector<PartView>& parts = {});

}  // namespace anytimebn
