"""What a verification finds: one check after another, and what follows from all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Outcome = Literal["holds", "open", "failed"]
MARKS: dict[Outcome, str] = {"holds": "✓", "open": "○", "failed": "✗"}


@dataclass(frozen=True)
class Check:
    """One thing that was checked: its name, whether it holds, and what was found."""

    name: str
    passed: bool
    detail: str
    whole: bool = True  # False: part of what is claimed could not be checked

    @property
    def outcome(self) -> Outcome:
        """``holds``, ``open`` if it could not be checked completely, or ``failed``."""
        if not self.passed:
            return "failed"
        return "holds" if self.whole else "open"


@dataclass(frozen=True, repr=False)
class Verification:
    """All checks of a result.

    Its text has a line for each check (✓ it holds, ○ not all of it could be checked, ✗ it fails)
    and what follows.

    Parameters
    ----------
    checks
        One after another.
    claim
        What the result says to be proven of its network, as `Result.claim`; None if nothing is.
    about
        Which networks that is about, as words that follow "network"; empty if it is all of them.
    bound_proven
        Whether the lower bound of the result follows from what was computed again.

    Examples
    --------
    >>> checks = (Check("acyclic", True, "3 arcs"), Check("certificate", True, "none", whole=False))
    >>> found = Verification(checks, claim="optimal", about="")
    >>> found.ok, found.proven
    (True, False)
    >>> print(found)
    ✓ acyclic: 3 arcs
    ○ certificate: none
    consistent: every check holds; that no network costs less is claimed, not proven again
    """

    checks: tuple[Check, ...]
    claim: str | None = None
    about: str = ""
    bound_proven: bool = False

    @property
    def ok(self) -> bool:
        """Whether every check holds: nothing that the result says was found to be wrong."""
        return all(check.passed for check in self.checks)

    @property
    def proven(self) -> bool:
        """Whether the result claims its network to be the best, and this was proven again."""
        return self.ok and self.claim is not None and self.bound_proven

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that do not hold."""
        return tuple(check for check in self.checks if not check.passed)

    @property
    def verdict(self) -> str:
        """What follows from all checks, in a line."""
        if not self.ok:
            return f"not verified: {', '.join(check.name for check in self.failures)}"
        none_better = f"that no network{self.about} costs less"
        if self.proven:
            return f"verified: every check holds; {none_better} is proven again"
        if self.claim is not None:
            return f"consistent: every check holds; {none_better} is claimed, not proven again"
        whole = all(check.whole for check in self.checks)
        but = "" if whole else "; what is marked as open was not fully checked"
        return f"verified: every check holds; optimality is not claimed{but}"

    def __str__(self) -> str:
        lines = [f"{MARKS[one.outcome]} {one.name}: {one.detail}" for one in self.checks]
        return "\n".join([*lines, self.verdict])

    def __repr__(self) -> str:
        held = sum(check.passed for check in self.checks)
        return f"Verification({held} of {len(self.checks)} checks hold; {self.verdict})"
