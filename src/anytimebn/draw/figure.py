"""Figures that notebooks show as pictures, and files that hold them.

Only matplotlib's figure objects are used, never pyplot: nothing global changes, and no window or
system program is needed.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from anytimebn.base.checks import as_path
from anytimebn.base.errors import InputError
from anytimebn.base.files import replacing
from anytimebn.draw.fonts import without_warnings_of_letters
from anytimebn.draw.needed import check_can_draw
from anytimebn.draw.style import DOTS_PER_INCH, GRID, MAX_PIXELS, PICTURE_SUFFIXES

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

check_can_draw()

from matplotlib.figure import Figure  # noqa: E402  after the message that says what is missing

# Without a date and with fixed identifiers, the same network gives the same file.
WITHOUT_DATE: dict[str, dict[str, None]] = {
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}
HASH_SALT = "anytimebn"


def checked_picture_path(path: str | Path | None) -> Path | None:
    """Refuse a file whose name does not tell its format."""
    if path is None:
        return None
    target = as_path(path)
    if target.suffix.lower() not in PICTURE_SUFFIXES:
        *others, last = PICTURE_SUFFIXES
        raise InputError(f"{path}: drawings are written to {', '.join(others)} or {last} files")
    return target


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure to a ``.png``, ``.svg`` or ``.pdf`` file."""
    from matplotlib import rc_context

    suffix = path.suffix.lower()
    same_each_time = rc_context({"svg.hashsalt": HASH_SALT})
    with replacing(path) as passing, same_each_time, without_warnings_of_letters():
        figure.savefig(
            passing,
            format=suffix[1:],
            dpi=sharpness(figure),
            metadata=WITHOUT_DATE.get(suffix),
        )


def svg_of(figure: Figure, *, keep_letters: bool = False) -> str:
    """Give a figure as SVG, the same for the same figure.

    Letters become shapes, which look the same everywhere; letters that are kept make it smaller,
    and programs can read them.
    """
    from matplotlib import rc_context

    text = io.StringIO()
    letters = "none" if keep_letters else "path"
    with (
        rc_context({"svg.hashsalt": HASH_SALT, "svg.fonttype": letters}),
        without_warnings_of_letters(),
    ):
        figure.savefig(text, format="svg", metadata=WITHOUT_DATE[".svg"])
    return text.getvalue()


def plain_axes(axes: Axes) -> None:
    """Leave out of a frame what says nothing, and lay a faint grid behind it."""
    axes.grid(visible=True, which="major", color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def sharpness(figure: Figure) -> float:
    """Dots per inch: fewer for figures that would become too large a picture."""
    return min(DOTS_PER_INCH, MAX_PIXELS / float(max(figure.get_size_inches())))


class Picture(Figure):
    """A figure that shows itself: notebooks know how to show others only once pyplot is loaded."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        written = io.BytesIO()
        with without_warnings_of_letters():
            self.savefig(written, format="png", dpi=sharpness(self))
        width, height = (round(96 * inches) for inches in self.get_size_inches())
        return written.getvalue(), {"width": width, "height": height}
