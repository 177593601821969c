"""How much each arc matters: the score that is lost without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anytimebn.knowledge.constraints import Knowledge
from anytimebn.scores.scoring import score
from anytimebn.scores.store import LocalScores

if TYPE_CHECKING:
    from anytimebn.data.read import TableLike
    from anytimebn.knowledge.written import Arc
    from anytimebn.network.network import Network

Strengths = dict["Arc", float]
"""Nats by arc."""


def strengths_by_scores(network: Network, scores: LocalScores) -> Strengths:
    """Take each arc away in turn, and say by how much its child costs more.

    The child keeps the best of its other parents, so a parent that others make up for counts
    little.

    Parameters
    ----------
    network
        Any network over the variables of the scores.
    scores
        What parent sets cost. Those that are not stored cost more than a subset that is.

    Returns
    -------
    dict
        Nats, at least 0, by arc ``(parent, child)``.
    """
    strengths = {}
    for child in network.names:
        own = network.parents_of(child)
        if not own:
            continue
        cost, _ = scores.best(child, own)
        for parent in own:
            others = [other for other in own if other != parent]
            number = scores.native.best(
                scores.index(child), [scores.index(other) for other in others]
            )
            # Without a set that fits, as where arcs are required, the arc cannot be missed at all.
            strengths[parent, child] = (
                float("inf") if number < 0 else max(0.0, float(scores.costs[number]) - cost)
            )
    return strengths


def arc_strengths(
    network: Network, data: TableLike | LocalScores, *, score_name: str = "mdl", ess: float = 1.0
) -> Strengths:
    """Give the strengths of a network's arcs by scores, or by a table and the name of a score.

    Examples
    --------
    >>> import numpy as np
    >>> from anytimebn import Network
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> network = Network.from_parents({"X0": [], "X1": ["X0"], "X2": ["X0"]})
    >>> for arc, nats in arc_strengths(network, table).items():
    ...     print(arc, round(nats, 2))
    ('X0', 'X1') 25.88
    ('X0', 'X2') 0.0
    """
    if isinstance(data, LocalScores):
        return strengths_by_scores(network, data)
    arcs = set(network.arcs)
    others = frozenset(
        (a, b) for a in network.names for b in network.names if a != b and (a, b) not in arcs
    )
    most = max(map(len, network.parents), default=0)
    scores = score(
        data, score_name, max_parents=most, ess=ess, knowledge=Knowledge(forbidden=others)
    )
    return strengths_by_scores(network, scores)
