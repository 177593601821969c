"""Figures as images in HTML."""

from __future__ import annotations

import base64
import html
from typing import TYPE_CHECKING, Any

from anytimebn.draw.needed import can_draw

if TYPE_CHECKING:
    from collections.abc import Callable


def embedded_image(draw: Callable[[], Any], words: str, widest: str = "100%") -> str:
    """Embed a figure; as an image, so that its identifiers cannot clash with those of another.

    Where nothing can be drawn there is none, and the words beside it say what there is.
    """
    if not can_draw():
        return ""
    from anytimebn.draw.figure import svg_of

    encoded = base64.b64encode(svg_of(draw()).encode()).decode("ascii")
    return (
        f'<img alt="{html.escape(words)}" style="max-width: {widest}; background: white" '
        f'src="data:image/svg+xml;base64,{encoded}">'
    )
