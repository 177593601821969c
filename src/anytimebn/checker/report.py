"""What a verification finds: one check after another."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """One thing that was checked: its name, whether it holds, and what was found."""

    name: str
    passed: bool
    detail: str
    whole: bool = True  # False: part of what is claimed could not be checked


@dataclass(frozen=True)
class Verification:
    """All checks of a result."""

    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether every check holds."""
        return all(check.passed for check in self.checks)

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that do not hold."""
        return tuple(check for check in self.checks if not check.passed)
