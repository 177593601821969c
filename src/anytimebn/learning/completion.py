"""Missing values completed by structural expectation maximisation, before a network is learned.

Friedman 1997, "Learning belief networks in the presence of missing values and hidden variables": a
network says what is missing, the completed table says which network is best, and so on until
neither changes. The first step is taken by `anytimebn.network.completing`, the second by hill
climbing on the same score. What is learned and proven afterwards is about the table as completed:
nothing is proven about the completion.
"""

from __future__ import annotations

import hashlib
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.clock import Deadline
from anytimebn.network.completing import Completer
from anytimebn.network.network import Network
from anytimebn.scores.on_demand import CountedScores
from anytimebn.solver.search import search_with
from anytimebn.solver.settings import SearchSettings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from anytimebn.data.dataset import Dataset
    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.scores.scoring import ScoringOptions

LOG = logging.getLogger(__name__)

MOST_ROUNDS = 100
ROUNDS_IN_VAIN = 3
DENSE = "aic"
"""The score of the first rounds, which has the most arcs of those that go by counts alone."""

SHARE_OF_TIME = 0.5
"""Of a time limit: what is completed is to be learned from, too."""


def completed(
    dataset: Dataset,
    scoring: ScoringOptions,
    knowledge: Knowledge,
    settings: SearchSettings,
    deadline: Deadline,
) -> Dataset:
    """Complete what is missing in a table.

    Rounds end when a table comes that was there before, or when no fewer cells change than ever
    before: what still changes is chance. A network that has changed as well may lead somewhere, and
    has some more rounds. A time limit ends them, too; the table of the last round is given then.

    Parameters
    ----------
    dataset
        With cells to be completed.
    scoring, knowledge
        What the network is to be good at.
    settings
        Of which only the seed, the threads and the limit on memory matter.
    deadline
        Of all that is done with the table.
    """
    completer = Completer(dataset, int(settings.seed))
    limit = deadline.limit
    own = Deadline.after(None if limit is None else limit * SHARE_OF_TIME, deadline.clock)
    network = _without_arcs(dataset)
    data = _with_codes(dataset, completer.complete(network, dataset.codes))
    # What a network has no arc for is completed as if there were none, and then shows none. So the
    # first networks have rather too many arcs than too few.
    for chosen in (replace(scoring, score=DENSE), scoring):
        network, data = _rounds(completer, network, data, chosen, knowledge, settings, own)
    return data


def _rounds(
    completer: Completer,
    network: Network,
    data: Dataset,
    scoring: ScoringOptions,
    knowledge: Knowledge,
    settings: SearchSettings,
    deadline: Deadline,
) -> tuple[Network, Dataset]:
    """Go on with a network and the table that it completed, until neither gets any further."""
    tables: set[bytes] = set()
    fewest, stale = data.codes.size, 0
    for number in range(1, MOST_ROUNDS + 1):
        if deadline.passed():
            break
        start = network if any(network.parents) else None
        found = _climbed(data, start, scoring, knowledge, settings, deadline)
        following = _with_codes(data, completer.complete(found, data.codes))
        changed = int((following.codes != data.codes).sum())
        stale = 0 if changed < fewest else stale + 1
        LOG.info(
            "completed missing values by %s, round %s: %s of them changed",
            scoring.score,
            number,
            f"{changed:,}",
        )
        same, network, data = found.parents == network.parents, found, following
        table = hashlib.blake2b(data.codes.tobytes()).digest()
        if changed == 0 or stale >= (1 if same else ROUNDS_IN_VAIN) or table in tables:
            break
        tables.add(table)
        fewest = min(fewest, changed)
    return network, data


def _with_codes(dataset: Dataset, codes: NDArray[np.uint16]) -> Dataset:
    return replace(dataset, codes=codes, completed=True)


def _without_arcs(dataset: Dataset) -> Network:
    """Give each variable its own shares, as far as rows show it."""
    assert dataset.holes is not None
    shown = np.ones(dataset.codes.shape, dtype=bool)
    shown.ravel()[dataset.holes] = False
    tables = []
    for codes, own, arity in zip(dataset.codes, shown, dataset.arities, strict=True):
        counts = np.bincount(codes[own], minlength=arity) + 1 / arity
        tables.append(counts / counts.sum())
    none = ((),) * dataset.variables
    return Network(dataset.names, none, dataset.states, tuple(tables))


def _climbed(
    data: Dataset,
    start: Network | None,
    scoring: ScoringOptions,
    knowledge: Knowledge,
    settings: SearchSettings,
    deadline: Deadline,
) -> Network:
    """Search for a network of a completed table, and give it probabilities."""
    limit = None if scoring.max_parents == "auto" else scoring.max_parents
    counted = CountedScores(data, scoring.score, scoring.ess, limit, knowledge)
    climbing = SearchSettings(
        algorithm="hill-climbing",
        parameters={"restarts": 0},
        seed=settings.seed,
        jobs=settings.jobs,
        memory_limit=settings.memory_limit,
        time_limit=deadline.limit,
    )
    found = search_with(counted, climbing, start=start)
    if found.status == "interrupted":
        raise KeyboardInterrupt
    return replace(found.network, states=data.states).fit(data)
