"""Options that belong together, each block written once for all subcommands that have it.

A command takes a block as one parameter, and `with_blocks` puts the options in its place. Options
of a block have no defaults here: so it is known which were given, and one that would have no effect
is refused instead of ignored.
"""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, TypeVar, get_args

import typer

from anytimebn.base.errors import InputError
from anytimebn.cli.options import completing
from anytimebn.data.options import OTHERS, BinMethod, MissingMethod, TableOptions
from anytimebn.scores.registry import score_names

if TYPE_CHECKING:
    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.scores.scoring import ScoringOptions

Value = TypeVar("Value")
Command = Callable[..., None]


@dataclass(frozen=True)
class Chosen(Generic[Value]):
    """What the options of a block say, and which of them were given."""

    value: Value
    given: Mapping[str, Any]


@dataclass(frozen=True)
class Block(Generic[Value]):
    """Options that make one value.

    Parameters
    ----------
    options
        As Typer takes them, by the names of their parameters.
    make
        Gives the value of those that were given.
    """

    options: Mapping[str, Any]
    make: Callable[[dict[str, Any]], Value]

    def without(self, *names: str) -> Block[Value]:
        """Leave options out, for a command that has others of these names."""
        left = {name: option for name, option in self.options.items() if name not in names}
        return Block(left, self.make)

    def only(self, *names: str) -> Block[Value]:
        """Take some of the options, for a command to which the others say nothing."""
        return Block({name: self.options[name] for name in names}, self.make)

    def with_default(self, name: str, default: str) -> Block[Value]:
        """Show another default of one option, for a command whose function has it."""
        kind, option = get_args(self.options[name])
        changed = copy.copy(option)
        changed.show_default = default
        return Block({**self.options, name: Annotated[kind, changed]}, self.make)


def with_blocks(**blocks: Block[Any]) -> Callable[[Command], Command]:
    """Give a command the options of blocks, and the command their values.

    Parameters
    ----------
    **blocks
        By the names of the parameters that take their values.

    Examples
    --------
    >>> @with_blocks(scoring=SCORING.without("score", "ess"))
    ... def show(*, scoring, quiet=False):
    ...     print(scoring.given)
    >>> list(inspect.signature(show).parameters)
    ['max_parents', 'quiet']
    >>> show(max_parents="3")
    {'max_parents': 3}
    """

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def run(**given: Any) -> None:
            values = {}
            for name, block in blocks.items():
                own = {option: given.pop(option) for option in block.options}
                values[name] = block.make(
                    {option: value for option, value in own.items() if value not in (None, [])}
                )
            command(**given, **values)

        parameters: list[inspect.Parameter] = []
        for parameter in inspect.signature(command).parameters.values():
            if parameter.name not in blocks:
                parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
                continue
            parameters += [
                inspect.Parameter(
                    name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option
                )
                for name, option in blocks[parameter.name].options.items()
            ]
        # Typer reads both.
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        return run

    return decorate


def _table(given: dict[str, Any]) -> Chosen[TableOptions]:
    if given.pop("no_header", False):
        given["header"] = False
    if "bins" in given:
        given["bins"] = bins(given["bins"])
    if "all" in given.get("categorical", ()):
        given["categorical"] = "all"
    return Chosen(TableOptions(**given), given)


def bins(texts: Sequence[str]) -> int | dict[str, int | list[float]]:
    """Read how columns are cut: ``K``, ``NAME=K`` or ``NAME=A,B,...``; names may have equals signs.

    Examples
    --------
    >>> bins(["4"]), bins(["age=5", "income=1e4,5e4", "3"])
    (4, {'age': 5, 'income': [10000.0, 50000.0], '*': 3})
    """
    found: dict[str, int | list[float]] = {}
    for text in texts:
        name, _, value = text.rpartition("=")
        points = [point.strip() for point in value.split(",")]
        try:
            if len(points) == 1 and points[0].isascii() and points[0].isdigit():
                found[name.strip() or OTHERS] = int(points[0])
            elif name.strip():
                found[name.strip()] = [float(point) for point in points]
            else:
                raise ValueError
        except ValueError:
            raise InputError(
                f"--bins is {text!r}; give a number of intervals such as 4, those of a column such "
                f"as age=4, or where to cut it such as age=30,50"
            ) from None
    everywhere = found.get(OTHERS)
    return everywhere if len(found) == 1 and isinstance(everywhere, int) else found


TABLE = Block(
    {
        "bins": Annotated[
            list[str] | None,
            typer.Option(
                "--bins",
                metavar="K|NAME=K|NAME=A,B,...",
                help="Cut columns with over 32 distinct numbers into K intervals, or one column "
                "into K or at A, B, ...; repeatable.",
            ),
        ],
        "bin_method": Annotated[
            str | None,
            typer.Option(
                "--bin-method",
                metavar="|".join(get_args(BinMethod)),
                help="Intervals with about equally many rows, of equal width, or of the histogram "
                "that describes a column in the fewest bits, at most K.",
                show_default=TableOptions.bin_method,
                autocompletion=completing(get_args(BinMethod)),
            ),
        ],
        "categorical": Annotated[
            list[str] | None,
            typer.Option(
                "--categorical",
                metavar="NAME|all",
                help="A column whose numbers are codes, each a value of its own; repeatable.",
            ),
        ],
        "missing": Annotated[
            str | None,
            typer.Option(
                "--missing",
                metavar="|".join(get_args(MissingMethod)),
                help="Refuse missing values, drop their rows, make missing a value of its own, or "
                "complete them by expectation maximisation.",
                show_default=TableOptions.missing,
                autocompletion=completing(get_args(MissingMethod)),
            ),
        ],
        "weights": Annotated[
            str | None,
            typer.Option(
                "--weights",
                metavar="NAME",
                help="The column that says how often each row counts, in whole numbers.",
            ),
        ],
        "no_header": Annotated[
            bool | None,
            typer.Option("--no-header", help="The first line of a text file is data."),
        ],
        "separator": Annotated[
            str | None,
            typer.Option(
                "--separator",
                metavar="CHARACTER",
                help="Between the cells of a text file: such as ';', tab or space.",
                show_default="found out",
            ),
        ],
        "encoding": Annotated[
            str | None,
            typer.Option(
                "--encoding",
                metavar="NAME",
                help="Of a text file: such as cp1252, latin-1 or utf-16.",
                show_default="utf-8",
            ),
        ],
        "exclude": Annotated[
            list[str] | None,
            typer.Option("--exclude", metavar="NAME", help="A column to leave out; repeatable."),
        ],
    },
    _table,
)
"""How a table is read; names cannot be given, which a table that is a file has."""


TEXT_FILE = TABLE.only("no_header", "separator", "encoding")
"""How a text file is read whose columns a network knows already."""


def _scoring(given: dict[str, Any]) -> Chosen[ScoringOptions]:
    from anytimebn.scores.scoring import ScoringOptions

    if "max_parents" in given:
        given["max_parents"] = parent_count("--max-parents", given["max_parents"])
    return Chosen(ScoringOptions(**given), given)


def parent_count(option: str, text: str) -> int | Literal["auto"]:
    """Read a number of parents, or the word ``auto``.

    Examples
    --------
    >>> parent_count("--max-parents", "3"), parent_count("--max-parents", "auto")
    (3, 'auto')
    """
    if text == "auto":
        return "auto"
    if not (text.isascii() and text.isdigit()):
        raise InputError(f"{option} is {text!r}; give a whole number from 0, or auto")
    return int(text)


SCORING = Block(
    {
        "score": Annotated[
            str | None,
            typer.Option(
                "--score",
                help=f"One of {', '.join(score_names())}.",
                show_default="mdl",
                autocompletion=completing(score_names()),
            ),
        ],
        "ess": Annotated[
            float | None,
            typer.Option("--ess", help="Equivalent sample size of bdeu.", show_default="1.0"),
        ],
        "max_parents": Annotated[
            str | None,
            typer.Option(
                "--max-parents",
                metavar="K|auto",
                help="Largest parent set considered; auto: what an optimal network can need, if "
                "feasible.",
                show_default="auto",
            ),
        ],
    },
    _scoring,
)
"""What is optimised."""


def _knowledge(given: dict[str, Any]) -> Knowledge:
    from anytimebn.knowledge.combine import as_knowledge

    limits = parent_limits(given.pop("parent_limit", ()))
    return as_knowledge(parent_limits=limits, **given)


def parent_limits(texts: Sequence[str]) -> dict[str, int]:
    """Read ``NAME=K`` pairs; a name may itself contain equals signs.

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


KNOWLEDGE = Block(
    {
        "require": Annotated[
            list[str] | None,
            typer.Option(
                "--require", metavar="'A->B'", help="An arc that the network must have; repeatable."
            ),
        ],
        "forbid": Annotated[
            list[str] | None,
            typer.Option(
                "--forbid", metavar="'A->B'", help="An arc that it must not have; repeatable."
            ),
        ],
        "tiers": Annotated[
            Path | None,
            typer.Option(
                "--tiers",
                metavar="FILE",
                help="One tier of names per line, earliest first: no parents from later tiers.",
            ),
        ],
        "parent_limit": Annotated[
            list[str] | None,
            typer.Option(
                "--parent-limit",
                metavar="NAME=K",
                help="Limit on parents of one variable; repeatable.",
            ),
        ],
        "knowledge": Annotated[
            Path | None,
            typer.Option(
                "--knowledge",
                metavar="FILE",
                help="Constraints: a .toml, .json or .yaml file of require, forbid, tiers, "
                "max_parents.",
            ),
        ],
    },
    _knowledge,
)
"""Constraints on the network."""
