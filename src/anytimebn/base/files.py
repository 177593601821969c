"""Files that are there whole or not at all.

What is written goes to a passing file beside its target and takes the target's place in one step.
A full disk, a bug or Ctrl-C half-way leaves an older file as it was.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from anytimebn.base.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

STANDARD_STREAMS = (0, 1, 2)
PASSING = ".anytimebn-"  # how the folders of passing files begin


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    r"""Give a passing path to write to; what is there at the end takes the place of `path`.

    The passing file has the same name, in a folder of its own, so that writers can go by the
    suffix. Links are followed, and the permissions of an older file stay. Where nothing can be
    replaced (pipes, devices such as ``/dev/stdout``, folders that take no new files), `path` itself
    is given. Errors name `path`, whichever file was written.

    Raises
    ------
    InputError
        If the system does not let us write there.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "weather.txt")
    ...     with replacing(file) as passing:
    ...         _ = passing.write_text("rain\n")
    ...     [found.name for found in Path(folder).iterdir()]
    ['weather.txt']
    """
    folder: Path | None = None
    passing = path
    try:
        target = Path(os.path.realpath(path))  # unlike `resolve`, never fails for links in a circle
        if _can_be_replaced(path, target.parent):
            folder = Path(tempfile.mkdtemp(prefix=PASSING, dir=target.parent))
            passing = folder / path.name
        yield passing
        if folder is not None:
            _put_in_place(passing, target)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from error
    except UnicodeEncodeError as error:
        wrong = error.object[error.start : error.end]
        raise InputError(f"{path}: {wrong!r} cannot be written as UTF-8") from error
    except InputError as error:
        if folder is None or str(passing) not in str(error):
            raise
        raise InputError(str(error).replace(str(passing), str(path))) from error
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def remove_what_was_left(path: Path) -> None:
    """Remove passing files of `path` that a process has left which was killed while it wrote."""
    with suppress(OSError):
        for folder in Path(os.path.realpath(path)).parent.glob(f"{PASSING}*"):
            with suppress(OSError):
                if [found.name for found in folder.iterdir()] == [path.name]:
                    shutil.rmtree(folder, ignore_errors=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file in UTF-8, all of it or nothing."""
    with replacing(path) as passing:
        passing.write_text(text, encoding="utf-8")


def lock_file(file: IO[bytes]) -> bool:
    """Lock an open file until it is closed, however that happens; False if another has it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _can_be_replaced(path: Path, folder: Path) -> bool:
    if not path.exists():
        return True
    if not path.is_file():
        return False
    # A file that must not be written to is refused, as it always is, even where its folder would
    # let another take its name.
    if not (os.access(path, os.W_OK) and os.access(folder, os.W_OK)):
        return False
    # /dev/stdout can be a link to an ordinary file. What is printed later goes to the file that is
    # open, and would be lost if another took its name.
    found = path.stat()
    for stream in STANDARD_STREAMS:
        with suppress(OSError):  # it is closed
            if os.path.samestat(found, os.fstat(stream)):
                return False
    return True


def _put_in_place(passing: Path, target: Path) -> None:
    if target.exists():
        older = target.stat()
        with suppress(OSError, AttributeError):  # only some may give files away, Windows nobody
            os.chown(passing, older.st_uid, older.st_gid)
        passing.chmod(stat.S_IMODE(older.st_mode))
    with passing.open("rb") as file:
        os.fsync(file.fileno())
    try:
        passing.replace(target)
    except OSError:
        # Some files cannot be replaced, such as those that are mounted one by one; but all that is
        # to be written is complete by now.
        shutil.copyfile(passing, target)
