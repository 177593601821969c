// One search from parent sets to outcome: components, a first network, the algorithm on each
// component.
//
// An algorithm that is written outside the native core works on a prepared run, by itself or while
// `search` works on the same problem in another thread, and finishes it.
#pragma once

#include <memory>
#include <vector>

#include "run/algorithm.h"
#include "run/run.h"

namespace anytimebn {

class SearchRun final : public Run {
 public:
    // Over a sorted view of the store's families.
    SearchRun(std::shared_ptr<FamilyStore> store, std::shared_ptr<const ParentSets> sets,
              SearchOptions options);

    void run() override;  // prepare, search, finish

    // Finds components and first networks; false if there is no network at all. Before anything is
    // contributed, and once. When a limit ends it before the components are known, there are none:
    // everything counts as one, its network is the start or a quick one, and nothing is left to do.
    bool prepare();
    // Runs the native algorithm on each component.
    void search();
    // Computes what a certificate from before proves, and takes that as a bound; when prepared.
    void prove_again(const RootCertificate& known);

    const std::vector<Component>& components() const { return components_; }
    std::vector<std::size_t> component_sizes() const;
    std::vector<std::size_t> component_sets() const;  // how many parent sets each has
    // Components without a certificate keep their trivial bound.
    RootCertificate certificate() const override;
    RootCertificate suggested() const override;

 private:
    RootCertificate of_all_variables(RootCertificate part) const;
    bool may_have(FamilyId id, const Family& family) const override;
    // False if there is no network at all.
    bool prepare_components();
    bool find_first_networks();
    bool take_quick_network();
    bool search_locally(std::size_t component, std::uint64_t max_work,
                        std::vector<std::uint32_t> order = {});
    void search_around_start(std::size_t component);
    std::vector<std::uint32_t> order_of_best(std::size_t component) const;

    std::shared_ptr<const ParentSets> sets_;
    std::vector<Component> components_;
};

}  // namespace anytimebn
