"""Results on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anytimebn.base.text import format_seconds, how_many
from anytimebn.result.words import status_line, summary_of

if TYPE_CHECKING:
    from rich.console import Console

    from anytimebn.result.result import Result
    from anytimebn.scores.store import LocalScores

MOST_VARIABLES = 40
"""Lines of a network that people read; files have all of it."""


def print_result(console: Console, result: Result) -> None:
    """Print the verdict, the bounds and the network."""
    console.print()
    print_verdict(console, result)
    for name, value in summary_of(result).items():
        console.print(f"  {name:<12} {value}", soft_wrap=True)
    _print_network(console, result)


def print_verdict(console: Console, result: Result) -> None:
    """Say what is proven."""
    style = "bold green" if result.status == "optimal" else "bold yellow"
    console.print(status_line(result), style=style, soft_wrap=True)


def _print_network(console: Console, result: Result) -> None:
    network = result.network
    console.print()
    count, arcs = len(network.names), how_many(len(network.arcs), "arc")
    console.print(f"network of {how_many(count, 'variable')} and {arcs}:")
    # Of a large network the part with arcs, as far as anybody reads on.
    if count > 1 and not network.arcs and network.states is not None:  # of a table
        console.print("  (no arc is worth its parameters: more rows, fewer values, or a score that")
        console.print("  asks for less, such as aic, can find some)")
    large = count > MOST_VARIABLES
    joined = [name for name in network.names if network.parents_of(name)] if large else []
    shown = joined[:MOST_VARIABLES] if large else network.names
    width = max(map(len, shown), default=0)
    for name in shown:
        parents = ", ".join(network.parents_of(name))
        console.print(f"  {name:<{width}} <- {parents}" if parents else f"  {name}", soft_wrap=True)
    if large:
        rest, roots = len(joined) - len(shown), count - len(joined)
        more = [f"{rest:,} more with parents"] if rest else []
        console.print(f"  and {', '.join([*more, f'{roots:,} without parents'])}", soft_wrap=True)
        console.print("  (--json FILE or -o network.bif has all of it)", soft_wrap=True)
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
