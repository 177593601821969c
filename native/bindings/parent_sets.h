// Families and their sorted views as Python holds them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <span>
#include <vector>

#include "problem/family_store.h"
#include "problem/parent_sets.h"

namespace anytimebn {

template <class T>
using Array =
    nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

template <class T>
std::span<const T> span_of(const Array<T>& array) {
    return {array.data(), array.shape(0)};
}

inline std::vector<std::size_t> numbers_of(const std::vector<FamilyId>& ids) {
    std::vector<std::size_t> numbers;
    for (const FamilyId id : ids) numbers.push_back(number_of(id));
    return numbers;
}

inline std::vector<FamilyId> ids_of(const std::vector<std::size_t>& numbers) {
    std::vector<FamilyId> ids;
    for (const std::size_t number : numbers) ids.push_back(FamilyId{number});
    return ids;
}

// A view, with the store that it is a view of.
class PythonParentSets {
 public:
    explicit PythonParentSets(std::shared_ptr<FamilyStore> families)
        : store(std::move(families)), sets(store->sorted()) {}

    // Id of the cheapest set inside the candidates, or -1.
    std::int64_t best(std::size_t child, const std::vector<std::size_t>& candidates) {
        if (!best_) best_ = std::make_unique<BestParents>(*sets);
        std::vector<std::uint64_t> bits(best_->words(), 0);
        for (const std::size_t c : candidates) bits.at(c / 64) |= std::uint64_t{1} << (c % 64);
        const std::uint32_t found = best_->find(child, bits.data());
        if (found == BestParents::none) return -1;
        return static_cast<std::int64_t>(number_of(sets->family(sets->first(child) + found)));
    }

    // Columns for problems of one word a set of variables, which alone gain from them everywhere.
    const BestParents* narrow_columns() {
        if (sets->variables() > 64) return nullptr;
        if (!best_) best_ = std::make_unique<BestParents>(*sets);
        return best_.get();
    }

    std::shared_ptr<FamilyStore> store;
    std::shared_ptr<const ParentSets> sets;

 private:
    std::unique_ptr<BestParents> best_;  // only calls from Python need it here
};

}  // namespace anytimebn
