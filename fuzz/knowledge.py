"""Constraints as a case has them: drawn at random, checked from the plain words alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

Constraints = dict[str, Any]
"""Some of ``require`` and ``forbid`` (pairs of names), ``tiers`` and ``parent_limits``."""


def draw_constraints(random: Random, names: list[str], *, required: bool) -> Constraints:
    """Draw constraints that a network exists for: required arcs follow a random order."""
    found: Constraints = {}
    order = random.sample(names, len(names))
    forward = [[a, b] for place, a in enumerate(order) for b in order[place + 1 :]]
    everything = [[a, b] for a in names for b in names if a != b]
    if required and forward and random.random() < 0.5:
        found["require"] = random.sample(forward, min(len(forward), random.choice([1, 1, 2])))
    if everything and random.random() < 0.5:
        chosen = random.sample(everything, min(len(everything), random.choice([1, 2, 4])))
        found["forbid"] = [arc for arc in chosen if arc not in found.get("require", [])]
    if random.random() < 0.3:
        end = random.randint(1, len(order))
        cut = random.randint(0, end)
        found["tiers"] = [tier for tier in (order[:cut], order[cut:end]) if tier]
    if random.random() < 0.4:
        found["parent_limits"] = {random.choice(names): random.randint(0, 3)}
    return found


def allows(constraints: Constraints, names: list[str], child: int, parents: int) -> bool:
    """Whether a variable may have these parents, given as a bit mask."""
    own = names[child]
    given = {name for number, name in enumerate(names) if parents >> number & 1}
    tier_of = {
        name: number for number, tier in enumerate(constraints.get("tiers", [])) for name in tier
    }
    return (
        own not in given
        and len(given) <= constraints.get("parent_limits", {}).get(own, len(names))
        and all(a in given for a, b in constraints.get("require", []) if b == own)
        and not any(a in given for a, b in constraints.get("forbid", []) if b == own)
        and not any(
            own in tier_of and name in tier_of and tier_of[name] > tier_of[own] for name in given
        )
    )
