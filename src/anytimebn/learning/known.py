"""What is kept from one space of families to the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from anytimebn.result.certificates import Rows

if TYPE_CHECKING:
    from anytimebn.network.network import Network
    from anytimebn.result.result import Result

MOST_NETWORKS = 20  # whose families are tried again


@dataclass
class Known:
    """What is kept from one space to the next."""

    grows: bool = False  # the space that is searched
    spare: Result | None = None  # a network for the case that the algorithm finds none
    rows: Rows | None = None  # that proved most
    seconds: float = 0.0  # that the last proof took
    stuck: Network | None = None  # whose neighbourhood could not be searched to the end
    level: int | None = 0  # up to which all parent sets were searched; None: no more
    networks: list[Network] = field(default_factory=list)

    def learn(self, result: Result, seconds: float) -> None:
        """Take over what a search of a space has shown, and how long it took."""
        if isinstance(result.proof, Rows):
            self.rows = result.proof
        if result.status in ("optimal", "gap"):
            self.seconds = seconds
        self.networks = [result.network, *self.networks][:MOST_NETWORKS]

    def families(self) -> list[list[tuple[int, ...]]]:
        """Of each variable: the parents that it had in earlier networks."""
        if not self.networks:
            return []
        return [
            sorted({network.parents[child] for network in self.networks})
            for child in range(len(self.networks[0].names))
        ]
