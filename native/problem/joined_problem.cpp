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
    for (const Place& place : places_of(components)) {
        const Component& component = components[place.component];
        const std::size_t begin = component.sets.first(place.variable);
        const std::size_t end = component.sets.first(place.variable + 1);
        for (std::size_t s = begin; s < end; ++s) {
            costs.push_back(component.sets.cost(s));
            for (const std::int32_t member : component.sets.members(s))
                members.push_back(static_cast<std::int32_t>(
                    component.variables[static_cast<std::size_t>(member)]));
            first_member.push_back(static_cast<std::int64_t>(members.size()));
        }
        first_set.push_back(static_cast<std::int64_t>(costs.size()));
    }
    return ParentSets(first_set, costs, first_member, members);
}

}  // namespace

JoinedProblem::JoinedProblem(const std::vector<Component>& components) : sets(join(components)) {
    for (const Component& component : components) base.push_back(component.base);
    const auto places = places_of(components);
    for (std::uint32_t x = 0; x < places.size(); ++x) {
        const Component& component = components[places[x].component];
        component_of.push_back(static_cast<std::uint32_t>(places[x].component));
        const std::size_t first = component.sets.first(places[x].variable);
        for (std::size_t s = 0; s < sets.count(x); ++s) {
            origin.push_back(component.origin[first + s]);
            child_of.push_back(x);
        }
    }
}

}  // namespace anytimebn
