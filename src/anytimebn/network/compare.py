"""What is different between two networks over the same variables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from anytimebn.base.errors import InputError
from anytimebn.base.text import how_many, unknown_name
from anytimebn.data.as_frames import BecomesFrame
from anytimebn.draw.marks import ArcMark
from anytimebn.draw.style import ADDED, LOST, TURNED
from anytimebn.network.equivalence import check_same_variables

if TYPE_CHECKING:
    from pathlib import Path

    from anytimebn.network.equivalence import Cpdag
    from anytimebn.network.network import Network

Kind = Literal["added", "lost", "turned", "kept"]
KINDS: tuple[Kind, ...] = ("added", "lost", "turned", "kept")
Pair = tuple[str, str]

LEGEND = "green: added; red, dashed: lost; orange: turned, as it is now"


@dataclass(frozen=True)
class Change:
    """What became of an edge.

    Attributes
    ----------
    kind : str
        ``"added"``, ``"lost"``, ``"turned"`` or ``"kept"``.
    before, after : tuple of str or None
        The arc ``(parent, child)``, or the pair of names if it has no direction; None if there was
        or is none.
    directed_before, directed_after : bool
        Whether it has a direction.
    """

    kind: Kind
    before: Pair | None
    after: Pair | None
    directed_before: bool = True
    directed_after: bool = True

    def text(self, when: Literal["before", "after"]) -> str:
        """Write the edge as it was or is; nothing if there is none."""
        pair = self.before if when == "before" else self.after
        directed = self.directed_before if when == "before" else self.directed_after
        return "" if pair is None else f"{pair[0]} {'->' if directed else '-'} {pair[1]}"


@dataclass(frozen=True, repr=False)
class Comparison(BecomesFrame):
    """What became of the edges of a network in another one.

    Attributes
    ----------
    changes : tuple of Change
        Added, lost, turned and kept ones, in this order.

    Examples
    --------
    >>> import anytimebn as ab
    >>> one = ab.Network.from_parents({"a": [], "b": ["a"], "c": ["b"]})
    >>> other = ab.Network.from_parents({"a": ["b"], "b": [], "c": ["a"]})
    >>> one.compare(other)
    Comparison(1 added, 1 lost, 1 turned, 0 kept)
      added   a -> c
      lost    b -> c
      turned  a -> b  now b -> a
    1 turned only as data cannot tell; comparing classes leaves that out
    >>> one.compare(other, of="classes")
    Comparison(1 added, 1 lost, 0 turned, 1 kept)
      added   a - c
      lost    b - c
    """

    before: Network
    after: Network
    changes: tuple[Change, ...]

    def _of_kind(self, kind: Kind) -> tuple[Pair, ...]:
        pairs = (change.after or change.before for change in self.changes if change.kind == kind)
        return tuple(pair for pair in pairs if pair is not None)

    @property
    def added(self) -> tuple[Pair, ...]:
        """Edges between variables that had none."""
        return self._of_kind("added")

    @property
    def lost(self) -> tuple[Pair, ...]:
        """Edges between variables that have none now."""
        return self._of_kind("lost")

    @property
    def turned(self) -> tuple[Pair, ...]:
        """Edges that had another direction, as they are now."""
        return self._of_kind("turned")

    @property
    def kept(self) -> tuple[Pair, ...]:
        """Edges that are as they were."""
        return self._of_kind("kept")

    def to_arrow(self) -> Any:
        """Convert to a `pyarrow.Table` with a row for each edge of either network."""
        import pyarrow as pa

        rows = [(one.kind, one.text("before"), one.text("after")) for one in self.changes]
        columns = zip(*rows, strict=True) if rows else ((), (), ())
        return pa.table(
            [pa.array(cells, pa.string()) for cells in columns], names=["change", "before", "after"]
        )

    def plot(
        self, path: str | Path | None = None, *, title: str | None = None, **options: Any
    ) -> Any:
        """Draw both networks in one picture: what was added, lost and turned has its colour.

        Parameters
        ----------
        path, title, **options
            As in `Network.plot`.

        Returns
        -------
        matplotlib.figure.Figure
        """
        from anytimebn.draw.graph import draw_network

        order = {name: place for place, name in enumerate(self.after.topological_order)}
        index = {name: place for place, name in enumerate(self.after.names)}
        parents: list[list[int]] = [[] for _ in index]
        marks = {}
        for change in self.changes:
            pair = change.after or change.before
            directed = change.directed_before if change.after is None else change.directed_after
            assert pair is not None
            # Lost arcs may lead up the layers of the network that is.
            above, below = sorted(pair, key=order.__getitem__)
            parents[index[below]].append(index[above])
            head: Literal["end", "start", "none"] = "none"
            if directed:
                head = "end" if (above, below) == pair else "start"
            colours = {"added": ADDED, "lost": LOST, "turned": TURNED}
            plain = ArcMark(head=head)
            marks[above, below] = (
                ArcMark(colours[change.kind], change.kind == "lost", head)
                if change.kind in colours
                else plain
            )
        return draw_network(
            self.after.names,
            [sorted(own) for own in parents],
            path,
            title=title,
            marks=marks,
            note=LEGEND if any(change.kind != "kept" for change in self.changes) else "",
            roots={place for place, own in enumerate(self.after.parents) if not own},
            **options,
        )

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(self._of_kind(kind))} {kind}" for kind in KINDS)
        lines = [f"Comparison({counts})"]
        for change in self.changes:
            if change.kind == "turned":
                lines.append(f"  turned  {change.text('before')}  now {change.text('after')}")
            elif change.kind != "kept":
                lines.append(f"  {change.kind:<6}  {change.text('after') or change.text('before')}")
        if note := self._note():
            lines.append(note)
        return "\n".join(lines)

    def _note(self) -> str:
        """Tell of turned arcs that mean nothing, because data cannot direct them."""
        turned = self.turned
        if not turned:
            return ""
        old, new = self.before.cpdag(), self.after.cpdag()
        if old == new:
            return "the networks are equivalent: data cannot tell them apart"
        were, are = _edges(old), _edges(new)
        idle = sum(were[pair] == are[pair] for pair in map(frozenset, turned))
        if not idle:
            return ""
        return f"{idle} turned only as data cannot tell; comparing classes leaves that out"

    def _repr_html_(self) -> str:
        from anytimebn.network.html import drawn_with_words, text_html

        words = text_html(repr(self).partition("\n")[2])
        arcs = how_many(len(self.changes), "edge")
        return f"{drawn_with_words(self.after, f'{arcs} compared', self.plot)}{words}"


def compare(before: Network, after: Network, of: Literal["networks", "classes"]) -> Comparison:
    """Compare two networks; see `Network.compare`."""
    check_same_variables(before.names, after.names)
    if of == "networks":
        old = {frozenset(arc): (arc, True) for arc in before.arcs}
        new = {frozenset(arc): (arc, True) for arc in after.arcs}
    elif of == "classes":
        old, new = _edges(before.cpdag()), _edges(after.cpdag())
    else:
        raise InputError(unknown_name("comparison", of, ("networks", "classes")))
    place = {name: position for position, name in enumerate(before.names)}
    found = []
    for pair in {**old, **new}:
        (was, was_directed), (now, directed) = old.get(pair, _NONE), new.get(pair, _NONE)
        kind: Kind = "kept"
        if was is None:
            kind = "added"
        elif now is None:
            kind = "lost"
        elif (was, was_directed) != (now, directed):
            kind = "turned"
        found.append(Change(kind, was, now, was_directed, directed))

    def position(change: Change) -> tuple[int, list[int]]:
        return KINDS.index(change.kind), [
            place[name] for name in change.after or change.before or ()
        ]

    return Comparison(before, after, tuple(sorted(found, key=position)))


_NONE: tuple[Pair | None, bool] = (None, True)


def _edges(of_class: Cpdag) -> dict[frozenset[str], tuple[Pair, bool]]:
    directed = {frozenset(arc): (arc, True) for arc in of_class.directed}
    return directed | {frozenset(pair): (pair, False) for pair in of_class.undirected}
