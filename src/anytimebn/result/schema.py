"""What a result file must hold: keys, types of values, and consistent names."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from anytimebn.base.checks import LARGEST_COUNT
from anytimebn.base.errors import InputError
from anytimebn.base.text import shown
from anytimebn.data.options import TableOptions

TABLE_OPTIONS = "table_options"
"""The key that says how the table was read; only of results that know it."""

STATUSES = ("optimal", "gap", "time", "memory", "disk", "expansions", "interrupted", "finished")


def is_number(value: object) -> bool:
    """Tell whether this is a finite number."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and abs(value) <= sys.float_info.max
    )


def is_bound(value: object) -> bool:
    """Tell whether this can stand for a bound that may not exist: null, a number, or infinity."""
    return value is None or is_number(value) or (isinstance(value, float) and math.isinf(value))


def are_names(value: object) -> bool:
    """Tell whether this is a list of strings."""
    return isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)


def is_count(value: object) -> bool:
    """Tell whether this is a whole number of at least 0."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def are_arcs(value: object) -> bool:
    """Tell whether this is a list of pairs of names."""
    return isinstance(value, list | tuple) and all(
        are_names(arc) and len(arc) == 2 for arc in value
    )


def are_tiers(value: object) -> bool:
    """Tell whether this is a list of lists of names, none of which is in two of them."""
    if not (isinstance(value, list | tuple) and all(map(are_names, value))):
        return False
    tiers = [set(tier) for tier in value]
    return len(set().union(*tiers)) == sum(map(len, tiers))


SCHEMA: dict[str, tuple[Callable[[Any], bool], str]] = {
    "status": (lambda value: value in STATUSES, f"one of {', '.join(STATUSES)}"),
    "cost": (is_number, "a finite number"),
    "score": (is_number, "a finite number"),
    "lower_bound": (is_bound, "a number or null"),
    "error_bound": (is_bound, "a number or null"),
    "variables": (are_names, "a list of names"),
    "parents": (lambda value: isinstance(value, Mapping), "an object of lists of names"),
    "score_name": (lambda value: isinstance(value, str), "a string"),
    "max_parents": (lambda value: value is None or is_count(value), "a whole number or null"),
    "constraints": (lambda value: value is None or isinstance(value, Mapping), "an object"),
    "events": (lambda value: isinstance(value, list | tuple), "a list of objects"),
    "certificate": (lambda value: value is None or isinstance(value, Mapping), "an object or null"),
}

CONSTRAINT_SCHEMA: dict[str, tuple[Callable[[Any], bool], str]] = {
    "require": (are_arcs, "a list of pairs of names"),
    "forbid": (are_arcs, "a list of pairs of names"),
    "tiers": (are_tiers, "a list of lists of names, without a name in two of them,"),
    "max_parents": (
        lambda value: isinstance(value, Mapping) and all(map(is_count, value.values())),
        "an object of whole numbers",
    ),
}


def _is_count_or_null(value: object) -> bool:
    return value is None or is_count(value)


SPACE_SCHEMA: dict[str, tuple[Callable[[Any], bool], str]] = {
    "complete": (lambda value: value is None or isinstance(value, bool), "true, false or null"),
    "all_up_to": (_is_count_or_null, "a whole number or null"),
    "neighbourhood": (lambda value: isinstance(value, bool), "true or false"),
    "grown": (is_count, "a whole number"),
    "largest": (_is_count_or_null, "a whole number or null"),
}


def schema_problems(result: Any) -> Iterator[str]:
    """List what is wrong with the form of a result, one sentence each.

    Examples
    --------
    >>> next(schema_problems({}))
    "the key 'status' is missing"
    """
    if not isinstance(result, Mapping):
        yield f"it is a {type(result).__name__}; an object with the keys of a result is needed"
        return
    sound = True
    for key, (accepts, wanted) in SCHEMA.items():
        if key not in result:
            yield f"the key {key!r} is missing"
        elif not accepts(result[key]):
            yield f"{key!r} is {result[key]!r}; {wanted} is needed"
        else:
            continue
        sound = False
    if not sound:
        return
    if result.get("ess") is not None and not is_number(result["ess"]):
        yield f"'ess' is {result['ess']!r}; a number is needed"
    if not (result.get("claim") is None or isinstance(result["claim"], str)):
        yield f"'claim' is {result['claim']!r}; a string or null is needed"
    yield from _space_problems(result.get("space"))
    if TABLE_OPTIONS in result:
        try:
            TableOptions.from_json(result[TABLE_OPTIONS])
        except InputError as error:
            yield f"{TABLE_OPTIONS!r} cannot be used: {error}"
    names, parents = result["variables"], result["parents"]
    complete = result.get("complete_variables")
    if not (complete is None or _are_some_of(names, complete)):
        yield f"'complete_variables' is {complete!r}; a list of names in 'variables' is needed"
    if len(set(names)) < len(names):
        yield "'variables' names a variable twice"
    for name in names:
        if name not in parents:
            yield f"'parents' has no entry for {name!r}"
    for name, members in parents.items():
        if name not in names:
            yield f"'parents' has an entry for {name!r}, which is not in 'variables'"
        if not are_names(members):
            yield f"the parents of {name!r} are {members!r}; a list of names is needed"
            continue
        if len(set(members)) < len(members):
            yield f"{name!r} has a parent twice"
        for member in members:
            if member not in names:
                yield f"{name!r} has the parent {member!r}, which is not in 'variables'"
    for key, value in (result["constraints"] or {}).items():
        if key not in CONSTRAINT_SCHEMA:
            yield f"the constraint {key!r} is unknown; known are {', '.join(CONSTRAINT_SCHEMA)}"
        elif value is not None and not CONSTRAINT_SCHEMA[key][0](value):
            yield f"the constraint {key!r} is {value!r}; {CONSTRAINT_SCHEMA[key][1]} is needed"
    for position, event in enumerate(result["events"]):
        if not isinstance(event, Mapping) or not is_number(event.get("seconds")):
            yield f"event {position} has no time; 'seconds' must be a number"
        elif not (is_bound(event.get("cost")) and is_bound(event.get("lower_bound"))):
            yield f"event {position} has a cost or lower bound that is not a number"
        elif not (event.get("space") is None or isinstance(event["space"], str)):
            yield f"event {position} has a space that is not a string"


def _are_some_of(names: Sequence[str], value: Any) -> bool:
    return are_names(value) and len(set(value)) == len(value) and set(value) <= set(names)


def _space_problems(space: Any) -> Iterator[str]:
    """List what is wrong with the space that a result tells of; older ones tell of none."""
    if space is None:
        return
    if not isinstance(space, Mapping):
        yield f"'space' is {space!r}; an object or null is needed"
        return
    for key, (accepts, wanted) in SPACE_SCHEMA.items():
        if not accepts(space.get(key)):
            yield f"{key!r} of the space is {space.get(key)!r}; {wanted} is needed"


def _is_amount(value: object) -> bool:
    """Tell whether this can be how much of something there was: no machine counts further."""
    return is_count(value) and value <= LARGEST_COUNT  # type: ignore[operator]


def _is_duration(value: object) -> bool:
    """Tell whether this can be a number of seconds; pictures cannot show any number."""
    return is_number(value) and 0 <= value <= LARGEST_COUNT  # type: ignore[operator]


def _are_durations(value: object) -> bool:
    """Tell whether this is an object of numbers of seconds, all of them together included."""
    return (
        isinstance(value, Mapping) and "total" in value and all(map(_is_duration, value.values()))
    )


HISTORY_SCHEMA: dict[str, tuple[Callable[[Any], bool], str]] = {
    "algorithm": (lambda value: isinstance(value, str), "a string"),
    "heuristic": (lambda value: value is None or isinstance(value, str), "a string or null"),
    "seed": (_is_amount, "a whole number"),
    "pops": (lambda value: value is None or _is_amount(value), "a whole number or null"),
    "expanded": (_is_amount, "a whole number"),
    "stored": (_is_amount, "a whole number"),
    "peak_memory_bytes": (_is_amount, "a whole number"),
    "seconds": (_are_durations, "an object of numbers with the key 'total'"),
}
"""How a result was found: not needed to check it, but to show it."""


def history_problems(result: Mapping[str, Any]) -> Iterator[str]:
    """List what is wrong with the optional parts of a result, given that the schema holds."""
    for key, (accepts, wanted) in HISTORY_SCHEMA.items():
        if not accepts(result[key]):
            yield f"{key!r} is {shown(result[key])}; {wanted} is needed"
    for position, event in enumerate(result["events"]):
        if not ({"cost", "lower_bound"} <= event.keys() and _is_amount(event.get("expanded"))):
            yield f"event {position} lacks a cost, a lower bound, or how many nodes were expanded"
        if not _is_duration(event["seconds"]):
            yield f"event {position} comes after {shown(event['seconds'])} seconds"
    strengths = result.get("arc_strengths", [])
    if not (isinstance(strengths, list) and all(map(_is_strength, strengths))):
        yield "'arc_strengths' must be a list of parent, child, and number or null"


def _is_strength(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 3
        and are_names(value[:2])
        and (value[2] is None or is_number(value[2]))
    )
