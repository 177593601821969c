"""Local scores of the families near networks, where all families up to a size are too many.

The neighbourhood of a network are all networks each of whose families differs from the one there by
at most one parent: added, removed, or exchanged for another. These are astronomically many, and yet
of few families.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.clock import Deadline, Stopwatch
from anytimebn.base.errors import LimitReached
from anytimebn.base.report import SCORING, Report, Sink
from anytimebn.base.threads import run_native
from anytimebn.scores.space import Grown
from anytimebn.scores.store import LocalScores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anytimebn.scores.on_demand import CountedScores

    ParentLists = Sequence[Sequence[int]]  # of each variable

LOG = logging.getLogger(__name__)

MOST_TABLE_BYTES = 2**29  # of the table in a form that is counted quickly


def score_neighbourhood(
    counted: CountedScores,
    networks: Sequence[ParentLists],
    *,
    further: bool = False,
    others: Sequence[ParentLists] = (),
    levels: LocalScores | None = None,
    jobs: int = 1,
    deadline: Deadline,
    progress: Sink | None = None,
) -> LocalScores:
    """Score all families within one change of networks that could be of use.

    Parameters
    ----------
    counted
        Of the table: score, constraints, limits.
    networks
        The parents of each variable. What the scores say of their space is seen from the first.
    further
        Also with one parent more than those of these families that are of use.
    others
        Further families: for each variable some parent sets, which may lack one parent as well.
    levels
        All parent sets up to a size, which are to be there, too.
    jobs
        Threads; the result does not depend on it.
    deadline
        `LimitReached` is raised if it comes first.
    progress
        Called a few times a second with a `Report`.
    """
    from anytimebn import _native

    if deadline.passed():
        raise LimitReached("the time limit came before scoring")
    control = _native.Control()
    watch = Stopwatch.started(deadline.clock)

    def report() -> None:
        if deadline.passed():
            control.stop()
        if progress is not None:
            progress(Report(phase=SCORING, seconds=watch.elapsed(), fraction=control.fraction_done))

    none = np.zeros(0, dtype=np.int64)
    result = run_native(
        lambda: _native.score_families(
            counted.task(jobs),
            [[list(parents) for parents in network] for network in networks],
            further,
            [[list(parents) for parents in own] for own in others],
            none if levels is None else levels.first_set,
            none.astype(np.float64) if levels is None else levels.costs,
            none if levels is None else levels.first_member,
            none.astype(np.int32) if levels is None else levels.members,
            MOST_TABLE_BYTES,
            control,
        ),
        control,
        report,
    )
    if not result.complete:
        raise LimitReached("the time limit ended scoring")
    first_set, costs, first_member, members = result.take_arrays()
    scores = LocalScores(
        names=counted.names,
        first_set=first_set,
        costs=costs + 0.0,  # no negative zeros
        first_member=first_member,
        members=members,
        score_name=counted.score_name,
        arities=counted.dataset.arities,
    )
    space = Grown.around(
        scores,
        networks[0],
        neighbourhood=True,
        all_up_to=-1 if levels is None or levels.max_parents is None else levels.max_parents,
    )
    LOG.info(
        "scored a neighbourhood: %s families, %s of use, of up to %s parents; %.3g s",
        f"{result.sets_counted:,.0f}",
        f"{scores.pops:,}",
        space.largest,
        watch.elapsed(),
    )
    provenance = replace(
        counted.provenance,
        max_parents=counted.max_parents,
        complete_variables=None if levels is None else levels.provenance.complete_variables,
        space=space,
        sets_counted=int(result.sets_counted),
    )
    return replace(scores, provenance=provenance)
