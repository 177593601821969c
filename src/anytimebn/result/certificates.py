"""Certificates: what proves a lower bound without search, as values by variable number.

A `Certificate` is one of several kinds. Each is frozen, names variables by their numbers in the
result, and meets their names only in JSON (``to_json``, ``from_json``). `anytimebn.checker` has one
function a kind, which computes the bound again.

``from_json`` refuses every certificate that makes no sense, so that what a checker gets is sound in
form: variables and rows exist, multipliers are whole and not negative, lists fit together. Whether
a certificate proves what it claims is for the checker to say.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeGuard

from anytimebn.base.errors import InputError
from anytimebn.result.schema import are_names, is_count, is_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    Variables: TypeAlias = tuple[int, ...]
    Numbers: TypeAlias = dict[str, int]  # of the variables, by name


@dataclass(frozen=True)
class Clusters:
    """Clusters with multipliers, and groups of variables that are solved on their own.

    `anytimebn.checker.clusters` says why that proves a bound.

    Parameters
    ----------
    groups
        Every variable is in one of them.
    clusters, multipliers
        Sets of variables, and what each adds to the bound, in units of 1e-6 nat.
    lower_bound
        What it proves, in nats, by the word of who made it.

    Examples
    --------
    >>> proof = Clusters(groups=((0,), (1,)), clusters=((0, 1),), multipliers=(4,))
    >>> content = proof.to_json(["rain", "wet"])
    >>> content["groups"], content["clusters"]
    ([['rain'], ['wet']], [['rain', 'wet']])
    >>> Clusters.from_json(content, ["rain", "wet"]) == proof
    True
    """

    groups: tuple[Variables, ...]
    clusters: tuple[Variables, ...]
    multipliers: tuple[int, ...]
    lower_bound: float | None = None

    kind: ClassVar[str] = "clusters"

    def to_json(self, names: Sequence[str]) -> dict[str, Any]:
        """Return it as JSON has it, with these names of the variables."""
        return {
            "kind": self.kind,
            "groups": _named(self.groups, names),
            "clusters": _named(self.clusters, names),
            "multipliers": list(self.multipliers),
            "lower_bound": self.lower_bound,
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any], names: Sequence[str]) -> Clusters:
        """Take over what `to_json` gave, or say what is wrong with it."""
        groups, multipliers = content.get("groups"), content.get("multipliers")
        if not _are_lists_of_names(groups):
            raise InputError("'groups' must be a list of lists of names")
        if sorted(name for group in groups for name in group) != sorted(names):
            raise InputError("'groups' must name every variable exactly once")
        numbers = _numbers_of(names)
        clusters = _clusters_from_json(content, numbers)
        if not _are_counts(multipliers):
            raise InputError("'multipliers' must be a list of whole numbers of at least 0")
        if len(multipliers) != len(clusters):
            raise InputError(
                f"there are {len(clusters)} clusters but {len(multipliers)} multipliers"
            )
        return cls(
            groups=_numbered(groups, numbers),
            clusters=clusters,
            multipliers=tuple(multipliers),
            lower_bound=_lower_bound_from_json(content),
        )


@dataclass(frozen=True)
class ZeroHalfRow:
    """Half of the sum of earlier rows and of the rows of some variables, rounded down.

    Parameters
    ----------
    rows
        Numbers of rows: clusters come first, then zero-half rows in their order.
    variables
        Whose rows "it has one parent set" are added.
    """

    rows: tuple[int, ...]
    variables: Variables


@dataclass(frozen=True)
class Stage:
    """Rows with multipliers: whole numbers over a denominator, in units of 1e-6 nat."""

    rows: tuple[int, ...]
    multipliers: tuple[int, ...]
    denominator: int


@dataclass(frozen=True)
class Rows:
    """Rows of a linear relaxation, and stages of multipliers that rule out parent sets in turn.

    `anytimebn.checker.rows` says why that proves a bound.

    Parameters
    ----------
    clusters
        Sets of variables, each of which gives a row.
    zero_half
        Further rows, made of those before them.
    stages
        One after the other.
    lower_bound
        What it proves, in nats, by the word of who made it.

    Examples
    --------
    >>> proof = Rows(clusters=((0, 1),), zero_half=(), stages=(Stage((0,), (4,), 1),))
    >>> content = proof.to_json(["rain", "wet"])
    >>> content["clusters"], content["stages"]
    ([['rain', 'wet']], [{'rows': [0], 'multipliers': [4], 'denominator': 1}])
    >>> Rows.from_json(content, ["rain", "wet"]) == proof
    True
    """

    clusters: tuple[Variables, ...]
    zero_half: tuple[ZeroHalfRow, ...]
    stages: tuple[Stage, ...]
    lower_bound: float | None = None

    kind: ClassVar[str] = "rows"

    def to_json(self, names: Sequence[str]) -> dict[str, Any]:
        """Return it as JSON has it, with these names of the variables."""
        return {
            "kind": self.kind,
            "clusters": _named(self.clusters, names),
            "zero_half": [
                {"rows": list(row.rows), "variables": [names[v] for v in row.variables]}
                for row in self.zero_half
            ],
            "stages": [
                {
                    "rows": list(stage.rows),
                    "multipliers": list(stage.multipliers),
                    "denominator": stage.denominator,
                }
                for stage in self.stages
            ],
            "lower_bound": self.lower_bound,
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any], names: Sequence[str]) -> Rows:
        """Take over what `to_json` gave, or say what is wrong with it."""
        numbers = _numbers_of(names)
        clusters = _clusters_from_json(content, numbers)
        zero_half, stages = content.get("zero_half"), content.get("stages")
        if not (isinstance(zero_half, list) and isinstance(stages, list)):
            raise InputError("'zero_half' and 'stages' must be lists")
        count = len(clusters) + len(zero_half)
        return cls(
            clusters=clusters,
            zero_half=tuple(
                _zero_half_from_json(row, number, numbers)
                for number, row in enumerate(zero_half, start=len(clusters))
            ),
            stages=tuple(
                _stage_from_json(stage, number, count) for number, stage in enumerate(stages)
            ),
            lower_bound=_lower_bound_from_json(content),
        )


Certificate: TypeAlias = Clusters | Rows


def claimed(proof: Certificate | None) -> float:
    """What a certificate says that it proves, in nats."""
    return -math.inf if proof is None or proof.lower_bound is None else proof.lower_bound


_KINDS: dict[str, type[Clusters] | type[Rows]] = {kind.kind: kind for kind in (Clusters, Rows)}


def certificate_from_json(content: Mapping[str, Any], names: Sequence[str]) -> Certificate:
    """Take over a certificate of any kind.

    Parameters
    ----------
    content
        What ``to_json`` gave.
    names
        Of the variables, in their order.

    Raises
    ------
    InputError
        If its kind is unknown, or it makes no sense.

    Examples
    --------
    >>> certificate_from_json({"kind": "trust me"}, ["rain", "wet"])
    Traceback (most recent call last):
    anytimebn.InputError: its kind is 'trust me'; only 'clusters' and 'rows' can be checked
    """
    kind = content.get("kind")
    if not (isinstance(kind, str) and kind in _KINDS):
        known = " and ".join(map(repr, _KINDS))
        raise InputError(f"its kind is {kind!r}; only {known} can be checked")
    return _KINDS[kind].from_json(content, names)


def _lower_bound_from_json(content: Mapping[str, Any]) -> float | None:
    claimed = content.get("lower_bound")
    if not (claimed is None or is_number(claimed)):
        raise InputError(f"its lower bound is {claimed!r}; a number is needed")
    return None if claimed is None else float(claimed)


def _clusters_from_json(content: Mapping[str, Any], numbers: Numbers) -> tuple[Variables, ...]:
    clusters = content.get("clusters")
    if not _are_lists_of_names(clusters):
        raise InputError("'clusters' must be a list of lists of names")
    if not all(clusters):
        raise InputError("a cluster is empty; no member of it can have its parents outside")
    if not all(name in numbers for cluster in clusters for name in cluster):
        raise InputError("a cluster names a variable that does not exist")
    return _numbered(clusters, numbers)


def _zero_half_from_json(row: Any, number: int, numbers: Numbers) -> ZeroHalfRow:
    rows, variables = _entries(row, "rows", "variables")
    if not (_are_counts(rows) and are_names(variables)):
        raise InputError(
            f"row {number} must have 'rows', a list of numbers, and 'variables', of names"
        )
    if not rows or max(rows) >= number:
        raise InputError(f"row {number} must be made of rows with smaller numbers")
    if not all(name in numbers for name in variables):
        raise InputError(f"row {number} names a variable that does not exist")
    return ZeroHalfRow(tuple(rows), tuple(numbers[name] for name in variables))


def _stage_from_json(stage: Any, number: int, row_count: int) -> Stage:
    rows, multipliers, denominator = _entries(stage, "rows", "multipliers", "denominator")
    if not (_are_counts(rows) and _are_counts(multipliers)):
        raise InputError(
            f"stage {number} must have 'rows' and 'multipliers', whole numbers of at least 0"
        )
    if len(rows) != len(multipliers):
        raise InputError(f"stage {number} has {len(rows)} rows but {len(multipliers)} multipliers")
    if not all(row < row_count for row in rows):
        raise InputError(f"stage {number} uses a row that does not exist")
    if not (is_count(denominator) and denominator > 0):
        raise InputError(f"the denominator of stage {number} must be a whole number of at least 1")
    return Stage(tuple(rows), tuple(multipliers), denominator)


def _named(groups: Sequence[Variables], names: Sequence[str]) -> list[list[str]]:
    return [[names[variable] for variable in group] for group in groups]


def _numbered(groups: Sequence[Sequence[str]], numbers: Numbers) -> tuple[Variables, ...]:
    return tuple(tuple(numbers[name] for name in group) for group in groups)


def _numbers_of(names: Sequence[str]) -> Numbers:
    return {name: number for number, name in enumerate(names)}


def _entries(value: Any, *keys: str) -> list[Any]:
    return [value.get(key) if isinstance(value, Mapping) else None for key in keys]


def _are_lists_of_names(value: object) -> TypeGuard[list[list[str]]]:
    return isinstance(value, list) and all(map(are_names, value))


def _are_counts(value: object) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(map(is_count, value))
