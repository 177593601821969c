"""Of dense networks only the strongest arcs are drawn, and the drawing says so."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from matplotlib.patches import FancyArrowPatch

from anytimebn.base.errors import InputError
from anytimebn.draw.strongest import strongest
from anytimebn.network.network import Network

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE = 80
NAMES = [f"v{number}" for number in range(SIZE)]
PARENTS = [list(range(max(0, number - 4), number)) for number in range(SIZE)]
ARCS = [(parent, child) for child, own in enumerate(PARENTS) for parent in own]
NETWORK = Network(tuple(NAMES), tuple(map(tuple, PARENTS)))
# The strong ones lead to the next variable.
STRENGTHS = {(p, c): 100.0 if c == p + 1 else float(c) for p, c in ARCS}
WEIGHTS = {(NAMES[p], NAMES[c]): weight for (p, c), weight in STRENGTHS.items()}


def arrows_of(figure: Figure) -> int:
    return sum(isinstance(artist, FancyArrowPatch) for artist in figure.axes[0].get_children())


def note_of(figure: Figure) -> str:
    return " ".join(text.get_text() for text in figure.axes[0].texts)


def test_of_dense_networks_the_strongest_arcs_are_drawn() -> None:
    figure = NETWORK.plot(weights=WEIGHTS)
    assert arrows_of(figure) == 1.5 * SIZE
    told = f"the 120 strongest of {len(ARCS)} arcs; most_arcs=None draws all"
    assert told in note_of(figure)
    assert "66 to 100" in note_of(figure)  # only of those that are drawn
    few = NETWORK.plot(weights=WEIGHTS, most_arcs=90)
    assert arrows_of(few) == 90
    assert "the 90 strongest" in note_of(few)


def test_all_arcs_are_drawn_where_that_is_asked_for_or_nothing_tells_them_apart() -> None:
    for figure in (NETWORK.plot(weights=WEIGHTS, most_arcs=None), NETWORK.plot()):
        assert arrows_of(figure) == len(ARCS)
        assert "strongest" not in note_of(figure)
    near = NETWORK.plot(weights=WEIGHTS, around="v40", hops=1)
    assert "strongest" not in note_of(near)


@pytest.mark.parametrize("most", [0, 79, 90, 200, 1000])
def test_every_variable_keeps_its_strongest_arc(most: int) -> None:
    left = {(p, c) for c, own in enumerate(strongest(PARENTS, STRENGTHS, most)) for p in own}
    assert left <= set(ARCS)
    assert max(SIZE / 2, min(most, len(ARCS))) <= len(left) <= max(SIZE, most)
    for variable in range(SIZE):
        own = [arc for arc in ARCS if variable in arc]
        best = max(STRENGTHS[arc] for arc in own)
        assert any(STRENGTHS[arc] == best for arc in left if variable in arc)
    outside = [STRENGTHS[arc] for arc in ARCS if arc not in left]
    if most > SIZE:  # then it is about strength alone
        assert max(outside, default=0.0) <= min(STRENGTHS[arc] for arc in left)


def test_required_arcs_are_the_strongest() -> None:
    required = (0, 4)
    left = strongest(PARENTS, STRENGTHS | {required: math.inf}, 0)
    assert required[0] in left[required[1]]


@pytest.mark.parametrize("most", [-1, 2.5, "all"])
def test_what_is_no_number_of_arcs_is_refused(most: object) -> None:
    with pytest.raises(InputError, match="most_arcs"):
        NETWORK.plot(weights=WEIGHTS, most_arcs=most)
