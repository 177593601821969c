// Scores of the families near given networks, where all families up to a size are too many: with
// one parent more, one parent less, or one exchanged for another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/control.h"
#include "problem/family.h"
#include "scores/local_scores.h"

namespace anytimebn {

// Families that were scored before, as in ScoringResult.
struct ScoredFamilies {
    std::span<const std::int64_t> first_set;
    std::span<const double> costs;
    std::span<const std::int64_t> first_member;
    std::span<const std::int32_t> members;

    bool empty() const { return costs.empty(); }
};

// Which families are wanted.
struct FamilyRequest {
    // Every family of each network, and all within one change of it that the task allows.
    std::vector<ParentLists> networks;
    // Also those with one parent more than one of these that is worth keeping.
    bool further = false;
    // Further families of each variable, and those with one parent less; or empty.
    std::vector<ParentLists> others;
    ScoredFamilies known;  // these, too
};

// Those of the wanted families that cost less than all wanted ones with fewer of their parents. The
// parents of a network are tried in all smaller sets as well, as long as these are no more than the
// families within one change.
ScoringResult score_families(const ScoringTask& task, const FamilyRequest& request,
                             std::uint64_t table_bytes, Control& control);

}  // namespace anytimebn
