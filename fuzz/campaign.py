"""What a campaign is: it draws cases from a seed, and runs them.

A case is a JSON value that says all there is to it, so that it can be kept in a file, made simpler,
and run again years later, whatever has become of the random numbers that it was drawn from.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Case: TypeAlias = dict[str, Any]


class Failure(Exception):
    """What the product did is wrong."""


def require(holds: bool, told: str) -> None:
    """Raise `Failure` unless something holds."""
    if not holds:
        raise Failure(told)


def _nothing_simpler(_: Case) -> Iterator[Case]:
    return iter(())


@dataclass(frozen=True)
class Campaign:
    """One kind of attack.

    Parameters
    ----------
    name, summary
        What it is called, and what it attacks, in a line.
    draw
        Makes a case.
    run
        Runs a case, and says in a word or two how each of its checks ended, for the counts;
        `Failure`, or any exception that is not expected, if the product is wrong.
    simpler
        Cases that are simpler than a given one, those that save most first.
    patience
        Seconds after which a case is taken to hang, on a machine that does much else.
    in_suite
        Seeds of the cases that the test suite runs.
    on_request
        Whether it takes so long that it is run only when it is named.
    """

    name: str
    summary: str
    draw: Callable[[Random], Case]
    run: Callable[[Case], Iterable[str]]
    simpler: Callable[[Case], Iterator[Case]] = _nothing_simpler
    patience: float = 300.0
    in_suite: range = range(100)
    on_request: bool = False

    def case(self, seed: int) -> Case:
        """Draw the case of a seed, always the same one."""
        return self.draw(Random(f"{self.name} {seed}"))

    def failure(self, case: Case) -> str | None:
        """Run a case; say what was wrong, if something was."""
        try:
            list(self.run(case))
        except Exception as error:
            return told(error)
        return None


def told(error: BaseException) -> str:
    """What an error says, with its kind unless it is ours."""
    return str(error) if isinstance(error, Failure) else f"{type(error).__name__}: {error}"
