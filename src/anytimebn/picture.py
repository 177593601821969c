"""Figures that notebooks show as pictures."""

from __future__ import annotations

import io

from matplotlib.figure import Figure


class Picture(Figure):
    """A figure that shows itself: notebooks know how to show others only once pyplot is loaded."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        from anytimebn.plot import sharpness

        written = io.BytesIO()
        self.savefig(written, format="png", dpi=sharpness(self))
        width, height = (round(96 * inches) for inches in self.get_size_inches())
        return written.getvalue(), {"width": width, "height": height}
