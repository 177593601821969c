"""What a search reports: its events, where it stands, and its result."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING

from anytimebn.base.errors import ConstraintError, LimitReached
from anytimebn.base.report import SEARCHING, Report
from anytimebn.network.network import Network
from anytimebn.result.certificates import Clusters
from anytimebn.result.event import Event
from anytimebn.result.result import Result
from anytimebn.scores.store import UNITS_PER_NAT
from anytimebn.solver.registry import algorithm

if TYPE_CHECKING:
    from collections.abc import Mapping

    from anytimebn.result.certificates import Certificate
    from anytimebn.scores.on_demand import CountedScores
    from anytimebn.scores.store import LocalScores
    from anytimebn.solver.description import Algorithm
    from anytimebn.solver.run import Run

LOG = logging.getLogger(__name__)


UNKNOWN_BOUND = -(2**60)
"""Lower bounds from here down say nothing."""


def _bound(units: int) -> float | None:
    return None if units <= UNKNOWN_BOUND else units / UNITS_PER_NAT


def _told(bound: float | None) -> str:
    return "none" if bound is None else f"{bound:.6f}"


def events_of(run: Run) -> list[Event]:
    """Take what has happened since this was last asked."""
    events = [
        Event(
            event.seconds,
            event.cost / UNITS_PER_NAT,
            _bound(event.lower_bound),
            event.expanded,
        )
        for event in run.native.drain_events()
    ]
    for event in events:
        LOG.debug(
            "%.3f s: cost %.6f, lower bound %s, %s nodes",
            event.seconds,
            event.cost,
            _told(event.lower_bound),
            event.expanded,
        )
    return events


def report_of(run: Run) -> Report:
    """Say where a run stands."""
    now = run.native.snapshot()
    return Report(
        phase=SEARCHING,
        seconds=now.seconds,
        cost=now.cost / UNITS_PER_NAT if now.has_network else None,
        lower_bound=_bound(now.lower_bound),
        expanded=now.expanded,
        stored=now.stored,
        memory_bytes=now.memory_bytes,
        expected=round(now.expected_nodes) if now.expected_nodes > now.expanded else None,
        doing=now.doing,
    )


def _proof(run: Run) -> Certificate | None:
    """Give what proves the most without search, if there is something."""
    root = run.root
    if root is None:
        return run.certificate
    by_clusters = Clusters(
        groups=tuple(map(tuple, root.groups)),
        clusters=tuple(map(tuple, root.clusters)),
        multipliers=tuple(root.multipliers),
        lower_bound=root.lower_bound / UNITS_PER_NAT,
    )
    if run.certificate is not None and _claimed(run.certificate) >= _claimed(by_clusters):
        return run.certificate
    return by_clusters


def _claimed(proof: Certificate | None) -> float:
    """What a certificate says that it proves."""
    return -math.inf if proof is None or proof.lower_bound is None else proof.lower_bound


def result_of(run: Run, events: list[Event]) -> Result:
    """Give what a run found that has ended, or one on a table that goes on."""
    scores, settings, seconds = run.scores, run.settings, run.seconds
    provenance = scores.provenance
    parents = run.parents()
    status = run.native.status
    last = run.native.snapshot()
    if parents is None:
        if status in ("interrupted", "time", "memory", "expansions"):
            raise LimitReached(f"the search ended ({status}) before it found any network")
        raise ConstraintError(
            "no network exists over these parent sets: every ordering leaves some variable "
            "without a parent set whose members come before it"
        )
    cost = run.cost(parents)
    bound = _bound(last.lower_bound)
    lower_bound = cost if status == "optimal" else None if bound is None else min(cost, bound)
    used = algorithm(settings.algorithm)
    network = Network(scores.names, parents)
    LOG.info(
        "search ended (%s): cost %.6f, lower bound %s, %s nodes, %.3g s",
        status,
        cost,
        _told(lower_bound),
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
        constraints=provenance.to_json().get("constraints"),
        table_options=provenance.table_options,
        proof=_proof(run),
        arc_strengths=run.strengths(network),
        details=provenance.told("ess", "max_parents_exact", "space", "rows", "bins", "rows_dropped")
        | _complete_variables(scores)
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
    return lower_bound > _claimed(run.certificate) + len(run.scores.names) / UNITS_PER_NAT
