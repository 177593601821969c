from __future__ import annotations

import copy
import itertools
import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anytimebn.base.errors import InputError
from anytimebn.checker.formulas import SCORE_NAMES, local_cost, log_normaliser
from anytimebn.checker.verify import verify
from anytimebn.data.dataset import Dataset
from anytimebn.network.random import generate
from anytimebn.scores.store import LocalScores

if TYPE_CHECKING:
    from collections.abc import Iterator


def result(**changes: Any) -> dict[str, Any]:
    sound = {
        "status": "gap",
        "cost": 100.0,
        "score": -100.0,
        "lower_bound": 80.0,
        "error_bound": 1.25,
        "variables": ["a", "b", "c"],
        "parents": {"a": [], "b": ["a"], "c": ["a", "b"]},
        "score_name": "mdl",
        "ess": 1.0,
        "max_parents": 2,
        "constraints": {"require": [["a", "b"]], "forbid": [["c", "a"]], "max_parents": {"b": 1}},
        "events": [
            {"seconds": 0.1, "cost": 110.0, "lower_bound": None, "expanded": 0},
            {"seconds": 0.2, "cost": 100.0, "lower_bound": 80.0, "expanded": 9},
        ],
        "certificate": None,
    }
    return {**sound, **changes}


def failed(changed: dict[str, Any], **given: Any) -> set[str]:
    return {check.name for check in verify(changed, **given).failures}


def test_a_sound_result_passes_every_check():
    verification = verify(result())
    assert verification.ok
    assert any("not proven again" in check.detail for check in verification.checks)


def test_every_missing_key_fails_the_schema():
    for key in result():
        if key == "ess":
            continue  # only bdeu has one
        without = result()
        del without[key]
        checks = verify(without).checks
        assert [check.name for check in checks] == ["schema"]
        assert key in checks[0].detail


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"cost": "100"}, "schema"),
        ({"cost": math.nan}, "schema"),
        ({"status": "perfect"}, "schema"),
        ({"variables": ["a", "b", "b"]}, "schema"),
        ({"parents": {"a": [], "b": ["a"], "c": ["z"]}}, "schema"),
        ({"parents": {"a": [], "b": ["a"], "c": ["b", "b"]}}, "schema"),
        ({"constraints": {"require": [["a"]]}}, "schema"),
        ({"constraints": {"requires": []}}, "schema"),
        ({"events": [{"cost": 1.0}]}, "schema"),
        ({"complete_variables": "a"}, "schema"),
        ({"complete_variables": ["a", "z"]}, "schema"),
        ({"complete_variables": ["a", "a"]}, "schema"),
        ({"parents": {"a": ["c"], "b": ["a"], "c": ["b"]}, "constraints": {}}, "acyclic"),
        ({"max_parents": 1}, "parent limits"),
        ({"constraints": {"max_parents": {"c": 1}}}, "parent limits"),
        ({"constraints": {"require": [["b", "a"]]}}, "constraints"),
        ({"constraints": {"forbid": [["a", "c"]]}}, "constraints"),
        ({"constraints": {"tiers": [["c"], ["a"]]}}, "constraints"),
        ({"score": 100.0}, "score"),
        ({"lower_bound": 101.0, "error_bound": 100 / 101}, "lower bound"),
        ({"error_bound": 1.2}, "error bound"),
        ({"error_bound": None}, "error bound"),
        ({"lower_bound": 0.0, "error_bound": 1.0, "events": []}, "error bound"),
        ({"status": "optimal"}, "status"),
        ({"status": "optimal", "lower_bound": None, "error_bound": None, "events": []}, "status"),
    ],
)
def test_each_wrong_claim_fails_its_own_check(changes, name):
    assert failed(result(**changes)) == {name}


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "finished", "lower_bound": None, "error_bound": None, "events": []},
        {"lower_bound": -5.0, "error_bound": None, "events": []},
        {"lower_bound": 0.0, "error_bound": math.inf, "events": []},
        {"status": "optimal", "lower_bound": 100.0, "error_bound": 1.0},
        {"status": "optimal", "lower_bound": 100.0 - 2e-6, "error_bound": 1.0},
        {"constraints": None, "max_parents": None, "events": []},
        {"complete_variables": None},
        {"complete_variables": []},
        {"complete_variables": ["c", "a"]},
    ],
)
def test_unusual_but_sound_results_pass(changes):
    assert verify(result(**changes)).failures == ()


@pytest.mark.parametrize(
    "rows",
    [
        [(0.2, 110.0, 70.0), (0.1, 100.0, 80.0)],
        [(0.1, 90.0, 70.0), (0.2, 100.0, 80.0)],
        [(0.1, 110.0, 85.0), (0.2, 100.0, 80.0)],
        [(0.1, 105.0, 80.0)],
        [(0.1, 100.0, 90.0)],
        [(0.1, 70.0, 75.0), (0.2, 100.0, 80.0)],
        [(0.1, None, 70.0)],
    ],
)
def test_histories_that_cannot_be_fail(rows):
    keys = ("seconds", "cost", "lower_bound")
    events = [dict(zip(keys, row, strict=True)) for row in rows]
    assert failed(result(events=events)) == {"events"}


# --- the plain scorer -----------------------------------------------------------------------------


def multinomial_normaliser(values: int, rows: int) -> float:
    """Sum the definition over all ways to split the rows."""
    total = 0.0
    for parts in itertools.product(range(rows + 1), repeat=values):
        if sum(parts) == rows:
            ways = math.factorial(rows) / math.prod(map(math.factorial, parts))
            total += ways * math.prod((part / rows) ** part for part in parts)
    return total


@pytest.mark.parametrize(("values", "rows"), [(2, 1), (2, 7), (3, 5), (4, 6), (5, 4)])
def test_log_normaliser_equals_its_definition(values, rows):
    expected = math.log(multinomial_normaliser(values, rows))
    assert log_normaliser(values, rows) == pytest.approx(expected, abs=1e-12)


def exact_binary_normaliser(rows: int) -> Fraction:
    """Sum the definition in whole numbers, which neither round nor overflow."""
    total = sum(
        math.comb(rows, hits) * hits**hits * (rows - hits) ** (rows - hits)
        for hits in range(rows + 1)
    )
    return Fraction(total, rows**rows)


@pytest.mark.parametrize("rows", [1, 2, 3, 15, 16, 17, 31, 32, 33, 100, 999, 1000])
def test_log_binary_normaliser_is_exact(rows):
    expected = math.log(exact_binary_normaliser(rows))
    assert log_normaliser(2, rows) == pytest.approx(expected, rel=4e-15)


@pytest.mark.parametrize("rows", [1001, 10_000, 100_000, 1_000_000])
def test_log_binary_normaliser_approaches_szpankowski(rows):
    """His approximation lies above the exact value, by 0.018 · rows^(−3/2)."""
    approximate = (
        0.5 * math.log(rows * math.pi / 2)
        + math.sqrt(8 / (9 * rows * math.pi))
        + (3 * math.pi - 16) / (36 * rows * math.pi)
    )
    error = approximate - log_normaliser(2, rows)
    assert error * rows**1.5 == pytest.approx(0.018, abs=0.0015)


def by_definition(data: Dataset, child: int, parents: tuple[int, ...], name: str, ess: float):
    """Score from conditional counts, configuration by configuration, as textbooks write it."""
    arities = [len(values) for values in data.states]
    r, rows = arities[child], data.codes.shape[1]
    q = math.prod(arities[p] for p in parents)
    cost = {"mdl": 0.5 * math.log(rows), "bic": 0.5 * math.log(rows), "aic": 1.0}.get(name, 0.0)
    cost *= (r - 1) * q
    for key in itertools.product(*(range(arities[p]) for p in parents)):
        chosen = np.all([data.codes[p] == k for p, k in zip(parents, key, strict=True)], axis=0)
        chosen = np.broadcast_to(chosen, rows)
        n_j = int(chosen.sum())
        counts = [int((data.codes[child][chosen] == value).sum()) for value in range(r)]
        if name == "bdeu":
            cost -= math.lgamma(ess / q) - math.lgamma(n_j + ess / q)
            cost -= sum(math.lgamma(n + ess / q / r) - math.lgamma(ess / q / r) for n in counts)
            continue
        cost -= sum(n * math.log(n / n_j) for n in counts if n)
        if name == "fnml" and n_j:
            cost += math.log(multinomial_normaliser(r, n_j))
    if name == "qnml":
        cost += log_normaliser(q * r, rows) - log_normaliser(q, rows)
    return cost


@given(
    rows=st.integers(1, 9),
    arities=st.lists(st.integers(2, 3), min_size=3, max_size=3),
    seed=st.integers(0, 10**6),
    ess=st.floats(0.1, 20),
)
@settings(max_examples=40)
@pytest.mark.parametrize("name", SCORE_NAMES)
def test_local_cost_equals_the_textbook(name, rows, arities, seed, ess):
    random = np.random.default_rng(seed)
    codes = np.array([random.integers(0, arity, size=rows) for arity in arities], dtype=np.uint16)
    states = tuple(tuple(map(str, range(arity))) for arity in arities)
    data = Dataset(("a", "b", "c"), states, codes)
    for parents in ((), (0,), (0, 1)):
        expected = by_definition(data, 2, parents, name, ess)
        assert local_cost(data, 2, parents, name, ess) == pytest.approx(expected, abs=1e-9)


def test_local_cost_names_the_scores_it_knows():
    _, data = generate(3, 1, 5, seed=1)
    with pytest.raises(InputError, match="'k2'; the scores are mdl, bic"):
        local_cost(data, 0, [], "k2")
    with pytest.raises(InputError, match="ess is 0"):
        local_cost(data, 0, [], "bdeu", 0)


# --- results with data, scores and certificates ---------------------------------------------------


def all_scores(data: Dataset, name: str = "mdl", limit: int = 2) -> LocalScores:
    first_set, costs, first_member, members = [0], [], [0], []
    for child in range(len(data.names)):
        others = [v for v in range(len(data.names)) if v != child]
        sets = [p for size in range(limit + 1) for p in itertools.combinations(others, size)]
        priced = sorted((local_cost(data, child, parents, name), parents) for parents in sets)
        for cost, parents in priced:
            costs.append(cost)
            members += parents
            first_member.append(len(members))
        first_set.append(len(costs))
    return LocalScores(
        data.names,
        np.array(first_set, dtype=np.int64),
        np.array(costs),
        np.array(first_member, dtype=np.int64),
        np.array(members, dtype=np.int32),
        name,
    )


def result_of(data: Dataset, parents: dict[str, list[str]], name: str, bound: float | None = None):
    index = data.names.index
    cost = sum(
        local_cost(data, index(child), [index(p) for p in own], name)
        for child, own in parents.items()
    )
    return result(
        cost=cost,
        score=-cost,
        lower_bound=bound,
        error_bound=None if bound is None else cost / bound,
        variables=list(data.names),
        parents=parents,
        score_name=name,
        constraints={},
        events=[],
    )


@pytest.mark.parametrize("name", SCORE_NAMES)
def test_cost_is_recomputed_from_data_and_scores(name):
    network, data = generate(5, 2, 300, arity=(2, 3), seed=2)
    scores = all_scores(data, name)
    parents = {v: list(network.parents_of(v)) for v in network.names}
    claim = result_of(data, parents, name)
    assert verify(claim, data=data, scores=scores).ok
    cheaper = {**claim, "cost": claim["cost"] - 1e-4, "score": claim["score"] + 1e-4}
    wrong = {"cost from the data", "cost from the scores"}
    assert failed(cheaper, data=data, scores=scores) == wrong


def test_data_and_scores_that_do_not_fit_are_told():
    _, data = generate(4, 2, 50, seed=2)
    _, other = generate(3, 2, 50, seed=2)
    first, second, *rest = data.names
    claim = result_of(data, {first: [], second: [first], **{v: [] for v in rest}}, "mdl")
    assert failed(claim, data=other) == {"cost from the data"}
    assert failed(claim, scores=all_scores(other)) == {"cost from the scores"}
    assert failed({**claim, "score_name": "unknown"}, data=data) == {"cost from the data"}
    verification = verify(claim, scores=all_scores(data, limit=0))
    assert "is not in the scores" in verification.failures[0].detail


def optimum(scores: LocalScores) -> float:
    """Try all orders; the oracle for the bounds of certificates."""
    size = len(scores.names)
    best = math.inf
    for order in itertools.permutations(range(size)):
        total = 0.0
        for position, child in enumerate(order):
            earlier = set(order[:position])
            total += min(
                float(scores.costs[s])
                for s in range(scores.first_set[child], scores.first_set[child + 1])
                if earlier.issuperset(
                    scores.members[scores.first_member[s] : scores.first_member[s + 1]].tolist()
                )
            )
        best = min(best, total)
    return best


@given(st.integers(0, 10**6), st.data())
@settings(max_examples=25)
def test_a_certificate_never_proves_more_than_the_optimum(seed, draw):
    _, data = generate(5, 3, 60, seed=seed)
    scores = all_scores(data)
    least = optimum(scores)
    names = list(data.names)
    cut = draw.draw(st.integers(0, 5))
    clusters = draw.draw(
        st.lists(st.lists(st.sampled_from(names), min_size=2, unique=True), max_size=4)
    )
    certificate = {
        "kind": "clusters",
        "groups": [group for group in (names[:cut], names[cut:]) if group],
        "clusters": clusters,
        "multipliers": [draw.draw(st.integers(0, 5_000_000)) for _ in clusters],
        "lower_bound": None,
    }
    claim = result_of(data, {name: [] for name in names}, "mdl")
    for lower_bound, sound in ((-math.inf, True), (least + 1e-4, False)):
        certificate["lower_bound"] = None if sound else lower_bound
        check = verify({**claim, "certificate": certificate}, scores=scores).checks[-1]
        assert check.name == "certificate"
        assert check.passed is sound, check.detail


def test_one_group_proves_the_optimum_itself():
    _, data = generate(5, 3, 60, seed=3)
    scores = all_scores(data)
    certificate = {
        "kind": "clusters",
        "groups": [list(data.names)],
        "clusters": [],
        "multipliers": [],
        "lower_bound": optimum(scores),
    }
    claim = result_of(data, {name: [] for name in data.names}, "mdl", optimum(scores))
    check = verify({**claim, "certificate": certificate}, scores=scores).checks[-1]
    assert check.passed
    assert "no search needed" in check.detail
    check = verify({**claim, "certificate": certificate}).checks[-1]
    assert "not proven again" in check.detail


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "magic"},
        {"groups": [["X01"]]},
        {"clusters": [["X01", "X09"]], "multipliers": [1]},
        {"clusters": [[]], "multipliers": [1]},
        {"clusters": [["X01", "X02"]], "multipliers": [-1]},
        {"clusters": [["X01", "X02"]], "multipliers": []},
    ],
)
def test_certificates_that_make_no_sense_fail(change):
    _, data = generate(3, 1, 20, seed=1)
    sound = {
        "kind": "clusters",
        "groups": [["X01", "X02"], ["X03"]],
        "clusters": [],
        "multipliers": [],
    }
    claim = result_of(data, {name: [] for name in data.names}, "mdl")
    scores = all_scores(data)
    assert verify({**claim, "certificate": sound}, scores=scores).ok
    assert failed({**claim, "certificate": {**sound, **change}}, scores=scores) == {"certificate"}


# --- results that nobody would write by accident --------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "name", "told"),
    [
        ({"certificate": {"kind": "tree"}}, "certificate", "its kind is 'tree'; only 'clusters'"),
        ({"certificate": {"kind": ["rows"]}}, "certificate", "its kind is ['rows']; only"),
        (
            {"certificate": {"kind": "rows", "clusters": [], "zero_half": [], "stages": [{}]}},
            "certificate",
            "stage 0 must have 'rows'",
        ),
        ({"constraints": {"tiers": [["X01"], ["X02", "X01"]]}}, "schema", "a name in two of them"),
        (
            {"constraints": {"forbid": [["", "X01"]]}},
            "schema",
            "'constraints' cannot be understood",
        ),
        ({"score_name": "bdeu", "ess": 1e308}, "cost from the data", "ess is 1e+308; it must be"),
        ({"score_name": "bdeu", "ess": 0}, "cost from the data", "ess is 0.0; it must be"),
    ],
)
def test_forged_results_are_refused_in_words(changes, name, told):
    _, data = generate(3, 1, 20, seed=1)
    claim = result_of(data, {variable: [] for variable in data.names}, "mdl")
    scores = all_scores(data)
    assert verify(claim, data=data, scores=scores).ok
    failure = verify({**claim, **changes}, data=data, scores=scores).failures[0]
    assert failure.name == name
    assert told in failure.detail


names = st.sampled_from(["X01", "X02", "X03", "", "a"])
numbers = st.one_of(st.integers(-3, 5), st.sampled_from([2**63, 10**30, -(10**400), 1e308, 1.5]))
json_values = st.recursive(
    st.none() | st.booleans() | numbers | names | st.sampled_from([math.inf, math.nan]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=2),
    max_leaves=5,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """List the paths of all values within a JSON value."""
    if path:
        yield path
    keys = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    for key in keys:
        yield from places(value[key], (*path, key))


FORGED_DATA = generate(3, 1, 20, seed=1)[1]
FORGED_SCORES = all_scores(FORGED_DATA)
BY_CLUSTERS = {
    "kind": "clusters",
    "groups": [["X01", "X02"], ["X03"]],
    "clusters": [["X01", "X02", "X03"]],
    "multipliers": [3],
    "lower_bound": 0.0,
}
BY_ROWS = {
    "kind": "rows",
    "clusters": [["X01", "X02"], ["X02", "X03"]],
    "zero_half": [{"rows": [0, 1], "variables": ["X01"]}],
    "stages": [{"rows": [0, 2], "multipliers": [3, 4], "denominator": 2}],
    "lower_bound": 0.0,
}


@given(st.sampled_from([BY_CLUSTERS, BY_ROWS]), st.data())
@settings(deadline=None)
def test_nothing_that_a_file_can_hold_ends_in_an_exception(certificate, draw):
    optimal = optimum(FORGED_SCORES)
    forged = result_of(FORGED_DATA, {"X01": [], "X02": [], "X03": []}, "mdl", optimal)
    forged["constraints"] = {"require": [], "forbid": [["X03", "X01"]], "tiers": [["X01"]]}
    forged["events"] = [{"seconds": 0.1, "cost": forged["cost"], "lower_bound": optimal}]
    forged = copy.deepcopy({**forged, "certificate": certificate})
    for _ in range(draw.draw(st.integers(1, 3))):
        *path, key = draw.draw(st.sampled_from(list(places(forged))))
        place = forged
        for step in path:
            place = place[step]
        place[key] = draw.draw(json_values)
    verification = verify(forged, data=FORGED_DATA, scores=FORGED_SCORES)
    proven = verification.checks[-1]
    if verification.ok and proven.name == "certificate" and "no search" in proven.detail:
        assert forged["lower_bound"] is None or forged["lower_bound"] <= optimal + 1e-5
