// Local costs from the parent sets of a component. Many sets are not stored, because a subset costs
// as little: parents cost what the cheapest stored set among them costs, so that a search sees no
// gain in a parent that no stored set makes use of, and constraints are obeyed as the sets obey
// them.
#pragma once

#include "arcs/local_costs.h"
#include "problem/component.h"

namespace anytimebn {

class StoredCosts final : public LocalCosts {
 public:
    explicit StoredCosts(const Component& component);

    Cost cost(std::uint32_t child, const Parents& parents) override;
    bool additions(std::uint32_t child, const Parents& parents, Cost* row) override;
    std::uint64_t memory_bytes() const override { return component_.best.memory_bytes(); }
    std::uint64_t scores_kept() const override { return component_.sets.size(); }
    std::unique_ptr<LocalCosts> for_thread(std::function<bool()>) const override {
        return std::make_unique<StoredCosts>(component_);
    }

 private:
    const std::uint64_t* bits_of(const Parents& parents);
    Cost cheapest(std::uint32_t child, const std::uint64_t* among) const;

    const Component& component_;
    std::vector<std::uint64_t> bits_;
};

}  // namespace anytimebn
