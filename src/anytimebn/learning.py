"""The main job: from a table, or a score file, to a network with its bounds."""

from __future__ import annotations

import inspect
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from anytimebn.errors import InputError
from anytimebn.knowledge import Arc, Knowledge, parse_arc
from anytimebn.notebook import live_view
from anytimebn.registry import algorithm
from anytimebn.scores import LocalScores, ScoringProgress, restrict, score
from anytimebn.searching import SearchProgress, SearchSettings, Stream, check_settings, search
from anytimebn.start_network import Start, check_start, read_start
from anytimebn.units import parse_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from anytimebn.counted_scores import CountedScores
    from anytimebn.data import Dataset, TableLike
    from anytimebn.network import Network
    from anytimebn.result import Result

ArcLike = str | Arc
"""An arc as ``"A->B"`` or as a pair of names."""


def as_knowledge(
    require: Sequence[ArcLike] = (),
    forbid: Sequence[ArcLike] = (),
    tiers: Sequence[Sequence[str]] | str | os.PathLike[str] = (),
    parent_limits: Mapping[str, int] | None = None,
    knowledge: Knowledge | str | os.PathLike[str] | None = None,
) -> Knowledge:
    """Background knowledge from what people write, all of it together.

    Examples
    --------
    >>> as_knowledge(forbid=["rain->sprinkler"]).forbidden
    frozenset({('rain', 'sprinkler')})
    """
    from anytimebn.formats.knowledge_files import read_knowledge, read_tiers

    if isinstance(tiers, str | os.PathLike):
        tiers = read_tiers(tiers)
    if isinstance(knowledge, str | os.PathLike):
        knowledge = read_knowledge(knowledge)
    for tier in tiers:
        if isinstance(tier, str):
            raise InputError(f"the tier {tier!r} is a text; give a list of names, as in [{tier!r}]")
    before = knowledge or Knowledge()
    if before.tiers and tiers:
        raise InputError("tiers are given twice: in the knowledge and by themselves; give one")
    return Knowledge(
        required=before.required | _arcs(require),
        forbidden=before.forbidden | _arcs(forbid),
        tiers=before.tiers or tuple(tuple(tier) for tier in tiers),
        max_parents={**before.max_parents, **(parent_limits or {})},
    )


def _arcs(arcs: Sequence[ArcLike]) -> set[Arc]:
    if isinstance(arcs, str):  # one arc, without a list around it
        arcs = [arcs]
    return {parse_arc(arc) if isinstance(arc, str) else arc for arc in arcs}


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
    bins, bin_method, missing, header
        How the table is read, as in `anytimebn.data.to_dataset`.
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
    began = time.monotonic()
    check_settings("learn", settings, tuple(inspect.signature(learn).parameters))
    settings["jobs"] = jobs
    checked = SearchSettings(time_limit=time_limit, memory_limit=memory_limit, **settings)
    start = read_start(start)
    view = live_view(progress)
    if view is not None:
        scoring_progress, progress = scoring_progress or view.scoring, view.searching
    scores, dataset = _scores_of(
        data,
        as_knowledge(require, forbid, tiers, parent_limits, knowledge),
        start=start,
        from_data=_works_on_data(checked),
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
        },
    )
    scoring = time.monotonic() - began
    left = None if checked.time_limit is None else max(0.0, checked.time_limit - scoring)
    result = search(
        scores,
        start=start,
        progress=None if progress == "auto" else progress,
        time_limit=left,
        memory_limit=memory_limit,
        **settings,
    )
    if view is not None:
        view.close()
    network = result.network
    if dataset is not None:
        network = replace(network, states=dataset.states).fit(dataset)
    seconds = result.seconds | {"scoring": scoring, "total": time.monotonic() - began}
    return replace(result, network=network, seconds=seconds)


def stream(
    data: TableLike | LocalScores,
    *,
    time_limit: float | None = None,
    start: Start = None,
    **options: Any,
) -> Stream:
    """Learn as `learn` does, yielding each improvement of network or bound as it comes.

    Leaving the loop stops the search; the stream has the best ``network`` at any time and the
    ``result`` at the end.

    Examples
    --------
    >>> import numpy as np
    >>> import anytimebn as ab
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> events = ab.stream(table)
    >>> for event in events:
    ...     last = event
    >>> last.error_bound, events.result.status
    (1.0, 'optimal')
    """
    began = time.monotonic()
    scoring = ("score", "max_parents", "ess", "jobs")
    table = ("bins", "bin_method", "missing", "header")
    knowledge = ("require", "forbid", "tiers", "parent_limits", "knowledge")
    settings = {
        key: value
        for key, value in options.items()
        if key == "jobs" or key not in (*scoring, *table, *knowledge)
    }
    check_settings("stream", settings, (*scoring, *table, *knowledge, "start"))
    checked = SearchSettings(time_limit=time_limit, **settings)
    start = read_start(start)
    scores, _ = _scores_of(
        data,
        as_knowledge(**{key: options[key] for key in knowledge if key in options}),
        start=start,
        from_data=_works_on_data(checked),
        time_limit=time_limit,
        table_options={key: options[key] for key in table if key in options},
        **{key: options[key] for key in scoring if key in options},
    )
    if time_limit is not None:
        time_limit = max(0.0, time_limit - (time.monotonic() - began))
    return Stream(scores, SearchSettings(time_limit=time_limit, **settings), start)


def _works_on_data(settings: SearchSettings) -> bool:
    """Whether no parent sets are needed: bounds are over parent sets."""
    return algorithm(settings.algorithm).from_data and not settings.bound


def _scores_of(
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
    from anytimebn.counted_scores import CountedScores
    from anytimebn.data import to_dataset
    from anytimebn.formats.score_files import SCORE_SUFFIXES

    if isinstance(data, str | os.PathLike) and Path(data).suffix.lower() in SCORE_SUFFIXES:
        data = LocalScores.load(data)
    if isinstance(data, LocalScores):
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
