"""Local scores: for each variable the parent sets that can be optimal, cheapest first."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.base.text import unknown_name
from anytimebn.scores.provenance import Provenance

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from anytimebn import _native
    from anytimebn.base.clock import Deadline


UNITS_PER_NAT = 1_000_000
"""Costs are whole millionths of a nat in the core, so that sums and comparisons are exact."""


LARGEST_NATS = 1e8
"""A search keeps costs above the cheapest in 48 bits."""


@dataclass(frozen=True, eq=False)
class LocalScores:
    """Possibly optimal parent sets (POPS) of every variable, as flat arrays.

    The sets of variable ``v`` are numbered ``first_set[v]`` to ``first_set[v + 1] - 1``, cheapest
    first; the members of set ``s`` are ``members[first_member[s]:first_member[s + 1]]``, ascending.

    Examples
    --------
    >>> import numpy as np
    >>> import anytimebn as ab
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> scores = ab.score(table, "mdl")
    >>> for cost, parents in scores.parent_sets("X1"):
    ...     print(f"{cost:.3f}", parents)
    3.689 ('X0',)
    29.570 ()
    """

    names: tuple[str, ...]
    first_set: NDArray[np.int64]
    costs: NDArray[np.float64]  # nats, to be minimised, not rounded
    first_member: NDArray[np.int64]
    members: NDArray[np.int32]
    score_name: str = "unknown"
    arities: tuple[int, ...] | None = None
    provenance: Provenance = field(default_factory=Provenance)

    @property
    def metadata(self) -> dict[str, Any]:
        """Where the scores come from, as score files tell it."""
        return self.provenance.to_json()

    @property
    def variables(self) -> int:
        """Number of variables."""
        return len(self.names)

    @property
    def pops(self) -> int:
        """Number of parent sets over all variables."""
        return len(self.costs)

    @cached_property
    def fixed_costs(self) -> NDArray[np.int64]:
        """Costs in whole millionths of a nat, rounded once, as all searches use them."""
        spread = np.maximum.reduceat(self.costs, self.first_set[:-1]) - np.minimum.reduceat(
            self.costs, self.first_set[:-1]
        )
        largest = np.maximum(self.costs.max(), -self.costs.min())
        if not (spread.sum() < LARGEST_NATS and largest < LARGEST_NATS):
            source = f"{self.provenance.source}: " if self.provenance.source else ""
            wrong = int(np.abs(self.costs).argmax())
            child = self.names[int(np.searchsorted(self.first_set, wrong, side="right")) - 1]
            raise InputError(
                f"{source}the costs are too large, up to {self.costs[wrong]:.3g} for {child!r}: "
                f"they must be below {LARGEST_NATS:.0e} nats, and so must be the sum over the "
                "variables of the largest minus the smallest"
            )
        units = self.costs * UNITS_PER_NAT  # there may be many: no more copies than needed
        return np.rint(units, out=units).astype(np.int64)

    @cached_property
    def hidden_units(self) -> float:
        """By how much the rounded cost of a network can differ from the true one, at most.

        It is the sum over the variables of the largest difference that rounding made, in millionths
        of a nat: half a one each at most, and nothing for costs that are whole.
        """
        most = []
        for begin, end in pairwise(self.first_set.tolist()):
            units = self.costs[begin:end] * UNITS_PER_NAT
            moved = np.abs(self.fixed_costs[begin:end] - units).max(initial=0.0)
            # The product is itself rounded, and may have moved the other way.
            most.append(float(moved + np.spacing(np.abs(units).max(initial=0.0))))
        return math.nextafter(math.fsum(most), math.inf)

    @cached_property
    def native(self) -> _native.ParentSets:
        """The same sets in the native core."""
        from anytimebn import _native

        return _native.ParentSets(self.first_set, self.fixed_costs, self.first_member, self.members)

    @property
    def max_parents(self) -> int | None:
        """Size of the largest parent set that was considered; None where none was too large."""
        known = self.provenance.max_parents
        if self.provenance.space is not None:
            return known
        return int(np.diff(self.first_member).max()) if known is None else known

    def index(self, name: str) -> int:
        """Position of a variable."""
        try:
            return self.names.index(name)
        except ValueError:
            raise InputError(unknown_name("variable", name, self.names)) from None

    def parents(self, number: int) -> tuple[int, ...]:
        """Members of the parent set with this number."""
        begin, end = self.first_member[number], self.first_member[number + 1]
        return tuple(self.members[begin:end].tolist())

    def parent_sets(self, name: str) -> Iterator[tuple[float, tuple[str, ...]]]:
        """Cost and members of the parent sets of a variable, cheapest first."""
        child = self.index(name)
        for number in range(self.first_set[child], self.first_set[child + 1]):
            yield float(self.costs[number]), tuple(self.names[p] for p in self.parents(number))

    def best(self, name: str, candidates: Sequence[str]) -> tuple[float, tuple[str, ...]]:
        """Cheapest parent set of a variable among the given candidates.

        Raises
        ------
        InputError
            If no parent set of the variable lies within the candidates, as can happen when arcs
            are required.
        """
        child = self.index(name)
        number = self.native.best(child, [self.index(candidate) for candidate in candidates])
        if number < 0:
            raise InputError(f"no parent set of {name!r} lies within {list(candidates)}")
        return float(self.costs[number]), tuple(self.names[p] for p in self.parents(number))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a score file, ``.jkl`` or ``.pss``."""
        from anytimebn.scores.files.score_files import write_scores

        write_scores(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, deadline: Deadline | None = None) -> LocalScores:
        """Read a score file, ``.jkl`` or ``.pss``; `LimitReached` if the deadline comes first."""
        from anytimebn.scores.files.score_files import read_scores

        return read_scores(path, deadline)

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle needs: not what is made again when it is asked for."""
        return {part.name: getattr(self, part.name) for part in fields(self)}

    def __repr__(self) -> str:
        return (
            f"LocalScores({self.variables} variables, {self.pops} parent sets, {self.score_name})"
        )
