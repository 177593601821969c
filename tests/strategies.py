"""Random tables and constraints for property tests."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import strategies as st

from anytimebn.data.dataset import Dataset
from anytimebn.knowledge.constraints import Knowledge


def table(codes: np.ndarray, arities: list[int] | None = None) -> Dataset:
    """Name codes, a row a variable; arities may count values that no row has."""
    arities = arities or [int(row.max()) + 1 for row in codes]
    states = tuple(tuple(map(str, range(arity))) for arity in arities)
    return Dataset(tuple(f"X{v}" for v in range(len(codes))), states, codes)


def random_table(arities: list[int], rows: int, seed: int, noise: float = 0.3) -> Dataset:
    """Draw columns of which each depends on up to two before it, so that parents pay."""
    random = np.random.default_rng(seed)
    codes = np.zeros((len(arities), rows), dtype=np.uint16)
    for v, arity in enumerate(arities):
        parents = random.permutation(v)[: random.integers(0, 3)]
        fresh = random.integers(0, arity, size=rows)
        follows = codes[parents].sum(axis=0) % arity
        keep = (random.random(rows) >= noise) & (len(parents) > 0)
        codes[v] = np.where(keep, follows, fresh)
    return table(codes, arities)


@st.composite
def datasets(
    draw: st.DrawFn,
    *,
    variables: tuple[int, int] = (2, 5),
    rows: tuple[int, int] = (1, 40),
    arities: tuple[int, int] = (1, 4),
) -> Dataset:
    """Small tables of mixed arities, with constant columns and values that no row has."""
    sizes = draw(st.lists(st.integers(*arities), min_size=variables[0], max_size=variables[1]))
    data = random_table(
        sizes,
        rows=draw(st.integers(*rows)),
        seed=draw(st.integers(0, 2**32)),
        noise=draw(st.sampled_from([0.0, 0.1, 0.5])),
    )
    codes = data.codes.copy()
    for v in draw(st.sets(st.integers(0, len(sizes) - 1), max_size=2)):
        seen = draw(st.integers(1, sizes[v]))
        codes[v] = np.minimum(codes[v], seen - 1)
    return table(codes, sizes)


@st.composite
def repeated_rows(draw: st.DrawFn, **options: tuple[int, int]) -> Dataset:
    """Tables of few different rows, each up to some hundred times, in any order."""
    data = draw(datasets(**options))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    times = random.integers(1, draw(st.sampled_from([9, 60, 300])), data.rows)
    codes = random.permutation(np.repeat(data.codes, times, axis=1), axis=1)
    return table(np.ascontiguousarray(codes), list(data.arities))


@st.composite
def knowledge_of(draw: st.DrawFn, data: Dataset, *, required: bool = True) -> Knowledge:
    """Constraints that some network satisfies: all agree with one order of the variables."""
    order = draw(st.permutations(data.names))
    forward = list(itertools.combinations(order, 2))
    arcs = [*forward, *((child, parent) for parent, child in forward)]
    wanted = draw(st.sets(st.sampled_from(forward), max_size=3)) if required else set()
    unwanted = draw(st.sets(st.sampled_from(arcs), max_size=4))
    # Most scores do not tell an arc from its reverse: only without both does a network change.
    if draw(st.booleans()):
        unwanted |= {(child, parent) for parent, child in unwanted}
    unwanted -= wanted

    tiers: tuple[tuple[str, ...], ...] = ()
    if draw(st.booleans()):
        cut = draw(st.integers(1, len(order) - 1))
        left_out = draw(st.sets(st.sampled_from(order), max_size=1))
        tiers = tuple(
            tuple(name for name in tier if name not in left_out)
            for tier in (order[:cut], order[cut:])
        )
        tiers = tuple(tier for tier in tiers if tier)

    limits = {}
    for name in draw(st.sets(st.sampled_from(order), max_size=2)):
        needed = sum(child == name for _, child in wanted)
        limits[name] = draw(st.integers(needed, len(order) - 1))
    return Knowledge(frozenset(wanted), frozenset(unwanted), tiers, limits)


@st.composite
def problems(draw: st.DrawFn, **options: tuple[int, int]) -> tuple[Dataset, Knowledge, int]:
    """A table, constraints on its network (often none), and a limit on parents that fits them."""
    data = draw(datasets(**options))
    knowledge = draw(st.one_of(st.just(Knowledge()), knowledge_of(data)))
    needed = max(sum(child == name for _, child in knowledge.required) for name in data.names)
    return data, knowledge, draw(st.integers(needed, data.variables - 1))
