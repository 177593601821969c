"""Networks as the objects of other packages: networkx, pgmpy and pyAgrum.

These packages are imported only when they are asked for. Values become text: that is what a state
is here. A table has an axis for each parent, in the order of the network's names, and a last axis
for the child; pgmpy wants the child first and the parents' configurations as columns, pyAgrum the
child first and the parents after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.base.optional import optional
from anytimebn.network.network import Network

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def to_networkx(network: Network) -> Any:
    """Convert to a `networkx.DiGraph`; see `Network.to_networkx`."""
    nx = optional("networkx", needed_for="Network.to_networkx", install="networkx")
    graph = nx.DiGraph()
    for variable, name in enumerate(network.names):
        attributes: dict[str, Any] = {}
        if network.states is not None:
            attributes["states"] = network.states[variable]
        if network.probabilities is not None:
            attributes["probabilities"] = network.probabilities[variable]
        graph.add_node(name, **attributes)
    graph.add_edges_from(network.arcs)
    return graph


def from_networkx(graph: Any) -> Network:
    """Convert from a directed graph; the axes of tables follow the order of the nodes."""
    nx = optional("networkx", needed_for="Network.from_networkx", install="networkx")
    if not isinstance(graph, nx.Graph) or not graph.is_directed() or graph.is_multigraph():
        raise InputError(f"a network is made of a networkx.DiGraph, not of {type(graph).__name__}")
    nodes = list(graph.nodes)
    names = _names(nodes)
    parents = {name_of: [str(p) for p in graph.predecessors(n)] for n, name_of in names.items()}
    with_states = ["states" in graph.nodes[node] for node in nodes]
    with_tables = ["probabilities" in graph.nodes[node] for node in nodes]
    if not (nodes and all(with_states)):
        return Network.from_parents(parents)
    states = {names[node]: list(map(str, graph.nodes[node]["states"])) for node in nodes}
    structure = Network.from_parents(parents, states=states)
    if not all(with_tables):
        return structure
    tables = [np.asarray(graph.nodes[node]["probabilities"], dtype=np.float64) for node in nodes]
    return Network(structure.names, structure.parents, structure.states, tuple(tables))


def to_pgmpy(network: Network) -> Any:
    """Convert to pgmpy's ``DiscreteBayesianNetwork``."""
    models = optional("pgmpy.models", needed_for="Network.to_pgmpy", install="pgmpy")
    factors = optional("pgmpy.factors.discrete", needed_for="Network.to_pgmpy", install="pgmpy")
    model = models.DiscreteBayesianNetwork()
    model.add_nodes_from(network.names)
    model.add_edges_from(network.arcs)
    if network.states is None or network.probabilities is None:
        return model
    for child, members in enumerate(network.parents):
        table = network.probabilities[child]
        model.add_cpds(
            factors.TabularCPD(
                network.names[child],
                table.shape[-1],
                table.reshape(-1, table.shape[-1]).T,
                evidence=[network.names[parent] for parent in members],
                evidence_card=list(table.shape[:-1]),
                state_names={network.names[v]: list(network.states[v]) for v in (*members, child)},
            )
        )
    return model


def from_pgmpy(model: Any) -> Network:
    """Convert from a model of pgmpy, with its tables if every node has one."""
    if not (hasattr(model, "nodes") and hasattr(model, "predecessors")):
        raise InputError(
            f"a network is made of a DiscreteBayesianNetwork or a DAG of pgmpy, not of "
            f"{type(model).__name__}"
        )
    nodes = list(model.nodes)
    names = _names(nodes)
    parents = {names[node]: [str(p) for p in model.predecessors(node)] for node in nodes}
    tables = {cpd.variable: cpd for cpd in getattr(model, "cpds", None) or ()}
    if not nodes or set(tables) != set(nodes):
        return Network.from_parents(parents)
    states = {
        names[node]: [str(value) for value in tables[node].state_names[node]] for node in nodes
    }
    structure = Network.from_parents(parents, states=states)
    ordered = []
    for node in nodes:
        cpd = tables[node]
        members = list(cpd.variables[1:])
        # The parents' own tables decide the order of their values; this table may have another.
        table = np.asarray(cpd.values, dtype=np.float64)
        for axis, variable in enumerate(cpd.variables):
            own = [str(value) for value in cpd.state_names[variable]]
            table = table.take([own.index(state) for state in states[names[variable]]], axis=axis)
        ordered.append(_child_last(table, [str(member) for member in members], structure))
    return Network(structure.names, structure.parents, structure.states, tuple(ordered))


def to_pyagrum(network: Network) -> Any:
    """Convert to pyAgrum's ``BayesNet``."""
    gum = optional("pyagrum", needed_for="Network.to_pyagrum", install="pyagrum")
    if network.states is None:
        raise InputError(
            "pyAgrum needs the values of each variable, which this network does not have; fit it "
            "to data first"
        )
    model = gum.BayesNet()
    for name, values in zip(network.names, network.states, strict=True):
        model.add(gum.LabelizedVariable(name, name, list(values)))
    for arc in network.arcs:
        model.addArc(*arc)
    if network.probabilities is None:
        return model
    for child, members in enumerate(network.parents):
        # Arrays of pyAgrum have the axes of `names` from the last to the first.
        table = model.cpt(network.names[child])
        axes = [
            len(members) if name == network.names[child] else members.index(network.index_of(name))
            for name in reversed(list(table.names))
        ]
        table[:] = np.ascontiguousarray(network.probabilities[child].transpose(axes))
    return model


def from_pyagrum(model: Any) -> Network:
    """Convert from a ``BayesNet`` of pyAgrum."""
    if not (hasattr(model, "nodes") and hasattr(model, "cpt")):
        raise InputError(
            f"a network is made of a BayesNet of pyAgrum, not of {type(model).__name__}"
        )
    nodes = sorted(model.nodes())
    names = [model.variable(node).name() for node in nodes]
    parents = {
        name: [model.variable(parent).name() for parent in model.parents(node)]
        for node, name in zip(nodes, names, strict=True)
    }
    states = {
        name: list(model.variable(node).labels()) for node, name in zip(nodes, names, strict=True)
    }
    structure = Network.from_parents(parents, states=states)
    tables = []
    for node, name in zip(nodes, names, strict=True):
        table = model.cpt(node)
        axes = list(table.names)[::-1]
        array = np.asarray(table.toarray(), dtype=np.float64)
        array = np.moveaxis(array, axes.index(name), 0)
        tables.append(_child_last(array, [axis for axis in axes if axis != name], structure))
    return Network(structure.names, structure.parents, structure.states, tuple(tables))


def _names(nodes: Sequence[Any]) -> dict[Any, str]:
    return {node: str(node) for node in nodes}


def _child_last(
    table: NDArray[np.float64], members: Sequence[str], structure: Network
) -> NDArray[np.float64]:
    """Bring a table with the child first, then these parents, into the order of a network."""
    axes = sorted(range(len(members)), key=lambda axis: structure.index_of(members[axis]))
    return np.ascontiguousarray(table.transpose(*(axis + 1 for axis in axes), 0))
