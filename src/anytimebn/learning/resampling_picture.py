"""How a drawing shows what replicates say: how sure an edge is, and how sure its direction.

The two are told apart, because data often make an edge sure and cannot direct it. The arrows of the
networks that were found would say nothing of that: where a class leaves a direction open, it is the
search's choice. So the classes are asked.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from anytimebn.draw.marks import ArcMark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from anytimebn.learning.resampling import Bootstrap, Edge
    from anytimebn.network.network import Network


def options_of_picture(found: Bootstrap, network: Network, *, labels: bool) -> dict[str, Any]:
    """Give the options of `Network.plot` that show what replicates say of a network's arcs."""
    seen = {(edge.first, edge.second): edge for edge in found.edges}
    seen |= {(edge.second, edge.first): _turned(edge) for edge in found.edges}
    marks = {}
    widths = {}
    for arc in network.arcs:
        edge = seen.get(arc)
        widths[arc] = 0.0 if edge is None else edge.adjacent
        marks[arc] = ArcMark(head="none", label="0%") if edge is None else mark_of(edge)
        if not labels:
            marks[arc] = replace(marks[arc], label="")
    has_shares = any("→" in mark.label for mark in marks.values())
    notes = ["→: share with the direction, if less"] if has_shares else []
    if any(mark.head == "none" for mark in marks.values()):
        notes.append("no head: direction unsure")
    return {
        "weights": widths,
        "meaning": f"share of {len(found.replicates)} replicates with the edge",
        "proportional": True,
        "marks": marks,
        "note": "; ".join(notes),
        "roots": _without_incoming(network, marks),
    }


def mark_of(edge: Edge) -> ArcMark:
    """Draw an edge with a head if most classes that have it direct it in one way.

    Examples
    --------
    >>> from anytimebn.learning.resampling import Edge
    >>> mark_of(Edge("a", "b", 0.7, 0.25, 0.6, 0.05, 0.3)).label.splitlines()
    ['95%', '→ 60%']
    >>> mark_of(Edge("a", "b", 0.95, 0.0, 0.3, 0.05, 0.6)).head
    'none'
    """
    if edge.directed_forward > edge.adjacent / 2:
        return ArcMark(label=_percentages(edge.adjacent, edge.directed_forward))
    if edge.directed_backward > edge.adjacent / 2:
        return ArcMark(head="start", label=_percentages(edge.adjacent, edge.directed_backward))
    return ArcMark(head="none", label=f"{edge.adjacent:.0%}")


def _percentages(edge: float, direction: float) -> str:
    """Write two shares, or one that is both: labels have little room beside each other."""
    first, second = f"{edge:.0%}", f"{direction:.0%}"
    return first if first == second else f"{first}\n→ {second}"


def _turned(edge: Edge) -> Edge:
    """Say the same of the two variables in the other order."""
    return replace(
        edge,
        first=edge.second,
        second=edge.first,
        forward=edge.backward,
        backward=edge.forward,
        directed_forward=edge.directed_backward,
        directed_backward=edge.directed_forward,
    )


def _without_incoming(network: Network, marks: Mapping[tuple[str, str], ArcMark]) -> set[int]:
    """Give the variables that no edge leads to, nor could."""
    led_to: set[int] = set()
    for (parent, child), mark in marks.items():
        ends = {"end": (child,), "start": (parent,), "none": (parent, child)}[mark.head]
        led_to.update(map(network.index_of, ends))
    return set(range(len(network.names))) - led_to
