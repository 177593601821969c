"""The paper's figures, from stored runs alone."""

from __future__ import annotations

import itertools
import math
import statistics
from typing import TYPE_CHECKING, Any

from anytimebn.draw.style import DOTS_PER_INCH, FAINT, FONT_SIZE, TEXT
from anytimebn.evaluation.tables import name_of, parents_by_layer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from anytimebn.evaluation.data_sets import DataSetRuns
    from anytimebn.result.event import Event

# Okabe and Ito's colours, which people with any colour vision can tell apart.
COLOURS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#000000",
    "#8a7f00",
)
STYLES = ("-", (0, (5, 1)), (0, (1, 1)))
EARLIEST = 1e-3  # seconds
LEAST_GAP = 0.002  # of the best cost: what is nearer to it looks like one line
TITLE_SIZE, SMALL_SIZE = 11, 8
BINS_SHOWN = 120
SEEN = 0.002  # of the highest density: less cannot be told from none


def figure2(data: DataSetRuns, labels: Sequence[str]) -> Figure | None:
    """Draw upper and lower bounds over time, all algorithms of a data set; None without runs.

    The labels are all those of the study, so that a colour means the same in all its pictures.
    """
    from matplotlib.ticker import NullFormatter

    best = data.best_cost
    shown = {label: run for label, run in data.searches.items() if run.result is not None}
    if best is None or not shown:
        return None
    figure, axes = _new_figure(width=6.4, height=4.0)
    scale = best if best > 0 else 1.0
    curves = {label: run.events for label, run in shown.items()}
    totals = {label: run.values["result"]["seconds"]["total"] for label, run in shown.items()}
    gaps, rises = [], [0.0]
    end = max(max(totals[label], events[-1].seconds) for label, events in curves.items())
    begin = max(EARLIEST, min(events[0].seconds for events in curves.values()))
    for style, label in zip(_styles(), labels, strict=False):
        if label not in shown:
            continue
        events, bounds = curves[label], _bounds(curves[label])
        seconds = [max(begin, event.seconds) for event in events]
        seconds.append(max(begin, totals[label], seconds[-1]))
        costs = [event.cost / scale for event in events]
        heights = [bound / scale for bound in bounds]
        axes.step(seconds, [*costs, costs[-1]], where="post", linewidth=1.8, label=label, **style)
        axes.step(seconds, [*heights, heights[-1]], where="post", linewidth=1.2, **style)
        axes.plot(seconds[-1], heights[-1], "o", markersize=4, color=style["color"])
        gaps += [(best - bound) / scale for bound in _telling_bounds(bounds)]
        rises.append((events[0].cost - best) / scale)
    axes.set_xscale("log")
    axes.set_xlim(begin * 0.9, max(end, begin * 10) * 1.1)
    axes.xaxis.set_minor_formatter(NullFormatter())
    # Algorithms with bounds far below would press the rest into a line.
    gaps = [gap for gap in gaps if gap > 0] or [0.0]
    below = max(min(max(gaps), 3 * statistics.median(gaps)), LEAST_GAP * abs(best) / scale)
    above = min(max(rises), below) + 0.1 * below
    axes.set_ylim(best / scale - 1.15 * below, best / scale + above)
    axes.set_xlabel("seconds")
    axes.set_ylabel("cost and lower bound / best cost" if best > 0 else "cost, lower bound (nats)")
    axes.set_title(data.name, fontsize=TITLE_SIZE, color=TEXT, parse_math=False)
    axes.ticklabel_format(axis="y", useOffset=False, style="plain")
    _legend(figure, axes)
    return figure


def _bounds(events: Sequence[Event]) -> list[float]:
    return [math.nan if e.lower_bound is None else e.lower_bound for e in events]


def _telling_bounds(bounds: Sequence[float]) -> list[float]:
    """Give the first bound after the trivial one, and the last."""
    return [*[bound for bound in bounds if bound > bounds[0]][:1], bounds[-1]]


def figure3(data: DataSetRuns) -> Figure | None:
    """Draw how many nodes have which f, for each heuristic; None without a sweep."""
    results = [run.result for run in data.order_graphs if run.result is not None]
    if not any(result["f_costs"] for result in results):
        return None
    figure, axes = _new_figure(width=6.4, height=3.4)
    optimum = results[0]["optimum"]
    scale = optimum if optimum > 0 else 1.0
    all_f = [f for result in results for f in result["f_costs"]]
    for style, f in zip(_styles(), all_f, strict=False):
        density, edges = _density(f, scale)
        axes.stairs(
            density,
            edges,
            label=name_of(f),
            color=style["color"],
            linestyle=style["linestyle"],
            linewidth=1.5,
        )
    axes.axvline(optimum / scale, color=FAINT, linewidth=1, linestyle="--")
    axes.annotate(
        "optimum",
        (optimum / scale, 1.0),
        xycoords=("data", "axes fraction"),
        va="bottom",
        ha="center",
        fontsize=SMALL_SIZE,
        color=FAINT,
    )
    axes.set_xlabel("f / optimum" if optimum > 0 else "f (nats)")
    axes.set_ylabel("density of nodes")
    axes.set_ylim(bottom=0)
    axes.set_title(data.name, fontsize=TITLE_SIZE, color=TEXT, parse_math=False, loc="left")
    _legend(figure, axes)
    return figure


def figure3_by_rows(
    panels: Mapping[str, Sequence[DataSetRuns]], heuristic: str = "static-pd"
) -> Figure | None:
    """Draw the distribution of f for a row of data, in two or more panels of several data sets.

    This is how the paper compares them. The dashed lines are the optima. None without a sweep.
    """
    swept = {
        title: [
            (data, run.result, f)
            for data in data_sets
            for run in data.order_graphs[:1]
            if run.result is not None
            for f in run.result["f_costs"]
            if name_of(f) == heuristic
        ]
        for title, data_sets in panels.items()
    }
    if not any(swept.values()):
        return None
    # An empty panel keeps its place.
    figure, axes = _new_figure(width=4.6 * len(panels), height=3.8, panels=len(panels))
    for panel, (title, own) in zip(axes, swept.items(), strict=True):
        shown = []
        for style, (data, result, f) in zip(_styles(), own, strict=False):
            rows = data.specification.data["rows"]
            density, edges = _density(f, rows)
            # A few nodes far from all others would press the rest into a line.
            shown += [x for x, y in zip(edges, density, strict=False) if y > SEEN * max(density)]
            panel.stairs(density, edges, label=data.name, color=style["color"], linewidth=1.5)
            optimum = result["optimum"] / rows
            shown.append(optimum)
            panel.axvline(optimum, color=style["color"], linewidth=1, linestyle="--")
        panel.set_title(title, fontsize=FONT_SIZE, color=TEXT, parse_math=False)
        panel.set_xlabel("f / rows (nats)")
        panel.set_ylim(bottom=0)
        if own:
            margin = 0.05 * (max(shown) - min(shown)) or 1.0
            panel.set_xlim(min(shown) - margin, max(shown) + margin)
            panel.legend(fontsize=SMALL_SIZE, frameon=False)
    axes[0].set_ylabel("density of nodes")
    return figure


def _density(f: Mapping[str, Any], scale: float) -> tuple[list[float], list[float]]:
    """Give the density of nodes over f / scale and its edges, as fine as a picture can show."""
    together = max(1, len(f["bins"]) // BINS_SHOWN)
    counts = [sum(some) for some in _chunks(f["bins"], together)]
    step = f["bin_width"] * together / scale
    edges = [f["first_bin"] / scale + i * step for i in range(len(counts) + 1)]
    nodes = sum(counts) + f["dead"]
    return [count / nodes / step for count in counts], edges


def _chunks(values: Sequence[int], size: int) -> list[Sequence[int]]:
    return [values[begin : begin + size] for begin in range(0, len(values), size)]


def figure4(data_sets: Sequence[DataSetRuns]) -> Figure | None:
    """Draw the average parent-set size by layer of the order graph; None without a sweep."""
    swept = [
        (data.name, run.result)
        for data in data_sets
        for run in data.order_graphs[:1]
        if run.result is not None
    ]
    if not swept:
        return None
    panels: dict[str, dict[str, tuple[list[int], list[float]]]] = {
        "networks of the nodes": {},
        "cheapest parents of every step": {},
        "parents of the variable placed last": {},
    }
    whole, steps, last = panels.values()
    for name, result in swept:
        layers = result["layers"]
        if averages := parents_by_layer(result):
            whole[name] = list(range(len(averages))), averages
        some = [x for x in layers if x["steps"]]
        steps[name] = [x["placed"] for x in some], [x["step_parents"] / x["steps"] for x in some]
        some = [x for x in layers if x["placed"] and x["reachable"]]
        last[name] = (
            [x["placed"] for x in some],
            [x["last_parents"] / x["reachable"] for x in some],
        )
    panels = {title: curves for title, curves in panels.items() if curves}
    figure, axes = _new_figure(width=4.6 * len(panels), height=3.8, panels=len(panels))
    for panel, (title, curves) in zip(axes, panels.items(), strict=True):
        for style, (name, _) in zip(_styles(), swept, strict=False):
            if name in curves:
                panel.plot(*curves[name], label=name, linewidth=1.5, **style)
        panel.set_title(title, fontsize=FONT_SIZE, color=TEXT)
        panel.set_xlabel("variables placed")
        panel.set_ylim(bottom=0)
    axes[0].set_ylabel("average number of parents")
    _legend(figure, axes[-1])
    return figure


def _styles() -> itertools.cycle[dict[str, Any]]:
    return itertools.cycle(
        {"color": colour, "linestyle": line} for line in STYLES for colour in COLOURS
    )


def _new_figure(*, width: float, height: float, panels: int = 1) -> tuple[Figure, Any]:
    from matplotlib.figure import Figure

    from anytimebn.draw.figure import plain_axes

    figure = Figure(
        figsize=(width, height), dpi=DOTS_PER_INCH, facecolor="white", layout="constrained"
    )
    axes = figure.subplots(1, panels, squeeze=False)[0]
    for own in axes:
        plain_axes(own)
        own.tick_params(labelsize=SMALL_SIZE)
    return figure, axes[0] if panels == 1 else axes


def _legend(figure: Figure, axes: Axes) -> None:
    """Put names below the picture, where they hide nothing."""
    handles, labels = axes.get_legend_handles_labels()
    legend = figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=4 if len(labels) == 4 else 3,
        fontsize=SMALL_SIZE,
        frameon=False,
    )
    for text in legend.get_texts():
        text.set_parse_math(False)
