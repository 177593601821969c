"""Where learning stands, as a value: all that is needed to go on from there.

Nothing in it has to be believed. Networks are scored again; certificates are evaluated again, by
the search that goes on (`anytimebn.solver.proving_again`); and bounds that have no certificate are
not in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from anytimebn.base.errors import InputError
from anytimebn.base.json_fields import Fields
from anytimebn.learning.known import WAYS
from anytimebn.network.network import Network
from anytimebn.result.certificates import Rows, certificate_from_json
from anytimebn.result.event import Event
from anytimebn.result.schema import is_count, is_number
from anytimebn.solver.linear.lead import Lead

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from anytimebn.learning.known import Way
    from anytimebn.solver.proving_again import Evidence

Parents = tuple[tuple[int, ...], ...]

COMPLETE = ("optimal", "gap", "finished")
"""How a run ends by itself, with nothing left to be done; all others end it by a limit."""


@dataclass(frozen=True, kw_only=True)
class RunState:
    """What was found so far, and what is known for what comes next.

    Parameters
    ----------
    names
        Of the variables; all else knows them by their numbers.
    seconds
        Since learning began, in all runs together.
    spent
        Seconds by the part of the work.
    events, stages
        As results tell them.
    resumed_at
        When runs went on from here, by the same clock.
    network, cost
        The best network so far, and its cost.
    settled
        The network of the stages that have ended: the present stage may be about its neighbourhood.
    ordered
        That of the order search beside.
    evidence
        What proves bounds, by the name of the space that they are about.
    grows, orders_ended, level, ways, rows, proof_seconds, networks
        As in `anytimebn.learning.known.Known`.

    Examples
    --------
    >>> state = RunState(names=("rain", "wet"), seconds=1.5, network=((), (0,)), cost=3.5)
    >>> RunState.from_json(state.to_json()) == state
    True
    """

    names: tuple[str, ...]
    seconds: float = 0.0
    spent: Mapping[str, float] = field(default_factory=dict)
    expanded: int = 0
    peak_memory_bytes: int = 0
    events: tuple[Event, ...] = ()
    stages: tuple[Mapping[str, Any], ...] = ()
    resumed_at: tuple[float, ...] = ()
    network: Parents | None = None
    cost: float | None = None
    settled: Parents | None = None
    ordered: Parents | None = None
    evidence: Mapping[str, tuple[Evidence, ...]] = field(default_factory=dict)
    grows: bool = False
    orders_ended: bool = False
    level: int = 0
    ways: tuple[Way, ...] = WAYS
    rows: Rows | None = None
    proof_seconds: float = 0.0
    networks: tuple[Parents, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {
            "names": list(self.names),
            "seconds": self.seconds,
            "spent": dict(self.spent),
            "expanded": self.expanded,
            "peak_memory_bytes": self.peak_memory_bytes,
            "events": [
                [event.seconds, event.cost, event.lower_bound, event.expanded, event.space]
                for event in self.events
            ],
            "stages": [dict(stage) for stage in self.stages],
            "resumed_at": list(self.resumed_at),
            "network": _lists(self.network),
            "cost": self.cost,
            "settled": _lists(self.settled),
            "ordered": _lists(self.ordered),
            "evidence": {
                space: [proof.to_json(self.names) for proof in proofs]
                for space, proofs in self.evidence.items()
            },
            "grows": self.grows,
            "orders_ended": self.orders_ended,
            "level": self.level,
            "ways": list(self.ways),
            "rows": None if self.rows is None else self.rows.to_json(self.names),
            "proof_seconds": self.proof_seconds,
            "networks": [_lists(network) for network in self.networks],
        }

    @classmethod
    def from_json(cls, content: object) -> RunState:
        """Take over what `to_json` gave, or say what is wrong with it."""
        state = Fields(content, "the state")
        names = tuple(state.items("names"))
        if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
            raise state.refuse("names", "a list of different names")

        def parents(given: object) -> Parents:
            return _parents(given, names)

        def maybe_parents(name: str) -> Parents | None:
            return state.maybe(name, lambda key: parents(state.items(key)))

        rows = state.maybe("rows", lambda key: certificate_from_json(state.entries(key), names))
        if not (rows is None or isinstance(rows, Rows)):
            raise state.refuse("rows", "a certificate of the kind 'rows'")
        spent = state.part("spent")
        return cls(
            names=names,
            seconds=state.number("seconds"),
            spent={part: spent.number(part) for part in state.entries("spent")},
            expanded=state.count("expanded"),
            peak_memory_bytes=state.count("peak_memory_bytes"),
            events=tuple(map(_event, state.items("events"))),
            stages=tuple(_stage(stage) for stage in state.items("stages")),
            resumed_at=tuple(map(_seconds, state.items("resumed_at"))),
            network=maybe_parents("network"),
            cost=state.maybe("cost", state.number),
            settled=maybe_parents("settled"),
            ordered=maybe_parents("ordered"),
            evidence={
                space: tuple(
                    _evidence(_entries(proof, "a certificate"), names)
                    for proof in state.part("evidence").items(space)
                )
                for space in state.entries("evidence")
            },
            grows=state.truth("grows"),
            orders_ended=state.truth("orders_ended"),
            level=state.count("level"),
            ways=_ways(state),
            rows=rows,
            proof_seconds=state.number("proof_seconds"),
            networks=tuple(map(parents, state.items("networks"))),
        )


def joined(*parts: Mapping[str, tuple[Evidence, ...]]) -> dict[str, tuple[Evidence, ...]]:
    """Put evidence together, each certificate once."""
    found: dict[str, tuple[Evidence, ...]] = {}
    for part in parts:
        for space, proofs in part.items():
            found[space] = tuple(dict.fromkeys((*found.get(space, ()), *proofs)))
    return found


def with_bounds_proven_again(
    earlier: Sequence[Event], later: Sequence[Event], space: str | None
) -> tuple[Event, ...]:
    """Join events of earlier runs with those of this one.

    What earlier runs had proven counts only as far as this one has proven it again: of the `space`
    that both searched, bounds are cut to the first one that this run has told; others are gone.

    Examples
    --------
    >>> earlier = [Event(1.0, 9.0, 4.0, 0), Event(2.0, 9.0, 7.0, 10)]
    >>> joined = with_bounds_proven_again(earlier, [Event(3.0, 9.0, 6.0, 10)], None)
    >>> [event.lower_bound for event in joined]
    [4.0, 6.0, 6.0]
    """
    again: float | None = None
    for where, event in zip(_spaces(later), later, strict=True):
        if where == space and event.lower_bound is not None:
            again = event.lower_bound
            break
    return (
        *(
            Event(
                event.seconds,
                event.cost,
                _lower(event.lower_bound, again) if where == space else None,
                event.expanded,
                event.space,
            )
            for where, event in zip(_spaces(earlier), earlier, strict=True)
        ),
        *later,
    )


def _spaces(events: Sequence[Event]) -> list[str | None]:
    """What the bound of each event is about."""
    spaces: list[str | None] = []
    for event in events:
        spaces.append(event.space or (spaces[-1] if spaces else None))
    return spaces


def _lower(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else min(one, other)


def _ways(state: Fields) -> tuple[Way, ...]:
    given = state.items("ways")
    ways = tuple(way for way in WAYS if way in given)
    if len(ways) != len(given):
        raise state.refuse("ways", f"a list of some of {', '.join(WAYS)}")
    return tuple(sorted(ways, key=given.index))


def _evidence(content: dict[str, Any], names: tuple[str, ...]) -> Evidence:
    if content.get("kind") == Lead.kind:
        return Lead.from_json(content, names)
    return certificate_from_json(content, names)


def _lists(parents: Parents | None) -> list[list[int]] | None:
    return None if parents is None else [list(own) for own in parents]


def _parents(given: object, names: tuple[str, ...]) -> Parents:
    """Take the parents of each variable, and see that they make a network."""
    if not (isinstance(given, list) and all(isinstance(own, list) for own in given)):
        raise InputError("a network must be a list of lists of numbers")
    for member in (member for own in given for member in own):
        if not is_count(member):
            raise InputError(f"a network has the parent {member!r}; a number is needed")
        if member >= len(names):
            raise InputError(f"a network has the parent {member}, of {len(names)} variables")
    parents = tuple(tuple(own) for own in given)
    return Network(names, parents).parents


def _event(given: object) -> Event:
    if not (isinstance(given, list) and len(given) == 5):
        raise InputError("an event must be a list of five values")
    seconds, cost, bound, expanded, space = given
    if not all(map(is_number, (seconds, cost, 0.0 if bound is None else bound))):
        raise InputError("an event must have numbers for its time, cost and bound")
    if not is_count(expanded):
        raise InputError("an event must have a whole number of nodes")
    if not (space is None or isinstance(space, str)):
        raise InputError("the space of an event must be a text")
    return Event(seconds, cost, bound, expanded, space)


def _entries(given: object, what: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise InputError(f"{what} must be an object")
    return given


def _stage(given: object) -> dict[str, Any]:
    stage = _entries(given, "a stage")
    Fields(stage, "a stage").text("stage")
    return stage


def _seconds(given: object) -> float:
    if not is_number(given):
        raise InputError("'resumed_at' must be a list of numbers")
    return float(given)  # type: ignore[arg-type]
