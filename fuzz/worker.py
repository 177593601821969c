"""A process that runs cases: what it does to itself, crashes included, harms nobody else."""

from __future__ import annotations

import faulthandler
import multiprocessing
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fuzz.campaign import told
from fuzz.campaigns import load
from fuzz.simplify import simplified

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from fuzz.campaign import Case

STANDARD_ERROR = 2


@dataclass
class Outcome:
    """How a case ended: what was checked, or what was wrong."""

    seed: int | None
    checks: Counter[str] = field(default_factory=Counter)
    failure: str | None = None
    trace: str = ""
    case: Case | None = None


class Worker:
    """A process for the cases of one campaign, and the way to talk to it."""

    def __init__(self, campaign: str) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(campaign, other), daemon=False)
        self.process.start()
        other.close()
        self.seed: int | None = None
        self.case: Case | None = None

    def begin(self, seed: int | None, case: Case | None = None) -> None:
        """Have it run the case of a seed, or a case that is given."""
        self.seed, self.case = seed, case
        self.connection.send((seed, case))

    def outcome(self) -> Outcome:
        """Take what it tells; a process that has died failed."""
        try:
            outcome = self.connection.recv()
        except (EOFError, ConnectionError):
            self.process.join()
            return self._failed(f"the process died with status {self.process.exitcode}")
        assert isinstance(outcome, Outcome)
        return outcome

    def give_up(self) -> Outcome:
        """End a process that hangs."""
        self.process.kill()
        self.process.join()
        return self._failed("it hangs")

    def _failed(self, told: str) -> Outcome:
        return Outcome(self.seed, failure=told, case=self.case)

    @property
    def alive(self) -> bool:
        """Whether it can run another case."""
        return self.process.is_alive()

    def end(self) -> None:
        """Let the process go."""
        self.connection.close()
        self.process.join()


def _serve(name: str, connection: Connection[Any, Any]) -> None:
    """Run cases until nobody asks any more."""
    campaign = load(name)
    seen: set[str] = set()
    warnings.simplefilter("ignore")
    while True:
        try:
            seed, case = connection.recv()
        except (EOFError, ConnectionError):
            return
        # Before others lose their patience, say where it hangs.
        faulthandler.dump_traceback_later(0.9 * campaign.patience, file=STANDARD_ERROR)
        outcome = Outcome(seed)
        if case is None:
            case = campaign.case(seed)
        try:
            outcome.checks.update(campaign.run(case))
        except Exception as error:
            outcome.failure, outcome.trace = told(error), traceback.format_exc()
            # Of many that fail alike, one is made simpler.
            alike = outcome.failure[:40]
            outcome.case = case if alike in seen else simplified(campaign, case)
            seen.add(alike)
        faulthandler.cancel_dump_traceback_later()
        connection.send(outcome)
