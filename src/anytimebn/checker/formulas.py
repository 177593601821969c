"""Every score written down plainly, to check the fast scorer against; it shares no code with it.

With the cells c of the joint table of a set W of variables, their counts n_c, N rows and |Ω_W| the
product of the numbers of values, each cost is a difference F(P) − F(P ∪ x) of a set function, plus
a penalty for some scores:

- ``mdl``, ``bic``: F = Σ n_c ln n_c, penalty (ln N)/2 · (r_x − 1) · |Ω_P|;
- ``aic``: the same with the penalty (r_x − 1) · |Ω_P|;
- ``bdeu``: F = Σ [lnΓ(n_c + a/|Ω_W|) − lnΓ(a/|Ω_W|)] with the equivalent sample size a;
- ``qnml``: F = Σ n_c ln n_c − ln C(|Ω_W|, N);
- ``fnml``: F = Σ n_c ln n_c, penalty Σ ln C(r_x, N_j) over the parent configurations j.

C(r, N) is the normaliser of the multinomial with r values and N observations (Kontkanen and
Myllymäki 2007).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from anytimebn.base.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from anytimebn.data.dataset import Dataset

SCORE_NAMES = ("mdl", "bic", "aic", "bdeu", "fnml", "qnml")


def local_cost(
    dataset: Dataset,
    child: int,
    parents: Sequence[int],
    score_name: str = "mdl",
    ess: float = 1.0,
) -> float:
    """Compute the cost of one variable with one parent set, in nats.

    Parameters
    ----------
    dataset
        The data; the scores use the numbers of values that it states, seen or not.
    child, parents
        Positions of variables in the data.
    score_name
        One of ``mdl``, ``bic``, ``aic``, ``bdeu``, ``fnml``, ``qnml``.
    ess
        Equivalent sample size of ``bdeu``.

    Examples
    --------
    >>> from anytimebn.data.dataset import Dataset
    >>> codes = np.array([[0, 0, 1, 1], [0, 0, 1, 1]], dtype=np.uint16)
    >>> data = Dataset(("a", "b"), (("0", "1"), ("0", "1")), codes)
    >>> local_cost(data, 1, [0], "aic")
    2.0
    >>> round(local_cost(data, 1, [], "aic") - 4 * math.log(2), 12)
    1.0
    """
    if score_name not in SCORE_NAMES:
        raise InputError(
            f"there is no score {score_name!r}; the scores are {', '.join(SCORE_NAMES)}"
        )
    given = list(parents)
    table = CountTable(
        given=_counts(dataset, given),
        family=_counts(dataset, [*given, child]),
        rows=dataset.codes.shape[1],
        configurations=math.prod(len(dataset.states[parent]) for parent in given),
        values=len(dataset.states[child]),
    )
    return cost_of_counts(table, score_name, ess)


class CountTable(NamedTuple):
    """What the cost of a family is made of.

    Parameters
    ----------
    given, family
        Counts of the parents' cells, and of theirs with the child; empty cells may be left out.
    rows
        Of the data.
    configurations, values
        That the parents can have, seen or not, and the child.
    """

    given: NDArray[np.int64]
    family: NDArray[np.int64]
    rows: int
    configurations: int
    values: int


def cost_of_counts(table: CountTable, score_name: str, ess: float) -> float:
    """Compute a cost from counts, in nats."""
    cells = table.configurations * table.values
    if score_name == "bdeu":
        if not ess > 0:
            raise InputError(f"ess is {ess}; a number above 0 is needed")
        return _dirichlet(table.given, ess / table.configurations) - _dirichlet(
            table.family, ess / cells
        )
    fit = _plain(table.given) - _plain(table.family)
    if score_name in ("mdl", "bic"):
        return fit + math.log(table.rows) / 2 * (table.values - 1) * table.configurations
    if score_name == "aic":
        return fit + (table.values - 1) * table.configurations
    if score_name == "qnml":
        normaliser = log_normaliser(table.configurations, table.rows)
        return fit - normaliser + log_normaliser(cells, table.rows)
    seen = table.given[table.given > 0]
    return fit + math.fsum(log_normaliser(table.values, int(count)) for count in seen)


def least_cost_of(configurations: int, values: int, rows: int, score_name: str) -> float:
    """Give what every family costs at least whose parents have so many configurations, or more.

    That is the penalty, where it does not depend on the counts: what is added to it, the rows given
    the parents, is never below 0.

    Examples
    --------
    >>> least_cost_of(8, 2, 100, "aic"), least_cost_of(8, 2, 100, "bdeu")
    (8, -inf)
    """
    if score_name in ("mdl", "bic"):
        return math.log(rows) / 2 * (values - 1) * configurations
    if score_name == "aic":
        return (values - 1) * configurations
    return -math.inf


def _counts(dataset: Dataset, variables: Sequence[int]) -> NDArray[np.int64]:
    """Count the cells of a joint table that the data show; renumbering keeps the numbers small."""
    cells = np.zeros(dataset.codes.shape[1], dtype=np.int64)
    for variable in variables:
        cells = cells * len(dataset.states[variable]) + dataset.codes[variable]
        cells = np.unique(cells, return_inverse=True)[1]
    return np.bincount(cells).astype(np.int64)


def _plain(counts: NDArray[np.int64]) -> float:
    return math.fsum(count * math.log(count) for count in counts.tolist() if count)


def _dirichlet(counts: NDArray[np.int64], prior: float) -> float:
    return math.fsum(
        math.lgamma(count + prior) - math.lgamma(prior) for count in counts.tolist() if count
    )


@lru_cache(maxsize=65536)
def log_normaliser(values: int, rows: int) -> float:
    """Compute ln C(values, rows), the stochastic complexity of a multinomial.

    The recurrence C(r+2, N) = C(r+1, N) + (N/r) C(r, N) is run on the quotients C(r+1)/C(r), whose
    size stays moderate; all terms are positive, so nothing cancels.

    Examples
    --------
    >>> log_normaliser(1, 10)
    0.0
    >>> round(math.exp(log_normaliser(2, 2)), 12)  # 1 + 1/2 + 1
    2.5
    """
    if rows == 0 or values == 1:
        return 0.0
    logarithm = _log_binary_normaliser(rows)
    quotient = math.exp(logarithm)
    for r in range(1, values - 1):
        quotient = 1.0 + rows / (r * quotient)
        logarithm += math.log(quotient)
    return logarithm


@lru_cache(maxsize=65536)
def _log_binary_normaliser(rows: int) -> float:
    """Compute ln C(2, rows) by its definition, a sum over the number h of hits.

    With Stirling's formula, n! = √(2πn) (n/e)^n exp δ(n), everything large cancels on paper: the
    term of h is √(N / (2π h (N−h))) · exp(δ(N) − δ(h) − δ(N−h)), and those of 0 and N are 1. Sums
    of such terms keep 14 digits at any number of rows.
    """
    hits = np.arange(1, rows, dtype=np.float64)
    misses = rows - hits
    excess = _stirling_error(np.array([rows], dtype=np.float64))
    exponents = excess - _stirling_error(hits) - _stirling_error(misses)
    terms = np.sqrt(rows / (2 * math.pi * hits * misses)) * np.exp(exponents)
    return math.log(2 + float(terms.sum()))


def _stirling_error(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute δ(n): from n = 16 on, five terms of its series leave an error below 2e-16."""
    square = counts * counts
    series = 1 / 1680 - 1 / 1188 / square
    for numerator in (1 / 1260, 1 / 360, 1 / 12):
        series = numerator - series / square
    small = counts < len(_SMALL_STIRLING_ERRORS)
    errors: NDArray[np.float64] = series / counts
    errors[small] = _SMALL_STIRLING_ERRORS[counts[small].astype(np.int64)]
    return errors


_SMALL_STIRLING_ERRORS = np.array(
    [math.nan]
    + [
        math.log(math.factorial(n)) - (n + 0.5) * math.log(n) + n - 0.5 * math.log(2 * math.pi)
        for n in range(1, 16)
    ]
)
