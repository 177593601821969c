"""One job of learning as a value: what is learned from, and how, up to the result.

`learn`, `stream`, the replicates of `bootstrap`, the estimator and the searches of a study are all
this one job. A task can be pickled, and so be run in another process or on another machine.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from anytimebn.base.checks import check_options
from anytimebn.base.clock import SYSTEM_CLOCK, Clock, Deadline, Stopwatch
from anytimebn.base.errors import InputError
from anytimebn.data.options import TABLE_KEYWORDS, TableOptions, gather_table_options
from anytimebn.knowledge.combine import as_knowledge
from anytimebn.knowledge.constraints import Knowledge
from anytimebn.scores.restrict import restrict
from anytimebn.scores.scoring import ScoringOptions, ScoringProgress, score
from anytimebn.scores.store import LocalScores
from anytimebn.solver.registry import algorithm
from anytimebn.solver.search import search_with
from anytimebn.solver.settings import SETTINGS, SearchSettings
from anytimebn.solver.start import check_start, read_start
from anytimebn.solver.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from anytimebn.data.dataset import Dataset
    from anytimebn.data.read import TableLike
    from anytimebn.network.network import Network
    from anytimebn.result.result import Result
    from anytimebn.scores.on_demand import CountedScores
    from anytimebn.solver.outcome import SearchProgress


@dataclass(frozen=True, eq=False, kw_only=True)
class LearnTask:
    """From a table, or from scores, to a result.

    Parameters
    ----------
    data
        A `Dataset`, any other table, `LocalScores`, or the path of a table or of a score file.
    table_options
        How a table is read.
    scoring
        What is optimised; not used when there are scores already.
    knowledge
        Constraints on the network.
    settings
        How it is searched for; its limits and threads are those of scoring, too.
    start
        A network to begin with.

    Examples
    --------
    >>> import pickle
    >>> import numpy as np
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> task = LearnTask(data=table, settings=SearchSettings(seed=1))
    >>> pickle.loads(pickle.dumps(task)).run().network.arcs
    (('X1', 'X0'),)
    """

    data: TableLike | LocalScores
    table_options: TableOptions = field(default_factory=TableOptions)
    scoring: ScoringOptions = field(default_factory=ScoringOptions)
    knowledge: Knowledge = field(default_factory=Knowledge)
    settings: SearchSettings = field(default_factory=SearchSettings)
    start: Network | None = None

    def run(
        self,
        *,
        progress: Callable[[SearchProgress], None] | None = None,
        scoring_progress: Callable[[ScoringProgress], None] | None = None,
        clock: Clock = SYSTEM_CLOCK,
    ) -> Result:
        """Do it: read, score, search, and estimate the probabilities where there is a table."""
        watch, deadline = Stopwatch.started(clock), Deadline.after(self.settings.time_limit, clock)
        scores, dataset = self._scores(deadline, scoring_progress)
        scoring_seconds = watch.elapsed()
        result = search_with(
            scores,
            replace(self.settings, time_limit=deadline.limit),
            start=self.start,
            progress=progress,
            clock=clock,
        )
        network = result.network
        if dataset is not None:
            network = replace(network, states=dataset.states).fit(dataset)
        seconds = result.seconds | {"scoring": scoring_seconds, "total": watch.elapsed()}
        return replace(result, network=network, seconds=seconds)

    def stream(self, *, clock: Clock = SYSTEM_CLOCK) -> Stream:
        """Read and score now, then give the events of the search as they come."""
        deadline = Deadline.after(self.settings.time_limit, clock)
        scores, _ = self._scores(deadline, None)
        return Stream(scores, replace(self.settings, time_limit=deadline.limit), self.start)

    @property
    def works_on_data(self) -> bool:
        """Whether the search needs no parent sets: bounds are over parent sets."""
        return algorithm(self.settings.algorithm).from_data and not self.settings.bound

    def _scores(
        self, deadline: Deadline, progress: Callable[[ScoringProgress], None] | None
    ) -> tuple[LocalScores | CountedScores, Dataset | None]:
        """Get local scores, from a table or as given, and the table if there is one."""
        from anytimebn.data.read import to_dataset
        from anytimebn.scores.on_demand import CountedScores

        if has_scores(self.data):
            if self.table_options.exclude:
                raise InputError(
                    "columns cannot be left out of scores: do it when they are computed"
                )
            given = self.data
            scores = given if isinstance(given, LocalScores) else LocalScores.load(given)
            return restrict(scores, self.knowledge), None
        dataset = to_dataset(self.data, self.table_options)
        check_start(self.start, dataset.names, self.knowledge)
        chosen = self.scoring
        if self.works_on_data:
            limit = None if chosen.max_parents == "auto" else chosen.max_parents
            counted = CountedScores(dataset, chosen.score, chosen.ess, limit, self.knowledge)
            return counted, dataset
        scores = score(
            dataset,
            chosen.score,
            max_parents=chosen.max_parents,
            ess=chosen.ess,
            knowledge=self.knowledge,
            jobs=self.settings.jobs,
            memory_limit=self.settings.memory_limit,
            time_limit=deadline.limit,
            progress=progress,
            clock=deadline.clock,
        )
        return scores, dataset


def has_scores(data: TableLike | LocalScores) -> bool:
    """Whether these are local scores, or a file of them, rather than a table."""
    from anytimebn.scores.files.score_files import is_score_file

    return is_score_file(data) or isinstance(data, LocalScores)


_SCORING = tuple(option.name for option in fields(ScoringOptions))
_KNOWLEDGE = tuple(inspect.signature(as_knowledge).parameters)
TASK_OPTIONS = (*_SCORING, *_KNOWLEDGE, "start", "table_options", *TABLE_KEYWORDS, *SETTINGS)
"""What people may say of a task, by name; the same for all functions that make one."""


def make_task(
    function: str, data: TableLike | LocalScores, options: Mapping[str, Any]
) -> LearnTask:
    """Make a task of what people wrote.

    Parameters
    ----------
    function
        What messages call the function that they called.
    data
        As in `LearnTask`.
    options
        Some of `TASK_OPTIONS`; others are refused.

    Examples
    --------
    >>> task = make_task("learn", "table.csv", {"bins": 3, "forbid": ["A->B"], "seed": 1})
    >>> task.table_options.bins, task.knowledge.forbidden, task.settings.seed
    (3, frozenset({('A', 'B')}), 1)
    """
    check_options(function, options, TASK_OPTIONS)

    def given(names: tuple[str, ...]) -> dict[str, Any]:
        return {name: options[name] for name in names if name in options}

    return LearnTask(
        data=data,
        settings=SearchSettings(**given(SETTINGS)),
        start=read_start(options.get("start")),
        knowledge=as_knowledge(**given(_KNOWLEDGE)),
        scoring=ScoringOptions(**given(_SCORING)),
        table_options=gather_table_options(
            function, options.get("table_options"), given(TABLE_KEYWORDS)
        ),
    )
