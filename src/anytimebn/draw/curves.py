"""How cost and lower bound met over time, as a figure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

from anytimebn.base.errors import InputError
from anytimebn.draw.figure import Picture, checked_picture_path, plain_axes, save_figure
from anytimebn.draw.style import BOUND_COLOUR, COST_COLOUR, DOTS_PER_INCH, FONT_SIZE, TEXT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.figure import Figure


class ProgressEvent(Protocol):
    """What `draw_convergence` needs to know of an event of a search."""

    @property
    def seconds(self) -> float:
        """When it happened, from the start of the search."""

    @property
    def cost(self) -> float | None:
        """The cost of the best network so far, if there is one."""

    @property
    def lower_bound(self) -> float | None:
        """The best lower bound so far, if there is one."""


def draw_convergence(
    events: Sequence[ProgressEvent], path: str | Path | None = None, *, claim: str | None = None
) -> Figure:
    """Draw the best cost and the best lower bound over time, as steps on a logarithmic time axis.

    Where bounds were about several spaces, one after the other, those of the last one are drawn.

    Parameters
    ----------
    events
        Events of a search, in order of time. Costs and bounds that are None, or not finite, are
        left out.
    path
        Where to write the drawing, a ``.png`` or ``.svg`` file; nowhere if None.
    claim
        What is proven, if the bounds meet; by default, that the network is optimal.
    """
    target = checked_picture_path(path)
    if not events:
        raise InputError("there are no events to draw; at least one is needed")
    # Time zero has no place on a logarithmic axis: it moves to just before the first later event.
    later = [event.seconds for event in events if event.seconds > 0]
    earliest = max(min(later, default=1e-3) * 0.8, 1e-4)
    last = max([*later, earliest * 10])
    costs = [(event.seconds, event.cost) for event in events if _finite(event.cost)]
    bounds = [
        (event.seconds, event.lower_bound)
        for event in _of_last_space(events)
        if _finite(event.lower_bound)
    ]

    figure = Picture(figsize=(7.0, 4.2), dpi=DOTS_PER_INCH, facecolor="white", layout="constrained")
    axes = figure.add_subplot()
    for points, colour, label in (
        (costs, COST_COLOUR, "best network found"),
        (bounds, BOUND_COLOUR, "lower bound"),
    ):
        if points:
            seconds = [max(point[0], earliest) for point in points]
            values = [float(point[1] or 0.0) for point in points]
            axes.step(
                [*seconds, last],
                [*values, values[-1]],
                where="post",
                color=colour,
                linewidth=1.8,
                label=label,
            )
            changed = [
                number
                for number, value in enumerate(values)
                if number == 0 or value != values[number - 1]
            ]
            axes.plot(
                [seconds[number] for number in changed],
                [values[number] for number in changed],
                "o",
                color=colour,
                markersize=3,
            )
    axes.set_xscale("log")
    axes.set_xlim(earliest, last * 1.05)
    axes.set_xlabel("seconds")
    axes.set_ylabel("cost (nats)")
    plain_axes(axes)
    axes.ticklabel_format(axis="y", useOffset=False, style="plain")
    if costs and bounds:
        cost, bound = float(costs[-1][1] or 0.0), float(bounds[-1][1] or 0.0)
        _show_where_they_meet(axes, [float(value or 0.0) for _, value in costs], bound)
        gap = cost - bound
        met = claim is not None or gap <= 1e-9 * abs(cost)
        title = f"proven {claim or 'optimal'}" if met else f"remaining gap {gap:.6g} nats"
        axes.set_title(title, fontsize=FONT_SIZE, color=TEXT, loc="right")
    if costs or bounds:
        axes.legend(frameon=False, loc="best")
    if target is not None:
        save_figure(figure, target)
    return figure


def _show_where_they_meet(axes: object, costs: list[float], bound: float) -> None:
    """Cut off early bounds that are far below: they would squeeze all else into one line."""
    from matplotlib.axes import Axes

    assert isinstance(axes, Axes)
    scale = max(max(costs) - costs[-1], costs[-1] - bound)
    if scale <= max(1e-6 * abs(costs[-1]), 1e-6):
        return  # the first network was the best: the bound is all there is to see
    low, high = axes.get_ylim()
    axes.set_ylim(max(low, min(bound, costs[-1]) - 2.0 * scale), high)


def _of_last_space(events: Sequence[ProgressEvent]) -> Sequence[ProgressEvent]:
    changes = [
        number
        for number, event in enumerate(events)
        if getattr(event, "space", None) is not None and event.lower_bound is not None
    ]
    return events[changes[-1] :] if changes else events


def _finite(value: float | None) -> bool:
    return value is not None and math.isfinite(value)
