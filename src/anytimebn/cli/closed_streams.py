"""Standard streams that were closed before the command began, as ``>&-`` does."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def open_closed_streams() -> None:
    """Let what is printed there vanish.

    Otherwise the next file that is opened would take the number of the stream, and what is printed
    would go into it.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
