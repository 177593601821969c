"""``anytimebn query``: ask a network how probable values are."""

from typing import TYPE_CHECKING, Annotated

import typer

from anytimebn.base.errors import InputError
from anytimebn.cli import options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anytimebn.network.network import Network

METHODS = ("exact", "sampling")


def query(
    network: options.NetworkFile,
    target: Annotated[
        list[str],
        typer.Argument(
            metavar="TARGET...", help="What is asked for; several have a joint distribution."
        ),
    ],
    given: Annotated[
        list[str] | None,
        typer.Option(
            "--given",
            metavar="NAME=VALUE",
            help="What is known; repeatable, also for one of several values of a name.",
        ),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            metavar="|".join(METHODS),
            help="Exact, or an estimate where that needs too much memory.",
            autocompletion=options.completing(METHODS),
        ),
    ] = METHODS[0],
    samples: Annotated[int, typer.Option(help="Rows that are drawn for an estimate.")] = 100_000,
    seed: Annotated[int, typer.Option(help="Seed of an estimate.")] = 0,
    memory_limit: options.MemoryLimit = None,
    output: options.AnswerFiles = None,
    quiet: options.Quiet = False,
) -> None:
    """Ask how probable the values of variables are, given those of others.

    A value is given as tables have it; a number may be one within an interval.
    """
    from anytimebn.cli.answer_files import check_tables, write_tables
    from anytimebn.network.files.networks import read_network

    files = output or []
    check_tables(files, "an answer")
    asked = read_network(network)
    answer = asked.query(
        target,
        evidence_of(asked, given or ()),
        method=method,  # type: ignore[arg-type]  # which is checked there
        samples=samples,
        seed=seed,
        memory_limit=memory_limit,
    )
    if files:
        write_tables(answer.to_arrow(), files)
    if quiet:
        return
    typer.echo(repr(answer))
    for path in files:
        typer.echo(f"wrote {path}")


def evidence_of(network: "Network", texts: "Sequence[str]") -> dict[str, str | list[str]]:
    """Read ``NAME=VALUE`` pairs; names and values may have equals signs of their own.

    Examples
    --------
    >>> from anytimebn.network.network import Network
    >>> network = Network.from_parents({"a=b": [], "c": []})
    >>> evidence_of(network, ["a=b=1", "c=x", "c=y=z"])
    {'a=b': '1', 'c': ['x', 'y=z']}
    """
    found: dict[str, list[str]] = {}
    for text in texts:
        parts = text.split("=")
        if len(parts) < 2:
            raise InputError(f"--given is {text!r}; give NAME=VALUE, such as rain=yes")
        splits = [("=".join(parts[:at]), "=".join(parts[at:])) for at in range(1, len(parts))]
        known = [(name.strip(), value) for name, value in splits if name.strip() in network.names]
        name, value = (known or splits)[0]
        found.setdefault(name, []).append(value.strip())
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}
