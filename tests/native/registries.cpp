#include <string>

#include "base/registry.h"
#include "heuristics/heuristic.h"
#include "run/algorithm.h"
#include "scores/score.h"
#include "test.h"

namespace anytimebn::test {
namespace {

template <class Entries>
void check_entries(const Entries& entries) {
    CHECK(!entries.empty());
    for (const auto& [name, entry] : entries) {
        CHECK(name == entry.description.name);
        CHECK(!entry.description.summary.empty());
    }
}

template <class Entry>
void check_parameters(const Entry& entry) {
    for (const Parameter& parameter : entry.make.parameters) {
        CHECK(!parameter.name.empty() && !parameter.summary.empty());
        CHECK(parameter.lowest <= parameter.otherwise && parameter.otherwise <= parameter.highest);
    }
}

TEST(registries_describe_every_entry) {
    check_entries(ScoreRegistry::entries());
    check_entries(HeuristicRegistry::entries());
    check_entries(AlgorithmRegistry::entries());
    for (const auto& [_, entry] : ScoreRegistry::entries()) check_parameters(entry);
    for (const auto& [_, entry] : HeuristicRegistry::entries()) check_parameters(entry);
    for (const auto& [_, entry] : AlgorithmRegistry::entries()) check_parameters(entry);
}

TEST(registries_refuse_unknown_names) {
    CHECK(throws<std::invalid_argument>([] { ScoreRegistry::find("guess"); }));
    CHECK(throws<std::invalid_argument>([] { HeuristicRegistry::find("guess"); }));
    CHECK(throws<std::invalid_argument>([] { AlgorithmRegistry::find(""); }));
}

struct Chosen {
    int number;
};

TEST(registries_tell_of_a_name_that_is_taken) {
    const Registry<Chosen> first({"first", "", ""}, {1}), second({"second", "", ""}, {2});
    CHECK(Registry<Chosen>::entries().size() == 2);
    CHECK(Registry<Chosen>::find("second").make.number == 2);
    const Registry<Chosen> again({"first", "", ""}, {3});
    CHECK(throws<std::logic_error>([] { Registry<Chosen>::entries(); }));
    CHECK(throws<std::logic_error>([] { Registry<Chosen>::find("second"); }));
}

}  // namespace
}  // namespace anytimebn::test
