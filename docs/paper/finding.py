"""A finding of the paper, with what our runs and its own figures say of it."""

from __future__ import annotations

from dataclasses import dataclass

from docs.findings import item, verdict


@dataclass(frozen=True)
class Finding:
    """A claim of the paper, and what there is for and against it."""

    claim: str
    holds: bool | None  # None: no runs to tell
    here: str
    there: str

    def text(self) -> str:
        """Write it as an entry of a list."""
        said = "cannot be said yet" if self.holds is None else verdict(self.holds)
        told = (
            "" if self.holds is None else f" Here: {self.here}. The paper's figures: {self.there}."
        )
        return item(f"**{self.claim}: {said}.**{told}")


def of(count: int, total: int) -> str:
    """Say how many there are of how many."""
    return f"{count} of {total}"
