"""A page that shows a search while it runs: a sink of reports like any other.

The thread of the search only hands its reports over; it takes no lock, and waits for nobody. A
thread of the page's own looks at them a few times a second and writes what pages read, and threads
of the server send it. All of them together are kept to a small share of the work.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from anytimebn.base.clock import (
    PROCESS_CLOCK,
    SYSTEM_CLOCK,
    THREAD_CLOCK,
    Clock,
    Deadline,
    Stopwatch,
)
from anytimebn.base.report import ORDERS, Report
from anytimebn.data.dataset import Dataset
from anytimebn.network.files.network_json import network_json_text
from anytimebn.network.network import Network
from anytimebn.watch.page.board import Board, Moment
from anytimebn.watch.page.messages import (
    best_network_of,
    end_json,
    ended_json,
    moments_of,
    network_bif,
    status_json,
    subject_json,
)
from anytimebn.watch.page.network_writer import NetworkWriter
from anytimebn.watch.page.server import JSON, TEXT, PageServer, Served
from anytimebn.watch.page.share import Share
from anytimebn.watch.standing import Standing

if TYPE_CHECKING:
    from collections.abc import Callable

    from anytimebn.result.result import Result
    from anytimebn.scores.store import LocalScores

LOG = logging.getLogger(__name__)

LOOK_SECONDS = 0.1  # between looks at whether it is time to write, or to end
WRITE_SECONDS = 0.25
SLOWER_SECONDS = 3.0  # the same when pages have taken their share
DRAWING_SECONDS = 10.0  # for the last drawing, at most
LAST_SECONDS = 3.0  # for pages to read the end, before the process goes on


class Stopped(KeyboardInterrupt):
    """Somebody has stopped the search on a page: it ends as by Ctrl-C, and keeps the best."""


class LivePage:
    """Serves a page on what is reported to it, until it is closed.

    Parameters
    ----------
    title
        What it is about.
    port
        Where it is served; 0 takes one that is free.
    time_limit
        When the search will end in any case, in seconds.
    clock, working, own
        Tell the time, and how long the process and a thread have worked.
    """

    def __init__(
        self,
        title: str,
        *,
        port: int = 0,
        time_limit: float | None = None,
        clock: Clock = SYSTEM_CLOCK,
        working: Clock = PROCESS_CLOCK,
        own: Clock = THREAD_CLOCK,
    ) -> None:
        self.board = Board()
        self.share = Share(working, own)
        self._title = title
        self._watch = Stopwatch.started(clock)
        self._standing = Standing(self._watch, time_limit)
        # What the thread of the search hands over.
        self._heard: deque[Moment] = deque()
        self._latest: Report | None = None
        self._data: Dataset | LocalScores | None = None
        self._result: Result | None = None
        self._failure: BaseException | None = None
        self._is_closing = False
        self._is_stopped = False
        # What the thread of the page knows.
        self._searched = False
        self._written = float("-inf")
        self._networks = NetworkWriter(self.board, self.share)
        self.board.publish("subject", self._subject())
        self._server = PageServer(self, port)
        self._server.start()
        self._writer = threading.Thread(target=self._work, name="anytimebn page", daemon=True)
        self._writer.start()

    @property
    def address(self) -> str:
        """Where the page is."""
        return self._server.address

    # ---- the thread of the search ----

    def __call__(self, report: Report) -> None:
        """Hear a report; end the search if somebody has asked for that."""
        if report.cost is not None:
            space = report.bound_space or report.space
            now = Moment(self._watch.elapsed(), report.cost, report.lower_bound, space)
            last = self._latest
            if last is None or now[1:] != (last.cost, last.lower_bound, _space_of(last)):
                self._heard.append(now)
        self._latest = report
        if self._is_stopped:
            raise Stopped

    def begin(self, data: Dataset | LocalScores) -> None:
        """Hear what is learned from, when it has been read."""
        self._data = data

    def finish(self, result: Result) -> None:
        """Hear what was found."""
        self._result = result

    def fail(self, failure: BaseException) -> None:
        """Hear that there is no result."""
        self._failure = failure

    def close(self) -> None:
        """Tell pages how it ended, and serve no longer; they keep what they have."""
        self._is_closing = True
        try:
            self._wait_while(self._writer.is_alive, DRAWING_SECONDS)
            self._wait_while(lambda: self.board.readers > 0, LAST_SECONDS)
        finally:
            self._server.close()
        LOG.info(
            "the live page took %.3g s of processors, %.2g %% of all",
            self.share.seconds,
            100 * self.share.part,
        )

    def _wait_while(self, is_busy: Callable[[], bool], seconds: float) -> None:
        deadline = Deadline.after(seconds, self._watch.clock)
        while is_busy() and not deadline.passed():
            time.sleep(LOOK_SECONDS / 5)

    # ---- threads of the server ----

    def stop(self) -> bool:
        """Ask the search to end with what it has found."""
        if self._is_closing:
            return False
        self._is_stopped = True
        return True

    def serve(self, name: str, asked: dict[str, str]) -> Served | None:  # noqa: ARG002
        """Give the network of the moment as a file."""
        found = None if self._latest is None else self._latest.network
        if found is None:
            return None
        network = Network(found.names, found.parents)
        if isinstance(self._data, Dataset):
            network = replace(network, states=self._data.states).fit(self._data)
        if name == "network.json":
            return Served(JSON, network_json_text(network).encode(), name)
        if name == "network.bif" and network.probabilities is not None:
            return Served(TEXT, network_bif(network).encode(), name)
        return None

    # ---- the thread of the page ----

    def _work(self) -> None:
        while True:
            last = self._is_closing
            try:
                with self.share.counted():
                    self._write(last=last)
            except Exception:  # the page must not harm the search
                LOG.warning("the live page could not be written", exc_info=True)
            if last:
                self.board.end()
                return
            time.sleep(LOOK_SECONDS)

    def _write(self, *, last: bool) -> None:
        now = self._watch.elapsed()
        pause = WRITE_SECONDS if self.share.allows(0.0) else SLOWER_SECONDS
        if not last and now < self._written + pause:
            return
        self._written = now
        self.board.publish("subject", self._subject())
        self.board.add_moments([self._heard.popleft() for _ in range(len(self._heard))])
        report = self._latest
        if self._result is not None and last:
            self._write_end(self._result)
        elif report is not None:
            self._searched = self._searched or report.phase != ORDERS
            rows = self._standing.rows(report)
            told = status_json(report, rows, searched=self._searched)
            self.board.publish("status", told | {"seconds": round(now, 1)})
            if report.network is not None:
                self._networks.write(report.network, now)
        if last and self._result is None:
            self._write_failure()

    def _write_end(self, result: Result) -> None:
        self.board.set_moments(moments_of(result.events))
        self._networks.write(best_network_of(result), self._watch.elapsed(), last=True)
        self.board.publish("status", ended_json(result))
        if self.board.readers:
            self.board.publish("end", end_json(result))

    def _write_failure(self) -> None:
        failure = self._failure
        interrupted = isinstance(failure, KeyboardInterrupt)
        why = "interrupted" if interrupted or failure is None else str(failure)
        told: dict[str, Any] = self.board.content("status") or {}
        words = f"ended without a result: {why}"
        self.board.publish("status", told | {"state": "failed", "doing": "ended", "detail": words})
        self.board.publish("end", {"words": words, "files": {}})

    def _subject(self) -> dict[str, Any]:
        data, report = self._data, self._latest
        rows = data.codes.shape[1] if isinstance(data, Dataset) else None
        names = data.names if data is not None else None
        if names is None and report is not None and report.network is not None:
            names = report.network.names
        return subject_json(
            self._title,
            "run",
            rows=rows,
            variables=None if names is None else len(names),
            stops=not self._is_closing,
        ) | {"is_stopping": self._is_stopped}


def _space_of(report: Report) -> str | None:
    return report.bound_space or report.space
