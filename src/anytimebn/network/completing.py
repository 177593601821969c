"""Values for cells that a table lacks, drawn from what a network says of the rest of their row.

Draws are not independent: rows that show the same values share out their possible completions, so
that the counts of a completed table are those to be expected, rounded to whole rows. And they are
not new each time: the same network completes the same table in the same way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from anytimebn.data.dataset import Dataset
    from anytimebn.network.network import Network

MOST_COMBINATIONS = 4096
"""Of values of one row that are drawn together; where more depend on each other, one part is drawn
given the others as they are, and then the next: a step of Gibbs sampling."""

MOST_CELLS = 2**22  # of probabilities at one time


class Completer:
    """Completes one table, again and again.

    Parameters
    ----------
    dataset
        With cells to be completed.
    seed
        Of the draws.
    """

    def __init__(self, dataset: Dataset, seed: int) -> None:
        assert dataset.holes is not None
        self._arities, self._rows = dataset.arities, dataset.rows
        self._holes = np.sort(dataset.holes)
        is_hole = np.zeros(dataset.codes.shape, dtype=bool)
        is_hole.ravel()[self._holes] = True
        self._patterns = list(patterns_of(is_hole))
        self._places = np.random.default_rng(seed).random(len(self._holes))

    def complete(self, network: Network, codes: NDArray[np.uint16]) -> NDArray[np.uint16]:
        """Draw what is missing.

        Parameters
        ----------
        network
            With probabilities, none of which is 0.
        codes
            The table; what stands in its holes matters only in rows that lack very much.
        """
        drawn = codes.copy()
        families = Families(network)
        together: dict[tuple[int, ...], list[NDArray[np.int64]]] = {}
        for pattern in self._patterns:
            for variables in families.connected(pattern.variables):
                together.setdefault(variables, []).append(pattern.rows)
        for variables, rows in together.items():
            for block in self._blocks(variables):
                self._draw(families, block, np.concatenate(rows), drawn)
        return drawn

    def _blocks(self, variables: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Share out variables so that the combinations of no block are too many."""
        block: list[int] = []
        for variable in variables:
            size = math.prod(self._arities[own] for own in (*block, variable))
            if block and size > MOST_COMBINATIONS:
                yield tuple(block)
                block = []
            block.append(variable)
        yield tuple(block)

    def _draw(
        self,
        families: Families,
        block: tuple[int, ...],
        rows: NDArray[np.int64],
        codes: NDArray[np.uint16],
    ) -> None:
        """Draw these variables in these rows, given all others."""
        given = families.beside(block)
        # Rows that agree on these have the same chances.
        shown, context = distinct_columns(codes[np.ix_(np.array(given, dtype=np.int64), rows)])
        size = math.prod(self._arities[variable] for variable in block)
        # What is drawn for other variables of the row must not depend on this.
        places = self._places[np.searchsorted(self._holes, block[0] * self._rows + rows)]
        order = np.lexsort([places, context])
        sizes = np.bincount(context, minlength=shown.shape[1])
        first = np.cumsum(sizes) - sizes
        rank = np.arange(len(rows)) - np.repeat(first, sizes)
        # The first of them chooses where in the first of equal steps all of them stand.
        offset = np.repeat(places[order[first]], sizes)
        height = np.empty(len(rows))
        height[order] = (rank + offset) / np.repeat(sizes, sizes)
        chosen = np.empty(len(rows), dtype=np.int64)
        step = max(1, MOST_CELLS // size)
        for begin in range(0, shown.shape[1], step):
            chances = families.log_chances(block, given, shown[:, begin : begin + step])
            ends = np.cumsum(np.exp(chances - chances.max(axis=1, keepdims=True)), axis=1)
            ends /= ends[:, -1:]
            own = np.flatnonzero((context >= begin) & (context < begin + step))
            local = context[own] - begin
            # One search for all: those of context c lie between c and c + 1.
            levels = (ends + np.arange(len(ends))[:, None]).ravel()
            found = np.searchsorted(levels, height[own] + local, side="right") - local * size
            chosen[own] = np.clip(found, 0, size - 1)
        drawn = np.unravel_index(chosen, [self._arities[variable] for variable in block])
        for variable, values in zip(block, drawn, strict=True):
            codes[variable, rows] = values


class Families:
    """The families of a network with probabilities, by the variables that they have."""

    def __init__(self, network: Network) -> None:
        with np.errstate(divide="ignore"):
            self._logs = [np.log(table) for table in network.probabilities or ()]
        self.all = [(*parents, child) for child, parents in enumerate(network.parents)]
        self._of: list[list[int]] = [[] for _ in network.names]
        self._near = [0] * len(network.names)  # as bits: those that share a family
        for number, family in enumerate(self.all):
            bits = sum(1 << variable for variable in family)
            for variable in family:
                self._of[variable].append(number)
                self._near[variable] |= bits

    def arity(self, variable: int) -> int:
        """Tell how many values a variable has."""
        return int(self._logs[variable].shape[-1])

    def having(self, variables: Sequence[int]) -> list[tuple[int, ...]]:
        """Give the families that have one of these variables."""
        numbers = sorted({number for variable in variables for number in self._of[variable]})
        return [self.all[number] for number in numbers]

    def beside(self, variables: Sequence[int]) -> list[int]:
        """Give what else these families have: nothing more matters to the variables."""
        own = set(variables)
        return sorted({other for family in self.having(variables) for other in family} - own)

    def connected(self, variables: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Part variables so that, given all that are not among them, the parts are independent."""
        left = sum(1 << variable for variable in variables)
        for variable in variables:
            reached, new = 0, left & (1 << variable)
            while new:
                reached |= new
                near = 0
                while new:
                    lowest = new & -new
                    near |= self._near[lowest.bit_length() - 1]
                    new ^= lowest
                new = near & left & ~reached
            if reached:
                left &= ~reached
                yield tuple(own for own in variables if reached >> own & 1)

    def log_chances(
        self,
        block: Sequence[int],
        given: Sequence[int],
        shown: NDArray[np.uint16],
        families: Sequence[tuple[int, ...]] | None = None,
    ) -> NDArray[np.float64]:
        """Sum up families for all combinations of a block, a line for each column of `shown`.

        Parameters
        ----------
        block, given
            Variables that are combined, and those that `shown` has.
        families
            Which; by default those that have a variable of the block.
        """
        families = self.having(block) if families is None else families
        contexts = shown.shape[1]
        shape = (contexts, *map(self.arity, block))
        place = {variable: axis for axis, variable in enumerate(block, start=1)}
        line = {variable: number for number, variable in enumerate(given)}

        def index(variable: int) -> Any:
            form = [1] * len(shape)
            form[place.get(variable, 0)] = -1
            if variable in place:
                return np.arange(self.arity(variable)).reshape(form)
            return shown[line[variable]].astype(np.int64).reshape(form)

        total = np.zeros(shape)
        for family in families:
            total += self._logs[family[-1]][tuple(index(variable) for variable in family)]
        return total.reshape(contexts, math.prod(shape[1:]))


def distinct_columns(
    table: NDArray[np.uint16],
) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """Give the columns that differ, and for each column the number of the one that it equals."""
    if not len(table):  # which numpy does not tell apart
        return table[:, :1], np.zeros(table.shape[1], dtype=np.int64)
    distinct, number = np.unique(table, axis=1, return_inverse=True)
    return distinct, number.reshape(-1)


@dataclass(frozen=True, eq=False)
class Pattern:
    """Rows that lack the same variables."""

    variables: tuple[int, ...]
    rows: NDArray[np.int64]


def patterns_of(is_hole: NDArray[np.bool_]) -> Iterator[Pattern]:
    """Group the rows that lack something by what they lack."""
    incomplete = np.flatnonzero(is_hole.any(axis=0))
    if not len(incomplete):
        return
    packed = np.packbits(is_hole[:, incomplete], axis=0)
    kinds, kind = np.unique(packed, axis=1, return_inverse=True)
    kind = kind.reshape(-1)
    by_kind = np.argsort(kind, kind="stable")
    ends = np.cumsum(np.bincount(kind, minlength=kinds.shape[1]))
    for rows in np.split(incomplete[by_kind], ends[:-1]):
        yield Pattern(tuple(np.flatnonzero(is_hole[:, rows[0]]).tolist()), rows)
