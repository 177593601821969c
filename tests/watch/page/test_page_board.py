"""What pages read: late, slow, or all of it."""

from __future__ import annotations

import json
from typing import Any

from anytimebn.watch.page.board import MOST_MOMENTS, Board, Moment


def read(board: Board) -> list[tuple[str, Any]]:
    """Read all there is of a board that has ended."""
    messages = b"".join(board.follow()).decode().split("\n\n")[:-1]
    return [
        (kind.removeprefix("event: "), json.loads(data.removeprefix("data: ")))
        for kind, data in (message.split("\n") for message in messages)
    ]


def test_page_that_comes_late_hears_the_last_of_each_kind() -> None:
    board = Board()
    board.publish("network", {"number": 1})
    board.publish("subject", {"title": "t"})
    board.publish("network", {"number": 2})
    board.add_moments([Moment(1.0, 9.0, None), Moment(2.0, 8.0, 7.0, "s")])
    board.end()
    points = {"anew": True, "points": [[1.0, 9.0, None, None], [2.0, 8.0, 7.0, "s"]]}
    assert read(board) == [
        ("points", points),
        ("subject", {"title": "t"}),
        ("network", {"number": 2}),
    ]


def test_page_that_is_slow_misses_what_was_overtaken_and_no_point() -> None:
    board = Board()
    board.add_moments([Moment(1.0, 9.0, None)])
    following = board.follow()
    assert b'"anew":true' in next(following)
    for number in range(100):
        board.publish("status", {"number": number})
        board.add_moments([Moment(2.0 + number, 8.0, None)])
    after = next(following).decode()
    assert after.count("event: status") == 1
    assert '{"number":99}' in after
    assert after.count(",8.0,") == 100
    assert '"anew":false' in after


def test_same_message_is_told_once() -> None:
    board = Board()
    board.publish("subject", {"title": "t"})
    following = board.follow()
    assert b"subject" in next(following)
    board.publish("subject", {"title": "t"})
    board.end()
    assert list(following) == []


def test_history_stays_small_and_keeps_its_ends() -> None:
    board = Board()
    for number in range(4 * MOST_MOMENTS):
        board.add_moments([Moment(float(number), 1e6 - number, None)])
    board.end()
    ((_, told),) = read(board)
    assert MOST_MOMENTS / 3 < len(told["points"]) <= MOST_MOMENTS
    assert told["points"][0][0] == 0
    assert told["points"][-1][0] == 4 * MOST_MOMENTS - 1


def test_too_many_pages_are_counted_and_leave() -> None:
    board = Board()
    assert [board.enter(2) for _ in range(3)] == [True, True, False]
    board.leave()
    assert board.enter(2)
