"""Scores of generated tables, as several suites search them.

Data sets are named n.p.R as in `scoring`. Scores can be kept in ``benchmarks/cache``.
"""

from __future__ import annotations

import anytimebn as ab
from anytimebn.network.random import generate
from benchmarks.suite import ROOT

CACHE = ROOT / "benchmarks" / "cache"


def generated_scores(
    variables: int, generating_parents: int, rows: int, max_parents: int, seed: int
) -> ab.LocalScores:
    """Score a generated table."""
    _, table = generate(variables, generating_parents, rows, seed=seed)
    return ab.score(table, "mdl", max_parents=max_parents)


def cached_scores(
    variables: int, generating_parents: int, rows: int, max_parents: int, seed: int
) -> ab.LocalScores:
    """Score a generated table, or take the scores of an earlier run."""
    name = f"{variables}.{generating_parents}.{rows}-at-most-{max_parents}-seed-{seed}.jkl"
    path = CACHE / name
    if not path.exists():
        CACHE.mkdir(exist_ok=True)
        generated_scores(variables, generating_parents, rows, max_parents, seed).save(path)
    return ab.LocalScores.load(path)
