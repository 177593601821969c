"""Options that several subcommands share, and their values as the library takes them.

Options that only make sense for tables have no default here: so it is known whether they were
given, and one that would have no effect is refused instead of ignored.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from anytimebn.base.errors import InputError
from anytimebn.base.text import unknown_name
from anytimebn.scores.registry import score_names
from anytimebn.solver.registry import algorithms, heuristics

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from anytimebn.base.choices import Choice

BIN_METHODS = ("quantile", "width")
MISSING_METHODS = ("error", "drop", "category")


def _names(choices: Sequence[Choice]) -> tuple[str, ...]:
    return tuple(choice.name for choice in choices)


def _completing(names: Sequence[str]) -> Callable[[str], list[str]]:
    def complete(incomplete: str) -> list[str]:
        return [name for name in names if name.startswith(incomplete)]

    return complete


Score = Annotated[
    str | None,
    typer.Option(
        "--score",
        help=f"One of {', '.join(score_names())}.",
        show_default="mdl",
        autocompletion=_completing(score_names()),
    ),
]
SampleSize = Annotated[
    float | None,
    typer.Option("--ess", help="Equivalent sample size of bdeu.", show_default="1.0"),
]
MaxParents = Annotated[
    str | None,
    typer.Option(
        "--max-parents",
        metavar="K|auto",
        help="Largest parent set considered; auto takes as many as are needed or bearable.",
        show_default="auto",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", help="Threads.", show_default="all cores"),
]
Require = Annotated[
    list[str] | None,
    typer.Option(
        "--require", metavar="'A->B'", help="An arc that the network must have; repeatable."
    ),
]
Forbid = Annotated[
    list[str] | None,
    typer.Option("--forbid", metavar="'A->B'", help="An arc that it must not have; repeatable."),
]
Tiers = Annotated[
    Path | None,
    typer.Option(
        "--tiers",
        metavar="FILE",
        help="A tier of names a line, earliest first: no parents from later tiers.",
    ),
]
ParentLimit = Annotated[
    list[str] | None,
    typer.Option(
        "--parent-limit", metavar="NAME=K", help="The most parents of one variable; repeatable."
    ),
]
KnowledgeFile = Annotated[
    Path | None,
    typer.Option(
        "--knowledge",
        metavar="FILE",
        help="Constraints: a .toml, .json or .yaml file of require, forbid, tiers, max_parents.",
    ),
]
Bins = Annotated[
    int | None,
    typer.Option(
        "--bins", metavar="K", help="Cut columns with more than 32 distinct numbers into K values."
    ),
]
BinMethod = Annotated[
    str | None,
    typer.Option(
        "--bin-method",
        metavar="|".join(BIN_METHODS),
        help="Intervals with as many rows each, or of the same width.",
        show_default=BIN_METHODS[0],
        autocompletion=_completing(BIN_METHODS),
    ),
]
Missing = Annotated[
    str | None,
    typer.Option(
        "--missing",
        metavar="|".join(MISSING_METHODS),
        help="Refuse missing values, drop their rows, or make missing a value of its own.",
        show_default=MISSING_METHODS[0],
        autocompletion=_completing(MISSING_METHODS),
    ),
]
NoHeader = Annotated[
    bool, typer.Option("--no-header", help="The first line of a .csv or .tsv file is data.")
]
Exclude = Annotated[
    list[str] | None,
    typer.Option("--exclude", metavar="NAME", help="A column to leave out; repeatable."),
]
MemoryLimit = Annotated[
    str | None,
    typer.Option(
        "--memory-limit",
        metavar="SIZE",
        help="Such as 8GiB or 500MB.",
        show_default="free memory",
    ),
]
Algorithm = Annotated[
    str,
    typer.Option(
        "--algorithm",
        help=f"One of {', '.join(_names(algorithms()))}.",
        autocompletion=_completing(_names(algorithms())),
    ),
]
Heuristic = Annotated[
    str,
    typer.Option(
        "--heuristic",
        help=f"One of {', '.join(_names(heuristics()))}; for algorithms that use one.",
        autocompletion=_completing(_names(heuristics())),
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]


def table_options(
    bins: int | None,
    bin_method: str | None,
    missing: str | None,
    no_header: bool,
    exclude: list[str] | None,
) -> dict[str, Any]:
    """Give the options that were given on how to read a table."""
    for option, value, known in (
        ("bin method", bin_method, BIN_METHODS),
        ("way to treat missing values", missing, MISSING_METHODS),
    ):
        if value is not None and value not in known:
            raise InputError(unknown_name(option, value, known))
    given: dict[str, Any] = {"bins": bins, "bin_method": bin_method, "missing": missing}
    if exclude:
        given["exclude"] = exclude
    if no_header:
        given["header"] = False
    return {key: value for key, value in given.items() if value is not None}


def scoring_options(
    score: str | None, ess: float | None, max_parents: str | None, jobs: int | None
) -> dict[str, Any]:
    """Give the options that were given on how to score."""
    if score is not None and score not in score_names():
        raise InputError(unknown_name("score", score, score_names()))
    given = {
        "score": score,
        "ess": ess,
        "max_parents": None if max_parents is None else _max_parents(max_parents),
        "jobs": jobs,
    }
    return {key: value for key, value in given.items() if value is not None}


def _max_parents(text: str) -> int | Literal["auto"]:
    if text == "auto":
        return "auto"
    if not (text.isascii() and text.isdigit()):
        raise InputError(f"--max-parents is {text!r}; give a whole number from 0, or auto")
    return int(text)


def parent_limits(texts: Sequence[str]) -> dict[str, int]:
    """Read ``NAME=K`` pairs; a name may have equals signs itself.

    Examples
    --------
    >>> parent_limits(["wet=2"])
    {'wet': 2}
    """
    limits = {}
    for text in texts:
        name, _, value = text.rpartition("=")
        if not (name.strip() and value.strip().isascii() and value.strip().isdigit()):
            raise InputError(
                f"--parent-limit is {text!r}; give NAME=K with a whole number, such as wet=2"
            )
        limits[name.strip()] = int(value)
    return limits


def parameters(texts: Sequence[str]) -> dict[str, float]:
    """Read ``NAME=VALUE`` pairs.

    Examples
    --------
    >>> parameters(["weight=1.5"])
    {'weight': 1.5}
    """
    found = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            found[name.strip()] = float(value)
        except ValueError:
            raise InputError(
                f"--parameter is {text!r}; give NAME=VALUE with a number, such as weight=1.5"
            ) from None
    return found
