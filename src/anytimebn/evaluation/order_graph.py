"""The whole order graph: f = g* + h of all its nodes, as Table 2 and Figures 3 and 4 need them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from anytimebn.base.checks import (
    LARGEST_COUNT,
    MOST_JOBS,
    check_number,
    check_whole,
    is_list,
    is_number,
)
from anytimebn.base.choices import check_parameters
from anytimebn.base.clock import SYSTEM_CLOCK, Clock, Deadline, Stopwatch
from anytimebn.base.errors import ConstraintError, InputError, LimitReached
from anytimebn.base.memory_units import format_memory
from anytimebn.base.resources import available_cores, memory_to_use
from anytimebn.base.text import shown
from anytimebn.scores.store import LARGEST_NATS, UNITS_PER_NAT, LocalScores
from anytimebn.solver.registry import heuristic as find_heuristic

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


@dataclass(frozen=True)
class Layer:
    """Sums over all sets with a given number of placed variables.

    A step places one more variable: ``step_parents / steps`` is the average size of the cheapest
    parent sets there. ``last_parents / reachable`` is that of the variable placed last on a
    cheapest way to each node (of the smallest network of equal cost, the smallest set).
    ``network_parents / reachable`` is the average number of arcs of these networks of placed
    variables; None where costs are too large to count them on the way.
    """

    placed: int
    nodes: int
    reachable: int
    last_parents: int
    network_parents: int | None
    steps: int
    step_parents: int


@dataclass(frozen=True)
class FCosts:
    """f = g* + h of all nodes, for one heuristic.

    ``below`` has, by layer, the nodes with f below the optimum: every best-first search must expand
    them, if h is consistent. The histogram counts all nodes from ``first_bin`` (nats) in steps of
    ``bin_width``, without ``dead`` ones: by g* and h, no network goes through these.
    """

    heuristic: str
    parameters: dict[str, float]
    below: tuple[int, ...]
    at_optimum: int
    dead: int
    first_bin: float
    bin_width: float
    bins: tuple[int, ...]

    @property
    def share_below(self) -> float:
        """Fraction of all nodes with f below the optimum."""
        return sum(self.below) / (1 << (len(self.below) - 1))


@dataclass(frozen=True)
class WholeOrderGraph:
    """What a sweep over every node of the order graph found.

    ``cheapest_parents`` is the number of arcs if every variable had its cheapest parents, cycles or
    not.
    """

    optimum: float
    cheapest_parents: int
    layers: tuple[Layer, ...]
    f_costs: tuple[FCosts, ...]
    seconds: float
    memory_bytes: int

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return asdict(self)


def sweep_order_graph(
    scores: LocalScores,
    heuristics: Sequence[str | tuple[str, Mapping[str, float]]] = ("static-pd",),
    *,
    known_optimum: float | None = None,
    seed: int = 0,
    jobs: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | str | None = None,
    progress: Callable[[float], None] | None = None,
    clock: Clock = SYSTEM_CLOCK,
) -> WholeOrderGraph:
    """Compute g* and f of all ``2**n`` nodes of the order graph.

    Parameters
    ----------
    scores
        Of at most 32 variables.
    heuristics
        Names, or pairs of a name and its parameters.
    known_optimum
        The cost of an optimal network, if known; otherwise the nodes may be swept twice. A wrong
        one costs time, not truth.
    seed, jobs
        As for `search`.
    time_limit, memory_limit
        Seconds, and bytes or text such as ``"8GiB"`` for the whole process; `LimitReached` when
        they do not suffice.
    progress
        Called a few times a second with the fraction done.
    clock
        By which `time_limit` is kept.

    Examples
    --------
    >>> import numpy as np
    >>> import anytimebn as ab
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> graph = sweep_order_graph(ab.score(table), ["simple"])
    >>> graph.f_costs[0].below, [layer.nodes for layer in graph.layers]
    ((1, 1, 0, 0), [1, 3, 3, 1])
    """
    from anytimebn import _native
    from anytimebn.base.threads import run_native

    if scores.variables > _native.most_swept_variables:
        raise InputError(
            f"the order graph of {scores.variables} variables has too many nodes to visit them "
            f"all: at most {_native.most_swept_variables} variables are accepted"
        )
    if not is_list(heuristics):
        raise InputError(f"heuristics must be a list of names, not {shown(heuristics)}")
    check_whole("seed", seed, 0, LARGEST_COUNT)
    if jobs is not None:
        check_whole("jobs", jobs, 1, MOST_JOBS)
    if time_limit is not None:
        check_number("time_limit", time_limit, 0, unit=" seconds")
    if known_optimum is not None and not (
        is_number(known_optimum) and abs(known_optimum) < LARGEST_NATS
    ):
        raise InputError(
            f"known_optimum must be a number below {LARGEST_NATS:.0e}, not {shown(known_optimum)}"
        )
    pairs = [(given, {}) if isinstance(given, str) else given for given in heuristics]
    chosen = [(name, dict(parameters)) for name, parameters in pairs]
    for name, parameters in chosen:
        check_heuristic(name, parameters)
    memory_bytes = memory_to_use(memory_limit)
    control = _native.Control()
    watch, deadline = Stopwatch.started(clock), Deadline.after(time_limit, clock)

    def report() -> None:
        if deadline.passed():
            control.stop()
        if progress is not None:
            progress(control.fraction_done)

    swept = run_native(
        lambda: _native.sweep_order_graph(
            scores.native,
            heuristics=[name for name, _ in chosen],
            parameters=[parameters for _, parameters in chosen],
            known_optimum=None if known_optimum is None else round(known_optimum * UNITS_PER_NAT),
            seed=seed,
            jobs=jobs or available_cores(),
            memory_bytes=memory_bytes,
            control=control,
        ),
        control,
        report,
    )
    if swept.out_of_memory:
        raise LimitReached(
            f"all nodes of {scores.variables} variables need "
            f"{format_memory(swept.memory_bytes)} and their heuristics; "
            f"{format_memory(memory_bytes)} are allowed"
        )
    if not swept.complete:
        raise LimitReached(
            f"the time limit was reached when the order graph was {control.fraction_done:.0%} swept"
        )
    if not swept.feasible:
        raise ConstraintError("no network exists over these parent sets")
    return WholeOrderGraph(
        optimum=swept.optimum / UNITS_PER_NAT,
        cheapest_parents=swept.cheapest_parents,
        layers=tuple(
            Layer(
                placed=placed,
                nodes=layer.nodes,
                reachable=layer.reachable,
                last_parents=layer.last_parents,
                network_parents=layer.network_parents if swept.counts_networks else None,
                steps=layer.steps,
                step_parents=layer.step_parents,
            )
            for placed, layer in enumerate(swept.layers)
        ),
        f_costs=tuple(
            FCosts(
                heuristic=name,
                parameters=parameters,
                below=tuple(found.below),
                at_optimum=found.at_limit,
                dead=found.dead,
                first_bin=swept.base / UNITS_PER_NAT,
                bin_width=found.bin_width / UNITS_PER_NAT,
                bins=_without_empty_end(found.bins),
            )
            for (name, parameters), found in zip(chosen, swept.distributions, strict=True)
        ),
        seconds=watch.elapsed(),
        memory_bytes=swept.memory_bytes,
    )


def check_heuristic(name: str, parameters: Mapping[str, float]) -> None:
    """Refuse an unknown heuristic, and parameters that it does not have."""
    check_parameters(name, parameters, find_heuristic(name).parameters)


def _without_empty_end(counts: Sequence[int]) -> tuple[int, ...]:
    last = max((i for i, count in enumerate(counts) if count), default=-1)
    return tuple(counts[: last + 1])
