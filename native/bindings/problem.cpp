#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings/parent_sets.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace anytimebn {
namespace {

using Offsets = Array<std::int64_t>;
using Members = Array<std::int32_t>;

std::shared_ptr<ParentSets> sets_of_arrays(const Offsets& first_set, const Offsets& costs,
                                           const Offsets& first_member, const Members& members) {
    return std::make_shared<ParentSets>(span_of(first_set), span_of(costs), span_of(first_member),
                                        span_of(members));
}

}  // namespace

void register_problem(nb::module_& module) {
    nb::class_<FamilyStore>(module, "FamilyStore",
                            "Families, each with an id that stays when others are added.")
        .def(
            "__init__",
            [](FamilyStore* self, const Offsets& first_set, const Offsets& costs,
               const Offsets& first_member, const Members& members) {
                new (self) FamilyStore(sets_of_arrays(first_set, costs, first_member, members));
            },
            "first_set"_a, "costs"_a, "first_member"_a, "members"_a,
            "As in LocalScores; ids are the numbers of the sets.")
        .def("__len__", &FamilyStore::size)
        .def(
            "append",
            [](FamilyStore& self, std::size_t child, const Parents& parents, Cost cost) {
                return number_of(self.append(child, parents, cost));
            },
            "child"_a, "parents"_a, "cost"_a, "Gives the id: a new one, or that of a known family.")
        .def(
            "family",
            [](const FamilyStore& self, std::size_t id) {
                const Family family = self.family(FamilyId{id});
                return std::tuple(family.child, family.parents, family.cost);
            },
            "id"_a, "Child, parents and cost.");

    nb::class_<PythonParentSets>(module, "ParentSets",
                                 "Parent sets of every variable, cheapest first: a view of a "
                                 "FamilyStore as it is now.")
        .def(
            "__init__",
            [](PythonParentSets* self, const Offsets& first_set, const Offsets& costs,
               const Offsets& first_member, const Members& members) {
                new (self) PythonParentSets(std::make_shared<FamilyStore>(
                    sets_of_arrays(first_set, costs, first_member, members)));
            },
            "first_set"_a, "costs"_a, "first_member"_a, "members"_a)
        .def(nb::init<std::shared_ptr<FamilyStore>>(), "families"_a)
        .def("best", &PythonParentSets::best, "child"_a, "candidates"_a,
             "Number of the cheapest set inside the candidates, or -1.");
}

}  // namespace anytimebn
