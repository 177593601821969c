"""All networks within a factor of the best one, as they are found: the best first.

Liao, Sharma, Cussens and van Beek 2019, "Finding all Bayesian network structures within a factor of
optimal".
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.clock import SYSTEM_CLOCK, Clock, Deadline, Stopwatch
from anytimebn.base.errors import ConstraintError, InputError
from anytimebn.base.report import ENUMERATING, Report, Sink
from anytimebn.base.text import how_many
from anytimebn.base.threads import run_native, whatever_is_pressed
from anytimebn.network.network import Network
from anytimebn.scores.store import UNITS_PER_NAT as COST_UNITS
from anytimebn.solver.reduction import families_below, priced_rows
from anytimebn.solver.search import search_with

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from anytimebn import _native
    from anytimebn.network.equivalence import Cpdag
    from anytimebn.result.result import Result
    from anytimebn.scores.store import LocalScores
    from anytimebn.solver.settings import SearchSettings

UNITS_PER_NAT = 1_000_000_000
"""Finer than in searches, where rounding can make equivalent networks differ."""

TOLERANCE_NATS = 1e-6
"""By which a network may be beyond the factor: more than the errors of sums can be."""

MOST_VARIABLES = 64
FEW_VARIABLES = 18
"""The costs of all subsets of so many are there in less time than another search would take."""

LARGEST_BATCH = 1024


@dataclass(frozen=True)
class GoodNetwork:
    """A network, its cost, and how much worse than the best it is: 1 for the best itself."""

    network: Network
    cost: float
    factor: float


@dataclass(frozen=True)
class GoodClass:
    """Equivalent networks among those that were found.

    Attributes
    ----------
    cpdag : Cpdag
        What they have in common.
    best : GoodNetwork
        The first of them.
    size : int
        How many of them were found; others of the class are beyond the factor, have too many
        parents, or are ruled out by constraints.
    """

    cpdag: Cpdag
    best: GoodNetwork
    size: int


class GoodNetworks:
    """All networks within a factor of the best, found as they are asked for, best first.

    Loop over it to have them as they come, as often as you like: what was found is kept. Nothing is
    searched in between. Limits and Ctrl-C end the loop; `complete` then is False, and what was
    found are still the best.

    Attributes
    ----------
    scores : LocalScores
        The families.
    factor : float
        As it was asked for.
    status : str
        ``"complete"`` when all networks were found; ``"running"`` before; or what ended it:
        ``"time"``, ``"memory"``, ``"count"`` or ``"interrupted"``.
    """

    def __init__(
        self,
        scores: LocalScores,
        factor: float,
        settings: SearchSettings,
        *,
        count: int | None = None,
        progress: Sink | None = None,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        if scores.variables > MOST_VARIABLES:
            raise InputError(
                f"there are {scores.variables} variables, and networks within a factor can be "
                f"listed for up to {MOST_VARIABLES}: leave some out (--exclude, in Python exclude)"
            )
        self.scores = scores
        self.factor = float(factor)
        self.status = "running"
        self._settings = settings
        self._count = count
        self._progress = progress
        self._watch = Stopwatch.started(clock)
        self._deadline = Deadline.after(settings.time_limit, clock)
        self._found: list[GoodNetwork] = []
        self._taken: list[list[int]] = []  # from the core, of which some are not in `_found` yet
        self._found_before = 0  # those were taken
        self._list: _native.NetworkList | None = None
        self._known_best: GoodNetwork | None = None  # where a search came first
        self._seconds = 0.0
        self._numbers = np.arange(scores.pops)  # of the families that are searched

    def __iter__(self) -> Iterator[GoodNetwork]:
        """Loop over all networks, those found before first."""
        position = 0
        while True:
            while position < len(self._found):
                yield self._found[position]
                position += 1
            more = self._find_more(min(LARGEST_BATCH, 1 + position))
            if not more and position == len(self._found):
                return

    def find_all(self) -> GoodNetworks:
        """Find all that are left; Ctrl-C keeps those found so far."""
        while self._find_more(LARGEST_BATCH):
            pass
        return self

    def stop(self) -> None:
        """Find no more, as Ctrl-C does; what was found is kept."""
        whatever_is_pressed(self._keep_taken)
        if self.status == "running":
            self.status = "interrupted"

    @property
    def complete(self) -> bool:
        """Whether all networks within the factor were found, which is proven then."""
        return self.status == "complete"

    @property
    def networks(self) -> tuple[GoodNetwork, ...]:
        """Those found so far, the best first."""
        return tuple(self._found)

    @property
    def classes(self) -> tuple[GoodClass, ...]:
        """The equivalence classes of those found so far, the best first."""
        members: dict[Cpdag, list[GoodNetwork]] = defaultdict(list)
        for found in self._found:
            members[found.network.cpdag()].append(found)
        return tuple(GoodClass(cpdag, own[0], len(own)) for cpdag, own in members.items())

    @property
    def arc_weights(self) -> dict[tuple[str, str], float]:
        """For each arc the share of the networks that have it, each weighted by its likelihood."""
        weights: dict[tuple[str, str], float] = defaultdict(float)
        for found in self._found:
            for arc in found.network.arcs:
                weights[arc] += 1 / found.factor
        total = math.fsum(1 / found.factor for found in self._found)
        shares = {arc: min(1.0, weight / total) for arc, weight in weights.items()}
        return dict(sorted(shares.items(), key=lambda own: (-own[1], own[0])))

    @property
    def claim(self) -> str:
        """What is known of those that were found, in words."""
        count = how_many(len(self._found), "network")
        if self.complete:
            said = f"all {count} within a factor of {self.factor:g} of the best"
        else:
            ended = {
                "running": "more may follow",
                "time": "the time limit ended the search",
                "memory": "memory ended the search",
                "count": "more were not asked for",
                "interrupted": "interrupted",
            }
            said = f"the best {count}; not complete: {ended[self.status]}"
        return said + self._limits_in_words()

    def _limits_in_words(self) -> str:
        told = self.scores.provenance
        conditions = []
        if told.factor is None:
            conditions.append("over the given parent sets")
        elif told.max_parents_exact is False:
            conditions.append(f"with up to {how_many(told.max_parents or 0, 'parent')}")
        if told.constraints is not None:
            conditions.append("within the constraints")
        if told.completion is not None:
            conditions.append("for the completed table")
        return f", of those {', '.join(conditions)}" if conditions else ""

    def to_json(self) -> dict[str, Any]:
        """What was found so far as JSON values."""
        from anytimebn.solver.good_networks_files import good_networks_json

        return good_networks_json(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write what was found so far to a ``.json`` file, or its arcs to a ``.csv`` file."""
        from anytimebn.solver.good_networks_files import write_good_networks

        write_good_networks(self, path)

    @property
    def seconds(self) -> float:
        """What the search has taken so far."""
        return self._seconds

    def __len__(self) -> int:
        return len(self._found)

    def __repr__(self) -> str:
        return f"GoodNetworks({self.claim})"

    def _find_more(self, wanted: int) -> bool:
        """Find some more; False if nothing is to be expected any more."""
        if self.status != "running":
            return False
        if self._count is not None:
            wanted = min(wanted, self._count - len(self._found))
            if wanted <= 0:
                self.status = "count"
                return False
        began = self._watch.elapsed()
        try:
            own = self._list = self._list or self._start()
            if own is None:
                return False
            more = run_native(lambda: own.find(wanted), own, self._report, keep_on_interrupt=True)
            self._taken = []
            self._found_before = len(self._found)
            self._taken = [sets for _, sets in own.take_found()]
            self._keep_taken()
        except KeyboardInterrupt:  # some may have been on their way: nothing may follow these
            self.stop()
            return False
        finally:
            self._seconds += self._watch.elapsed() - began
        if not more:
            self.status = "complete" if own.status == "finished" else own.status
            if not self.complete and not self._found and self._known_best is not None:
                self._found.append(self._known_best)
            if self.complete and not self._found:
                raise ConstraintError("every choice of the given parent sets has a cycle")
        return more

    def _keep_taken(self) -> None:
        for sets in self._taken[len(self._found) - self._found_before :]:
            self._found.append(self._network(sets))

    def _network(self, sets: list[int]) -> GoodNetwork:
        numbers = self._numbers[sets]
        cost = math.fsum(self.scores.costs[numbers].tolist())
        best = self._found[0].cost if self._found else cost
        parents = tuple(self.scores.parents(number) for number in numbers.tolist())
        network = Network(self.scores.names, parents)
        return GoodNetwork(network, cost, max(1.0, math.exp(cost - best)))

    def _start(self) -> _native.NetworkList | None:
        """Set up the search; None if a limit ends it before."""
        from anytimebn import _native

        scores = self.scores
        allowed = math.log(self.factor) + TOLERANCE_NATS
        sets: NDArray[np.bool_] | None = None
        known: dict[str, Any] = {}
        if scores.variables > FEW_VARIABLES:
            best = self._best()
            if best is None:
                return None
            self._known_best = GoodNetwork(best.network, best.cost, 1.0)
            limit = best.cost + scores.hidden_units / COST_UNITS + allowed
            sets = families_below(scores, best.proof, limit)
            lowest = math.fsum(np.minimum.reduceat(scores.costs, scores.first_set[:-1]).tolist())
            known["optimum"] = math.ceil((limit - allowed - lowest) * UNITS_PER_NAT)
            order = best.network.topological_order
            known["order"] = [scores.index(name) for name in order]
            known |= priced_rows(best.proof, UNITS_PER_NAT)
        first_set, regrets, first_member, members, self._numbers = _kept(scores, sets)
        return _native.NetworkList(
            _native.ParentSets(first_set, regrets, first_member, members),
            self._settings.native(scores.names, self._deadline),
            allowed=math.floor(allowed * UNITS_PER_NAT),
            **known,
        )

    def _best(self) -> Result | None:
        """Search for the best network, and for rows that rule out most families."""
        settings = replace(self._settings, time_limit=self._deadline.limit)
        result = search_with(self.scores, settings, progress=self._progress)
        if result.status != "optimal":
            self.status = result.status
            return None
        if result.proof is None or result.proof.kind != "rows":
            linear = replace(
                settings, algorithm="relaxation", parameters={}, time_limit=self._deadline.limit
            )
            again = search_with(self.scores, linear, start=result.network, progress=self._progress)
            if again.status == "interrupted":
                self.status = again.status
                return None
            if again.proof is not None:
                result = replace(result, proof=again.proof)
        return result

    def _report(self) -> None:
        if self._progress is not None and self._list is not None:
            self._progress(
                Report(
                    phase=ENUMERATING,
                    seconds=self._seconds,
                    cost=self._found[0].cost if self._found else None,
                    expanded=self._list.expanded,
                    memory_bytes=self._list.memory_bytes,
                    done=len(self._found),
                )
            )


def _kept(
    scores: LocalScores, kept: NDArray[np.bool_] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], Any]:
    """Give the arrays of the families that are kept, with regrets, and their numbers.

    Regrets are what each costs above the cheapest of its variable, in whole units.
    """
    lowest = np.minimum.reduceat(scores.costs, scores.first_set[:-1])
    above = scores.costs - np.repeat(lowest, np.diff(scores.first_set))
    regrets: NDArray[np.int64] = np.rint(above * UNITS_PER_NAT).astype(np.int64)
    numbers = np.arange(scores.pops)
    if kept is None:
        return scores.first_set, regrets, scores.first_member, scores.members, numbers
    sizes = np.diff(scores.first_member)
    owner = np.repeat(np.arange(scores.variables), np.diff(scores.first_set))
    left = np.bincount(owner[kept], minlength=scores.variables)
    return (
        np.concatenate([[0], np.cumsum(left)]).astype(np.int64),
        regrets[kept],
        np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int64),
        scores.members[np.repeat(kept, sizes)],
        numbers[kept],
    )
