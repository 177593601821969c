"""Figures as images in HTML."""

from __future__ import annotations

import base64
import html
from typing import Any


def embedded_image(figure: Any, words: str, widest: str = "100%") -> str:
    """Embed a figure; as an image, so that its identifiers cannot clash with those of another."""
    from anytimebn.draw.figure import svg_of

    encoded = base64.b64encode(svg_of(figure).encode()).decode("ascii")
    return (
        f'<img alt="{html.escape(words)}" style="max-width: {widest}; background: white" '
        f'src="data:image/svg+xml;base64,{encoded}">'
    )
