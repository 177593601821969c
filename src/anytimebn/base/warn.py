"""Warnings that point to the line of whoever called the package, however deep they arise."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

OURS = __name__.partition(".")[0]


def warn_caller(message: str, kind: type[Warning]) -> None:
    """Warn at the innermost line that belongs neither to this package nor to Python itself.

    Python's own modules lie between where we are called back, by a context manager for instance.
    In a thread of our own nobody has called us: then the line is that of the warning.
    """
    here = sys._getframe(1)
    frame: FrameType | None = here
    while frame is not None and _is_passed_over(frame):
        frame = frame.f_back
    place = here if frame is None else frame
    warnings.warn_explicit(
        message,
        kind,
        filename=place.f_code.co_filename,
        lineno=place.f_lineno,
        module=place.f_globals.get("__name__") or "<unknown>",
        registry=place.f_globals.setdefault("__warningregistry__", {}),
    )


def _is_passed_over(frame: FrameType) -> bool:
    package = str(frame.f_globals.get("__name__") or "").partition(".")[0]
    return package == OURS or package in sys.stdlib_module_names
