"""Figures as images in HTML."""

from __future__ import annotations

import base64
import html
import io
from typing import Any


def embedded_image(figure: Any, words: str, widest: str = "100%") -> str:
    """Embed a figure; as an image, so that its identifiers cannot meet those of another."""
    from matplotlib import rc_context

    drawn = io.BytesIO()
    with rc_context({"svg.hashsalt": "anytimebn"}):
        figure.savefig(drawn, format="svg", metadata={"Date": None})
    encoded = base64.b64encode(drawn.getvalue()).decode("ascii")
    return (
        f'<img alt="{html.escape(words)}" style="max-width: {widest}; background: white" '
        f'src="data:image/svg+xml;base64,{encoded}">'
    )
