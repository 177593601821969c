"""The estimator for pgmpy, beside pgmpy's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import anytimebn as ab

TABLE = Path(__file__).parents[2] / "examples" / "clinic.csv"
pytestmark = [
    pytest.mark.peers,
    pytest.mark.usefixtures("discovery"),
    pytest.mark.filterwarnings("ignore"),  # those of pgmpy
]


@pytest.fixture(scope="module")
def discovery() -> Any:
    return pytest.importorskip("pgmpy.causal_discovery")


@pytest.fixture(scope="module")
def frame() -> Any:
    pandas = pytest.importorskip("pandas")
    return pandas.read_csv(TABLE, dtype=str).iloc[:600, :8]


def test_estimator_finds_the_same_as_learn(frame: Any) -> None:
    result = ab.learn(frame, progress=False)
    found = ab.AnytimeSearch(return_type="dag").fit(frame)
    assert found.result_.status == "optimal"
    assert set(found.causal_graph_.edges) == set(result.network.arcs)
    assert list(found.causal_graph_.nodes) == list(frame.columns)
    assert found.n_features_in_ == 8
    assert list(found.feature_names_in_) == list(frame.columns)
    matrix = found.adjacency_matrix_
    assert list(matrix.columns) == list(matrix.index) == list(frame.columns)
    assert {(a, b) for a in frame.columns for b in frame.columns if matrix.loc[a, b]} == set(
        result.network.arcs
    )


def test_equivalence_class_is_that_of_pgmpy(frame: Any) -> None:
    of_class = ab.AnytimeSearch().fit(frame)
    network = ab.AnytimeSearch(return_type="dag").fit(frame).causal_graph_
    expected = network.to_pdag()
    found = of_class.causal_graph_
    assert type(found) is type(expected)
    assert set(found.directed_edges) == set(expected.directed_edges)
    assert {frozenset(e) for e in found.undirected_edges} == {
        frozenset(e) for e in expected.undirected_edges
    }
    assert set(found.nodes) == set(frame.columns)


def test_no_network_of_pgmpy_is_better(discovery: Any, frame: Any) -> None:
    ours = ab.AnytimeSearch(return_type="dag").fit(frame)
    theirs = discovery.HillClimbSearch(
        scoring_method="bic-d", return_type="dag", show_progress=False
    ).fit(frame)
    costs = [ab.Network.from_networkx(found.causal_graph_).fit(frame) for found in (ours, theirs)]
    data = ab.to_dataset(frame)
    scores = ab.score(data, max_parents=7, factor=float("inf"))
    ours_cost, theirs_cost = (
        sum(
            next(c for c, p in scores.parent_sets(n) if set(p) == set(network.parents_of(n)))
            for n in network.names
        )
        for network in costs
    )
    assert ours_cost <= theirs_cost + 1e-6


def test_expert_knowledge_is_obeyed(discovery: Any, frame: Any) -> None:
    names = list(frame.columns)
    free = ab.AnytimeSearch(return_type="dag").fit(frame).causal_graph_
    forbidden = next(iter(free.edges))
    required = next(
        (a, b)
        for a in names
        for b in names
        if a != b and not free.has_edge(a, b) and not free.has_edge(b, a)
    )
    known = discovery.ExpertKnowledge(required_edges=[required], forbidden_edges=[forbidden])
    graph = ab.AnytimeSearch(expert_knowledge=known, return_type="dag").fit(frame).causal_graph_
    assert graph.has_edge(*required)
    assert not graph.has_edge(*forbidden)

    order = [names[4:], names[:4]]
    known = discovery.ExpertKnowledge(temporal_order=order)
    graph = ab.AnytimeSearch(expert_knowledge=known, return_type="dag").fit(frame).causal_graph_
    assert not any(a in order[1] and b in order[0] for a, b in graph.edges)

    space = {(names[0], names[1]), (names[1], names[2]), (names[2], names[0])}
    known = discovery.ExpertKnowledge(search_space=space)
    graph = ab.AnytimeSearch(expert_knowledge=known, return_type="dag").fit(frame).causal_graph_
    assert set(graph.edges) <= space


def test_estimator_scores_and_clones_as_those_of_pgmpy_do(frame: Any) -> None:
    from pgmpy.metrics import SHD
    from sklearn.base import clone

    asked = ab.AnytimeSearch(max_indegree=1, time_limit=20, return_type="dag")
    found = clone(asked).fit(frame)
    assert max(dict(found.causal_graph_.in_degree()).values()) == 1
    assert found.score(true_graph=found.causal_graph_, metric=SHD()) == 0


def test_columns_may_have_names_that_are_no_text(frame: Any) -> None:
    numbered = frame.set_axis(range(8), axis=1)
    assert set(ab.AnytimeSearch().fit(numbered).causal_graph_.nodes) == set(range(8))


@pytest.mark.parametrize("wrong", [{"return_type": "graph"}, {"expert_knowledge": ["a->b"]}])
def test_what_cannot_be_used_is_refused(frame: Any, wrong: Any) -> None:
    with pytest.raises(ab.InputError, match=next(iter(wrong))):
        ab.AnytimeSearch(**wrong).fit(frame)
