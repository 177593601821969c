"""Proofs by workers of an executor, for a search that goes on here.

A worker gets the parent sets once, and with each task the best network of the moment, a route and
some seconds. Where the problem has several components, a task is about one of them: everything else
stays as it is in that network (`anytimebn.solver.components`).

It returns its best network and the rows of its linear program. Both are evaluated
here, with the costs that are here: the network is offered to the search as any other, and the rows
prove what they prove again (`anytimebn.solver.proving_again`), in whole numbers. What a worker has
proven by visiting nodes cannot be evaluated again in a moment, and is not taken.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from anytimebn.base.clock import Stopwatch
from anytimebn.base.errors import InputError
from anytimebn.base.helpers import Helpers, Mark, Refused
from anytimebn.base.resources import available_cores, memory_to_use, resident_bytes
from anytimebn.base.text import shown
from anytimebn.base.threads import run_native
from anytimebn.network.network import Network
from anytimebn.result.certificates import Rows, claimed
from anytimebn.scores.restrict import fixed_outside
from anytimebn.scores.store import UNITS_PER_NAT
from anytimebn.solver.components import ComponentTurns, joined_rows
from anytimebn.solver.proving_again import prove_again
from anytimebn.solver.run import Parents, ParentSetRun, Run, Scores, start_run
from anytimebn.solver.settings import SearchSettings
from anytimebn.solver.start import sets_of_start

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Executor

    from anytimebn.scores.store import LocalScores
    from anytimebn.solver.components import Variables

ROUTES = ("relaxation", "auto")
"""What workers do by turns with a component: the linear program alone, and whichever route proves
more."""
PATIENCE = 1.0  # seconds: what is proven by then needs no help
SHORTEST, LONGEST = 1.0, 60.0  # seconds of a task
RESERVE = 0.3  # seconds in which an answer comes back and is looked at


class Proof(NamedTuple):
    """What a worker returns."""

    parents: Parents | None
    rows: Rows | None


def search_on_worker(
    scores: Scores, settings: SearchSettings, start: Parents | None, mark: Mark
) -> Run:
    """Search in whatever process this is, on one thread, and return the run when it has ended."""
    if settings.memory_limit is None:  # others may search beside it
        share = memory_to_use(None) // available_cores()
    else:
        share = memory_to_use(settings.memory_limit)
    own = replace(settings, jobs=1, memory_limit=resident_bytes() + share)
    network = None if start is None else Network(scores.names, start)
    run = start_run(scores, own, network)

    def look() -> None:
        if mark.stopped:
            run.stop()

    run_native(run, run, look)
    return run


def seconds_of_task(so_far: float, left: float) -> float | None:
    """How long a task is to take: as long as all did before; None if there is no time for one.

    Answers are exchanged often in the beginning, and not too often later: each task begins anew
    with what is counted on the way.
    """
    left -= RESERVE
    return None if left <= RESERVE else min(max(SHORTEST, so_far), LONGEST, left)


def checked_network(names: Sequence[str], parents: Any) -> Network:
    """Make a network of what a worker returned.

    Raises
    ------
    Refused
        If it is none.
    """
    try:
        whole = tuple(tuple(int(parent) for parent in own) for own in parents)
        return Network(tuple(names), whole)
    except (InputError, TypeError, ValueError, IndexError) as error:
        raise Refused(f"no network ({error})") from error


def _prove(
    scores: LocalScores,
    mark: Mark,
    settings: SearchSettings,
    start: Parents | None,
    free: Variables | None,
) -> Proof:
    """Do one task, about all variables or some; the others have the parents of the start."""
    if free is not None and start is not None:
        chosen = sets_of_start(scores, Network(scores.names, start))
        scores = fixed_outside(scores, free, chosen)
    run = search_on_worker(scores, settings, start, mark)
    rows = next((proof for proof in run.evidence if isinstance(proof, Rows)), None)
    return Proof(run.parents(), rows)


class ProofsElsewhere(Helpers[Proof]):
    """Workers that help a search of given parent sets, from when it is prepared to its end.

    Parameters
    ----------
    run
        The search; it is helped within a ``with`` block.
    executor
        Who helps.
    """

    def __init__(self, run: ParentSetRun, executor: Executor) -> None:
        super().__init__(_prove, run.sets, executor, patience=PATIENCE)
        self._run = run
        self._watch = Stopwatch.started(run.clock)
        self._turns = ComponentTurns(run.native)
        self._rows: dict[int, Rows] = {}  # that proved most, by component
        self.taken = 0  # networks and bounds that were better than what was known here

    def __enter__(self) -> ProofsElsewhere:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def next_task(self, number: int) -> tuple[Any, ...] | None:
        """Give a component, the best network of the moment, and the rows that proved most."""
        run, asked = self._run, self._run.settings
        left = run.deadline.left()
        seconds = seconds_of_task(self._watch.elapsed(), left)
        turn = None if seconds is None else self._turns.next()
        if turn is None:
            return None
        settings = SearchSettings(
            algorithm=ROUTES[turn.before % len(ROUTES)],
            seed=seed_of_task(asked.seed, number),
            time_limit=seconds,
            memory_limit=asked.memory_limit,
            gap=asked.gap,
            components=asked.components,
            known_rows=self._rows.get(turn.component, asked.known_rows),
        )
        return settings, run.parents(), turn.free

    def look_at(self, outcome: Proof) -> None:
        """Offer the network, and what the rows prove."""
        if not isinstance(outcome, Proof):
            raise Refused(f"no proof, but {shown(outcome)}")
        if outcome.parents is not None:
            self._offer(outcome.parents)
        if isinstance(outcome.rows, Rows):
            self._prove_again(outcome.rows)

    def _offer(self, parents: Parents) -> None:
        scores, native = self._run.sets, self._run.native
        network = checked_network(scores.names, parents)
        try:
            # Parents that are not considered are left out, and cannot make a cycle by that.
            self.taken += native.offer_network(sets_of_start(scores, network))
        except (InputError, ValueError) as error:
            raise Refused(f"a network that is not allowed ({error})") from error

    def _prove_again(self, rows: Rows) -> None:
        native = self._run.native
        before = native.component_bounds
        # What it says is not believed, but less than what is known need not be computed.
        if not claimed(rows) * UNITS_PER_NAT > sum(before):
            return
        names = self._run.sets.names
        try:
            sound = Rows.from_json(rows.to_json(names), names)
        except (InputError, IndexError, TypeError, AttributeError) as error:
            raise Refused(f"rows that are none ({error})") from error
        touched = self._turns.of_rows(sound)
        others = [own for component, own in self._rows.items() if component not in touched]
        together = joined_rows([*others, sound])  # one certificate proves all of it
        found = prove_again(native, (together,), seed=self._run.settings.seed)
        for proof in found.certificates:
            self._run.keep(proof)
        now = native.component_bounds
        raised = [c for c, (old, new) in enumerate(zip(before, now, strict=True)) if new > old]
        if raised:
            self._rows.update(dict.fromkeys(raised, sound))
            self.taken += 1


def seed_of_task(seed: int, number: int) -> int:
    """Give a seed that depends on the number of a task only.

    Examples
    --------
    >>> len({seed_of_task(seed, number) for seed in range(3) for number in range(3)})
    9
    """
    import numpy as np

    return int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0])


def help_from(executor: Executor | None, run: Run) -> None:
    """Have a search helped by an executor, if there is one and results need not repeat."""
    settings = run.settings
    repeats = settings.max_expansions is not None or settings.stop_at_check > 0
    if (
        executor is not None
        and isinstance(run, ParentSetRun)
        and settings.algorithm == "auto"
        and not repeats
    ):
        run.helped = ProofsElsewhere(run, executor)
