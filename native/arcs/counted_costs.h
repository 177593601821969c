// Local costs from a table, counted when they are asked for, and kept while there is room.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>

#include "arcs/local_costs.h"
#include "scores/family_counter.h"
#include "scores/row_sample.h"

namespace anytimebn {

// In whole units; infinite if it is no number.
Cost rounded_cost(double nats);

// What the constraints of a task allow.
Permissions permissions_of(const ScoringTask& task);

class CountedCosts final : public LocalCosts {
 public:
    // `cache_bytes` are for what could be counted again: the costs that are kept and, half as much,
    // the table in a form that is counted quickly. The budget is asked while costs are counted.
    CountedCosts(const ScoringTask& task, std::uint64_t cache_bytes, Budget& budget,
                 const Control& control);
    // With the table of others, for another thread.
    CountedCosts(const CountedCosts& others, std::function<bool()> stopped);
    // With a part of the rows of others.
    CountedCosts(const CountedCosts& others, std::shared_ptr<const RowSample> sample);

    Cost cost(std::uint32_t child, const Parents& parents) override;
    bool additions(std::uint32_t child, const Parents& parents, Cost* row) override;
    bool extensions(std::uint32_t child, const Parents& parents, Cost below,
                    std::vector<Step>& found) override;
    Step best_removal(std::uint32_t child, const Parents& parents) override;
    void prepare(const ParentLists& network, std::size_t jobs) override;
    std::unique_ptr<LocalCosts> for_thread(std::function<bool()> stopped) const override {
        return std::make_unique<CountedCosts>(*this, std::move(stopped));
    }
    std::size_t rows() const override { return table_->rows(); }
    std::unique_ptr<LocalCosts> of_fewer_rows(std::size_t every, std::uint64_t seed,
                                              SamplePrice price) const override {
        return std::make_unique<CountedCosts>(
            *this, std::make_shared<const RowSample>(table_->task(), every, seed, price));
    }
    void forget() override;
    std::uint64_t memory_bytes() const override;
    std::uint64_t scores_kept() const override {
        return rows_.size() * variables() + singles_.size();
    }

    // Not rounded; also when the search was stopped.
    double nats(std::uint32_t child, const Parents& parents) {
        return unstopped().cost(child, parents);
    }
    std::vector<double> nats_without_each(std::uint32_t child, const Parents& parents) {
        std::vector<double> nats(parents.size());
        unstopped().removals(child, parents, nats.data());
        return nats;
    }

 private:
    using Key = std::vector<std::uint32_t>;  // the child, then its parents
    struct Hash {
        std::size_t operator()(const Key& key) const;
    };
    static Key key_of(std::uint32_t child, const Parents& parents);
    Parents candidates(std::uint32_t child, const Parents& parents) const;
    bool count_row(FamilyCounter& counter, std::uint32_t child, const Parents& parents,
                   const std::function<bool()>& stopped, Cost* row) const;
    void make_room(std::uint64_t bytes);
    FamilyCounter& unstopped() {
        if (!unstopped_) unstopped_.emplace(*table_, nobody_stops_);
        return *unstopped_;
    }

    std::shared_ptr<const RowSample> sample_;  // if these are not all rows
    std::shared_ptr<const CountedTable> table_;
    FamilyCounter counter_;
    std::function<bool()> stopped_;
    const Control& control_;
    const Control nobody_stops_;
    std::optional<FamilyCounter> unstopped_;
    std::uint64_t cache_bytes_, used_bytes_ = 0;
    std::unordered_map<Key, std::vector<Cost>, Hash> rows_;
    std::unordered_map<Key, Cost, Hash> singles_;
};

}  // namespace anytimebn
