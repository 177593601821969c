"""Options that are for tables, and what is said where scores are given instead."""

from collections.abc import Iterable
from pathlib import Path

from anytimebn.base.errors import InputError


def refuse_for_scores(source: Path, given: Iterable[str]) -> None:
    """Refuse options that say how to read or score a table, if the input is a file of scores."""
    from anytimebn.scores.files.score_files import is_score_file

    if not is_score_file(source):
        return
    for name in given:
        option = "no-header" if name == "header" else name.replace("_", "-")
        raise InputError(
            f"--{option} is for tables: {source} has its scores already; leave the option out"
        )
