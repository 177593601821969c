"""Random networks and data, as the paper's evaluation uses them.

J. S. Ide and F. G. Cozman, Random generation of Bayesian networks, SBIA 2002: a Markov chain over
connected directed acyclic graphs with a limited number of parents. Its stationary distribution is
uniform over them, because every move is as likely as its reverse; a move that is not allowed leaves
the graph as it is.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.checks import check_whole, is_whole
from anytimebn.base.errors import InputError
from anytimebn.base.text import shown
from anytimebn.data.dataset import MAX_STATES
from anytimebn.network.network import Network
from anytimebn.network.probabilities import MOST_ROWS

if TYPE_CHECKING:
    from anytimebn.data.dataset import Dataset

MAX_TABLE_CELLS = 1 << 24


def generate(
    variables: int,
    max_parents: int,
    rows: int,
    *,
    arity: int | tuple[int, int] = 2,
    seed: int = 0,
) -> tuple[Network, Dataset]:
    """Draw a random network and a table of data from it.

    Parameters
    ----------
    variables
        How many variables, at least 2; they are named X01, X02 and so on.
    max_parents
        How many parents a variable may have, at least 1.
    rows
        How many rows of data to draw.
    arity
        The number of values of every variable, or the smallest and the largest number, between
        which each variable's own is drawn.
    seed
        The same seed gives the same network and the same data.

    Returns
    -------
    network, dataset
        The network with its probabilities, and data drawn from it by logic sampling.

    Examples
    --------
    >>> import anytimebn as ab
    >>> network, data = ab.generate(8, 2, 500, arity=(2, 3), seed=1)
    >>> data.rows, len(network.names), max(map(len, network.parents))
    (500, 8, 2)
    """
    check_whole("rows", rows, 1, MOST_ROWS)
    check_whole("seed", seed, 0)
    random = np.random.default_rng(seed)
    network = _draw_network(variables, max_parents, arity, None, random)
    return network, network.sample(rows, random)


def generate_network(
    variables: int,
    max_parents: int,
    *,
    arity: int | tuple[int, int] = 2,
    seed: int,
    steps: int | None = None,
) -> Network:
    """Draw a random connected network with random probability tables.

    Parameters
    ----------
    variables
        How many variables, at least 2; they are named X01, X02 and so on.
    max_parents
        How many parents a variable may have, at least 1.
    arity
        The number of values of every variable, or the smallest and the largest number, between
        which each variable's own is drawn.
    seed
        Seed of the random numbers; the same seed gives the same network.
    steps
        Length of the Markov chain; by default the larger of 1,000 and 6 times the number of
        variables squared.

    Examples
    --------
    >>> network = generate_network(29, 3, seed=1)
    >>> len(network.names), max(len(parents) for parents in network.parents)
    (29, 3)
    """
    check_whole("seed", seed, 0)
    return _draw_network(variables, max_parents, arity, steps, np.random.default_rng(seed))


def _draw_network(
    variables: int,
    max_parents: int,
    arity: int | tuple[int, int],
    steps: int | None,
    random: np.random.Generator,
) -> Network:
    check_whole("variables", variables, 2)
    check_whole("max_parents", max_parents, 1)
    arity_range: Any = arity if isinstance(arity, tuple | list) else (arity, arity)
    if not (
        len(arity_range) == 2
        and all(map(is_whole, arity_range))
        and 2 <= arity_range[0] <= arity_range[1] <= MAX_STATES
    ):
        raise InputError(
            f"arity is {shown(arity)}; a number from 2 to {MAX_STATES}, or two such numbers in "
            "ascending order, is needed"
        )
    low, high = arity_range
    variables = int(variables)  # Python's own, of as many bits as there are variables
    if steps is None:
        steps = max(1000, 6 * variables * variables)
    check_whole("steps", steps, 0)
    parents = _random_structure(variables, max_parents, steps, random)
    arities = random.integers(low, high + 1, size=variables)
    tables = []
    for child, members in enumerate(parents):
        shape = tuple(int(arities[member]) for member in members)
        if math.prod(shape) * int(arities[child]) > MAX_TABLE_CELLS:
            raise InputError(
                f"max_parents is {max_parents} with arity {arity}: a variable with {len(members)} "
                f"parents needs a table of more than {MAX_TABLE_CELLS:,} cells; choose fewer"
            )
        tables.append(random.dirichlet(np.ones(arities[child]), size=shape))
    width = max(2, len(str(variables)))
    names = tuple(f"X{number:0{width}d}" for number in range(1, variables + 1))
    states = tuple(tuple(str(code) for code in range(values)) for values in arities)
    return Network(names, parents, states, tuple(tables))


def _random_structure(
    variables: int, max_parents: int, steps: int, random: np.random.Generator
) -> tuple[tuple[int, ...], ...]:
    """Walk the Markov chain from the path X1 -> X2 -> ... ; sets of variables are integer masks."""
    parents = [0] + [1 << (child - 1) for child in range(1, variables)]
    children = [1 << (parent + 1) for parent in range(variables - 1)] + [0]
    sources = random.integers(0, variables, size=steps).tolist()
    # The target differs from the source, and every such ordered pair is as likely as any other.
    offsets = random.integers(1, variables, size=steps).tolist()
    for source, offset in zip(sources, offsets, strict=True):
        target = (source + offset) % variables
        arc_source, arc_target = 1 << source, 1 << target
        if parents[target] & arc_source:
            parents[target] ^= arc_source
            children[source] ^= arc_target
            neighbours = [one | other for one, other in zip(parents, children, strict=True)]
            if not _reaches(neighbours, source, arc_target):
                parents[target] ^= arc_source
                children[source] ^= arc_target
        elif parents[target].bit_count() < max_parents and not _reaches(
            children, target, arc_source
        ):
            parents[target] |= arc_source
            children[source] |= arc_target
    return tuple(tuple(_members(mask)) for mask in parents)


def _reaches(neighbours: list[int], start: int, goal: int) -> bool:
    """Tell whether a walk from ``start`` meets the set ``goal``."""
    seen = 1 << start
    frontier = seen
    while frontier:
        lowest = frontier & -frontier
        frontier ^= lowest
        new = neighbours[lowest.bit_length() - 1] & ~seen
        if new & goal:
            return True
        seen |= new
        frontier |= new
    return False


def _members(mask: int) -> list[int]:
    return [position for position in range(mask.bit_length()) if mask >> position & 1]
