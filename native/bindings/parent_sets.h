// The store of parent sets as Python holds it.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <span>
#include <vector>

#include "problem/parent_sets.h"

namespace anytimebn {

template <class T>
using Array =
    nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

class PythonParentSets {
 public:
    PythonParentSets(const Array<std::int64_t>& first_set, const Array<std::int64_t>& costs,
                     const Array<std::int64_t>& first_member, const Array<std::int32_t>& members)
        : sets(std::make_shared<ParentSets>(span_of(first_set), span_of(costs),
                                            span_of(first_member), span_of(members))) {}

    // Number of the cheapest set inside the candidates, or -1.
    std::int64_t best(std::size_t child, const std::vector<std::size_t>& candidates) {
        if (!best_) best_ = std::make_unique<BestParents>(*sets);
        std::vector<std::uint64_t> bits(best_->words(), 0);
        for (const std::size_t c : candidates) bits.at(c / 64) |= std::uint64_t{1} << (c % 64);
        const std::uint32_t found = best_->find(child, bits.data());
        return found == BestParents::none ? -1
                                          : static_cast<std::int64_t>(sets->first(child) + found);
    }

    // Columns for problems of one word a set of variables, which alone gain from them everywhere.
    const BestParents* narrow_columns() {
        if (sets->variables() > 64) return nullptr;
        if (!best_) best_ = std::make_unique<BestParents>(*sets);
        return best_.get();
    }

    std::shared_ptr<ParentSets> sets;

 private:
    template <class T>
    static std::span<const T> span_of(const Array<T>& array) {
        return {array.data(), array.shape(0)};
    }
    std::unique_ptr<BestParents> best_;  // only calls from Python need it here
};

}  // namespace anytimebn
