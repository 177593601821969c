"""The main job: from a table, or a score file, to a network with its bounds."""

from __future__ import annotations

import os
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from anytimebn.base.checks import check_options, check_progress, is_list
from anytimebn.base.clock import Deadline, Stopwatch
from anytimebn.base.errors import InputError
from anytimebn.base.memory_units import parse_memory
from anytimebn.knowledge.combine import as_knowledge
from anytimebn.scores.restrict import restrict
from anytimebn.scores.scoring import ScoringProgress, score
from anytimebn.scores.store import LocalScores
from anytimebn.solver.registry import algorithm
from anytimebn.solver.search import search
from anytimebn.solver.settings import SETTINGS, SearchSettings
from anytimebn.solver.start import Start, check_start, read_start
from anytimebn.watch.notebook import live_view

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from anytimebn.data.dataset import Dataset
    from anytimebn.data.read import TableLike
    from anytimebn.knowledge.constraints import ArcLike, Knowledge
    from anytimebn.network.network import Network
    from anytimebn.result.result import Result
    from anytimebn.scores.on_demand import CountedScores
    from anytimebn.solver.outcome import SearchProgress


def learn(
    data: TableLike | LocalScores,
    *,
    score: str = "mdl",
    max_parents: int | Literal["auto"] = "auto",
    ess: float = 1.0,
    require: Sequence[ArcLike] = (),
    forbid: Sequence[ArcLike] = (),
    tiers: Sequence[Sequence[str]] | str | os.PathLike[str] = (),
    parent_limits: Mapping[str, int] | None = None,
    knowledge: Knowledge | str | os.PathLike[str] | None = None,
    start: Start = None,
    jobs: int | None = None,
    bins: int | Mapping[str, int] | None = None,
    bin_method: Literal["quantile", "width"] = "quantile",
    missing: Literal["error", "drop", "category"] = "error",
    header: bool = True,
    exclude: Sequence[str] = (),
    time_limit: float | None = None,
    memory_limit: int | str | None = None,
    scoring_progress: Callable[[ScoringProgress], None] | None = None,
    progress: Callable[[SearchProgress], None] | Literal["auto"] | None = "auto",
    **settings: Any,
) -> Result:
    """Learn the best Bayesian network for a table, with a bound on how far from optimal it is.

    Parameters
    ----------
    data
        A data frame (pandas, polars, pyarrow), a 2-D array, a `Dataset`, `LocalScores`, or the path
        of a table or of a score file.
    score, max_parents, ess
        As in `anytimebn.score`; not used when `data` are scores already. Algorithms that work on
        data (``anytimebn list algorithms``) do so here, and know no limit unless one is given.
    jobs
        Threads for scoring and searching; by default all cores.
    require, forbid, tiers
        Arcs, as ``"A->B"`` or pairs of names, that must or must not be there; groups of variables,
        or a file of them, whose members have no parents in later groups.
    parent_limits
        The most parents of single variables, by name.
    knowledge
        The same four as a `Knowledge`, or in a ``.toml``, ``.json`` or ``.yaml`` file; what is
        given beside it is added.
    start
        A network, or a file with one, to begin with; parents that are not considered are left out.
    bins, bin_method, missing, header, exclude
        How the table is read, as in `anytimebn.data.read.to_dataset`.
    time_limit, memory_limit
        Seconds and bytes (or text such as ``"8GiB"``) for the whole of it.
    scoring_progress, progress
        Called a few times a second while scoring and while searching. By default a notebook shows
        a live view of both; nothing is shown elsewhere, or with ``progress=None``.
    **settings
        Further fields of `SearchSettings`: ``algorithm``, ``heuristic``, ``gap``, ``seed``, ...

    Returns
    -------
    Result
        Ctrl-C during the search returns what was found so far, with the status ``interrupted``.

    Examples
    --------
    >>> import numpy as np
    >>> import anytimebn as ab
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> result = ab.learn(table)
    >>> result.status, result.network.arcs
    ('optimal', (('X1', 'X0'),))
    """
    watch = Stopwatch.started()
    check_options("learn", settings, LEARN_OPTIONS)
    check_progress("scoring_progress", scoring_progress)
    if progress != "auto":
        check_progress("progress", progress)
    settings["jobs"] = jobs
    checked = SearchSettings(time_limit=time_limit, memory_limit=memory_limit, **settings)
    deadline = Deadline.after(time_limit)
    start = read_start(start)
    view = live_view(progress)
    if view is not None:
        scoring_progress, progress = scoring_progress or view.scoring, view.searching
    with nullcontext() if view is None else closing(view):
        scores, dataset = scores_of(
            data,
            as_knowledge(require, forbid, tiers, parent_limits, knowledge),
            start=start,
            from_data=works_on_data(checked),
            time_limit=time_limit,
            score=score,
            max_parents=max_parents,
            ess=ess,
            jobs=jobs,
            memory_limit=None if memory_limit is None else parse_memory(memory_limit),
            progress=scoring_progress,
            table_options={
                "bins": bins,
                "bin_method": bin_method,
                "missing": missing,
                "header": header,
                "exclude": exclude,
            },
        )
        scoring = watch.elapsed()
        result = search(
            scores,
            start=start,
            progress=None if progress == "auto" else progress,
            time_limit=deadline.limit,
            memory_limit=memory_limit,
            **settings,
        )
    network = result.network
    if dataset is not None:
        network = replace(network, states=dataset.states).fit(dataset)
    seconds = result.seconds | {"scoring": scoring, "total": watch.elapsed()}
    return replace(result, network=network, seconds=seconds)


LEARN_OPTIONS = (*(learn.__kwdefaults__ or ()), *SETTINGS)
"""All that `learn` takes, with the settings of the search."""


def works_on_data(settings: SearchSettings) -> bool:
    """Whether no parent sets are needed: bounds are over parent sets."""
    return algorithm(settings.algorithm).from_data and not settings.bound


def scores_of(
    data: TableLike | LocalScores,
    knowledge: Knowledge,
    *,
    start: Network | None,
    from_data: bool,
    time_limit: float | None,
    table_options: dict[str, Any],
    **scoring: Any,
) -> tuple[LocalScores | CountedScores, Dataset | None]:
    """Local scores, from a table or as they are, and the table if there is one."""
    from anytimebn.data.read import to_dataset
    from anytimebn.scores.files.score_files import SCORE_SUFFIXES
    from anytimebn.scores.on_demand import CountedScores

    if isinstance(data, str | os.PathLike) and Path(data).suffix.lower() in SCORE_SUFFIXES:
        data = LocalScores.load(data)
    if isinstance(data, LocalScores):
        exclude = table_options.get("exclude", ())
        if not is_list(exclude) or exclude:
            raise InputError("columns cannot be left out of scores: do it when they are computed")
        return restrict(data, knowledge), None
    dataset = to_dataset(data, **table_options)
    check_start(start, dataset.names, knowledge)
    if from_data:
        limit = scoring.get("max_parents", "auto")
        return CountedScores(
            dataset,
            scoring.get("score", "mdl"),
            scoring.get("ess", 1.0),
            None if limit == "auto" else limit,
            knowledge,
        ), dataset
    scores = score(dataset, knowledge=knowledge, time_limit=time_limit, **scoring)
    return scores, dataset
