"""What is missing in rows: drawn, and summed up, against every possible completion."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anytimebn as ab
from anytimebn.data.dataset import Dataset
from anytimebn.network import completing, observed
from anytimebn.network.completing import Completer, Families
from anytimebn.network.observed import observed_log_likelihoods
from anytimebn.network.random import generate


def joint(network: ab.Network) -> np.ndarray:
    """Probabilities of all rows."""
    arities = network.arities
    assert arities is not None
    assert network.probabilities is not None
    found = np.ones(arities)
    for row in product(*map(range, arities)):
        for child, parents in enumerate(network.parents):
            found[row] *= network.probabilities[child][(*(row[p] for p in parents), row[child])]
    return found


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(2, 5), st.integers(1, 3))
def test_log_likelihoods_are_sums_over_all_completions(seed: int, n: int, parents: int) -> None:
    network, data = generate(n, min(parents, n - 1), 30, arity=(2, 3), seed=seed)
    missing = np.random.default_rng(seed).random((n, 30)) < 0.4
    found = observed_log_likelihoods(network, data.codes, missing)
    table = joint(network)
    for row in range(30):
        shown = tuple(slice(None) if missing[v, row] else int(data.codes[v, row]) for v in range(n))
        assert found[row] == pytest.approx(np.log(table[shown].sum()))


def test_rows_that_lack_too_much_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    network, data = generate(5, 2, 10, seed=1)
    child = next(number for number, own in enumerate(network.parents) if len(own) == 2)
    missing = np.zeros((5, 10), dtype=bool)
    missing[list(network.parents[child])] = True
    monkeypatch.setattr(observed, "MOST_COMBINATIONS", 3)
    with pytest.raises(ab.InputError, match="a row lacks 2 values that depend on each other"):
        observed_log_likelihoods(network, data.codes, missing)


def with_holes(data: Dataset, holes: np.ndarray) -> Dataset:
    return Dataset(data.names, data.states, data.codes, holes=np.flatnonzero(holes))


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_counts_of_completions_are_those_to_be_expected(seed: int, n: int) -> None:
    network, data = generate(n, n - 1, 200, arity=(2, 3), seed=seed)
    missing = np.random.default_rng(seed).random((n, 200)) < 0.3
    completer = Completer(with_holes(data, missing), seed)
    codes = completer.complete(network, data.codes)
    assert (codes == data.codes)[~missing].all()
    assert (completer.complete(network, data.codes) == codes).all()
    table = joint(network)
    families = Families(network)
    groups: dict[tuple[Any, ...], list[int]] = {}
    for row in range(200):
        lacks = tuple(np.flatnonzero(missing[:, row]).tolist())
        for part in families.connected(lacks):
            given = families.beside(part)
            groups.setdefault((part, *((v, int(codes[v, row])) for v in given)), []).append(row)
    for (lacks, *_), rows in groups.items():
        counts = Counter(tuple(codes[list(lacks), row].tolist()) for row in rows)
        # Given what is beside them, they depend on nothing else.
        shown = [int(code) for code in codes[:, rows[0]]]
        possible = table[tuple(slice(None) if v in lacks else shown[v] for v in range(n))]
        for completion, count in counts.items():
            chance = len(rows) * possible[completion] / possible.sum()
            assert abs(count - chance) < 1 + 1e-9


def test_what_is_independent_is_drawn_independently() -> None:
    even = (np.array([0.5, 0.5]),) * 2
    network = ab.Network(("a", "b"), ((), ()), (("0", "1"),) * 2, even)
    empty = Dataset(network.names, network.states or (), np.zeros((2, 4000), np.uint16))
    codes = Completer(with_holes(empty, np.ones((2, 4000), bool)), 1).complete(network, empty.codes)
    both = np.bincount(2 * codes[0].astype(int) + codes[1], minlength=4)
    assert codes.sum(axis=1).tolist() == [2000, 2000]
    assert (np.abs(both - 1000) < 100).all()


def test_rows_that_lack_much_are_completed_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completing, "MOST_COMBINATIONS", 4)
    monkeypatch.setattr(completing, "MOST_CELLS", 8)
    network, data = generate(6, 2, 4000, seed=4)
    missing = np.random.default_rng(4).random((6, 4000)) < 0.5
    missing[0] = False  # no row lacks everything
    completer = Completer(with_holes(data, missing), 1)
    codes = data.codes
    for _ in range(30):
        codes = completer.complete(network, codes)
    # Values were missing by chance, so that the completed rows are like any others.
    for variable in range(6):
        expected = np.bincount(data.codes[variable], minlength=2) / 4000
        found = np.bincount(codes[variable], minlength=2) / 4000
        np.testing.assert_allclose(found, expected, atol=0.05)
