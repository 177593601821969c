"""Order searches on workers of an executor, beside what is searched here.

Each task is an order search with a seed of its own, on one thread, that begins with the best
network of the moment or anew. It returns its network and the families of good networks that it has
met. The network is checked and scored again here before anybody hears of it; families are only
proposed to the spaces that are searched exactly, and counted there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from anytimebn.base.errors import InputError, WorkerWarning
from anytimebn.base.executors import Tasks
from anytimebn.base.helpers import Helpers, Mark, Refused
from anytimebn.base.text import shown
from anytimebn.base.warn import warn_caller
from anytimebn.scores.store import UNITS_PER_NAT
from anytimebn.solver.elsewhere import (
    checked_network,
    search_on_worker,
    seconds_of_task,
    seed_of_task,
)
from anytimebn.solver.run import TableRun
from anytimebn.solver.search import search_with
from anytimebn.solver.start import parents_of_start

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from concurrent.futures import Executor

    from anytimebn.base.clock import Deadline, Stopwatch
    from anytimebn.learning.known import ParentSets
    from anytimebn.network.network import Network
    from anytimebn.result.result import Result
    from anytimebn.scores.on_demand import CountedScores
    from anytimebn.solver.run import Parents
    from anytimebn.solver.settings import SearchSettings

ANEW_EVERY = 4  # tasks: the others begin with the best network of the moment
TASKS_OF_A_ROUND = 4
"""Without a time limit; as many whatever workers there are, so that results repeat."""
MOST_FAMILIES = 200  # of a variable, from all workers


class FoundOrder(NamedTuple):
    """What a worker returns."""

    parents: Parents
    cost: float
    good_families: ParentSets


def search_orders(
    counted: CountedScores, mark: Mark, settings: SearchSettings, start: Parents | None
) -> FoundOrder | None:
    """Do one task, in whatever process this is; None if it ended before there was a network."""
    run = search_on_worker(counted, settings, start, mark)
    assert isinstance(run, TableRun)
    parents = run.parents()
    return None if parents is None else FoundOrder(parents, run.cost(parents), run.good_families())


class Referee:
    """Looks at what workers return, and keeps the best network and the families.

    Parameters
    ----------
    counted
        By which networks are scored here.
    settings
        Of order searches.
    """

    def __init__(self, counted: CountedScores, settings: SearchSettings) -> None:
        self._counted = counted
        self._at_once = replace(settings, time_limit=0.0, jobs=1)
        self._rounding = len(counted.names) / UNITS_PER_NAT
        self._families: list[dict[tuple[int, ...], None]] = [{} for _ in counted.names]
        self.best: Result | None = None

    def judge(self, found: FoundOrder | None, known: float) -> Result | None:
        """Give a network with what it costs here; None if it is no better than what is known.

        Raises
        ------
        Refused
            If it is no network of this table, or does not cost what the worker says.
        """
        if found is None:
            return None
        if not isinstance(found, FoundOrder):
            raise Refused(f"no network, but {shown(found)}")
        network = checked_network(self._counted.names, found.parents)
        self._propose(found.good_families)
        if not found.cost < known - self._rounding:
            return None
        try:
            parents_of_start(self._counted, network)
        except InputError as error:
            raise Refused(f"a network that is not allowed ({error})") from error
        result = search_with(self._counted, self._at_once, start=network)
        if abs(result.cost - found.cost) > self._rounding:
            raise Refused(f"a network that costs {result.cost:.6f}, not {found.cost:.6f}")
        self.best = replace(result, status="finished")
        return self.best

    def _propose(self, families: ParentSets) -> None:
        variables = range(len(self._counted.names))
        if len(families) not in (0, len(variables)):
            raise Refused("families of other variables")
        for child, sets in enumerate(families):
            for parents in sets:
                if not all(parent in variables and parent != child for parent in parents):
                    raise Refused("a family of other variables")
                self._families[child].pop(tuple(parents), None)
                self._families[child][tuple(parents)] = None
            for oldest in list(self._families[child])[:-MOST_FAMILIES]:
                del self._families[child][oldest]

    def with_families(self, own: ParentSets) -> ParentSets:
        """Give the families of good networks that workers have met, with those of others."""
        if not any(self._families):
            return own
        return [
            list(dict.fromkeys((*(own[child] if own else ()), *proposed)))
            for child, proposed in enumerate(self._families)
        ]


class OrdersElsewhere(Helpers["FoundOrder | None"]):
    """Order searches on workers, as long as one goes on here.

    Parameters
    ----------
    counted
        Of the table.
    executor
        Who searches.
    settings
        Of the search here; tasks have seeds and limits of their own.
    watch, deadline
        Since when it is learned, and until when.
    incumbent
        Gives the best network that is known here, and its cost.
    better
        Hears of each better network, with what it costs here.
    """

    def __init__(
        self,
        counted: CountedScores,
        executor: Executor,
        *,
        settings: SearchSettings,
        watch: Stopwatch,
        deadline: Deadline,
        incumbent: Callable[[], tuple[float, Parents | None]],
        better: Callable[[Network], None],
    ) -> None:
        super().__init__(search_orders, counted, executor)
        self._referee = Referee(counted, settings)
        self._settings = settings
        self._watch, self._deadline = watch, deadline
        self._incumbent, self._better = incumbent, better

    @property
    def best(self) -> Result | None:
        """The best network that a worker has found, as it was scored here."""
        return self._referee.best

    def with_families(self, own: ParentSets) -> ParentSets:
        """Give the families of good networks that workers have met, with those of others."""
        return self._referee.with_families(own)

    def next_task(self, number: int) -> tuple[Any, ...] | None:
        """Give a seed, a network to begin with, and as much time as all took before."""
        seconds = seconds_of_task(self._watch.elapsed(), self._deadline.left())
        if seconds is None:
            return None
        settings = replace(
            self._settings, seed=seed_of_task(self._settings.seed, number), time_limit=seconds
        )
        return settings, self._known()[1] if number % ANEW_EVERY else None

    def look_at(self, outcome: FoundOrder | None) -> None:
        """Keep a network that is better than all others, and tell of it."""
        found = self._referee.judge(outcome, self._known()[0])
        if found is not None:
            self._better(found.network)

    def _known(self) -> tuple[float, Parents | None]:
        cost, parents = self._incumbent()
        best = self.best
        if best is None or cost <= best.cost:
            return cost, parents
        return best.cost, best.network.parents


def search_in_rounds(
    referee: Referee,
    counted: CountedScores,
    executor: Executor,
    settings: SearchSettings,
    best: Callable[[], Result],
) -> Generator[Result | None]:
    """Search orders in rounds until one brings nothing better: results repeat whoever works.

    Parameters
    ----------
    referee
        Looks at what comes back.
    counted, executor, settings
        As for `OrdersElsewhere`; without a time limit.
    best
        Gives the best network that is known here: tasks of a round begin with that.

    Yields
    ------
    Result or None
        A better network, which `best` is to know from then on; None a few times a second. The
        first time, when the tasks of the first round have been handed over.
    """
    mark = Mark()
    first = 0
    try:
        with Tasks[int, "FoundOrder | None"](search_orders, counted, executor) as tasks:
            while True:
                before = best()
                numbers = range(first, first + TASKS_OF_A_ROUND)
                for number in numbers:
                    own = replace(settings, seed=seed_of_task(settings.seed, number))
                    tasks.begin(number, mark, own, before.network.parents)
                first += TASKS_OF_A_ROUND
                found: dict[int, FoundOrder | None] = {}
                yield None
                for some in tasks.come_back():
                    found.update(some)
                    yield None
                for number in numbers:
                    yield _judged(referee, found[number], best().cost)
                if best() is before:
                    return
    except Exception as error:
        warn_caller(
            f"help by workers: it ended, and the search went on here alone "
            f"({type(error).__name__}: {error})",
            WorkerWarning,
        )
    finally:
        mark.stopped = True


def _judged(referee: Referee, found: FoundOrder | None, known: float) -> Result | None:
    try:
        return referee.judge(found, known)
    except Refused as fault:
        warn_caller(f"what a worker returned is left out: {fault}", WorkerWarning)
        return None
