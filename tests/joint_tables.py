"""The whole joint distribution of small networks, multiplied out, to compare answers with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from anytimebn.network.network import Network


def joint_table(network: Network) -> np.ndarray:
    """Give the probability of every combination of values, an axis for each variable."""
    letters = "abcdefghijklmnopqrstuvwxyz"[: len(network.names)]
    families = [
        "".join(letters[variable] for variable in (*members, child))
        for child, members in enumerate(network.parents)
    ]
    return np.einsum(f"{','.join(families)}->{letters}", *network.probabilities)


def asked(
    network: Network, targets: Sequence[str], evidence: Mapping[str, Sequence[str]]
) -> np.ndarray:
    """Give the joint probabilities of targets together with evidence, not normalised."""
    joint = joint_table(network)
    for name, values in evidence.items():
        variable = network.index_of(name)
        fits = np.isin(network.states[variable], list(values)).astype(float)
        joint = joint * fits.reshape([-1 if v == variable else 1 for v in range(joint.ndim)])
    kept = [network.index_of(name) for name in targets]
    others = tuple(v for v in range(joint.ndim) if v not in kept)
    summed = joint.sum(axis=others)
    order = sorted(kept)
    return summed.transpose([order.index(variable) for variable in kept])
