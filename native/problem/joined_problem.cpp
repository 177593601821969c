#include "problem/joined_problem.h"

namespace anytimebn {
namespace {

struct Place {
    std::size_t component, variable;
};

std::vector<Place> places_of(const std::vector<Component>& components) {
    std::size_t variables = 0;
    for (const Component& component : components) variables += component.size();
    std::vector<Place> places(variables);
    for (std::size_t c = 0; c < components.size(); ++c)
        for (std::size_t v = 0; v < components[c].size(); ++v)
            places[components[c].variables[v]] = {c, v};
    return places;
}

ParentSets join(const std::vector<Component>& components) {
    std::vector<std::int64_t> first_set{0}, costs, first_member{0};
    std::vector<std::int32_t> members;
    std::vector<FamilyId> families;
    for (const Place& place : places_of(components)) {
        const Component& component = components[place.component];
        const std::size_t begin = component.sets.first(place.variable);
        const std::size_t end = component.sets.first(place.variable + 1);
        for (std::size_t s = begin; s < end; ++s) {
            costs.push_back(component.sets.cost(s));
            families.push_back(component.sets.family(s));
            for (const std::int32_t member : component.sets.members(s))
                members.push_back(static_cast<std::int32_t>(
                    component.variables[static_cast<std::size_t>(member)]));
            first_member.push_back(static_cast<std::int64_t>(members.size()));
        }
        first_set.push_back(static_cast<std::int64_t>(costs.size()));
    }
    return ParentSets(first_set, costs, first_member, members, std::move(families));
}

}  // namespace

JoinedProblem::JoinedProblem(const std::vector<Component>& components) : sets(join(components)) {
    for (const Component& component : components) base.push_back(component.base);
    const auto places = places_of(components);
    for (std::uint32_t x = 0; x < places.size(); ++x) {
        component_of.push_back(static_cast<std::uint32_t>(places[x].component));
        child_of.insert(child_of.end(), sets.count(x), x);
    }
}

}  // namespace anytimebn
