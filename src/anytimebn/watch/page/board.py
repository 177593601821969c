"""What pages know: the last message of each kind, and how cost and bound came to be.

One thread writes; any number of pages read, each at its own pace. A page that is slow misses what
was overtaken meanwhile, and nothing piles up for one that has stopped reading.
"""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TOPICS = ("subject", "status", "study", "network", "drawing", "end")
"""Kinds of messages, in the order in which a page that comes late hears them."""

POINTS = "points"
MOST_MOMENTS = 3000  # of a history; more would be closer to each other than dots on a screen
STILL_HERE_SECONDS = 10.0  # without news, after which a page is told that there is none
STILL_HERE = b": still here\n\n"


class Moment(NamedTuple):
    """What was known when, and of which networks; JSON has it as a list."""

    seconds: float
    cost: float
    lower_bound: float | None
    space: str | None = None


def as_event(kind: str, content: Any) -> bytes:
    r"""Write a message as browsers read them: one line, whatever names contain.

    Examples
    --------
    >>> as_event("status", {"name": "a\nb", "cost": 1.5})
    b'event: status\ndata: {"name":"a\\nb","cost":1.5}\n\n'
    """
    text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    return f"event: {kind}\ndata: {text}\n\n".encode("ascii")


class _Message:
    """A message, which is written when the first page asks for it, and once."""

    def __init__(self, kind: str, content: Any) -> None:
        self.kind, self.content = kind, content
        self._written: bytes | None = None

    def written(self) -> bytes:
        if self._written is None:
            self._written = as_event(self.kind, self.content)
        return self._written


class _Place:
    """How far a page has read."""

    def __init__(self) -> None:
        self.seen: dict[str, _Message] = {}
        self.generation = -1
        self.moments = 0


class Board:
    """The messages for all pages.

    Attributes
    ----------
    readers : int
        Pages that are open.
    """

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._messages: dict[str, _Message] = {}
        self._moments: list[Moment] = []
        self._generation = 0
        self._is_over = False
        self.readers = 0

    # ---- writing ----

    def publish(self, topic: str, content: Any) -> None:
        """Put a message in the place of the last one of its kind."""
        assert topic in TOPICS
        with self._news:
            known = self._messages.get(topic)
            if known is None or known.content != content:
                self._messages[topic] = _Message(topic, content)
                self._news.notify_all()

    def add_moments(self, moments: Sequence[Moment]) -> None:
        """Go on with the history."""
        if moments:
            with self._news:
                self._moments += moments
                if len(self._moments) > MOST_MOMENTS:
                    # Every second one, but the last: it says what is known now.
                    self._moments = [*self._moments[:-1:2], self._moments[-1]]
                    self._generation += 1
                self._news.notify_all()

    def set_moments(self, moments: Sequence[Moment]) -> None:
        """Begin the history anew."""
        with self._news:
            self._moments = []
            self._generation += 1
        step = max(1, len(moments) // MOST_MOMENTS + 1)
        self.add_moments([*moments[:-1:step], *moments[-1:]])

    def end(self) -> None:
        """Nothing more comes: pages leave when they have read all."""
        with self._news:
            self._is_over = True
            self._news.notify_all()

    # ---- reading ----

    def content(self, topic: str) -> Any:
        """Give the last message of a kind; None if there was none."""
        with self._news:
            message = self._messages.get(topic)
        return None if message is None else message.content

    def enter(self, most: int) -> bool:
        """Count a page that opens; refuse it if there are too many."""
        with self._news:
            if self.readers >= most:
                return False
            self.readers += 1
            return True

    def leave(self) -> None:
        """Count a page that closes."""
        with self._news:
            self.readers -= 1

    def follow(self) -> Iterator[bytes]:
        """Give all messages as they come, for one page, until nothing more comes."""
        place = _Place()
        while True:
            with self._news:
                waiting = self._waiting(place)
                if not waiting and not self._is_over:
                    self._news.wait(STILL_HERE_SECONDS)
                    waiting = self._waiting(place)
                over = self._is_over
            if waiting:
                yield b"".join(waiting)
            elif over:
                return
            else:
                yield STILL_HERE

    def _waiting(self, place: _Place) -> list[bytes]:
        """Take what a page has not read yet."""
        written = []
        if place.generation != self._generation or place.moments < len(self._moments):
            anew = place.generation != self._generation
            begin = 0 if anew else place.moments
            written.append(as_event(POINTS, {"anew": anew, "points": self._moments[begin:]}))
            place.generation, place.moments = self._generation, len(self._moments)
        for topic in TOPICS:
            message = self._messages.get(topic)
            if message is not None and place.seen.get(topic) is not message:
                place.seen[topic] = message
                written.append(message.written())
        return written
