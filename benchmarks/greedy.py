"""Greedy learners from a table to a network: ours, pgmpy's and pyAgrum's.

All get the same data frame, the score BIC and no limit on parents; all networks are scored again by
the plain code of `anytimebn.checker.formulas`. The best cost known is the lowest of ``auto``, which
has a limit on parents, hill climbing with many restarts, and equivalence search. Tables and best
costs are made once, into ``benchmarks/cache``. Not among the suites that run by default.
"""

from __future__ import annotations

import json
import math
import signal
import time
from typing import TYPE_CHECKING, Any

import pandas as pd

import anytimebn as ab
from anytimebn.checker.formulas import local_cost
from anytimebn.network.random import generate
from anytimebn.solver.registry import algorithms
from benchmarks.generated import CACHE
from benchmarks.networks import sampled_table
from benchmarks.proof import SEED
from benchmarks.suite import Case, Column, Suite
from benchmarks.timed_search import MEMORY, percent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Parents = Mapping[str, list[str]]

ROWS = 5_000
PATIENCE = 300.0  # seconds, for peers
REFERENCE_SECONDS = 60.0
# Parents at most when the best cost is sought by `auto`; None: not sought so.
TABLES: dict[str, int | None] = {"24.4.5k": 6, "alarm": 4, "hailfinder": 3, "500.3.5k": None}
# On 500 variables peers take many minutes, and there are too many sets of 3 parents to score.
OF_MANY_VARIABLES = (
    "hill-climbing, plain",
    "hill-climbing, tabu only",
    "hill-climbing",
    "equivalence-search",
)


# ---- data ----


def table(name: str) -> pd.DataFrame:
    """Sample a table, or take that of an earlier run; values are text."""
    path = CACHE / f"{name}-{ROWS}-rows-seed-{SEED}.parquet"
    if not path.exists():
        CACHE.mkdir(exist_ok=True)
        _sampled(name).to_parquet(path)
    return pd.read_parquet(path)


def _sampled(name: str) -> pd.DataFrame:
    if name[0].isdigit():
        variables, parents, _ = name.split(".")
        data = generate(int(variables), int(parents), ROWS, seed=SEED)[1]
        return pd.DataFrame(dict(zip(data.names, data.codes, strict=True))).astype(str)
    return sampled_table(name, ROWS, SEED)


def cost_of(parents: Parents, data: ab.Dataset) -> float:
    """BIC of a network by the plain code; it must be acyclic, too."""
    network = ab.Network.from_parents(parents)
    index = {name: v for v, name in enumerate(data.names)}
    return math.fsum(
        local_cost(data, index[name], sorted(index[p] for p in network.parents_of(name)), "bic")
        for name in data.names
    )


def best_known(name: str, frame: pd.DataFrame) -> float:
    """Cost of the best network that we know of; kept from run to run."""
    path = CACHE / f"{name}-{ROWS}-rows-seed-{SEED}-best.json"
    if not path.exists():
        options: dict[str, Any] = {"score": "bic", "time_limit": REFERENCE_SECONDS, "seed": SEED}
        found = [
            ab.learn(frame, algorithm="hill-climbing", parameters={"restarts": 1e6}, **options),
            ab.learn(frame, algorithm="equivalence-search", **options),
        ]
        if (limit := TABLES[name]) is not None:
            found.append(ab.learn(frame, max_parents=limit, memory_limit=MEMORY, **options))
        path.write_text(json.dumps(min(result.cost for result in found)))
    best: float = json.loads(path.read_text())
    return best


# ---- learners ----


def ours(algorithm: str, **parameters: float) -> Callable[[pd.DataFrame], Parents]:
    """Learn from the frame; algorithms that need parent sets get those of up to 3 parents."""

    def learn(frame: pd.DataFrame) -> Parents:
        limit: Any = "auto" if _from_data(algorithm) else 3
        result = ab.learn(
            frame,
            score="bic",
            algorithm=algorithm,
            parameters=parameters,
            max_parents=limit,
            time_limit=REFERENCE_SECONDS,
            seed=SEED,
        )
        return {name: list(result.network.parents_of(name)) for name in result.network.names}

    return learn


def _from_data(algorithm: str) -> bool:
    return any(one.name == algorithm and one.from_data for one in algorithms())


def _of_arcs(names: Any, arcs: Any) -> Parents:
    parents: dict[str, list[str]] = {name: [] for name in names}
    for parent, child in arcs:
        parents[child].append(parent)
    return parents


def pgmpy_hill_climbing(frame: pd.DataFrame) -> Parents:
    """Learn by hill climbing with a tabu list of 100, pgmpy's own choice."""
    from pgmpy.estimators import HillClimbSearch

    dag = HillClimbSearch(frame).estimate(scoring_method="bic-d", show_progress=False)
    return _of_arcs(frame.columns, dag.edges())


def pgmpy_ges(frame: pd.DataFrame) -> Parents:
    """Learn by greedy equivalence search."""
    from pgmpy.estimators import GES

    dag = GES(frame, use_cache=True).estimate(scoring_method="bic-d").to_dag()
    return _of_arcs(frame.columns, dag.edges())


def pyagrum(method: str) -> Callable[[pd.DataFrame], Parents]:
    """Learn by a method of pyAgrum's BNLearner, with its own choice of parameters."""

    def learn(frame: pd.DataFrame) -> Parents:
        import pyagrum as gum

        learner = gum.BNLearner(frame)
        learner.useScoreBIC()
        learner.useNoPrior()
        getattr(learner, method)()
        network = learner.learnDAG()
        names = list(learner.names())
        return _of_arcs(names, [(names[a], names[b]) for a, b in network.arcs()])

    return learn


LEARNERS: dict[str, Callable[[pd.DataFrame], Parents]] = {
    "pgmpy hill climbing": pgmpy_hill_climbing,
    "pgmpy GES": pgmpy_ges,
    "pyAgrum greedy": pyagrum("useGreedyHillClimbing"),
    "pyAgrum tabu": pyagrum("useLocalSearchWithTabuList"),
    "hill-climbing, plain": ours("hill-climbing", patience=0, restarts=0),
    "hill-climbing, tabu only": ours("hill-climbing", restarts=0),
    "hill-climbing": ours("hill-climbing"),
    "equivalence-search": ours("equivalence-search"),
} | {
    algorithm.name: ours(algorithm.name)
    for algorithm in algorithms()
    if algorithm.name in ("insertion-search", "ordering-search", "optimal-reinsertion")
}


def load(learner: str) -> None:
    """Import what a learner needs: that is not learning."""
    if learner.startswith("pgmpy"):
        import pgmpy.estimators  # noqa: F401
    if learner.startswith("pyAgrum"):
        import pyagrum  # noqa: F401


class _TooLong(Exception):
    """A peer took more than we wait for."""


def measure(*, data: str, learner: str, seed: int) -> dict[str, Any]:
    """Learn once, and score what was learnt."""
    assert seed == SEED
    frame = table(data)
    dataset = ab.to_dataset(frame)
    best = best_known(data, frame)
    load(learner)

    def give_up(*_: object) -> None:
        raise _TooLong

    signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    start = time.perf_counter()
    try:
        parents = LEARNERS[learner](frame)
    except _TooLong:
        return {"seconds": PATIENCE, "cost": None, "arcs": None, "percent_above_best": None}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    seconds = time.perf_counter() - start
    cost = cost_of(parents, dataset)
    return {
        "seconds": seconds,
        "cost": cost,
        "arcs": sum(map(len, parents.values())),
        "percent_above_best": 100 * (cost - best) / best,
    }


SUITE = Suite(
    name="greedy",
    summary="Greedy learners, from a data frame to a network, BIC",
    cases=[
        Case(data, {"data": data, "learner": learner, "seed": SEED})
        for data in TABLES
        for learner in LEARNERS
        if TABLES[data] is not None or learner in OF_MANY_VARIABLES
    ],
    measure=measure,
    columns=[
        Column("learner", lambda r: r["learner"]),
        Column("seconds", lambda r: f"{'> ' if r['cost'] is None else ''}{r['seconds']:.3f}"),
        Column("cost", lambda r: "" if r["cost"] is None else f"{r['cost']:,.2f}"),
        Column("above best", lambda r: percent(r["percent_above_best"])),
        Column("arcs", lambda r: "" if r["arcs"] is None else f"{r['arcs']:,}"),
        Column("peak MiB", lambda r: f"{r['peak_memory_bytes'] / 2**20:,.0f}"),
    ],
)
