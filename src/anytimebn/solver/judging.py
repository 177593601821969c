"""Who gets the cores, the order graph or the linear program: judged by what is measured.

Both go on as long as nothing speaks against it. On two cores each of them then takes at most one
and a half times as long as it would alone: the order graph has two threads, the linear program one,
and most of the time fewer. One of them is held, with all that it has, in two cases only:

- The order graph can tell when it ends: while it raises bounds by its plan, while it sweeps by its
  rate so far. The linear program, which closes its gap ever more slowly, needs at least as long as
  at its rate of late; of that, no more is counted than it has worked already. It waits if it could
  go on when the order graph was to end, and would still take no more than one and a half times as
  long as without waiting.
- A sweep of the order graph would not fit into time or memory, its own bound is below that of the
  linear program, and at its rate of late it does not catch up before the time limit, nor within
  half of the time that has passed. Then the order graph waits as long as the linear program closes
  its gap. When that has ruled out half of the parent sets, the order graph looks again whether a
  sweep fits. Beyond 64 variables it has no strong bounds, and waits until it is alone.

What is predicted may turn out wrong: every look judges anew, and what was held goes on where it
was.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

AT_MOST = 1.5
"""How many times as long a run may take because of a decision that turns out wrong."""

PLANS_AGAIN = ("root bound", "windows")
"""Stages in which the order graph has no end in sight, until parent sets are ruled out."""

BEYOND_BOUNDS = "plain windows"
"""The stage in which it has none, and no strong bounds either: they take 64 variables at most."""


@dataclass(frozen=True, kw_only=True)
class Look:
    """What is measured at one moment.

    Attributes
    ----------
    seconds, seconds_left
        Since both routes are at work, and until the time limit.
    stage, nodes, expected, planned
        Of the order graph: what it does, how many nodes it has visited, how many it will have in
        the end, and how long its plan takes, from when it was made; 0 if that is not known.
    gap_of_order_graph, gap_of_linear_program
        What each of them leaves open by itself.
    possible
        Parent sets that are not ruled out.
    """

    seconds: float
    seconds_left: float
    stage: str
    nodes: int
    expected: float
    planned: float
    gap_of_order_graph: int
    gap_of_linear_program: int
    possible: int


class Turns(NamedTuple):
    """Who may work; never nobody."""

    order_graph: bool
    linear_program: bool


BOTH = Turns(order_graph=True, linear_program=True)
ORDER_GRAPH = Turns(order_graph=True, linear_program=False)
LINEAR_PROGRAM = Turns(order_graph=False, linear_program=True)


class Judge:
    """Looks at both routes again and again, and says who may work until the next look."""

    def __init__(self) -> None:
        self._began: Look | None = None  # the present stage of the order graph
        self._plan = _Plan()
        self._order_graph = _Course()
        self._linear_program = _Course()
        self._decided = BOTH

    def decide(self, now: Look) -> Turns:
        """Say who may work."""
        if self._began is None or self._began.stage != now.stage:
            self._began = now
        before, self._decided = self._decided, BOTH
        self._order_graph.follow(now.seconds, now.gap_of_order_graph, worked=before.order_graph)
        self._linear_program.follow(
            now.seconds, now.gap_of_linear_program, worked=before.linear_program
        )
        self._plan.follow(now.planned, self._order_graph.worked)
        if self._order_graph_ends_first(now, self._began):
            self._decided = ORDER_GRAPH
        elif self._order_graph_is_hopeless(now, self._began):
            self._decided = LINEAR_PROGRAM
        return self._decided

    def _order_graph_ends_first(self, now: Look, began: Look) -> bool:
        if now.stage == "sweep":
            left = _sweep_seconds(now, began)
        elif now.stage == "bounds":
            left = self._plan.seconds_left(self._order_graph.worked)
        else:
            return False
        other = self._linear_program
        needed = min(other.seconds_for(now.gap_of_linear_program), other.worked)
        return now.seconds + left + needed <= AT_MOST * (other.worked + needed)

    def _order_graph_is_hopeless(self, now: Look, began: Look) -> bool:
        lacking = now.gap_of_order_graph - now.gap_of_linear_program
        if lacking <= 0 or self._order_graph.seconds_for(lacking) <= min(
            _soon(now), now.seconds_left
        ):
            return False
        if now.stage in PLANS_AGAIN:
            return self._linear_program.rate > 0 and 2 * now.possible > began.possible
        return now.stage == BEYOND_BOUNDS


class _Course:
    """How the gap of one route closes, by the seconds that it worked."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self.worked = 0.0
        self._gaps: deque[tuple[float, int]] = deque()

    def follow(self, seconds: float, gap: int, *, worked: bool) -> None:
        """Take note of the gap, and forget what was before the last third of the work."""
        if worked:
            self.worked += seconds - self._seconds
            self._gaps.append((self.worked, gap))
        self._seconds = seconds
        while len(self._gaps) > 2 and self._gaps[1][0] * AT_MOST <= self.worked:
            self._gaps.popleft()

    @property
    def rate(self) -> float:
        """How much of the gap was closed in a second of late."""
        (began, first), (ended, last) = self._gaps[0], self._gaps[-1]
        return (first - last) / (ended - began) if ended > began else 0.0

    def seconds_for(self, amount: int) -> float:
        """How long it takes to close so much of the gap, at this rate."""
        if amount <= 0:
            return 0.0
        return amount / self.rate if self.rate > 0 else math.inf


class _Plan:
    """How long the order graph will take, by the seconds that it worked since it told so."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._made_at = 0.0

    def follow(self, seconds: float, worked: float) -> None:
        """Take note of a new plan."""
        if seconds != self._seconds:
            self._seconds, self._made_at = seconds, worked

    def seconds_left(self, worked: float) -> float:
        """How long it will still take; nobody knows without a plan, or if it took longer."""
        left = self._made_at + self._seconds - worked
        return left if left > 0 and self._seconds > 0 else math.inf


def _soon(now: Look) -> float:
    """Seconds that a wrong decision may cost."""
    return (AT_MOST - 1) * now.seconds


def _sweep_seconds(now: Look, began: Look) -> float:
    """How long a sweep still takes, at its rate so far; infinitely long if nothing tells."""
    if now.nodes <= began.nodes or now.expected <= now.nodes:
        return math.inf
    seconds_per_node = (now.seconds - began.seconds) / (now.nodes - began.nodes)
    return (now.expected - now.nodes) * seconds_per_node
