"""What would change if a variable were set from outside: causal effects, and their limits.

If the arcs are taken for causes, setting a variable cuts the arcs that lead to it and leaves all
other tables as they are (Pearl 2009). Data alone leave the directions of some arcs open. An effect
is then computed for every set of parents that the variable can have in the equivalence class, and
all of them are given (IDA: Maathuis, Kalisch and Buhlmann 2009). All of this presumes that no cause
of two variables was left out of the table.
"""

from __future__ import annotations

import html
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.base.resources import memory_to_use
from anytimebn.data.align import cut_points
from anytimebn.data.as_frames import BecomesFrame
from anytimebn.data.frames import typed_values
from anytimebn.data.observe import code_of_value
from anytimebn.knowledge.combine import as_knowledge
from anytimebn.network.evidence import tables_of, values_of
from anytimebn.network.inference import posterior
from anytimebn.network.members import members_by_parents, refactored
from anytimebn.network.restricted_class import members_within

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.network.members import Parents
    from anytimebn.network.model import Model

SAME = 1e-9
"""Probabilities that differ by less are the same but for rounding."""


@dataclass(frozen=True, eq=False)
class PossibleEffect:
    """The effect if these are the causes of the variable that is set.

    Attributes
    ----------
    parents : tuple of str
        They are also a set to adjust for.
    probabilities : ndarray
        A row for each value that is set, a column for each value of the other variable.
    """

    parents: tuple[str, ...]
    probabilities: NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Effect(BecomesFrame):
    """The effect of setting a variable on another one.

    Attributes
    ----------
    of, on : str
        The variable that is set, and the one that is looked at.
    states : dict of str to tuple of str
        The values of both.
    possible : tuple of PossibleEffect
        One for each set of causes that the equivalence class allows; that of the network first.
    """

    of: str
    on: str
    states: dict[str, tuple[str, ...]]
    possible: tuple[PossibleEffect, ...]

    @property
    def is_determined(self) -> bool:
        """Whether all networks of the class agree on the effect."""
        return all(_are_same(one, self.possible[0]) for one in self.possible)

    def change(self, to: Any, base: Any, outcome: Any = None) -> tuple[float, float]:
        """Give the lowest and the highest average change that is possible.

        Parameters
        ----------
        to, base
            Values that the variable is set to: how much more there is with the first than with the
            second.
        outcome
            A value of the other variable, whose probability changes; without it, its mean changes,
            which needs values that are numbers.

        Examples
        --------
        >>> import numpy as np
        >>> import anytimebn as ab
        >>> table = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
        >>> network = ab.Network.from_parents({"a": [], "b": ["a"]}).fit(table, 0)
        >>> network.effect(of="a", on="b").change(1, 0, outcome=1)
        (0.0, 0.5)
        >>> network.effect(of="a", on="b", equivalence=False).change(1, 0)
        (0.5, 0.5)
        """
        high, low = (code_of_value(self.of, self.states[self.of], value) for value in (to, base))
        if outcome is not None:
            weights = np.zeros(len(self.states[self.on]))
            weights[code_of_value(self.on, self.states[self.on], outcome)] = 1.0
        else:
            numbers = typed_values(self.states[self.on])
            if numbers is None:
                known = self.states[self.on]
                raise InputError(
                    f"the values of {self.on!r} are "
                    f"{'no numbers' if cut_points(known) is None else 'intervals'}, so that they "
                    f"have no mean; name the outcome whose probability is meant, such as "
                    f"outcome={known[-1]!r}"
                )
            weights = numbers.astype(np.float64)
        changes = [
            float((one.probabilities[high] - one.probabilities[low]) @ weights)
            for one in self.possible
        ]
        return min(changes), max(changes)

    def to_arrow(self) -> Any:
        """Convert to a `pyarrow.Table`: the probability of each value for each value that is set.

        The first column has the causes of the variable that is set, for which it holds.
        """
        import pyarrow as pa

        own, other = self.states[self.of], self.states[self.on]
        columns: dict[str, list[Any]] = {
            name: [] for name in ("parents", f"do({self.of})", self.on, "probability")
        }
        for one in self.possible:
            for place, share in np.ndenumerate(one.probabilities):
                row = (", ".join(one.parents), own[place[0]], other[place[1]], float(share))
                for cells, cell in zip(columns.values(), row, strict=True):
                    cells.append(cell)
        return pa.table(columns)

    def _title(self) -> str:
        return f"P({self.on} | do({self.of}))"

    def _cases(self) -> list[tuple[str, list[list[str]]]]:
        """Say for which causes it holds (nothing if for all), and the table: a head, and rows."""
        groups: list[list[PossibleEffect]] = []  # of those that are the same
        for one in self.possible:
            same = [group for group in groups if _are_same(group[0], one)]
            if same:
                same[0].append(one)
            else:
                groups.append([one])
        cases = []
        for group in groups:
            causes = [", ".join(one.parents) or "nothing" for one in group]
            words = f"if {self.of} is caused by {', or by '.join(causes)}:"
            rows = zip(self.states[self.of], group[0].probabilities, strict=True)
            cells = [[state, *(f"{share:.4f}" for share in row)] for state, row in rows]
            head = ["", *self.states[self.on]]
            cases.append((words if len(groups) > 1 else "", [head, *cells]))
        return cases

    def _notes(self, cases: int) -> list[str]:
        if cases > 1:
            return [f"data cannot tell these {cases} possibilities apart"]
        first = self.possible[0].probabilities
        if np.allclose(first, first[0], 0, SAME):
            return [f"setting {self.of} does not change {self.on}"]
        return []

    def __repr__(self) -> str:
        lines = [self._title()]
        cases = self._cases()
        for words, table in cases:
            if words:
                lines.append(f"  {words}")
            widths = [max(map(len, column)) for column in zip(*table, strict=True)]
            lines += ["  " + "  ".join(map(str.ljust, line, widths)) for line in table]
        lines += self._notes(len(cases))
        return "\n".join(line.rstrip() for line in lines)

    def _repr_html_(self) -> str:
        from anytimebn.network.html import table_html

        parts = [f"<b>{html.escape(self._title())}</b>"]
        cases = self._cases()
        for words, (head, *rows) in cases:
            parts += [f"<div>{html.escape(words)}</div>", table_html(head, rows)]
        parts += [f"<div>{html.escape(words)}</div>" for words in self._notes(len(cases))]
        return f"<div>{''.join(parts)}</div>"


def _are_same(one: PossibleEffect, other: PossibleEffect) -> bool:
    return np.allclose(one.probabilities, other.probabilities, 0, SAME)


def effect(
    network: Model,
    of: str,
    on: str,
    *,
    equivalence: bool,
    knowledge: Knowledge | str | os.PathLike[str] | None,
    memory_limit: int | str | None,
) -> Effect:
    """Compute an effect; see `Network.effect`."""
    tables_of(network)
    cause, result = network.index_of(of), network.index_of(on)
    if cause == result:
        raise InputError(f"{of!r} has no effect on itself: name two variables")
    budget_bytes = memory_to_use(memory_limit)
    members = _members(network, cause, equivalence, knowledge)
    possible = []
    for parents in members:
        member = refactored(network, parents, budget_bytes)
        causes = tuple(network.names[parent] for parent in parents[cause])
        possible.append(
            PossibleEffect(causes, _set_from_outside(member, cause, result, budget_bytes))
        )
    states = values_of(network)
    return Effect(of, on, {of: states[cause], on: states[result]}, tuple(possible))


def _members(
    network: Model,
    cause: int,
    equivalence: bool,
    knowledge: Knowledge | str | os.PathLike[str] | None,
) -> list[Parents]:
    """Give one network for each set of causes that is to be considered."""
    if knowledge is None:
        return list(members_by_parents(network, cause)) if equivalence else [network.parents]
    if not equivalence:
        raise InputError(
            "knowledge restricts the equivalence class, and with equivalence=False the arcs are "
            "taken as they are: leave one of the two out"
        )
    return list(members_within(network, cause, as_knowledge(knowledge=knowledge)))


def _set_from_outside(
    network: Model, cause: int, result: int, budget_bytes: int
) -> NDArray[np.float64]:
    """Give the distribution of the result for each value that the cause is set to."""
    tables = list(tables_of(network))
    parents = list(network.parents)
    values = tables[cause].shape[-1]
    # All values are as probable, and all at once: what is asked for is given each of them.
    tables[cause], parents[cause] = np.full(values, 1.0 / values), ()
    cut = replace(network, parents=tuple(parents), probabilities=tuple(tables))
    joint = posterior(cut, (cause, result), {}, budget_bytes)
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))
