"""What a study is asked for: algorithms, heuristics, and generated data of every size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from anytimebn.base.checks import LARGEST_COUNT, check_whole
from anytimebn.base.choices import parse_parameters
from anytimebn.evaluation.order_graph import check_heuristic
from anytimebn.evaluation.specification import StudyTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anytimebn.base.choices import Choice


def with_all(texts: Sequence[str], choices: Sequence[Choice]) -> list[str]:
    """Replace the word ``all``, and remove duplicates."""
    names = [choice.name for choice in choices]
    return list(dict.fromkeys(n for text in texts for n in (names if text == "all" else [text])))


def parse_heuristic(text: str) -> tuple[str, dict[str, float]]:
    """Read ``NAME[,PARAMETER=VALUE...]``, and refuse what is not known."""
    name, *assignments = text.split(",")
    parameters = parse_parameters(assignments)
    check_heuristic(name, parameters)
    return name, parameters


@dataclass(frozen=True)
class Sizes:
    """Sizes of generated data: every combination is a data set."""

    variables: Sequence[int]
    max_parents: Sequence[int]
    rows: Sequence[int]


def generated_tables(sizes: Sizes, seeds: Sequence[int]) -> list[StudyTable]:
    """Give a table of each size for each seed."""
    for option, values, lowest in (
        ("variables", sizes.variables, 2),
        ("max-parents", sizes.max_parents, 1),
        ("rows", sizes.rows, 1),
        ("seed", seeds, 0),
    ):
        for value in values:
            check_whole(f"--{option}", value, lowest, LARGEST_COUNT)
    return [
        StudyTable.generated(n, p, r, seed=s)
        for n in sizes.variables
        for p in sizes.max_parents
        for r in sizes.rows
        for s in seeds
    ]
