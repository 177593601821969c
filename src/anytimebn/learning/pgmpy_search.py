"""The learner as an estimator of pgmpy: beside `HillClimbSearch`, `GES` and `PC`, used as they are.

It takes pgmpy's `ExpertKnowledge`, gives pgmpy's graphs, and knows in addition how good its network
is: ``result_`` has the bound and the proof.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from anytimebn.base.errors import InputError
from anytimebn.base.optional import optional
from anytimebn.base.text import shown
from anytimebn.knowledge.constraints import Knowledge
from anytimebn.learning.learn import learn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from anytimebn.result.result import Result

_NEEDS = {"needed_for": "AnytimeSearch", "install": "'anytimebn[pgmpy]'"}
_discovery = optional("pgmpy.causal_discovery", **_NEEDS)
_graphs = optional("pgmpy.base", **_NEEDS)
_networkx = optional("networkx", **_NEEDS)
# What checks the data and scores graphs; only its descendants have public names.
_Base: Any = next(
    kind for kind in _discovery.HillClimbSearch.__mro__ if kind.__name__ == "_BaseCausalDiscovery"
)


class AnytimeSearch(_Base):  # type: ignore[misc]
    """Learn a network that is proven to be good, as pgmpy's own estimators learn theirs.

    Parameters
    ----------
    score_type
        The score that is optimised, one of ``anytimebn list scores``; the method `score` is
        pgmpy's.
    max_indegree
        Most parents of a variable; as many as pay if None.
    ess
        Equivalent sample size of ``bdeu``.
    expert_knowledge : pgmpy.causal_discovery.ExpertKnowledge, optional
        Required and forbidden edges, a temporal order and a search space, all of them obeyed.
    return_type
        ``"pdag"`` for the equivalence class, as pgmpy has it, or ``"dag"`` for a network of it.
    time_limit, memory_limit, gap, seed, n_jobs
        Limits, seed and threads of the search, as in `anytimebn.SearchSettings`; all cores if
        `n_jobs` is None or -1.

    Attributes
    ----------
    causal_graph_ : pgmpy.base.DAG or pgmpy.base.PDAG
    adjacency_matrix_ : pandas.DataFrame
        1 where the row's variable has an edge to the column's; edges without direction have both.
    result_ : Result
        The network as anytimebn has it, with status, cost, lower bound and proof.
    n_features_in_, feature_names_in_
        As scikit-learn has them.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"rain": list("nnyy") * 9, "wet": list("nnyy") * 9})
    >>> found = AnytimeSearch(return_type="dag").fit(frame)
    >>> len(found.causal_graph_.edges), found.result_.status
    (1, 'optimal')
    """

    def __init__(
        self,
        score_type: str = "mdl",
        max_indegree: int | None = None,
        ess: float = 1.0,
        expert_knowledge: Any = None,
        return_type: Literal["pdag", "dag"] = "pdag",
        time_limit: float | None = None,
        memory_limit: int | str | None = None,
        gap: float = 0.0,
        seed: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.score_type = score_type
        self.max_indegree = max_indegree
        self.ess = ess
        self.expert_knowledge = expert_knowledge
        self.return_type = return_type
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.gap = gap
        self.seed = seed
        self.n_jobs = n_jobs

    def _fit(self, X: Any) -> AnytimeSearch:
        """Learn from a data frame that pgmpy has checked."""
        if self.return_type not in ("pdag", "dag"):
            raise InputError(f"return_type must be 'pdag' or 'dag', not {shown(self.return_type)}")
        labels = {str(label): label for label in X.columns}
        if len(labels) < len(X.columns):
            raise InputError("two columns have the same name, when it is written as text")
        result: Result = learn(
            X,
            score=self.score_type,
            max_parents="auto" if self.max_indegree is None else self.max_indegree,
            ess=self.ess,
            knowledge=knowledge_of(self.expert_knowledge, list(labels)),
            time_limit=self.time_limit,
            memory_limit=self.memory_limit,
            gap=self.gap,
            seed=self.seed,
            jobs=None if self.n_jobs == -1 else self.n_jobs,
            progress=False,
        )
        graph = _graph_of(result, labels, self.return_type)
        self.result_ = result
        self.causal_graph_ = graph
        self.adjacency_matrix_ = _networkx.to_pandas_adjacency(
            graph, nodelist=list(labels.values()), weight=1, dtype="int"
        )
        return self


def knowledge_of(expert: Any, names: Sequence[str]) -> Knowledge:
    """Turn pgmpy's knowledge about variables of these names into ours.

    A search space lists all edges that may be there: all others are forbidden.
    """
    if expert is None:
        return Knowledge()
    if not hasattr(expert, "required_edges"):
        raise InputError(f"expert_knowledge must be pgmpy's ExpertKnowledge, not {shown(expert)}")

    def arcs(edges: Any) -> set[tuple[str, str]]:
        return {(str(parent), str(child)) for parent, child in edges or ()}

    required, forbidden, allowed = (
        arcs(edges)
        for edges in (expert.required_edges, expert.forbidden_edges, expert.search_space)
    )
    if allowed:
        forbidden |= {
            (parent, child)
            for parent in names
            for child in names
            if parent != child and (parent, child) not in allowed | required
        }
    tiers = tuple(tuple(map(str, tier)) for tier in expert.temporal_order if tier)
    return Knowledge(required=frozenset(required), forbidden=frozenset(forbidden), tiers=tiers)


def _graph_of(result: Result, labels: Mapping[str, Any], kind: str) -> Any:
    if kind == "dag":
        graph = _graphs.DAG()
        edges = result.network.arcs
        graph.add_nodes_from(labels.values())
        graph.add_edges_from((labels[parent], labels[child]) for parent, child in edges)
        return graph
    found = result.network.cpdag()
    graph = _graphs.PDAG(
        directed_ebunch=[(labels[a], labels[b]) for a, b in sorted(found.directed)],
        undirected_ebunch=[(labels[a], labels[b]) for a, b in sorted(found.undirected)],
    )
    graph.add_nodes_from(labels.values())
    return graph
