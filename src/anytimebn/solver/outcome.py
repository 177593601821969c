"""What a search reports: its events, where it stands, and its result."""

from __future__ import annotations

import logging
import math
from fractions import Fraction
from typing import TYPE_CHECKING

from anytimebn.base.errors import ConstraintError, LimitReached
from anytimebn.base.report import SEARCHING, Report
from anytimebn.network.network import Network
from anytimebn.result.certificates import claimed
from anytimebn.result.event import Event, bound_in_words
from anytimebn.result.result import Result
from anytimebn.scores.store import UNITS_PER_NAT
from anytimebn.solver.registry import algorithm

if TYPE_CHECKING:
    from collections.abc import Mapping

    from anytimebn import _native
    from anytimebn.scores.on_demand import CountedScores
    from anytimebn.scores.store import LocalScores
    from anytimebn.solver.description import Algorithm
    from anytimebn.solver.run import Run

LOG = logging.getLogger(__name__)


UNKNOWN_BOUND = -(2**60)
"""Lower bounds from here down say nothing."""


def lower_bound_in_nats(bound: int, cost: int | None, hidden: float) -> float | None:
    """Give a bound of rounded costs as one of the true costs; None if it says nothing.

    Where it meets the cost, that cost is given: the network is the best by rounded costs, and no
    other can be better by more than rounding hides.

    Parameters
    ----------
    bound, cost
        Of the search, in whole millionths of a nat.
    hidden
        What rounding may have added to the cost of any network, in the same unit.

    Examples
    --------
    >>> lower_bound_in_nats(5_000_000, 6_000_000, hidden=500_000)
    4.5
    >>> lower_bound_in_nats(6_000_000, 6_000_000, hidden=500_000)
    6.0
    """
    if bound <= UNKNOWN_BOUND:
        return None
    if cost is not None and bound >= cost:
        return cost / UNITS_PER_NAT
    exact = (bound - Fraction(hidden)) / UNITS_PER_NAT
    nearest = float(exact)
    return nearest if nearest <= exact else math.nextafter(nearest, -math.inf)


def events_of(run: Run) -> list[Event]:
    """Take what has happened since this was last asked."""
    events = [_event(run, event) for event in run.take_events()]
    for event in events:
        LOG.debug(
            "%.3f s: cost %.6f, lower bound %s, %s nodes",
            event.seconds,
            event.cost,
            bound_in_words(event.lower_bound, event.cost, 6),
            event.expanded,
        )
    return events


def last_event_of(run: Run) -> Event | None:
    """Give the best network as an event, when the run has ended; None if there is none."""
    now = run.native.snapshot()
    return _event(run, now) if now.has_network else None


def _event(run: Run, event: _native.Event | _native.Snapshot) -> Event:
    return Event(
        event.seconds,
        event.cost / UNITS_PER_NAT,
        lower_bound_in_nats(event.lower_bound, event.cost, run.hidden_units),
        event.expanded,
    )


def report_of(run: Run) -> Report:
    """Say where a run stands."""
    now = run.native.snapshot()
    cost = now.cost if now.has_network else None
    return Report(
        phase=SEARCHING,
        seconds=now.seconds,
        cost=None if cost is None else cost / UNITS_PER_NAT,
        lower_bound=lower_bound_in_nats(now.lower_bound, cost, run.hidden_units),
        expanded=now.expanded,
        stored=now.stored,
        memory_bytes=now.memory_bytes,
        expected=round(now.expected_nodes) if now.expected_nodes > now.expanded else None,
        doing=now.doing,
    )


def result_of(run: Run, events: list[Event]) -> Result:
    """Give what a run found that has ended, or one on a table that goes on."""
    scores, settings, seconds = run.scores, run.settings, run.seconds
    provenance = scores.provenance
    parents = run.parents()
    status = run.native.status
    last = run.native.snapshot()
    if parents is None:
        if status in ("interrupted", "time", "memory", "disk", "expansions"):
            raise LimitReached(f"the search ended ({status}) before it found any network")
        raise ConstraintError(
            "no network exists over these parent sets: every ordering leaves some variable "
            "without a parent set whose members come before it"
        )
    cost = run.cost(parents)
    bound = lower_bound_in_nats(last.lower_bound, None, run.hidden_units)
    lower_bound = cost if status == "optimal" else None if bound is None else min(cost, bound)
    used = algorithm(settings.algorithm)
    network = Network(scores.names, parents)
    LOG.info(
        "search ended (%s): cost %.6f, lower bound %s, %s nodes, %.3g s",
        status,
        cost,
        bound_in_words(lower_bound, cost, 6),
        last.expanded,
        seconds,
    )
    return Result(
        network=network,
        status=status,
        cost=cost,
        lower_bound=lower_bound,
        events=tuple(events),
        algorithm=settings.algorithm,
        heuristic=settings.heuristic if used.uses_heuristic else None,
        seed=int(settings.seed),
        score_name=scores.score_name,
        max_parents=scores.max_parents,
        pops=scores.pops,
        expanded=last.expanded,
        stored=last.stored,
        peak_memory_bytes=run.native.peak_memory_bytes,
        seconds={
            "scoring": 0.0,
            "bounds": last.bounds_seconds,
            "search": max(0.0, seconds - last.bounds_seconds),
            "total": seconds,
        },
        constraints=provenance.told("constraints").get("constraints"),
        table_options=provenance.table_options,
        proof=next(iter(run.evidence), None),
        arc_strengths=run.strengths(network),
        details=provenance.told(
            "ess", "max_parents_exact", "space", "rows", "bins", "rows_dropped", "completion"
        )
        | _complete_variables(scores)
        | ({"peak_disk_bytes": run.native.peak_disk_bytes} if run.native.peak_disk_bytes else {})
        | ({"parameters": _plain(settings.parameters)} if settings.parameters else {})
        | ({"bound_rests_on": used.rests_on} if _is_inexact(used, run, lower_bound) else {}),
    )


def _complete_variables(scores: LocalScores | CountedScores) -> dict[str, list[str]]:
    """Name the variables whose larger parent sets are ruled out, if known and not all."""
    complete = scores.provenance.complete_variables
    if complete is None:
        return {}
    # A score file may name what is no variable.
    return {"complete_variables": [name for name in scores.names if name in complete]}


def _plain(parameters: Mapping[str, float]) -> dict[str, float]:
    """Python numbers, whatever package made them."""
    return {name: float(value) for name, value in parameters.items()}


def _is_inexact(used: Algorithm, run: Run, lower_bound: float | None) -> bool:
    """Whether the bound is more than what the certificate proves exactly."""
    if used.rests_on is None or lower_bound is None:
        return False
    return lower_bound > claimed(run.certificate) + len(run.scores.names) / UNITS_PER_NAT
