"""Networks as pages draw them: arcs, what has changed, and where the boxes go."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from anytimebn.draw.compact import compact_layout
from anytimebn.draw.labels import short_labels
from anytimebn.draw.layers import layers_of
from anytimebn.draw.layout import layered_layout
from anytimebn.draw.part import BOX_HEIGHT
from anytimebn.draw.smooth import smooth_curve
from anytimebn.draw.text_width import estimated_width
from anytimebn.network.equivalence import compelled_arcs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anytimebn.base.report import BestNetwork

LETTERS = 10.0  # their size, in the units of the layout
PADDING = 9.0
NARROWEST = 34.0
LONGEST_LABEL = 24
WIDEST, HIGHEST = 1900.0, 1400.0  # of a layered drawing whose letters can be read on a page
MOST_PLACES = 400  # of boxes, and of arcs that pass layers
SMALL = 30  # variables, whose layered drawing takes no time
BEYOND_ALL = 1e300  # nats: what is lost without an arc that no network may lack; JSON has no more

Parents = tuple[tuple[int, ...], ...]
Arc = tuple[int, int]


def network_json(found: BestNetwork, before: Parents | None) -> dict[str, Any]:
    """Give a network, its class, and what has changed since the one before.

    Examples
    --------
    >>> from anytimebn.base.report import BestNetwork
    >>> told = network_json(BestNetwork(("a", "b"), ((1,), ())), ((), (0,)))
    >>> told["arcs"], told["turned"]
    ([[1, 0, None, True]], [(1, 0)])
    """
    arcs = _arcs(found.parents)
    fixed = compelled_arcs(found.parents, _topological(found.parents))
    names, strengths = found.names, found.strengths or {}

    def strength(arc: Arc) -> float | None:
        nats = strengths.get((names[arc[0]], names[arc[1]]))
        return None if nats is None else round(min(nats, BEYOND_ALL), 3)

    return {
        "names": list(names),
        # Parent, child, how much it matters, and whether data could not tell its direction.
        "arcs": [[*arc, strength(arc), arc not in fixed] for arc in arcs],
        **changes(arcs, arcs if before is None else _arcs(before)),
    }


def changes(now: Sequence[Arc], before: Sequence[Arc]) -> dict[str, list[Arc]]:
    """Tell which arcs were added, turned and lost.

    Examples
    --------
    >>> changes([(0, 1), (2, 1)], [(1, 0), (0, 2)])
    {'added': [(2, 1)], 'turned': [(0, 1)], 'lost': [(0, 2)]}
    """
    new, old = set(now), set(before)
    turned = [arc for arc in now if arc not in old and arc[::-1] in old]
    return {
        "added": [arc for arc in now if arc not in old and arc[::-1] not in old],
        "turned": turned,
        "lost": [arc for arc in before if arc not in new and arc[::-1] not in new],
    }


def drawing_json(
    names: Sequence[str], parents: Parents, *, quickly: bool = False
) -> dict[str, Any]:
    """Lay a network out: boxes, what is written in them, and the curves of the arcs.

    Parameters
    ----------
    names, parents
        The network.
    quickly
        Whether there is no time for a layered drawing, of a network that is not small.
    """
    labels = short_labels(names, LONGEST_LABEL)
    widths = [
        max(NARROWEST, math.ceil(estimated_width(label, LETTERS)) + 2 * PADDING) for label in labels
    ]
    size, centres, curves = None, [], {}
    if _can_be_layered(parents) and not (quickly and len(names) > SMALL):
        layout = layered_layout(parents, widths)
        size = (layout.width, layout.height)
        centres = [layout.centres[variable] for variable in range(len(names))]
        curves = {
            arc: smooth_curve(points, rightwards=layout.rightwards)
            for arc, points in layout.arcs.items()
        }
    is_layered = size is not None and size[0] <= WIDEST and size[1] <= HIGHEST
    if size is None or not is_layered:
        drawn = compact_layout(parents, widths)
        size, centres, curves = (drawn.width, drawn.height), drawn.centres, drawn.curves
    return {
        "is_layered": is_layered,
        "width": round(size[0], 1),
        "height": round(size[1], 1),
        "box_height": BOX_HEIGHT,
        "letters": LETTERS,
        "labels": labels,
        "boxes": [
            [round(x, 1), round(y, 1), width] for (x, y), width in zip(centres, widths, strict=True)
        ],
        "routes": [
            [*arc, [round(number, 1) for point in curve for number in point]]
            for arc, curve in curves.items()
        ],
    }


def _can_be_layered(parents: Parents) -> bool:
    """Whether arcs pass so few layers that leading them round boxes may leave letters readable."""
    layer = layers_of(parents)
    passed = sum(layer[child] - layer[parent] - 1 for parent, child in _arcs(parents))
    return len(parents) + passed <= MOST_PLACES


def _arcs(parents: Parents) -> list[Arc]:
    return [(parent, child) for child, own in enumerate(parents) for parent in own]


def _topological(parents: Parents) -> list[int]:
    """Order the variables so that parents come first."""
    children: list[list[int]] = [[] for _ in parents]
    waiting = [len(own) for own in parents]
    for child, own in enumerate(parents):
        for parent in own:
            children[parent].append(child)
    order = [variable for variable, count in enumerate(waiting) if count == 0]
    for variable in order:  # grows while it is walked
        for child in children[variable]:
            waiting[child] -= 1
            if waiting[child] == 0:
                order.append(child)
    return order
