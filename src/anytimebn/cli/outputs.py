"""Files that a command writes: checked before the work; either all are written, or none."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from anytimebn.base.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Writer = Callable[[Path], None]


def check_suffix(path: Path, what: str, suffixes: Sequence[str]) -> None:
    """Refuse a file whose name does not tell its format."""
    if path.suffix.lower() not in suffixes:
        accepted = ", ".join(suffixes)
        raise InputError(f"{path}: {what} is written to {accepted}, not to {path.suffix!r}")


def check_paths(paths: Sequence[Path]) -> None:
    """Refuse what could not be written, so that a long run fails before it starts."""
    for path in paths:
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


def write_all(outputs: Sequence[tuple[Path, Writer]]) -> None:
    """Write every file under a passing name, and put them in place when all are complete."""
    folders: list[Path] = []
    ready: list[tuple[Path, Path]] = []
    try:
        for path, write in outputs:
            if path.exists() and not path.is_file():  # such as /dev/stdout
                _write(path, path, write)
                continue
            folders.append(Path(tempfile.mkdtemp(prefix=".anytimebn-", dir=path.parent)))
            passing = folders[-1] / path.name
            _write(path, passing, write)
            ready.append((passing, path))
        for passing, path in ready:
            passing.replace(path)
    except OSError as error:
        raise InputError(f"{error.filename}: cannot be written: {error.strerror}") from error
    finally:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)


def _write(path: Path, passing: Path, write: Writer) -> None:
    try:
        write(passing)
    except InputError as error:
        raise InputError(str(error).replace(str(passing), str(path))) from error
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from error
