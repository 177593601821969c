"""What is kept from one space of families to the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from anytimebn.result.certificates import Rows

if TYPE_CHECKING:
    from anytimebn.network.network import Network
    from anytimebn.result.result import Result
    from anytimebn.solver.proving_again import Evidence

MOST_NETWORKS = 20  # whose families are tried again

Way = Literal["levels", "good families", "near good families", "further families"]
WAYS: tuple[Way, ...] = get_args(Way)
"""How a space is made wider than a neighbourhood, in the order in which it is tried: by all parent
sets up to a size; by those of good networks, which the order search has met; by all within one
change of some of these, twice as many each time; by those with one parent more than a family of the
neighbourhood that is of use."""


ParentSets: TypeAlias = list[list[tuple[int, ...]]]  # of each variable


@dataclass
class Known:
    """What is kept from one space to the next."""

    grows: bool = False  # the space that is searched
    spare: Result | None = None  # a network for the case that the algorithm finds none
    rows: Rows | None = None  # that proved most
    seconds: float = 0.0  # that the last proof about a neighbourhood took
    tried_seconds: float = 0.0  # the longest search of a neighbourhood that proved nothing
    counting_seconds: float = 0.0  # that all families of a neighbourhood take to be counted
    stuck: Network | None = None  # whose neighbourhood could not be searched to the end
    level: int = 0  # up to which all parent sets were searched
    ways: list[Way] = field(default_factory=lambda: list(WAYS))  # that may pay; the next one first
    tried: dict[Way, Network] = field(default_factory=dict)  # the network that each was last for
    good_families: ParentSets = field(default_factory=list)  # of the order search, best first
    breadth: int = 1  # of these, how many of each variable the space is to be near to
    orders_ended: bool = False  # the search for orders that comes before all spaces
    proofs: dict[str, tuple[Evidence, ...]] = field(default_factory=dict)  # of an earlier run
    networks: list[Network] = field(default_factory=list)

    def learn(self, result: Result) -> None:
        """Take over what a search of a space has shown."""
        if isinstance(result.proof, Rows):
            self.rows = result.proof
        self.networks = [result.network, *self.networks][:MOST_NETWORKS]

    def needs_the_rest(self, left: float) -> bool:
        """Whether a proof takes all the seconds that are left, as far as earlier ones tell.

        One that proved nothing shared the cores, and would have been faster alone, but not by much.
        """
        hopeless = self.seconds == 0 and 2 * self.tried_seconds > 3 * left
        return left < 3 * max(self.seconds, self.tried_seconds) and not hopeless

    def next_way(self, network: Network) -> Way | None:
        """Say how to widen the space of a network, and that it is tried; None if it is no use."""
        for way in self.ways:
            # Larger and larger spaces can be tried in some ways; others once for each network.
            grows = way == "levels" or (way == "near good families" and self._has_more_families)
            is_new = grows or self.tried.get(way) != network
            if is_new and ("good families" not in way or self.good_families):
                self.tried[way] = network
                return way
        return None

    @property
    def _has_more_families(self) -> bool:
        return self.breadth < max(map(len, self.good_families), default=0)

    def other_networks(self) -> list[tuple[tuple[int, ...], ...]]:
        """Give some good families of each variable, as if they were those of networks."""
        return [
            tuple(own[min(rank, len(own) - 1)] if own else () for own in self.good_families)
            for rank in range(self.breadth)
        ]

    def judge(self, way: Way, *, paid: bool) -> None:
        """Try others first the next time, and one that did not pay never again."""
        self.ways.remove(way)
        if paid:
            self.ways.append(way)
        if way == "near good families":
            self.breadth *= 2

    def families(self) -> ParentSets:
        """Of each variable: the parents that it had in earlier networks."""
        if not self.networks:
            return []
        return [
            sorted({network.parents[child] for network in self.networks})
            for child in range(len(self.networks[0].names))
        ]
