"""Score files of every format, chosen by the suffix of the file's name."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from anytimebn.base.checks import as_path
from anytimebn.base.errors import InputError
from anytimebn.data.files.tables import TABLE_SUFFIXES, table_suffix
from anytimebn.scores.files.jkl import read_jkl, write_jkl
from anytimebn.scores.files.pss import read_pss, write_pss
from anytimebn.scores.files.told import check_told

if TYPE_CHECKING:
    from anytimebn.base.clock import Deadline
    from anytimebn.scores.store import LocalScores

_READERS = {".jkl": read_jkl, ".pss": read_pss}
_WRITERS = {".jkl": write_jkl, ".pss": write_pss}

SCORE_SUFFIXES: tuple[str, ...] = tuple(_READERS)


def is_score_file(given: object) -> TypeGuard[str | PathLike[str]]:
    """Tell whether this is the path of a score file, going by its name.

    Examples
    --------
    >>> is_score_file("insurance.JKL"), is_score_file("insurance.csv"), is_score_file(None)
    (True, False, False)
    """
    return isinstance(given, str | PathLike) and Path(given).suffix.lower() in SCORE_SUFFIXES


def check_is_table_or_scores(path: Path) -> None:
    """Refuse the path of a file that, by its name, nothing can be learned from."""
    if not is_score_file(path) and table_suffix(path) is None:
        raise InputError(
            f"{path}: neither a table nor a score file; tables end in "
            f"{', '.join(TABLE_SUFFIXES)}, score files in {', '.join(SCORE_SUFFIXES)}"
        )


def read_scores(path: str | PathLike[str], deadline: Deadline | None = None) -> LocalScores:
    r"""Read local scores from a file whose suffix is one of ``SCORE_SUFFIXES``.

    Parameters
    ----------
    path
        The file to read.
    deadline
        When to give up.

    Returns
    -------
    LocalScores
        The sets of each variable, cheapest first; ``metadata["source"]`` is the file's name.

    Raises
    ------
    InputError
        If the suffix is unknown, or the file cannot be read or is malformed.
    LimitReached
        If the deadline came first.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "one.jkl"
    ...     _ = path.write_text("1\nrain 1\n-4.5 0\n")
    ...     read_scores(path).costs.tolist()
    [4.5]
    """
    scores = _READERS[_suffix(path)](path, deadline)
    check_told(scores, as_path(path))
    return scores


def write_scores(scores: LocalScores, path: str | PathLike[str]) -> None:
    """Write local scores to a file whose suffix is one of ``SCORE_SUFFIXES``.

    Parameters
    ----------
    scores
        What to write; reading the file gives the same costs, bit by bit.
    path
        The file to write; an existing one is replaced.

    Raises
    ------
    InputError
        If the suffix is unknown, the format cannot hold the scores, or the file cannot be written.

    Examples
    --------
    >>> import numpy as np
    >>> from anytimebn.scores.store import LocalScores
    >>> scores = LocalScores(
    ...     names=("rain",),
    ...     first_set=np.array([0, 1]),
    ...     costs=np.array([4.5]),
    ...     first_member=np.array([0, 0]),
    ...     members=np.array([], dtype=np.int32),
    ... )
    >>> write_scores(scores, "scores.txt")
    Traceback (most recent call last):
        ...
    anytimebn.InputError: scores.txt: a score file ends in .jkl or .pss, not in '.txt'
    """
    _WRITERS[_suffix(path)](scores, path)


def _suffix(path: str | PathLike[str]) -> str:
    suffix = as_path(path).suffix.lower()
    if suffix not in SCORE_SUFFIXES:
        accepted = " or ".join(SCORE_SUFFIXES)
        raise InputError(f"{path}: a score file ends in {accepted}, not in {suffix!r}")
    return suffix
