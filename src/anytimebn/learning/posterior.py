"""How probable is each arc? Exact averages over all networks, each weighted by its posterior.

Koivisto and Sood 2004, "Exact Bayesian structure discovery in Bayesian networks"; all arcs at once
as in Koivisto 2006. The sums run over orders of the variables, so that the prior is modular over
orders: a network counts once for each order that agrees with it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from anytimebn.base.checks import (
    MOST_JOBS,
    as_path,
    check_number,
    check_options,
    check_whole,
)
from anytimebn.base.clock import SYSTEM_CLOCK, Clock, Deadline, Stopwatch
from anytimebn.base.errors import InputError
from anytimebn.base.resources import available_cores, memory_to_use
from anytimebn.base.text import shown, unknown_name
from anytimebn.data.options import TABLE_KEYWORDS, takes_table_keywords
from anytimebn.learning.kept_families import families_within
from anytimebn.learning.task import KNOWLEDGE_KEYWORDS, make_task
from anytimebn.solver.order_sums import sum_over_orders
from anytimebn.watch.watching import check_watched, watching

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from numpy.typing import NDArray

    from anytimebn.data.read import TableLike
    from anytimebn.network.network import Network
    from anytimebn.scores.store import LocalScores
    from anytimebn.watch.watching import Progress

Prior = Literal["sizes", "sets"]


@dataclass(frozen=True, eq=False, repr=False)
class Posterior:
    """What all networks say together, each weighted by how probable it is.

    Attributes
    ----------
    names : tuple of str
        The variables.
    arcs : ndarray
        ``arcs[i, j]`` is the probability of the arc from variable ``i`` to variable ``j``.
    scores : LocalScores
        All families, with their costs.
    families : ndarray
        The probability of each family, in the order of `scores`.
    prior : str
        As it was asked for.
    seconds : float
        What it took.

    Examples
    --------
    >>> import numpy as np
    >>> import anytimebn as ab
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> found = ab.posterior(table)
    >>> found
    Posterior(3 variables, up to 2 parents, bdeu; 1.36 arcs expected)
    >>> round(found.adjacency("X0", "X1"), 6), round(found.arc("X0", "X2"), 3)
    (1.0, 0.025)
    """

    names: tuple[str, ...]
    arcs: NDArray[np.float64]
    scores: LocalScores
    families: NDArray[np.float64]
    prior: Prior
    seconds: float
    _log_weights: NDArray[np.float64] = field(repr=False)
    _log_total: float = field(repr=False)
    _jobs: int = field(repr=False)

    @property
    def max_parents(self) -> int:
        """Size of the largest parent set that was considered."""
        return self.scores.max_parents or 0

    def arc(self, parent: str, child: str) -> float:
        """Probability of an arc."""
        return float(self.arcs[self.scores.index(parent), self.scores.index(child)])

    def adjacency(self, first: str, second: str) -> float:
        """Probability of an arc between two variables, in either direction."""
        return min(1.0, self.arc(first, second) + self.arc(second, first))

    def sorted_arcs(self, at_least: float = 0.0) -> list[tuple[str, str, float]]:
        """Parent, child and probability of all arcs, the most probable first."""
        found = [
            (parent, child, float(self.arcs[i, j]))
            for i, parent in enumerate(self.names)
            for j, child in enumerate(self.names)
            if i != j and self.arcs[i, j] >= at_least
        ]
        return sorted(found, key=lambda arc: -arc[2])

    def parent_sets(self, name: str) -> list[tuple[float, tuple[str, ...]]]:
        """Probability and members of the parent sets of a variable, the most probable first."""
        child = self.scores.index(name)
        numbers = range(self.scores.first_set[child], self.scores.first_set[child + 1])
        found = [
            (float(self.families[s]), tuple(self.names[p] for p in self.scores.parents(s)))
            for s in numbers
        ]
        return sorted(found, key=lambda own: -own[0])

    def probability(self, predicate: Callable[[str, frozenset[str]], bool]) -> float:
        """Probability of a feature: that the parents of every variable are as you say.

        Parameters
        ----------
        predicate
            Called with the name of a variable and a set of parents, for all there are: whether a
            network with the feature may have them. What it says of one variable must not depend
            on the parents of another.

        Examples
        --------
        A table in which ``X1`` is a copy of ``X0``: how probable is it that ``X2`` has nothing to
        do with the two?

        >>> import numpy as np
        >>> import anytimebn as ab
        >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
        >>> found = ab.posterior(table)
        >>> alone = found.probability(
        ...     lambda child, parents: not parents if child == "X2" else "X2" not in parents
        ... )
        >>> round(alone, 3)
        0.659
        """
        if not callable(predicate):
            raise InputError(
                "predicate must be a function of a variable and its parents, not "
                f"{shown(predicate)}"
            )
        scores, names = self.scores, self.names
        weights = self._log_weights.copy()
        for child, (begin, end) in enumerate(pairwise(scores.first_set.tolist())):
            allowed = [
                bool(predicate(names[child], frozenset(names[p] for p in scores.parents(number))))
                for number in range(begin, end)
            ]
            weights[begin:end][~np.array(allowed)] = -np.inf
        sums = sum_over_orders(scores, weights, jobs=self._jobs, families=False)
        return min(1.0, math.exp(sums.log_total - self._log_total))

    def to_pandas(self) -> Any:
        """Convert to a `pandas.DataFrame` with a row for each arc, the most probable first."""
        from anytimebn.learning.posterior_files import arcs_to_pandas

        return arcs_to_pandas(self)

    def to_polars(self) -> Any:
        """Convert to a `polars.DataFrame` with a row for each arc, the most probable first."""
        from anytimebn.learning.posterior_files import arcs_to_polars

        return arcs_to_polars(self)

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values, but for the families."""
        from anytimebn.learning.posterior_files import posterior_json

        return posterior_json(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the arcs to a ``.json`` or ``.csv`` file, or a picture of them."""
        from anytimebn.learning.posterior_files import write_posterior

        write_posterior(self, path)

    def plot(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        network: Network | None = None,
        title: str | None = None,
    ) -> Any:
        """Draw the probabilities: as a heat map, or as the widths of a network's arcs.

        Parameters
        ----------
        path
            Where to write the drawing, a ``.png`` or ``.svg`` file; nowhere if None.
        network
            Whose arcs to draw, such as the best one; without it, all are drawn as a heat map.
        title
            A line above the drawing.
        """
        if network is None:
            from anytimebn.draw.heat_map import draw_heat_map

            return draw_heat_map(
                self.names,
                self.arcs,
                path,
                title=title,
                rows="parent",
                columns="child",
                meaning="probability of the arc",
            )
        return network.plot(
            None if path is None else as_path(path),
            title=title,
            weights={(a, b): self.arc(a, b) for a, b in network.arcs},
            meaning="probability of the arc",
            proportional=True,
        )

    def _repr_html_(self) -> str:
        from anytimebn.draw.embed import embedded_image

        return f"<div>{embedded_image(self.plot, repr(self), '40em')}<div>{self!r}</div></div>"

    def __repr__(self) -> str:
        return (
            f"Posterior({len(self.names)} variables, up to {self.max_parents} parents, "
            f"{self.scores.score_name}; {self.arcs.sum():.2f} arcs expected)"
        )


@takes_table_keywords()
def posterior(
    data: TableLike | LocalScores,
    *,
    score: str = "bdeu",
    max_parents: int | Literal["auto"] = "auto",
    ess: float = 1.0,
    prior: Prior = "sizes",
    time_limit: float | None = None,
    memory_limit: int | str | None = None,
    jobs: int | None = None,
    progress: Progress = "auto",
    clock: Clock = SYSTEM_CLOCK,
    **options: Any,
) -> Posterior:
    """Compute the exact posterior probability of every arc, by sums over all networks.

    All networks of up to `max_parents` parents count, each with its score as the logarithm of its
    likelihood, times a prior that is modular over orders: a network has the weight of the product
    of its families, once for each order of the variables that agrees with it. So networks with many
    such orders count more than under a prior that is the same for all networks.

    Parameters
    ----------
    data
        A table, as `learn` takes it; or scores of all parent sets (``score(..., factor=math.inf)``,
        or a file of them). Other scores are refused: they leave out what cannot be optimal.
    score, ess
        As in `anytimebn.score`. With ``bdeu`` the likelihood is exact, with ``mdl`` or ``bic`` it
        is approximated.
    max_parents
        Largest parent set considered; ``"auto"`` for as many as the work allows.
    prior
        Of the families: ``"sizes"`` makes each number of parents equally probable, as Koivisto and
        Sood do; ``"sets"`` each parent set, so that many parents are more probable than few.
    time_limit
        Seconds; raises `LimitReached` if they are not enough, because there are no partial sums.
    memory_limit
        Bytes, or text such as ``"8GiB"``, for the whole process. What would need more is refused
        before it starts.
    jobs
        Threads; all cores by default. The result does not depend on it.
    progress
        Called a few times a second with a `Report`. By default notebooks show a bar.
    clock
        By which `time_limit` is kept.
    **options
        Constraints (``require``, ``forbid``, ``tiers``, ``parent_limits``, ``knowledge``) and how
        the table is read (``bins``, ...), as in `learn`.

    Returns
    -------
    Posterior
        Probabilities are right to about nine digits after the point, given the costs of the
        families.

    Examples
    --------
    >>> import numpy as np
    >>> import anytimebn as ab
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> [(parent, child) for parent, child, _ in ab.posterior(table).sorted_arcs(at_least=0.4)]
    [('X0', 'X1'), ('X1', 'X0')]
    """
    check_options(
        "posterior",
        options,
        (*KNOWLEDGE_KEYWORDS, "table_options", *TABLE_KEYWORDS, *(posterior.__kwdefaults__ or ())),
    )
    if prior not in get_args(Prior):
        raise InputError(unknown_name("prior", prior, get_args(Prior)))
    if time_limit is not None:
        check_number("time_limit", time_limit, 0, unit=" seconds")
    jobs = available_cores() if jobs is None else jobs
    check_whole("jobs", jobs, 1, MOST_JOBS)
    check_watched(progress)
    watch, deadline = Stopwatch.started(clock), Deadline.after(time_limit, clock)
    asked = {"score": score, "max_parents": max_parents, "ess": ess, "jobs": jobs}
    task = make_task("posterior", data, options | asked | {"memory_limit": memory_limit})
    with watching(progress) as sink:
        scores = families_within(task, math.inf, deadline, sink)
        weights = -scores.costs + _log_prior(scores, prior)
        memory_bytes = memory_to_use(memory_limit)
        sums = sum_over_orders(scores, weights, jobs, memory_bytes, deadline, sink, watch)
    families = sums.take_probabilities()
    return Posterior(
        names=scores.names,
        arcs=_arcs(scores, families),
        scores=scores,
        families=families,
        prior=prior,
        seconds=watch.elapsed(),
        _log_weights=weights,
        _log_total=sums.log_total,
        _jobs=jobs,
    )


def _log_prior(scores: LocalScores, prior: Prior) -> NDArray[np.float64]:
    """Logarithm of the prior of each family, up to what is the same for all."""
    sizes = np.diff(scores.first_member)
    if prior == "sets":
        return np.zeros(len(sizes))
    others = scores.variables - 1
    by_size = np.array([-math.log(math.comb(others, size)) for size in range(others + 1)])
    return by_size[sizes]


def _arcs(scores: LocalScores, families: NDArray[np.float64]) -> NDArray[np.float64]:
    """Add up the families that have each arc."""
    sizes = np.diff(scores.first_member)
    child = np.repeat(np.arange(scores.variables), np.diff(scores.first_set))
    arcs = np.zeros((scores.variables, scores.variables))
    np.add.at(arcs, (scores.members, np.repeat(child, sizes)), np.repeat(families, sizes))
    arcs = np.minimum(arcs, 1.0)
    arcs.flags.writeable = False
    return arcs
