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
from anytimebn.base.text import shown
from anytimebn.base.threads import whatever_is_pressed
from anytimebn.data.options import TABLE_KEYWORDS, TableOptions, gather_table_options
from anytimebn.knowledge.combine import as_knowledge
from anytimebn.knowledge.constraints import Knowledge
from anytimebn.learning.planned import PlannedWork, finished
from anytimebn.learning.planner import SPACES, Planner, Spaces
from anytimebn.scores.restrict import restrict
from anytimebn.scores.scoring import ScoringOptions
from anytimebn.scores.store import LocalScores
from anytimebn.solver.registry import algorithm
from anytimebn.solver.search import search_with
from anytimebn.solver.settings import SETTINGS, SearchSettings
from anytimebn.solver.start import check_start, read_start
from anytimebn.solver.stream import Stream, Work, stream_search

if TYPE_CHECKING:
    from collections.abc import Mapping

    from anytimebn.base.report import Sink
    from anytimebn.data.read import TableLike
    from anytimebn.network.network import Network
    from anytimebn.result.result import Result
    from anytimebn.scores.on_demand import CountedScores


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
    space
        Which families are searched, where they are not given: those that pay (``grow``), all up to
        a size (``complete``), or those near the best network (``neighbourhood``).

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
    space: Spaces = "grow"

    def __post_init__(self) -> None:
        if self.space not in SPACES:
            raise InputError(f"space must be one of {', '.join(SPACES)}, not {shown(self.space)}")

    def run(self, *, progress: Sink | None = None, clock: Clock = SYSTEM_CLOCK) -> Result:
        """Do it: read, score, search, and estimate the probabilities where there is a table."""
        watch, deadline = Stopwatch.started(clock), Deadline.after(self.settings.time_limit, clock)
        if has_scores(self.data):
            result = self._search(self._given_scores(deadline), watch, deadline, progress)
            return replace(result, seconds=result.seconds | {"total": watch.elapsed()})
        planner = self._planner(watch, deadline, progress)
        if self.works_on_data:
            result = self._search(planner.counted, watch, deadline, progress)
        else:
            result = planner.run()
        return whatever_is_pressed(lambda: finished(result, planner))

    def stream(self, *, clock: Clock = SYSTEM_CLOCK) -> Stream[Work]:
        """Read now, then give the events of all that follows as they come."""
        watch, deadline = Stopwatch.started(clock), Deadline.after(self.settings.time_limit, clock)
        if not has_scores(self.data):
            planner = self._planner(watch, deadline)
            if not self.works_on_data:
                return Stream(PlannedWork(planner))
        scores = self._given_scores(deadline) if has_scores(self.data) else planner.counted
        settings = replace(self.settings, time_limit=deadline.limit)
        return stream_search(scores, settings, self.start, clock=clock)

    @property
    def works_on_data(self) -> bool:
        """Whether the search needs no parent sets: bounds are over parent sets."""
        return algorithm(self.settings.algorithm).from_data and not self.settings.bound

    def _given_scores(self, deadline: Deadline) -> LocalScores:
        if self.space != "grow":
            raise InputError(
                f"the space {self.space!r} is for tables: scores have their families already"
            )
        if self.table_options.exclude:
            raise InputError("columns cannot be left out of scores: do it when they are computed")
        given = self.data
        scores = (
            given if isinstance(given, LocalScores) else LocalScores.load(given, deadline=deadline)
        )
        return restrict(scores, self.knowledge)

    def _planner(
        self,
        watch: Stopwatch,
        deadline: Deadline,
        progress: Sink | None = None,
    ) -> Planner:
        """Read the table, for all stages."""
        from anytimebn.data.read import to_dataset

        dataset = to_dataset(self.data, self.table_options)
        check_start(self.start, dataset.names, self.knowledge)
        return Planner(
            dataset=dataset,
            scoring=self.scoring,
            knowledge=self.knowledge,
            settings=self.settings,
            start=self.start,
            space=self.space,
            watch=watch,
            deadline=deadline,
            progress=progress,
        )

    def _search(
        self,
        scores: LocalScores | CountedScores,
        watch: Stopwatch,
        deadline: Deadline,
        progress: Sink | None,
    ) -> Result:
        began = watch.elapsed()
        result = search_with(
            scores,
            replace(self.settings, time_limit=deadline.limit),
            start=self.start,
            progress=progress,
            clock=deadline.clock,
        )
        # Events count from where the limit does: reading is a part of it.
        events = tuple(replace(event, seconds=began + event.seconds) for event in result.events)
        return replace(result, events=events)


def has_scores(data: TableLike | LocalScores) -> bool:
    """Whether these are local scores, or a file of them, rather than a table."""
    from anytimebn.scores.files.score_files import is_score_file

    return is_score_file(data) or isinstance(data, LocalScores)


_SCORING = tuple(option.name for option in fields(ScoringOptions))
_KNOWLEDGE = tuple(inspect.signature(as_knowledge).parameters)
TASK_OPTIONS = (
    *_SCORING,
    *_KNOWLEDGE,
    "start",
    "space",
    "table_options",
    *TABLE_KEYWORDS,
    *SETTINGS,
)
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
        **given(("space",)),
        knowledge=as_knowledge(**given(_KNOWLEDGE)),
        scoring=ScoringOptions(**given(_SCORING)),
        table_options=gather_table_options(
            function, options.get("table_options"), given(TABLE_KEYWORDS)
        ),
    )
