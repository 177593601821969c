"""Questions to a network: how probable values of some variables are, given those of others.

The answer is a contraction of the network's tables (`anytimebn.network.contraction`), with the axes
of what is observed cut down to what was seen. Tables of variables that are neither asked for nor
observed, nor above such a one, sum to 1 and are left out; so are parts of the network that share
no unobserved variable with the target.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from anytimebn.base.checks import are_names, check_whole
from anytimebn.base.errors import InputError, LimitReached
from anytimebn.base.resources import memory_to_use
from anytimebn.base.text import how_many, listed, shown, unknown_name
from anytimebn.network.contraction import (
    Factor,
    check_memory,
    contract,
    fits,
    plan_for,
    sizes_of,
)
from anytimebn.network.distribution import Distribution
from anytimebn.network.evidence import evidence_codes, tables_of, values_of
from anytimebn.network.separation import reachable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from anytimebn.network.contraction import Plan
    from anytimebn.network.evidence import Evidence
    from anytimebn.network.model import Model

Method = Literal["exact", "sampling"]

BYTES_OF_A_CELL = 32
"""Of an estimate: its probability and standard error, and what they are made of."""


def query(
    network: Model,
    target: str | Sequence[str],
    evidence: Evidence | None,
    *,
    method: Method,
    samples: int,
    seed: int | np.random.Generator,
    memory_limit: int | str | None,
) -> Distribution:
    """Answer a question; see `Network.query`."""
    tables_of(network)
    names = _targets(network, target)
    possible = evidence_codes(network, evidence)
    both = [name for name in names if network.index_of(name) in possible]
    if both:
        raise InputError(f"{both[0]!r} is asked for and given as evidence: leave it out of one")
    if method not in get_args(Method):
        raise InputError(unknown_name("method", method, get_args(Method)))
    check_whole("samples", samples, 2)
    targets = tuple(network.index_of(name) for name in names)
    states = values_of(network)
    budget_bytes = memory_to_use(memory_limit)
    errors = None
    if method == "sampling":
        from anytimebn.network.weighting import weighted_samples

        cells = math.prod(len(states[variable]) for variable in targets)
        if cells * BYTES_OF_A_CELL > budget_bytes:
            raise LimitReached(
                f"the joint distribution of {how_many(len(names), 'target')} has {cells:,} values: "
                "more than there is memory for; ask for fewer targets, or raise memory_limit"
            )
        table, errors = weighted_samples(network, targets, possible, samples, seed)
    else:
        table = posterior(network, targets, possible, budget_bytes)
    return Distribution(
        names,
        {name: states[variable] for name, variable in zip(names, targets, strict=True)},
        table,
        standard_errors=errors,
        evidence=dict(evidence or {}),
    )


def posterior(
    network: Model,
    targets: tuple[int, ...],
    possible: Mapping[int, tuple[int, ...]],
    budget_bytes: int,
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Give the joint probabilities of the targets: an axis for each, in their order."""
    factors = _factors(network, {*targets, *possible}, possible, kept=set(targets))
    asked: list[Factor] = []
    others = []
    for part in _parts(factors):
        if any(set(factor.labels) & set(targets) for factor in part):
            asked += part
        else:
            others.append(part)
    plan = _plan(asked, targets)
    check_memory(plan, budget_bytes)
    table, log_scale = contract(asked, targets, plan)
    certain = math.isfinite(float(log_scale))
    # The other parts say nothing of the targets, but whether the evidence is possible at all.
    for part in others:
        plan = _plan(part, ())
        if fits(plan, budget_bytes):
            certain = certain and math.isfinite(float(contract(part, (), plan)[1]))
    if not certain:
        raise InputError(
            f"the evidence ({_listed(network, possible)}) has the probability 0 in this network, "
            "so that nothing follows from it; fit the network with an equivalent_sample_size above "
            "0, or leave some of it out"
        )
    return np.ascontiguousarray(table / table.sum())


def probability(network: Model, evidence: Evidence, memory_limit: int | str | None = None) -> float:
    """Give the probability of evidence; see `Network.probability`."""
    possible = evidence_codes(network, evidence)
    budget_bytes = memory_to_use(memory_limit)
    logarithm = 0.0
    for part in _parts(_factors(network, set(possible), possible, kept=set())):
        plan = _plan(part, ())
        check_memory(plan, budget_bytes)
        table, log_scale = contract(part, (), plan)
        logarithm += float(log_scale) if table else -math.inf
    return math.exp(logarithm)


def table_of(network: Model, name: str) -> Distribution:
    """Give the table of a variable; see `Network.table_of`."""
    child = network.index_of(name)
    states = values_of(network)
    return Distribution(
        (name,),
        {network.names[v]: states[v] for v in (*network.parents[child], child)},
        tables_of(network)[child],
        conditions=network.parents_of(name),
    )


def _plan(factors: Sequence[Factor], output: tuple[int, ...]) -> Plan:
    return plan_for([factor.labels for factor in factors], output, sizes_of(factors))


def _factors(
    network: Model,
    about: Collection[int],
    possible: Mapping[int, tuple[int, ...]],
    kept: Collection[int],
) -> list[Factor]:
    """Cut the tables that matter to what is possible.

    An axis with a single possible value is taken away, unless its variable is to be kept.
    """
    tables = tables_of(network)
    needed = sorted(reachable(about, network.parents))
    states = values_of(network)
    codes = {variable: possible.get(variable, range(len(states[variable]))) for variable in needed}
    factors = []
    for child in needed:
        family = (*network.parents[child], child)
        table = tables[child]
        for axis, variable in enumerate(family):
            if len(codes[variable]) < len(states[variable]):
                table = table.take(codes[variable], axis=axis)
        single = tuple(
            axis
            for axis, variable in enumerate(family)
            if len(codes[variable]) == 1 and variable not in kept
        )
        labels = tuple(variable for axis, variable in enumerate(family) if axis not in single)
        factors.append(Factor(labels, table.squeeze(single)))
    return factors


def _parts(factors: Iterable[Factor]) -> list[list[Factor]]:
    """Group factors that share labels with each other, directly or through others."""
    parts: list[tuple[set[int], list[Factor]]] = []
    for factor in factors:
        labels, members = set(factor.labels), [factor]
        apart = []
        for other in parts:
            if labels & other[0]:
                labels |= other[0]
                members = other[1] + members
            else:
                apart.append(other)
        parts = [*apart, (labels, members)]
    return [members for _, members in parts]


def _targets(network: Model, given: str | Sequence[str]) -> tuple[str, ...]:
    target = [given] if isinstance(given, str) else given
    if not are_names(target) or not target:
        raise InputError(f"the target must be a name or a list of names, not {shown(given)}")
    names = tuple(target)
    for position, name in enumerate(names):
        network.index_of(name)
        if name in names[:position]:
            raise InputError(f"the target {name!r} is named twice; name it once")
    return names


def _listed(network: Model, possible: Mapping[int, tuple[int, ...]]) -> str:
    states = values_of(network)
    return listed(
        [
            f"{network.names[variable]} = {' or '.join(states[variable][code] for code in codes)}"
            for variable, codes in possible.items()
        ]
    )
