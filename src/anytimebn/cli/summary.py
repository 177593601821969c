"""Results on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anytimebn.base.text import format_seconds, how_many
from anytimebn.result.words import status_line, summary_of

if TYPE_CHECKING:
    from rich.console import Console

    from anytimebn.result.result import Result
    from anytimebn.scores.store import LocalScores


def print_result(console: Console, result: Result) -> None:
    """Print the status, the bounds and the network."""
    proven = result.status == "optimal"
    console.print()
    console.print(status_line(result), style="bold green" if proven else "bold yellow")
    for name, value in summary_of(result).items():
        console.print(f"  {name:<12} {value}", soft_wrap=True)
    _print_network(console, result)


def _print_network(console: Console, result: Result) -> None:
    network = result.network
    console.print()
    variables, arcs = len(network.names), how_many(len(network.arcs), "arc")
    console.print(f"network of {how_many(variables, 'variable')} and {arcs}:")
    width = max(map(len, network.names))
    for name in network.names:
        parents = ", ".join(network.parents_of(name))
        console.print(f"  {name:<{width}} <- {parents}" if parents else f"  {name}", soft_wrap=True)
    console.print()


def print_scores(console: Console, scores: LocalScores, seconds: float) -> None:
    """Print how many parent sets there are, by size, and whether the limit matters."""
    import numpy as np

    from anytimebn.scores.space import Space

    counts = np.bincount(np.diff(scores.first_member))
    by_size = ", ".join(f"{count:,} of {size}" for size, count in enumerate(counts) if count)
    space = Space.of_scores(scores)
    ruled_out = (
        "exact: larger sets are ruled out"
        if space.larger_ruled_out
        else "not exact: larger sets could be better"
    )
    if complete := scores.provenance.complete_variables:
        open_variables = scores.variables - len(complete)
        ruled_out += f", of {open_variables} of {scores.variables} variables"
    rows = {
        "parent sets": f"{scores.pops:,} that can be optimal, of {scores.variables} variables",
        "by size": by_size,
        "limit": f"{space.limit_in_words}, {ruled_out}",
        "score": scores.score_name,
        "time": format_seconds(seconds),
    }
    for name, value in rows.items():
        console.print(f"  {name:<12} {value}", soft_wrap=True)
