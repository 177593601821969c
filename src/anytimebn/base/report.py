"""What long work tells while it runs: one kind of report, for everybody who listens.

Scoring, searching and resampling make reports; sinks take them: the terminal, a notebook, the log,
or a function that was passed as ``progress``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

ORDERS = "order search"
SCORING = "scoring"
SEARCHING = "searching"
REPLICATES = "replicates"
SUMMING = "summing over orders"
ENUMERATING = "enumerating"


@dataclass(frozen=True)
class BestNetwork:
    """The best network of a moment, for those who draw it.

    Attributes
    ----------
    names : tuple of str
        The variables.
    parents : tuple of tuple of int
        Those of each variable, by their numbers.
    strengths : mapping or None
        Nats that are lost without each arc, by the names of its parent and its child; None while
        nobody has computed them.
    """

    names: tuple[str, ...]
    parents: tuple[tuple[int, ...], ...]
    strengths: Mapping[tuple[str, str], float] | None = None


@dataclass(frozen=True, kw_only=True)
class Report:
    """Where work stands, for people who watch.

    What does not belong to a phase is 0, or None.

    Attributes
    ----------
    phase : str
        What is being done: ``"order search"``, ``"scoring"``, ``"searching"`` or ``"replicates"``;
        there may be more.
    seconds : float
        Since this work began.
    fraction : float or None
        The share that is done, where that is known; not while searching.
    cost, lower_bound : float or None
        Of the best network; None until there is one, and where nothing is known.
    expanded, stored : int
        Nodes visited, and nodes held.
    expected : int or None
        Nodes visited in the end, while there is an estimate that has not turned out too low.
    doing : str
        What works on it, where there is a choice: such as ``"order graph and linear program"``.
    memory_bytes : float
        Held by the search; while scoring, what that was predicted to take.
    sets, max_parents
        What scoring was predicted to take: joint tables, and the largest parent set.
    space : str or None
        Which networks are searched; the lower bound is about these, unless `bound_space` is told.
    bound_space : str or None
        Which networks the lower bound is about, where that is an earlier one, of other networks
        than those that are searched now.
    done, replicates : int
        Networks learned from resampled data so far, and in the end.
    network : BestNetwork or None
        The best network, where there is one and `learn` reports; its cost may be a moment older
        than `cost`.
    """

    phase: str
    seconds: float
    fraction: float | None = None
    cost: float | None = None
    lower_bound: float | None = None
    expanded: int = 0
    stored: int = 0
    expected: int | None = None
    doing: str = ""
    memory_bytes: float = 0
    sets: float = 0
    max_parents: int = 0
    space: str | None = None
    bound_space: str | None = None
    done: int = 0
    replicates: int = 0
    network: BestNetwork | None = None


SearchProgress = Report
"""The same as `Report`, which is what searches call a `progress` function with."""

BootstrapProgress = Report
"""The same as `Report`, which is what `bootstrap` calls a `progress` function with."""

Sink = Callable[[Report], None]
"""Who listens. Exceptions end the work, and reach whoever asked for it."""


def fan_out(*sinks: Sink | None) -> Sink | None:
    """Make one sink of several, which hear each report in turn; None where nobody listens.

    Examples
    --------
    >>> first, second = [], []
    >>> both = fan_out(first.append, None, second.append)
    >>> both(Report(phase=SEARCHING, seconds=1.0))
    >>> first == second, first[0].phase, fan_out(None)
    (True, 'searching', None)
    """
    listening = [sink for sink in sinks if sink is not None]

    def tell_all(report: Report) -> None:
        for sink in listening:
            sink(report)

    return tell_all if listening else None
