"""Standard streams that take nothing: closed before the command began, as by ``>&-``, or full."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeGuard

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What the system says where nothing more can be written."""


def open_closed_streams() -> None:
    """Let what is printed there vanish.

    Otherwise the next file that is opened would take the number of the stream, and what is printed
    would go into it.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115


def cannot_be_printed(error: BaseException) -> TypeGuard[OSError]:
    """Whether standard output takes no more, as on a full disk; what else is printed then vanishes.

    Files are no matter here: whoever writes one says in an `InputError` what is wrong with it.
    Python would try once more when it ends, and say so in its own words.
    """
    if not (isinstance(error, OSError) and error.filename is None and error.errno in FULL):
        return False
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return True
