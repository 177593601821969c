"""What drawing needs, and whether it is there."""

from __future__ import annotations

from importlib.util import find_spec

from anytimebn.base.optional import check_for


def can_draw() -> bool:
    """Whether pictures can be drawn here."""
    return find_spec("matplotlib") is not None


def check_can_draw(what: str = "drawing") -> None:
    """Say what is missing before a long run, not at its end."""
    check_for("matplotlib", needed_for=what, install="'anytimebn[draw]'")
