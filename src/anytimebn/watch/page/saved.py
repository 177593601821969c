"""A page on what is in a file: it is read again whenever the file changes."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Protocol

from anytimebn.base.clock import SYSTEM_CLOCK, Stopwatch
from anytimebn.base.errors import InputError
from anytimebn.result.result import Result
from anytimebn.watch.page.board import Board
from anytimebn.watch.page.messages import (
    best_network_of,
    end_json,
    ended_json,
    moments_of,
    subject_json,
)
from anytimebn.watch.page.network_writer import NetworkWriter
from anytimebn.watch.page.server import PageServer
from anytimebn.watch.page.share import Share

if TYPE_CHECKING:
    from pathlib import Path

    from anytimebn.base.report import BestNetwork
    from anytimebn.watch.page.server import Served

LOG = logging.getLogger(__name__)

LOOK_SECONDS = 1.0  # between looks at whether a file has changed


class Source(Protocol):
    """Where a page finds what it shows."""

    def stamp(self) -> object:
        """Give what is another when there is something new."""

    def write(self, page: SavedPage) -> None:
        """Tell all there is; `InputError` if it cannot be read."""

    def serve(self, name: str, asked: dict[str, str]) -> Served | None:
        """Give what is made on request; None if there is no such thing."""


class SavedPage:
    """Serves a page on what a source has, until it is closed.

    Parameters
    ----------
    source
        Where that is; what cannot be read is refused at once.
    port
        Where it is served; 0 takes one that is free.
    """

    def __init__(self, source: Source, *, port: int = 0) -> None:
        self.board = Board()
        self.share = Share()
        self._watch = Stopwatch.started(SYSTEM_CLOCK)
        self._networks = NetworkWriter(self.board, self.share, unwatched=True)
        self._source = source
        self._stamp = source.stamp()
        source.write(self)
        self._server = PageServer(self, port)
        self._server.start()

    @property
    def address(self) -> str:
        """Where the page is."""
        return self._server.address

    def wait(self) -> None:
        """Serve, and look for what is new, until somebody interrupts."""
        while True:
            time.sleep(LOOK_SECONDS)
            self.look()

    def look(self) -> None:
        """Tell what is new, if there is anything; what cannot be read now may be later."""
        try:
            stamp = self._source.stamp()
            if stamp != self._stamp:
                self._source.write(self)
                self._stamp = stamp
        except (InputError, OSError) as error:
            LOG.info("not read again: %s", error)

    def close(self) -> None:
        """Serve no longer."""
        self.board.end()
        self._server.close()

    def write_network(self, found: BestNetwork) -> None:
        """Tell a network, and draw it."""
        self._networks.write(found, self._watch.elapsed(), last=True)

    def stop(self) -> bool:
        """There is nothing to stop."""
        return False

    def serve(self, name: str, asked: dict[str, str]) -> Served | None:
        """Give what is made on request."""
        return self._source.serve(name, asked)


class SavedResult:
    """A result that was saved, as `Result.save` and ``learn --json`` do.

    Parameters
    ----------
    path
        The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def stamp(self) -> object:
        """Give what is another when the file was written anew."""
        return file_stamp(self._path)

    def write(self, page: SavedPage) -> None:
        """Tell all there is in it."""
        write_result(page, Result.load(self._path), self._path.name)

    def serve(self, name: str, asked: dict[str, str]) -> Served | None:  # noqa: ARG002
        """Give nothing: pages have all there is."""
        return None


def write_result(page: SavedPage, result: Result, title: str) -> None:
    """Tell all there is in a result."""
    rows = result.details.get("rows")
    page.board.publish(
        "subject",
        subject_json(
            title,
            "result",
            rows=rows if isinstance(rows, int) else None,
            variables=len(result.network.names),
            stops=False,
        ),
    )
    page.board.set_moments(moments_of(result.events))
    page.write_network(best_network_of(result))
    page.board.publish("status", ended_json(result))
    page.board.publish("end", end_json(result))


def file_stamp(path: Path) -> object:
    """Give what is another when a file was written anew; None while there is none."""
    try:
        told = path.stat()
    except OSError:
        return None
    return told.st_mtime_ns, told.st_size, told.st_ino
