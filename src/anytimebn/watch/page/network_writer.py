"""Tells pages of networks: each change once, and drawings as often as their share allows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from anytimebn.watch.page.drawing import drawing_json, network_json

if TYPE_CHECKING:
    from anytimebn.base.report import BestNetwork
    from anytimebn.watch.page.board import Board
    from anytimebn.watch.page.drawing import Parents
    from anytimebn.watch.page.share import Share

PAUSE_SECONDS = 1.0  # between networks: more often nobody can follow
USUAL_SECONDS = 0.05  # of processors that a careful drawing takes, until that is known


class NetworkWriter:
    """Writes networks and drawings of them on a board.

    A network is told without a drawing of its own where that would take too much: pages then leave
    the boxes where they are, and lead new arcs straight from one to the other.

    Parameters
    ----------
    board
        Where pages read.
    share
        What may be spent on drawings.
    unwatched
        Whether to draw when no page is open, too.
    """

    def __init__(self, board: Board, share: Share, *, unwatched: bool = False) -> None:
        self._board, self._share, self._unwatched = board, share, unwatched
        self._told: BestNetwork | None = None
        self._message: dict[str, Any] = {}
        self._told_at = -math.inf
        self._drawn: Parents | None = None
        # What a careful drawing took, and a quick one.
        self._seconds = {False: USUAL_SECONDS, True: 0.0}

    def write(self, found: BestNetwork, now: float, *, last: bool = False) -> None:
        """Tell the best network of this moment, unless another one was told just before.

        Parameters
        ----------
        found
            The network.
        now
            Seconds since some beginning.
        last
            Whether there will not be another one: then this one is told and drawn in any case.
        """
        told = self._told
        if told is None or found.parents != told.parents:
            if last or now >= self._told_at + PAUSE_SECONDS:
                self._message = network_json(found, None if told is None else told.parents)
                self._tell(found)
                self._told_at = now
        elif found.strengths is not told.strengths:  # what has changed before stays marked
            self._message |= {"arcs": network_json(found, None)["arcs"]}
            self._tell(found)
        self._draw(last=last)

    def _tell(self, found: BestNetwork) -> None:
        self._told = found
        self._board.publish("network", dict(self._message))

    def _draw(self, *, last: bool) -> None:
        told = self._told
        if told is None or told.parents == self._drawn:
            return
        if not (self._board.readers or self._unwatched):
            return
        quickly = not last and not self._share.allows(self._seconds[False])
        if self._drawn is None or not quickly or self._share.allows(self._seconds[True]):
            with self._share.counted() as watch:
                drawing = drawing_json(told.names, told.parents, quickly=quickly)
                self._seconds[quickly] = watch.elapsed()
            self._board.publish("drawing", drawing)
            self._drawn = told.parents
