"""What is known of some variables, as a user says it, in the codes of a network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from anytimebn.base.errors import InputError
from anytimebn.base.text import shown
from anytimebn.data.observe import code_of_value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from anytimebn.network.model import Model

Evidence = Mapping[str, Any]


def tables_of(network: Model) -> tuple[NDArray[np.float64], ...]:
    """Give the probability tables of a network that has some."""
    if network.probabilities is None:
        raise InputError("the network has no probabilities; fit it to data first")
    return network.probabilities


def values_of(network: Model) -> tuple[tuple[str, ...], ...]:
    """Give the states of a network that has some."""
    if network.states is None:
        raise InputError("the network has no states; fit it to data first")
    return network.states


def evidence_codes(network: Model, evidence: Evidence | None) -> dict[int, tuple[int, ...]]:
    """Give the states that evidence leaves possible, by variable.

    A value is named as in a table: by its name, a number also by its worth, or as a number within
    an interval. A list, tuple or set of values means that it is one of them.

    Examples
    --------
    >>> from anytimebn import Network
    >>> network = Network(("a", "b"), ((), ()), (("0", "1", "2"), ("no", "yes")))
    >>> evidence_codes(network, {"a": [0, 2], "b": "yes"})
    {0: (0, 2), 1: (1,)}
    """
    if evidence is None:
        return {}
    if not isinstance(evidence, Mapping):
        raise InputError(
            f"evidence must be values by variable, such as {{'rain': 'yes'}}, not {shown(evidence)}"
        )
    states = values_of(network)
    found = {}
    for name, given in evidence.items():
        variable = network.index_of(name)
        several = isinstance(given, list | tuple | set | frozenset)
        values = list(given) if several else [given]
        if not values:
            raise InputError(f"evidence: no value of {name!r} is possible; give at least one")
        found[variable] = tuple(
            sorted({code_of_value(name, states[variable], value) for value in values})
        )
    return found
