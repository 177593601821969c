"""Files that a command writes: checked before the work; either all are written, or none."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from anytimebn.base.errors import InputError
from anytimebn.base.files import replacing
from anytimebn.draw.needed import check_can_draw
from anytimebn.draw.style import PICTURE_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    Writer = Callable[[Path], None]


def check_suffix(path: Path, what: str, suffixes: Sequence[str]) -> None:
    """Refuse a file whose name does not tell its format."""
    if path.suffix.lower() not in suffixes:
        accepted = ", ".join(suffixes)
        raise InputError(f"{path}: {what} is written to {accepted}, not to {path.suffix!r}")


def check_paths(paths: Sequence[Path]) -> None:
    """Refuse what could not be written, so that a long run fails before it starts."""
    for path in paths:
        if path.suffix.lower() in PICTURE_SUFFIXES:
            check_can_draw(f"{path}: a drawing")
        if path.is_dir():
            raise InputError(f"{path}: this is a directory; give the name of a file")
        if not path.parent.is_dir():
            raise InputError(f"{path}: there is no folder {path.parent}; make it first")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise InputError(f"{path}: no permission to write there")
    resolved = [path.resolve() for path in paths]
    for position, path in enumerate(paths):
        if resolved[position] in resolved[:position]:
            raise InputError(f"{path}: two outputs have this name; give each its own")


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ignore signals that would end the program: what is done here takes a moment only.

    That of the timer is one that came before, in the midst of an import, and comes again.
    """
    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGALRM") if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():  # has no say in it
        yield
        return
    before = {name: signal.signal(getattr(signal, name), signal.SIG_IGN) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), signal.SIG_DFL if handler is None else handler)


def write_all(outputs: Sequence[tuple[Path, Writer]]) -> None:
    """Write every file under a temporary name, and put them in place when all are complete."""
    with uninterrupted(), ExitStack() as written:
        for path, write in outputs:
            write(written.enter_context(replacing(path)))
