"""Figures that notebooks show as pictures, and files that hold them.

Only matplotlib's figure objects are used, never pyplot: nothing global changes, and no window or
system program is needed.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from anytimebn.base.checks import as_path, writing
from anytimebn.base.errors import InputError
from anytimebn.draw.style import DOTS_PER_INCH, MAX_PIXELS

if TYPE_CHECKING:
    from pathlib import Path

SUFFIXES = (".png", ".svg")


def checked_picture_path(path: str | Path | None) -> Path | None:
    """Refuse a file whose name does not tell its format."""
    if path is None:
        return None
    target = as_path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise InputError(f"{path}: drawings are written to {' or '.join(SUFFIXES)} files")
    return target


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure to a ``.png`` or ``.svg`` file."""
    from matplotlib import rc_context

    # Without a date and with fixed identifiers, the same network gives the same SVG file.
    with writing(path), rc_context({"svg.hashsalt": "anytimebn"}):
        figure.savefig(
            path,
            format=path.suffix.lower()[1:],
            dpi=sharpness(figure),
            metadata={"Date": None} if path.suffix.lower() == ".svg" else None,
        )


def sharpness(figure: Figure) -> float:
    """Dots per inch: fewer for figures that would become too large a picture."""
    return min(DOTS_PER_INCH, MAX_PIXELS / float(max(figure.get_size_inches())))


class Picture(Figure):
    """A figure that shows itself: notebooks know how to show others only once pyplot is loaded."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        written = io.BytesIO()
        self.savefig(written, format="png", dpi=sharpness(self))
        width, height = (round(96 * inches) for inches in self.get_size_inches())
        return written.getvalue(), {"width": width, "height": height}
