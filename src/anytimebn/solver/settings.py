"""How to search: what users may set, and the native options made of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import chain
from typing import TYPE_CHECKING

from anytimebn.base.checks import (
    LARGEST_COUNT,
    MOST_JOBS,
    are_names,
    check_number,
    check_whole,
    is_list,
)
from anytimebn.base.choices import check_parameters
from anytimebn.base.errors import InputError
from anytimebn.base.memory_units import parse_memory
from anytimebn.base.resources import available_cores, memory_to_use
from anytimebn.base.text import shown, unknown_name
from anytimebn.solver.registry import algorithm, heuristic

if TYPE_CHECKING:
    from anytimebn import _native
    from anytimebn.base.clock import Deadline
    from anytimebn.result.certificates import Rows

UNLIMITED = 2**64 - 1

Groups = Sequence[Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """How to search: the options of `search`, `learn` and `stream`.

    Parameters
    ----------
    algorithm, heuristic
        Names of ``anytimebn list algorithms`` and ``anytimebn list heuristics``.
    parameters
        Of the algorithm and the heuristic, by name, such as ``{"weight": 1.5}``.
    groups
        The variables of each pattern database of ``static-pd``; chosen for you by default.
    time_limit
        Seconds.
    memory_limit
        Bytes, or text such as ``"8GiB"``, for the whole process; by default four fifths of what is
        free.
    gap
        Stop when the cost is proven to be within this fraction of the best network's, of those that
        the search is about.
    max_expansions
        Stop after this many nodes: unlike a time limit, this gives the same result everywhere.
    seed
        Of everything random.
    jobs
        Threads, for algorithms that can use several; by default all cores. The result does not
        depend on it, except by what a time limit allows.
    path_extension, components
        Dominances that keep exactness; off only to study their effect.
    local_search
        Improve the first network by local search before the algorithm starts.
    bound
        Add the lower bound of a linear program with cutting planes to an algorithm that does not
        prove: see `anytimebn.solver.bounding`. Algorithms that prove have bounds of their own, and
        nothing changes.
    known_rows
        Rows of an earlier result's certificate (`Result.proof`) of the same variables, with which a
        linear program begins: they hold whatever the parent sets are.
    """

    algorithm: str = "auto"
    heuristic: str = "static-pd"
    parameters: Mapping[str, float] = field(default_factory=dict)
    groups: Groups = ()
    time_limit: float | None = None
    memory_limit: int | str | None = None
    gap: float = 0.0
    max_expansions: int | None = None
    seed: int = 0
    jobs: int | None = None
    path_extension: bool = True
    components: bool = True
    local_search: bool = True
    bound: bool = False
    known_rows: Rows | None = None
    stop_at_check: int = 0  # for tests

    def __post_init__(self) -> None:
        chosen = algorithm(self.algorithm)
        known = chosen.parameters
        owner = self.algorithm
        if chosen.uses_heuristic:
            known += heuristic(self.heuristic).parameters
            owner = f"{self.algorithm} with {self.heuristic}"
        elif not are_names([self.heuristic]):
            heuristic(self.heuristic)  # not used, but no name either: refused
        check_parameters(owner, self.parameters, known)
        if self.time_limit is not None:
            check_number("time_limit", self.time_limit, 0, unit=" seconds")
        check_number("gap", self.gap, 0)
        if self.max_expansions is not None:
            check_whole("max_expansions", self.max_expansions, 0)
        check_whole("seed", self.seed, 0, LARGEST_COUNT)
        if self.jobs is not None:
            check_whole("jobs", self.jobs, 1, MOST_JOBS)
        for name in ("path_extension", "components", "local_search", "bound"):
            if not isinstance(getattr(self, name), bool):
                raise InputError(f"{name} must be True or False, not {shown(getattr(self, name))}")
        if self.memory_limit is not None:
            parse_memory(self.memory_limit)
        self._check_known_rows()
        if not is_list(self.groups) or not all(map(are_names, self.groups)):
            raise InputError(
                f"groups must be lists of names, such as [['A', 'B'], ['C']], not "
                f"{shown(self.groups)}"
            )

    def _check_known_rows(self) -> None:
        if self.known_rows is not None and getattr(self.known_rows, "kind", None) != "rows":
            raise InputError(
                "known_rows must be the proof of a result, of the kind 'rows', not "
                f"{shown(self.known_rows)}"
            )

    def parameter(self, name: str) -> float:
        """Value of a parameter of the algorithm: as it was set, or its default."""
        known = {known.name: known.default for known in algorithm(self.algorithm).parameters}
        return self.parameters.get(name, known[name])

    def native(
        self, names: Sequence[str], deadline: Deadline | None = None
    ) -> _native.SearchOptions:
        """Give the same settings as the core takes them, with the time that a deadline leaves."""
        from anytimebn import _native

        number_of = {name: number for number, name in enumerate(names)}
        for name in chain.from_iterable(self.groups):
            if name not in number_of:
                raise InputError(unknown_name("variable", name, names))
        groups = [[number_of[name] for name in group] for group in self.groups]
        _check_partition(groups, names)
        if self.known_rows is not None:
            highest = max(chain.from_iterable(self.known_rows.clusters), default=-1)
            if highest >= len(names):
                raise InputError("known_rows are of other variables")
        time_limit = self.time_limit if deadline is None else deadline.limit
        return _native.SearchOptions(
            algorithm=self.algorithm,
            heuristic=self.heuristic,
            parameters=dict(self.parameters),
            groups=groups,
            components=self.components,
            path_extension=self.path_extension,
            local_search=self.local_search,
            seed=self.seed,
            jobs=self.jobs or available_cores(),
            seconds=math.inf if time_limit is None else time_limit,
            memory_bytes=memory_to_use(self.memory_limit),
            expansions=UNLIMITED
            if self.max_expansions is None
            else min(self.max_expansions, UNLIMITED),
            gap=self.gap,
            stop_at_check=self.stop_at_check,
        )


SETTINGS = tuple(setting.name for setting in fields(SearchSettings))


def _check_partition(groups: list[list[int]], names: Sequence[str]) -> None:
    if not groups:
        return
    counts = Counter(v for group in groups for v in group)
    for v, name in enumerate(names):
        if counts[v] != 1:
            raise InputError(
                f"groups must have every variable once, but {name!r} is in {counts[v]} of them"
            )
