"""Numbers between 0 and 1 by row and column, as shades."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anytimebn.draw.figure import Picture, checked_picture_path, save_figure
from anytimebn.draw.style import BORDER, DOTS_PER_INCH, FONT_SIZE, TEXT

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from matplotlib.figure import Figure

CELL_INCHES = 0.34
MOST_WRITTEN = 16
"""Variables of a map that has its numbers written in it; those of more would be too small."""

NO_SHARE = "#e4e7ec"
DARK = 0.6  # from this share on, letters are white


def draw_heat_map(
    names: Sequence[str],
    shares: Any,
    path: str | os.PathLike[str] | None = None,
    *,
    title: str | None = None,
    rows: str,
    columns: str,
    meaning: str,
) -> Figure:
    """Draw a square of shares, the darker the larger, with the numbers in it if there is room.

    Parameters
    ----------
    names
        Of the rows, and of the columns.
    shares
        Numbers from 0 to 1, by row and column; those of the diagonal are left out.
    path
        Where to write the drawing, a ``.png`` or ``.svg`` file; nowhere if None.
    title
        A line above the drawing.
    rows, columns, meaning
        What the rows, the columns and the numbers are.

    Examples
    --------
    >>> figure = draw_heat_map(
    ...     ["rain", "wet"], [[0, 0.9], [0.1, 0]], rows="parent", columns="child", meaning="share"
    ... )
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['90', '10']
    """
    import numpy as np
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.ticker import PercentFormatter

    target = checked_picture_path(path if path is None else str(path))
    values = np.array(shares, dtype=float)
    np.fill_diagonal(values, np.nan)
    count = len(names)
    longest = max((len(name) for name in names), default=1)
    side = CELL_INCHES * count + 0.075 * longest + 0.9
    figure = Picture(
        figsize=(side + 0.8, side), dpi=DOTS_PER_INCH, facecolor="white", layout="constrained"
    )
    axes = figure.add_subplot()
    light_to_dark = LinearSegmentedColormap.from_list("shares", ["#ffffff", BORDER])
    shades = light_to_dark.with_extremes(bad=NO_SHARE)
    image = axes.imshow(values, cmap=shades, vmin=0.0, vmax=1.0)
    labels = [name.replace("$", r"\$") for name in names]
    axes.set_xticks(range(count), labels, rotation=90, fontsize=FONT_SIZE - 1, color=TEXT)
    axes.set_yticks(range(count), labels, fontsize=FONT_SIZE - 1, color=TEXT)
    axes.tick_params(length=0)
    axes.set_xlabel(columns)
    axes.set_ylabel(rows)
    for spine in axes.spines.values():
        spine.set_visible(False)
    if count <= MOST_WRITTEN:
        for row in range(count):
            for column in range(count):
                share = values[row, column]
                if row != column and round(100 * share) > 0:
                    axes.text(
                        column,
                        row,
                        f"{100 * share:.0f}",
                        ha="center",
                        va="center",
                        fontsize=FONT_SIZE - 2.5,
                        color="white" if share >= DARK else TEXT,
                    )
    percent = PercentFormatter(1.0, decimals=0)
    bar = figure.colorbar(image, ax=axes, shrink=0.8, label=meaning, format=percent)
    bar.outline.set_visible(False)
    if title:
        axes.set_title(title, fontsize=FONT_SIZE, color=TEXT, parse_math=False)
    if target is not None:
        save_figure(figure, target)
    return figure
