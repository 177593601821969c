"""How to search: what users may set, and the native options made of it."""

from __future__ import annotations

import math
import os
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
from anytimebn.base.optional import check_for
from anytimebn.base.resources import available_cores, check_folder, disk_to_use, memory_to_use
from anytimebn.base.signatures import fields_as_parameters
from anytimebn.base.text import shown, unknown_name
from anytimebn.solver.registry import algorithm, heuristic

if TYPE_CHECKING:
    from anytimebn import _native
    from anytimebn.base.clock import Deadline
    from anytimebn.result.certificates import Rows
    from anytimebn.solver.proving_again import Evidence

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
    disk
        A folder where ``breadth-first-bnb``, ``block-sweep``, ``dynamic-programming`` and ``auto``
        put nodes when memory ends. What they write has no name there, and is gone when the search
        ends, in whatever way.
    disk_limit
        Bytes, or text such as ``"50GiB"``, that may be written there at a time; by default four
        fifths of what is free. When that ends, too, the status is ``disk``.
    gap
        Stop when the cost is proven to be within this fraction of the best network's, of those that
        the search is about.
    max_expansions
        Stop after this many nodes: unlike a time limit, this gives the same result everywhere.
    seed
        Of everything random.
    jobs
        Threads, for algorithms that can use several; by default all cores. The result does not
        depend on it, except by what a time limit allows, and for A* and its kin by which one of
        equally good networks is found.
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
    proofs
        Certificates (`Result.proof`) of earlier results for the same parent sets: what they prove
        is computed again before anything else, and is the first bound. Algorithms go on from their
        clusters and rows, and what comes before these in a search is left out.
    certify_along
        Keep at hand what a search would begin with that had to go on after a crash: see
        `anytimebn.solver.run.Run.leads`.
    """

    algorithm: str = "auto"
    heuristic: str = "static-pd"
    parameters: Mapping[str, float] = field(default_factory=dict)
    groups: Groups = ()
    time_limit: float | None = None
    memory_limit: int | str | None = None
    disk: str | os.PathLike[str] | None = None
    disk_limit: int | str | None = None
    gap: float = 0.0
    max_expansions: int | None = None
    seed: int = 0
    jobs: int | None = None
    path_extension: bool = True
    components: bool = True
    local_search: bool = True
    bound: bool = False
    known_rows: Rows | None = None
    proofs: tuple[Evidence, ...] = ()
    certify_along: bool = False
    stop_at_check: int = 0  # for tests
    refuse_memory_at: int = 0  # for tests
    refuse_disk_at: int = 0  # for tests

    def __post_init__(self) -> None:
        chosen = algorithm(self.algorithm)
        if chosen.needs is not None:
            module, install = chosen.needs
            check_for(module, needed_for=f"the algorithm {chosen.name}", install=install)
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
        for name in ("path_extension", "components", "local_search", "bound", "certify_along"):
            if not isinstance(getattr(self, name), bool):
                raise InputError(f"{name} must be True or False, not {shown(getattr(self, name))}")
        if self.memory_limit is not None:
            parse_memory(self.memory_limit)
        self._check_disk()
        self._check_known_rows()
        if not is_list(self.groups) or not all(map(are_names, self.groups)):
            raise InputError(
                f"groups must be lists of names, such as [['A', 'B'], ['C']], not "
                f"{shown(self.groups)}"
            )

    def _check_disk(self) -> None:
        if self.disk is not None:
            check_folder("disk", self.disk)
        elif self.disk_limit is not None:
            raise InputError("disk_limit: there is no disk to limit; give its folder as disk")
        if self.disk_limit is not None:
            parse_memory(self.disk_limit, what="disk limit")

    def _check_known_rows(self) -> None:
        if self.known_rows is not None and getattr(self.known_rows, "kind", None) != "rows":
            raise InputError(
                "known_rows must be the proof of a result, of the kind 'rows', not "
                f"{shown(self.known_rows)}"
            )
        if not is_list(self.proofs) or not all(hasattr(proof, "kind") for proof in self.proofs):
            raise InputError(f"proofs must be those of earlier results, not {shown(self.proofs)}")

    def parameter(self, name: str) -> float:
        """Value of a parameter of the algorithm: as it was set, or its default."""
        known = {known.name: known.default for known in algorithm(self.algorithm).parameters}
        return self.parameters.get(name, known[name])

    def _parameters(self) -> dict[str, float]:
        """Those that are set; where bounds are known from before, it was not easy."""
        hard = {"easy-expansions": 0.0} if self.proofs and self.algorithm == "auto" else {}
        return hard | dict(self.parameters)

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
        known = () if self.known_rows is None else (self.known_rows,)
        for name, proof in (
            *(("known_rows", rows) for rows in known),
            *(("proofs", proof) for proof in self.proofs),
        ):
            if max(chain.from_iterable(proof.clusters), default=-1) >= len(names):
                raise InputError(f"{name} are of other variables")
        time_limit = self.time_limit if deadline is None else deadline.limit
        return _native.SearchOptions(
            algorithm=self.algorithm,
            heuristic=self.heuristic,
            parameters=self._parameters(),
            groups=groups,
            components=self.components,
            path_extension=self.path_extension,
            local_search=self.local_search and not self.proofs,
            seed=self.seed,
            jobs=self.jobs or available_cores(),
            certify_along=self.certify_along,
            seconds=math.inf if time_limit is None else time_limit,
            memory_bytes=memory_to_use(self.memory_limit),
            expansions=UNLIMITED
            if self.max_expansions is None
            else min(self.max_expansions, UNLIMITED),
            disk="" if self.disk is None else os.fspath(self.disk),
            disk_bytes=0 if self.disk is None else disk_to_use(self.disk, self.disk_limit),
            gap=self.gap,
            stop_at_check=self.stop_at_check,
            refuse_memory_at=self.refuse_memory_at,
            refuse_disk_at=self.refuse_disk_at,
        )


SETTINGS = tuple(setting.name for setting in fields(SearchSettings))

SHOWN_SETTINGS = fields_as_parameters(
    SearchSettings,
    without=("stop_at_check", "refuse_memory_at", "refuse_disk_at"),  # for tests
)
"""As functions that take them show them in their signatures."""


def _check_partition(groups: list[list[int]], names: Sequence[str]) -> None:
    if not groups:
        return
    counts = Counter(v for group in groups for v in group)
    for v, name in enumerate(names):
        if counts[v] != 1:
            raise InputError(
                f"groups must have every variable once, but {name!r} is in {counts[v]} of them"
            )
