// A lower bound on the networks over any subset U of the variables, from rows of a linear program:
//
//   sum over x in U of min over P inside U of (s(x, P) + sum of m_r a_r(x, P)) - sum of m_r b_r(U)
//
// Whatever the multipliers m_r >= 0 are, this holds if a network over U never has more than b_r(U)
// of row r. In a cluster C, at most |C and U| - 1 variables have parents inside; a zero-half row is
// half of the sum of earlier rows, and of one for each of some variables, rounded down. Multipliers
// that close the gap for all variables mostly leave a small one for the sets that good networks
// pass through.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/fixed_point.h"

namespace anytimebn {

// Variables by their numbers, rows by theirs: clusters come first.
struct PricedRows {
    struct ZeroHalf {
        std::vector<std::uint32_t> rows, variables;
    };
    std::vector<std::vector<std::uint32_t>> clusters;
    std::vector<ZeroHalf> zero_half;
    std::vector<Cost> multipliers;  // of all rows
};

class RowBound {
 public:
    using Bits = std::uint64_t;
    RowBound(const PricedRows& rows, const std::vector<std::size_t>& bit_of) {
        for (const auto& members : rows.clusters)
            rows_.push_back({bits(members, bit_of), {}, true});
        for (const auto& row : rows.zero_half)
            rows_.push_back({bits(row.variables, bit_of), row.rows, false});
        for (std::size_t r = 0; r < rows_.size(); ++r) rows_[r].multiplier = rows.multipliers[r];
        families_.resize(bit_of.size());
    }

    // Families of each variable, in any order; then the bound can be asked for. Returns what it
    // costs with its rows.
    Cost add(std::size_t child, Bits parents, Cost cost) {
        std::vector<std::int64_t> own(rows_.size());
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            const Row& row = rows_[r];
            const bool named = row.variables >> child & 1;
            if (row.is_cluster) {
                own[r] = named && (row.variables & parents) != 0;
            } else {
                own[r] = named;
                for (const std::uint32_t part : row.parts) own[r] += own[part];
                own[r] /= 2;
            }
            cost += row.multiplier * own[r];
        }
        auto& sorted = families_[child];
        auto place = sorted.end();
        while (place != sorted.begin() && (place - 1)->cost > cost) --place;
        sorted.insert(place, {parents, cost});
        return cost;
    }

    // Infinite if a variable has no family inside. `lowest` gets what the cheapest family of each
    // variable costs with its rows: if a variable takes another one, the bound rises by the
    // difference.
    Cost of(Bits left, Cost* lowest) const {
        Cost sum = 0;
        std::int64_t most[most_rows];
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            const Row& row = rows_[r];
            const std::int64_t inside = std::popcount(row.variables & left);
            if (row.is_cluster) {
                most[r] = inside > 0 ? inside - 1 : 0;
            } else {
                most[r] = inside;
                for (const std::uint32_t part : row.parts) most[r] += most[part];
                most[r] /= 2;
            }
            sum -= row.multiplier * most[r];
        }
        for (Bits rest = left; rest != 0; rest &= rest - 1) {
            const auto child = static_cast<std::size_t>(std::countr_zero(rest));
            const Priced* cheapest = nullptr;
            for (const Priced& family : families_[child])
                if ((family.parents & ~left) == 0) {
                    cheapest = &family;
                    break;
                }
            if (cheapest == nullptr) return infinite_cost;
            lowest[child] = cheapest->cost;
            sum += cheapest->cost;
        }
        return sum;
    }

    static constexpr std::size_t most_rows = 4096;

 private:
    struct Row {
        Bits variables;
        std::vector<std::uint32_t> parts;
        bool is_cluster;
        Cost multiplier = 0;
    };
    struct Priced {
        Bits parents;
        Cost cost;
    };

    static Bits bits(const std::vector<std::uint32_t>& variables,
                     const std::vector<std::size_t>& bit_of) {
        Bits set = 0;
        for (const std::uint32_t v : variables) set |= Bits{1} << bit_of.at(v);
        return set;
    }

    std::vector<Row> rows_;
    std::vector<std::vector<Priced>> families_;  // of each variable, cheapest first
};

}  // namespace anytimebn
