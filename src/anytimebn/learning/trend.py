"""How much a search that runs on is still going to find, judged by what it has found of late."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, field

WINDOW = 2.0  # the last half of the time tells how fast it goes
LONG_WINDOW = 4.0  # the last three quarters, where a pause means little


@dataclass
class Trend:
    """The cost of the best network over time.

    Searches find less and less: what they gain in a second falls about as one over the time. So
    they gain about the same whenever the time has doubled.

    Attributes
    ----------
    has_come_down
        Whether it has been at a local optimum. As long as it is on its way to the first, it may
        find nothing better for long, and much at once then: more of the past counts.

    Examples
    --------
    >>> trend = Trend()
    >>> for second in range(1, 11):
    ...     trend.add(second, 1000 - 100 * math.log(second))
    >>> round(trend.loss(end=20, share=0.5), 1)
    28.8
    """

    has_come_down: bool = True
    _seconds: list[float] = field(default_factory=list)
    _costs: list[float] = field(default_factory=list)

    def add(self, seconds: float, cost: float) -> None:
        """Take note of what the best network costs by now."""
        if math.isfinite(cost):
            self._seconds.append(seconds)
            self._costs.append(min(cost, self._costs[-1]) if self._costs else cost)

    @property
    def is_known(self) -> bool:
        """Whether it has been watched for long enough."""
        return bool(self._seconds) and self._seconds[-1] >= WINDOW * self._seconds[0]

    def gain(self, end: float, share: float = 1.0) -> float:
        """Nats that the search is still going to gain.

        Parameters
        ----------
        end
            When all ends.
        share
            Of the processors, that the search has from now on.
        """
        now = self._seconds[-1]
        # The last look before: if there was none for long, what was found since then counts.
        window = WINDOW if self.has_come_down else LONG_WINDOW
        earlier = max(0, bisect_right(self._seconds, now / window) - 1)
        gained = self._costs[earlier] - self._costs[-1]
        if gained <= 0 or end <= now:
            return 0.0
        grown = math.log(now / self._seconds[earlier]) if now > self._seconds[earlier] else 1.0
        return gained / grown * math.log((now + share * (end - now)) / now)

    def loss(self, end: float, share: float, known: float = math.inf) -> float:
        """Nats that the best network will cost more if the search goes on with this share of time.

        Parameters
        ----------
        end, share
            As in `gain`.
        known
            What a network costs that somebody else has found: only what is better counts.
        """
        cost = self._costs[-1]
        alone, shared = (cost - self.gain(end, part) for part in (1.0, share))
        return min(shared, known) - min(alone, known)
