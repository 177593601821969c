"""A network to begin a search with: an expert's, an earlier one, or another program's."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from anytimebn.base.errors import InputError
from anytimebn.base.text import unknown_name
from anytimebn.knowledge.constraints import Knowledge
from anytimebn.network.network import Network

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anytimebn.scores.on_demand import CountedScores
    from anytimebn.scores.store import LocalScores


Start = Network | str | os.PathLike[str] | None
"""A network to begin with, or a file that has one."""


def read_start(start: Start) -> Network | None:
    """Read the network if it is in a file."""
    if isinstance(start, str | os.PathLike):
        from anytimebn.network.files.networks import read_network

        return read_network(os.fspath(start))
    if start is not None and not isinstance(start, Network):
        raise InputError(
            f"start is a {type(start).__name__}; give a Network, or a file that has one"
        )
    return start


def check_start(start: Network | None, names: Sequence[str], knowledge: Knowledge) -> None:
    """Refuse a network with unknown variables, or that breaks the constraints, before long work."""
    if start is None:
        return
    known = set(names)
    for name in start.names:
        if name not in known:
            raise InputError(f"the start network: {unknown_name('variable', name, names)}")
    broken = knowledge.violations(start)
    if broken:
        raise InputError(f"the start network violates the constraints: {broken[0]}")


def sets_of_start(scores: LocalScores, start: Start) -> list[int]:
    """Give the number of a parent set of each variable; empty without a network.

    Sets that cannot be optimal are not stored, nor those beyond the limit on parents: then the
    cheapest stored subset of the parents is taken, which costs no more in the first case.

    Parameters
    ----------
    scores
        The parent sets to choose from.
    start
        A network, or a file with one. Variables that it does not have begin without parents.

    Raises
    ------
    InputError
        If the network has a variable that the scores do not have, or violates the constraints
        under which the scores were computed.
    """
    network = read_start(start)
    if network is None:
        return []
    check_start(network, scores.names, scores.provenance.constraints or Knowledge())
    number_of = {name: number for number, name in enumerate(scores.names)}
    parents = {name: network.parents_of(name) for name in network.names}
    chosen = []
    for child, name in enumerate(scores.names):
        own = parents.get(name, ())
        number = scores.native.best(child, [number_of[parent] for parent in own])
        if number < 0:
            listed = ", ".join(map(repr, own)) or "none"
            raise InputError(
                f"the start network gives {name!r} the parents {listed}, and no parent set that is "
                "considered lies within these"
            )
        chosen.append(int(number))
    return chosen


def parents_of_start(scores: CountedScores, start: Start) -> list[tuple[int, ...]]:
    """Give the parents of each variable, for a search on data; empty without a network.

    Raises
    ------
    InputError
        If the network has a variable that the table does not have, or violates the constraints.
    """
    network = read_start(start)
    if network is None:
        return []
    check_start(network, scores.names, Knowledge())
    parents = {name: network.parents_of(name) for name in network.names}
    whole = Network.from_parents({name: parents.get(name, ()) for name in scores.names})
    check_start(whole, scores.names, scores.knowledge)
    for name, own in zip(whole.names, whole.parents, strict=True):
        if scores.max_parents is not None and len(own) > scores.max_parents:
            raise InputError(
                f"the start network gives {name!r} {len(own)} parents; at most "
                f"{scores.max_parents} are considered"
            )
    # Constant columns cost nothing, with or without parents, and change nothing as parents.
    varied = [arity > 1 for arity in scores.dataset.arities]
    required = scores.knowledge.required
    return [
        tuple(
            parent
            for parent in own
            if (varied[child] and varied[parent])
            or (whole.names[parent], whole.names[child]) in required
        )
        for child, own in enumerate(whole.parents)
    ]
