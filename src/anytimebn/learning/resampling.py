"""How sure is each arc? Networks learned from resampled data, and how often each arc is in them.

Friedman, Goldszmidt and Wyner 1999, "Data analysis with Bayesian networks: a bootstrap approach".
Every replicate is learned with a bound on its error, so that what varies is the data rather than
the luck of a search. Arcs that data cannot direct are counted in the equivalence classes, too.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, get_args

from anytimebn.base.checks import MOST_JOBS, as_path, check_options, check_whole, is_number
from anytimebn.base.clock import Stopwatch
from anytimebn.base.errors import InputError
from anytimebn.base.executors import check_executor
from anytimebn.base.report import REPLICATES, Report
from anytimebn.base.resources import available_cores
from anytimebn.base.signatures import shows
from anytimebn.base.text import shown, unknown_name
from anytimebn.data.as_frames import BecomesFrame
from anytimebn.data.options import TableOptions
from anytimebn.data.read import to_dataset
from anytimebn.learning.replicates import (
    Method,
    Replicate,
    Sampling,
    learn_elsewhere,
    learn_here,
)
from anytimebn.learning.task import SHOWN_OPTIONS, TASK_OPTIONS, has_scores, make_task
from anytimebn.watch.watching import Progress, check_watched, watching

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from concurrent.futures import Executor

    from anytimebn.data.read import TableLike
    from anytimebn.network.network import Network
    from anytimebn.result.result import Result


@dataclass(frozen=True)
class Edge:
    """How often two variables are adjacent, and how; shares of the replicates.

    ``forward`` and ``backward`` count the arcs of the networks that were found. Where these are
    equivalent to networks with the opposite arc, the direction is the search's choice: the other
    three count the edges of the equivalence classes.
    """

    first: str
    second: str
    forward: float  # first -> second in the network
    backward: float
    directed_forward: float  # first -> second in all networks of the class
    directed_backward: float
    undirected: float

    @property
    def adjacent(self) -> float:
        """Share of the replicates in which there is an edge."""
        return self.forward + self.backward


@dataclass(frozen=True, repr=False)
class Bootstrap(BecomesFrame):
    """What the replicates say.

    Attributes
    ----------
    result : Result
        Of all data.
    edges : tuple of Edge
        Pairs of variables that are adjacent in some replicate, the most frequent first.
    replicates : tuple of Replicate
        Those that were learned; fewer than `asked` after Ctrl-C.
    """

    result: Result
    edges: tuple[Edge, ...]
    replicates: tuple[Replicate, ...]
    asked: int
    method: Method
    seed: int
    seconds: float

    @property
    def arc_frequencies(self) -> dict[tuple[str, str], float]:
        """Share of the replicates that have an arc ``(parent, child)``; others have 0."""
        found = {}
        for edge in self.edges:
            found[edge.first, edge.second] = edge.forward
            found[edge.second, edge.first] = edge.backward
        return {arc: share for arc, share in found.items() if share > 0}

    def average(self, threshold: float = 0.5, **settings: Any) -> Network:
        """Find the network that the replicates agree on most.

        Parameters
        ----------
        threshold
            Share of the replicates in which two variables must be adjacent, in either direction,
            for an arc between them.
        **settings
            Of the search for it, as in `anytimebn.search`; it seldom takes a moment.

        Returns
        -------
        Network
            Of all networks with arcs between such pairs only, and only arcs that some replicate
            has, the one with the largest sum of arc frequencies: exactly, not by dropping arcs
            until no cycle is left. It has states, and no probabilities: `fit` estimates them. If
            its sum is not proven to be the largest, such as after a limit, a `DataWarning` says so.

        Examples
        --------
        >>> import numpy as np
        >>> import anytimebn as ab
        >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
        >>> ab.bootstrap(table, replicates=20, seed=1).average().arcs
        (('X1', 'X0'),)
        """
        from anytimebn.learning.consensus import consensus

        if not (is_number(threshold) and 0 <= threshold <= 1):
            raise InputError(f"threshold must be a share between 0 and 1, not {shown(threshold)}")
        network, done = self.result.network, len(self.replicates)
        counts = {}
        for edge in self.edges:
            if edge.adjacent >= threshold:
                pair = network.index_of(edge.first), network.index_of(edge.second)
                counts[pair] = round(edge.forward * done)
                counts[pair[::-1]] = round(edge.backward * done)
        preferred = [network.index_of(name) for name in network.topological_order]
        found = consensus(network.names, counts, preferred, **settings)
        return replace(found, states=network.states)

    def to_arrow(self) -> Any:
        """Convert to a `pyarrow.Table` with a row for each pair of variables.

        Its columns are those of `Edge`, the numbers being shares of the replicates. Pairs that are
        adjacent in no replicate are left out.
        """
        import pyarrow as pa

        from anytimebn.learning.resampling_files import COLUMNS

        return pa.table({name: [getattr(edge, name) for edge in self.edges] for name in COLUMNS})

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values."""
        from anytimebn.learning.resampling_files import bootstrap_json

        return bootstrap_json(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the frequencies to a ``.json`` or ``.csv`` file, or a picture of them."""
        from anytimebn.learning.resampling_files import write_bootstrap

        write_bootstrap(self, path)

    def plot(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        title: str | None = None,
        network: Network | None = None,
        labels: bool = True,
        **options: Any,
    ) -> Any:
        """Draw the network of all data: how sure each edge is, and how sure its direction.

        An edge is as wide as it is frequent in the replicates, in either direction. It has a head
        where most replicates that have it direct it in this way, in their equivalence classes: what
        data cannot direct has none, however sure the edge is.

        Parameters
        ----------
        path, title
            As in `Network.plot`.
        network
            Another network over the same variables, such as that of `average`.
        labels
            Whether to write the percentages on the edges, too: that of the edge and, where it has a
            head, that of the direction.
        **options
            Further options of `Network.plot`.
        """
        from anytimebn.learning.resampling_picture import options_of_picture

        network = self.result.network if network is None else network
        drawn = options_of_picture(self, network, labels=labels)
        return network.plot(
            None if path is None else as_path(path), title=title, **drawn, **options
        )

    def _repr_html_(self) -> str:
        from anytimebn.learning.resampling_html import bootstrap_html

        return bootstrap_html(self)

    def __repr__(self) -> str:
        done = len(self.replicates)
        count = str(done) if done == self.asked else f"{done} of {self.asked}"
        return f"Bootstrap({count} replicates, {len(self.edges)} pairs adjacent in some)"


@shows(SHOWN_OPTIONS)
def bootstrap(
    data: TableLike,
    *,
    replicates: int = 100,
    method: Method = "bootstrap",
    gap: float = 0.001,
    time_limit: float | None = None,
    memory_limit: int | str | None = None,
    seed: int = 0,
    jobs: int | None = None,
    executor: Executor | None = None,
    progress: Progress = "auto",
    **options: Any,
) -> Bootstrap:
    """Learn networks from resampled data, and count how often each arc is in them.

    Parameters
    ----------
    data
        A table, as `learn` takes it.
    replicates
        How many networks to learn.
    method
        ``"bootstrap"`` draws as many rows as there are, with replacement; ``"jackknife"`` leaves
        out another part of the rows each time.
    gap
        Each replicate's cost is proven to be within this fraction of the best of its space, unless
        a limit comes first. Arcs that are worth less than this fraction of the cost may come and go
        by the search, not by the data: compare `Result.arc_strengths`.
    time_limit
        Seconds for each replicate.
    memory_limit
        Bytes, or text such as ``"8GiB"``, for all that are learned at the same time.
    seed
        Of the resampling and of the searches. The result does not depend on `jobs`, except by what
        a time limit allows.
    jobs
        Replicates that are learned at the same time; by default one for each core, and as many as
        the executor takes if there is one.
    executor
        Any `concurrent.futures.Executor`, such as a process pool or ``client.get_executor()`` of a
        Dask client: it learns the replicates, each on one thread of a worker, and `memory_limit` is
        that of each. The result is the same, bit by bit. A replicate whose worker dies is learned
        again.
    progress
        Called a few times a second with a `Report`. By default notebooks and terminals show a
        bar; nothing is shown with False.
    **options
        Further options of `learn`: ``score``, ``max_parents``, ``require``, ``bins``, ...

    Returns
    -------
    Bootstrap
        Ctrl-C returns what was learned so far.

    Examples
    --------
    >>> import numpy as np
    >>> import anytimebn as ab
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> found = ab.bootstrap(table, replicates=20, seed=1)
    >>> found.edges[0].first, found.edges[0].second, found.edges[0].undirected
    ('X0', 'X1', 1.0)
    """
    check_options("bootstrap", options, (*TASK_OPTIONS, *(bootstrap.__kwdefaults__ or ())))
    check_whole("replicates", replicates, 1)
    if method not in get_args(Method):
        raise InputError(unknown_name("method", method, get_args(Method)))
    if jobs is not None:
        check_whole("jobs", jobs, 1, MOST_JOBS)
    check_executor(executor)
    check_watched(progress)
    watch = Stopwatch.started()
    if has_scores(data):
        raise InputError("scores cannot be resampled: give the table that they were computed from")
    limits = {"gap": gap, "time_limit": time_limit, "memory_limit": memory_limit}
    asked = make_task("bootstrap", data, options | limits | {"seed": seed, "jobs": jobs})
    dataset = to_dataset(data, asked.table_options)
    # The table is read once, for all.
    whole = replace(asked, data=dataset, table_options=TableOptions())
    if method == "jackknife" and not 2 <= replicates <= dataset.rows:
        raise InputError(
            f"replicates is {replicates}; a jackknife of {dataset.rows} rows needs 2 to "
            f"{dataset.rows}"
        )
    workers = min(jobs or available_cores(), replicates)
    with watching(progress) as sink:

        def tell(done: int) -> None:
            if sink is not None:
                sink(
                    Report(
                        phase=REPLICATES,
                        seconds=watch.elapsed(),
                        fraction=done / replicates,
                        done=done,
                        replicates=replicates,
                    )
                )

        result = whole.run(progress=lambda _: tell(0))
        if result.status == "interrupted":
            raise KeyboardInterrupt
        sampling = Sampling(whole, replicates, method, int(seed))
        if executor is None:
            learned = learn_here(sampling, workers, tell)
        else:
            learned = learn_elsewhere(sampling, executor, jobs or replicates, tell)
    return Bootstrap(
        result=result,
        edges=_edges(dataset.names, [replicate.network for replicate in learned]),
        replicates=tuple(learned),
        asked=replicates,
        method=method,
        seed=int(seed),
        seconds=watch.elapsed(),
    )


def _edges(names: Sequence[str], networks: Sequence[Network]) -> tuple[Edge, ...]:
    arcs: Counter[tuple[str, str]] = Counter()
    directed: Counter[tuple[str, str]] = Counter()
    undirected: Counter[tuple[str, str]] = Counter()
    position = {name: number for number, name in enumerate(names)}

    def in_order(pair: tuple[str, str]) -> tuple[str, str]:
        return pair if position[pair[0]] < position[pair[1]] else (pair[1], pair[0])

    for network in networks:
        found = network.cpdag()
        arcs.update(network.arcs)
        directed.update(found.directed)
        undirected.update(map(in_order, found.undirected))
    count = len(networks)
    edges = [
        Edge(
            *pair,
            forward=arcs[pair] / count,
            backward=arcs[pair[::-1]] / count,
            directed_forward=directed[pair] / count,
            directed_backward=directed[pair[::-1]] / count,
            undirected=undirected[pair] / count,
        )
        for pair in sorted({in_order(arc) for arc in arcs}, key=lambda p: [position[n] for n in p])
    ]
    return tuple(sorted(edges, key=lambda edge: -edge.adjacent))
