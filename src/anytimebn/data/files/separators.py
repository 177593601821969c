"""What separates the cells of a text file, found out from its first lines."""

from __future__ import annotations

import csv
import logging
from itertools import islice
from typing import TYPE_CHECKING

from anytimebn.data.columns import BLANKS
from anytimebn.data.files.text_rows import text_lines

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LOG = logging.getLogger(__name__)

USUAL = {".csv": ",", ".tsv": "\t", ".txt": "\t"}
"""What the name of a file promises."""

OTHERS = (",", ";", "\t", "|")
LINES = 200  # that are looked at


def find_separator(path: Path, suffix: str, encoding: str | None) -> str:
    """Find what splits the first lines into equally many cells.

    What the name of the file promises comes first, and stands if nothing splits them evenly: so the
    line that is at fault is told. Blanks separate cells only in ``.txt`` files, for in others a
    column of text may have two words in every row.
    """
    usual = USUAL[suffix]
    lines = list(islice(text_lines(path, encoding), LINES))
    tried = dict.fromkeys((usual, *OTHERS, *([" "] if suffix == ".txt" else [])))
    for separator in tried:
        if splits_evenly(lines, separator, ends=len(lines) < LINES):
            if separator != usual:
                LOG.info("%s: cells are separated by %r", path, separator)
            return separator
    return usual


def splits_evenly(lines: Sequence[str], separator: str, *, ends: bool = True) -> bool:
    """Whether a separator makes equally many cells, at least two, of all records.

    The first record may lack one: the name of the row labels.

    Examples
    --------
    >>> lines = ["a;b", "1,5;2", "3;4,5"]
    >>> splits_evenly(lines, ","), splits_evenly(lines, ";")
    (False, True)
    """
    try:
        blanks = separator == " "
        records = [
            cells[:-1] if blanks and not cells[-1] else cells
            for cells in csv.reader(lines, delimiter=separator, skipinitialspace=blanks)
            if any(cell.strip(BLANKS) for cell in cells)
        ]
    except csv.Error:
        return False
    if not ends:
        records = records[:-1]  # which may go on
    if not records or len(records[0]) < 2:
        return False
    widths = {len(cells) for cells in records[1:]} or {len(records[0])}
    return len(widths) == 1 and widths <= {len(records[0]), len(records[0]) + 1}
