"""How cost and lower bound met over time, as a figure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

from anytimebn.base.errors import InputError
from anytimebn.base.text import format_seconds, percent, rounded_down
from anytimebn.draw.figure import Picture, checked_picture_path, plain_axes, save_figure
from anytimebn.draw.style import BOUND_COLOUR, COST_COLOUR, DOTS_PER_INCH, FAINT, FONT_SIZE, TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

EARLIEST = 1e-4  # seconds
SHORTEST_SPAN = 1e-3  # seconds, of an axis


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
    """Draw the best cost and the best lower bound over time, as steps.

    The time axis is logarithmic, unless less than a decade lies between the first event and the
    last. Where bounds were about several spaces, one after the other, those of the last one are
    drawn.

    Parameters
    ----------
    events
        Events of a search, in order of time. Costs and bounds that are None, or not finite, are
        left out.
    path
        Where to write the drawing, a ``.png``, ``.svg`` or ``.pdf`` file; nowhere if None.
    claim
        What is proven, if the bounds meet; by default, that the network is optimal.
    """
    from matplotlib.ticker import LogLocator, NullFormatter, ScalarFormatter

    target = checked_picture_path(path)
    if not events:
        raise InputError("there are no events to draw; at least one is needed")
    costs = _known((event.seconds, event.cost) for event in events)
    bounds = _known((event.seconds, event.lower_bound) for event in _of_last_space(events))
    times = _Times([event.seconds for event in events])

    figure = Picture(figsize=(7.0, 4.2), dpi=DOTS_PER_INCH, facecolor="white", layout="constrained")
    axes = figure.add_subplot()
    for points, colour, label in (
        (costs, COST_COLOUR, f"best network found: {_shown(costs)}"),
        (bounds, BOUND_COLOUR, f"lower bound: {_shown(bounds, costs)}"),
    ):
        if points:
            _draw_steps(axes, points, times, colour, label)
    axes.set_xscale("log" if times.logarithmic else "linear")
    axes.set_xlim(times.first, times.end)
    if times.logarithmic:  # 0.5 rather than 5 x 10^-1, and not too many of them
        decades = math.log10(times.end / times.first)
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if decades < 3 else (1,)))
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.xaxis.set_major_formatter(lambda seconds, _: f"{seconds:g}")
    else:  # as many digits for all of them: 0.10 beside 0.15
        digits = ScalarFormatter(useOffset=False)
        digits.set_scientific(False)
        axes.xaxis.set_major_formatter(digits)
    axes.set_xlabel("seconds")
    axes.set_ylabel("cost (nats)")
    plain_axes(axes)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    if costs and bounds:
        cost, bound = costs[-1][1], bounds[-1][1]
        _show_where_they_meet(axes, [value for _, value in costs], bound)
        _leave_out_bad_beginnings(axes, cost, bounds[0][1])
        title = _verdict(cost, bound, claim)
        axes.set_title(title, fontsize=FONT_SIZE, color=TEXT, loc="right")
    if costs or bounds:
        last = format_seconds(max(seconds for seconds, _ in [*costs, *bounds]))
        axes.set_title(f"last change after {last}", fontsize=FONT_SIZE, color=FAINT, loc="left")
        axes.legend(frameon=False, loc="best")
    if target is not None:
        save_figure(figure, target)
    return figure


class _Times:
    """The time axis."""

    def __init__(self, seconds: Sequence[float]) -> None:
        later = [moment for moment in seconds if moment > 0]
        first, last = min(later, default=EARLIEST), max(later, default=EARLIEST)
        self.logarithmic = last >= 10 * first
        if self.logarithmic:
            # Time zero has no place on a logarithmic axis: it moves to just before the first event.
            self.first = max(0.8 * first, EARLIEST)
            self.end = 1.05 * last
        else:
            # What happens within moments is lost on an axis that begins at zero.
            room = max(last - first, SHORTEST_SPAN) / 10
            self.first, self.end = max(0.0, first - room), last + 2 * room


def _draw_steps(
    axes: Axes, points: list[tuple[float, float]], times: _Times, colour: str, label: str
) -> None:
    """Draw steps to the end of the axis, with a dot for each change; the legend has the last."""
    seconds = [max(moment, times.first) for moment, _ in points]
    values = [value for _, value in points]
    axes.step(
        [*seconds, times.end],
        [*values, values[-1]],
        where="post",
        color=colour,
        linewidth=1.8,
        label=label,
    )
    changed = [
        number for number, value in enumerate(values) if number == 0 or value != values[number - 1]
    ]
    axes.plot(
        [seconds[number] for number in changed],
        [values[number] for number in changed],
        "o",
        color=colour,
        markersize=4,
    )


def _shown(points: Sequence[tuple[float, float]], above: Sequence[tuple[float, float]] = ()) -> str:
    """Give the last value; a bound that is below the cost must not look larger than it is."""
    if not points:
        return "none"
    value = points[-1][1]
    is_below = bool(above) and value != above[-1][1]
    return rounded_down(value, 2) if is_below else f"{value:,.2f}"


def _verdict(cost: float, bound: float, claim: str | None) -> str:
    if claim is not None or cost - bound <= 1e-9 * abs(cost):
        return f"proven {claim or 'optimal'}"
    if bound <= 0:
        return f"at most {cost - bound:.6g} nats above the best"
    return f"at most {percent(cost / bound - 1)} above the best"


def _show_where_they_meet(axes: Axes, costs: list[float], bound: float) -> None:
    """Cut off early bounds that are far below: they would squeeze all else into one line."""
    scale = max(max(costs) - costs[-1], costs[-1] - bound)
    if scale <= max(1e-6 * abs(costs[-1]), 1e-6):
        return  # the first network was the best: the bound is all there is to see
    low, high = axes.get_ylim()
    axes.set_ylim(max(low, min(bound, costs[-1]) - 2.0 * scale), high)


def _leave_out_bad_beginnings(axes: Axes, cost: float, first_bound: float) -> None:
    """Cut off first networks that are far above, in the same way."""
    below = cost - first_bound
    if below > max(1e-6 * abs(cost), 1e-6):
        low, high = axes.get_ylim()
        axes.set_ylim(low, min(high, cost + 2.0 * below))


def _of_last_space(events: Sequence[ProgressEvent]) -> Sequence[ProgressEvent]:
    changes = [
        number
        for number, event in enumerate(events)
        if getattr(event, "space", None) is not None and event.lower_bound is not None
    ]
    return events[changes[-1] :] if changes else events


def _known(points: Iterable[tuple[float, float | None]]) -> list[tuple[float, float]]:
    return [
        (seconds, value) for seconds, value in points if value is not None and math.isfinite(value)
    ]
