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
from anytimebn.base.report import Sink, fan_out
from anytimebn.base.signatures import fields_as_parameters
from anytimebn.base.text import shown
from anytimebn.base.threads import whatever_is_pressed
from anytimebn.data.options import TABLE_KEYWORDS, TableOptions, gather_table_options
from anytimebn.knowledge.combine import as_knowledge
from anytimebn.knowledge.constraints import Knowledge
from anytimebn.learning.completion import completed
from anytimebn.learning.planned import FittedWork, PlannedWork, finished
from anytimebn.learning.planner import Planner
from anytimebn.learning.single import SingleSearch
from anytimebn.learning.stages import SPACES, Spaces
from anytimebn.scores.restrict import restrict
from anytimebn.scores.scoring import ScoringOptions
from anytimebn.scores.store import LocalScores
from anytimebn.solver.registry import algorithm
from anytimebn.solver.settings import SETTINGS, SHOWN_SETTINGS, SearchSettings
from anytimebn.solver.start import check_start, read_start
from anytimebn.solver.stream import Stream, Work, search_work

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Executor

    from anytimebn.data.completion import Completion
    from anytimebn.data.dataset import Dataset
    from anytimebn.data.read import TableLike
    from anytimebn.learning.checkpoint import Checkpoint
    from anytimebn.learning.checkpoint_file import Saved
    from anytimebn.learning.kept_scores import ScoredStage
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
    completion
        How missing values are completed, if they are to be and an earlier run has done so.

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
    completion: Completion | None = None

    def __post_init__(self) -> None:
        if self.space not in SPACES:
            raise InputError(f"space must be one of {', '.join(SPACES)}, not {shown(self.space)}")

    def run(
        self,
        *,
        progress: Sink | None = None,
        clock: Clock = SYSTEM_CLOCK,
        checkpoint: Checkpoint | None = None,
        resumed: Saved | None = None,
        kept_scores: ScoredStage | None = None,
        began: Callable[[Dataset | LocalScores], None] | None = None,
        executor: Executor | None = None,
    ) -> Result:
        """Do it: read, score, search, and estimate the probabilities where there is a table.

        Parameters
        ----------
        progress
            Called a few times a second with a `Report`.
        clock
            By which it is learned.
        checkpoint
            Saves where it stands.
        resumed, kept_scores
            What an earlier run has left, to go on from there; the time limit counts from now.
        began
            Called with what is learned from, when it has been read.
        executor
            Whose workers help.
        """
        earlier = 0.0 if resumed is None else resumed.state.seconds
        watch = Stopwatch(clock, clock.seconds() - earlier)
        deadline = Deadline.after(self.settings.time_limit, clock)
        data = self.read(deadline)
        if resumed is not None:
            resumed.check_data(data)
        if began is not None:
            began(data)
        common: dict[str, Any] = {
            "watch": watch,
            "deadline": deadline,
            "progress": fan_out(progress, checkpoint),
            "heard": None if checkpoint is None else checkpoint.hear,
            "resumed": None if resumed is None else resumed.state,
            "certify_along": checkpoint is not None,
            "executor": executor,
        }
        work: SingleSearch | Planner
        if isinstance(data, LocalScores):
            work = SingleSearch(data, self.settings, self.start, **common)
        else:
            work = self._planner(data, kept_scores=kept_scores, **common)
            if self.works_on_data:
                work = SingleSearch(work.counted, self.settings, self.start, **common)
        if checkpoint is not None:
            checkpoint.follow(work, data, resumed)

        def learn() -> Result:
            result = work.run()
            return whatever_is_pressed(lambda: finished(result, data, watch))

        return learn() if checkpoint is None else checkpoint.saving(learn)

    def read(self, deadline: Deadline | None = None) -> Dataset | LocalScores:
        """Give what is learned from: the table as it is read, or the scores."""
        if has_scores(self.data):
            return self._given_scores(deadline or Deadline.after(None))
        from anytimebn.data.read import to_dataset

        dataset = to_dataset(self.data, self.table_options)
        check_start(self.start, dataset.names, self.knowledge)
        if dataset.holes is None or dataset.completed:
            return dataset
        if self.completion is not None:
            return self.completion.applied_to(dataset)
        return completed(
            dataset, self.scoring, self.knowledge, self.settings, deadline or Deadline.after(None)
        )

    def stream(
        self, *, clock: Clock = SYSTEM_CLOCK, executor: Executor | None = None
    ) -> Stream[Work]:
        """Read now, then give the events of all that follows as they come."""
        watch, deadline = Stopwatch.started(clock), Deadline.after(self.settings.time_limit, clock)
        data = self.read(deadline)
        if isinstance(data, LocalScores):
            scores: LocalScores | CountedScores = data
        else:
            planner = self._planner(data, watch=watch, deadline=deadline, executor=executor)
            if not self.works_on_data:
                return Stream(PlannedWork(planner))
            scores = planner.counted
        settings = replace(self.settings, time_limit=deadline.limit)
        work = search_work(scores, settings, self.start, clock=clock, executor=executor)
        return Stream(work if isinstance(data, LocalScores) else FittedWork(work, data, watch))

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

    def _planner(self, dataset: Dataset, **how: Any) -> Planner:
        return Planner(
            dataset=dataset,
            scoring=self.scoring,
            knowledge=self.knowledge,
            settings=self.settings,
            start=self.start,
            space=self.space,
            **how,
        )


def has_scores(data: TableLike | LocalScores) -> bool:
    """Whether these are local scores, or a file of them, rather than a table."""
    from anytimebn.scores.files.score_files import is_score_file

    return is_score_file(data) or isinstance(data, LocalScores)


_SCORING = tuple(option.name for option in fields(ScoringOptions))
KNOWLEDGE_KEYWORDS = tuple(inspect.signature(as_knowledge).parameters)
"""The ways to state constraints, by name."""

TASK_OPTIONS = (
    *_SCORING,
    *KNOWLEDGE_KEYWORDS,
    "start",
    "space",
    "table_options",
    *TABLE_KEYWORDS,
    *SETTINGS,
)
"""What people may say of a task, by name; the same for all functions that make one."""

_OWN = {option.name: option for option in fields_as_parameters(LearnTask, without=("data",))}
_KEYWORD = inspect.Parameter.KEYWORD_ONLY
SHOWN_OPTIONS = (
    *fields_as_parameters(ScoringOptions),
    *(
        option.replace(kind=_KEYWORD)
        for option in inspect.signature(as_knowledge).parameters.values()
    ),
    _OWN["start"].replace(annotation="Start"),  # files, too
    _OWN["space"],
    *SHOWN_SETTINGS,
    *fields_as_parameters(TableOptions),
    inspect.Parameter("table_options", _KEYWORD, default=None, annotation="TableOptions | None"),
)
"""The same with types and defaults, as those functions show them in their signatures."""


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
        knowledge=as_knowledge(**given(KNOWLEDGE_KEYWORDS)),
        scoring=ScoringOptions(**given(_SCORING)),
        table_options=gather_table_options(
            function, options.get("table_options"), given(TABLE_KEYWORDS)
        ),
    )
