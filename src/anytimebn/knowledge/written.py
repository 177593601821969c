"""Arcs, tiers and limits as people write them, in Python, on the command line and in files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from anytimebn.base.checks import are_names, is_list, is_whole
from anytimebn.base.errors import InputError
from anytimebn.base.text import shown

Arc = tuple[str, str]  # parent, child

ArcLike = str | Arc
"""An arc as ``"A->B"`` or as a pair of names."""


def as_arcs(option: str, given: Any) -> frozenset[Arc]:
    """Take arcs as people write them; messages call them by the name of the option.

    Examples
    --------
    >>> sorted(as_arcs("require", ["A->B", ("C", "D")]))
    [('A', 'B'), ('C', 'D')]
    """
    wanted = f"{option} must be a list of arcs, such as ['A->B', ('C', 'D')]"
    if isinstance(given, str):  # one arc, without a list around it
        given = [given]
    if not isinstance(given, Iterable):
        raise InputError(f"{wanted}, not {shown(given)}")
    arcs: set[Arc] = set()
    for arc in given:
        if isinstance(arc, str):
            arcs.add(parse_arc(arc))
        elif is_list(arc) and len(arc) == 2 and are_names(arc):
            arcs.add((arc[0], arc[1]))
        else:
            raise InputError(f"{wanted}; one of them is {shown(arc)}")
    return frozenset(arcs)


def as_tiers(given: Any) -> tuple[tuple[str, ...], ...]:
    """Take groups of names, and refuse a mere list of names."""
    wanted = "tiers must be lists of names, such as [['A', 'B'], ['C']]"
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(f"{wanted}, not {shown(given)}")
    tiers = []
    for number, tier in enumerate(given, 1):
        if not are_names(tier):
            raise InputError(f"{wanted}; tier {number} is {shown(tier)}")
        tiers.append(tuple(tier))
    return tuple(tiers)


def as_limits(option: str, given: Any) -> dict[str, int]:
    """Take limits by name; names and numbers are checked later."""
    if not (isinstance(given, Mapping) and are_names(given)):
        raise InputError(
            f"{option} must be whole numbers by name, such as {{'A': 2}}, not {shown(given)}"
        )
    return {name: int(limit) if is_whole(limit) else limit for name, limit in given.items()}


def parse_arc(text: str) -> Arc:
    """Read an arc as the command line has it.

    Parameters
    ----------
    text
        ``"PARENT->CHILD"``; blanks around the names do not count.

    Returns
    -------
    tuple of str
        Parent and child.

    Raises
    ------
    InputError
        If there is not exactly one ``->`` with a name on each side.

    Examples
    --------
    >>> parse_arc("blood pressure -> X-ray")
    ('blood pressure', 'X-ray')
    """
    parent, _, child = (part.strip() for part in text.partition("->"))
    if text.count("->") != 1 or not parent or not child:
        raise InputError(
            f"cannot read the arc {text!r}: expected 'PARENT->CHILD', one arrow '->' with a name "
            "on each side"
        )
    return parent, child
