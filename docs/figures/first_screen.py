"""Draw what README begins with: a learned network, and how its cost and lower bound met.

    .venv/bin/python docs/figures/first_screen.py

Takes a few seconds. Times differ from run to run.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

import anytimebn as ab

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TABLE = Path(__file__).parents[2] / "examples" / "clinic.csv"
OUTPUT = Path(__file__).with_suffix(".png")
HEIGHT, MARGIN = 720, 30  # dots


def picture(figure: Figure, height: int) -> Image.Image:
    """Give a figure as a picture of this height."""
    written = io.BytesIO()
    figure.savefig(written, format="png", dpi=160)
    drawn = Image.open(written).convert("RGB")
    width = round(drawn.width * height / drawn.height)
    return drawn.resize((width, height), Image.Resampling.LANCZOS)


def main() -> None:
    """Learn and draw."""
    result = ab.learn(TABLE)
    network = picture(result.plot_network(), HEIGHT)
    curves = picture(result.plot(), HEIGHT * 3 // 4)
    whole = Image.new("RGB", (network.width + MARGIN + curves.width, HEIGHT), "white")
    whole.paste(network, (0, 0))
    whole.paste(curves, (network.width + MARGIN, (HEIGHT - curves.height) // 2))
    whole.quantize(64).save(OUTPUT, optimize=True)


if __name__ == "__main__":
    main()
