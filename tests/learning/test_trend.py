"""What a search is still going to find, by a few looks at it."""

from __future__ import annotations

from anytimebn.learning.trend import Trend


def test_nothing_is_known_before_the_time_has_doubled() -> None:
    trend = Trend()
    assert not trend.is_known
    trend.add(1.0, 1000.0)
    trend.add(1.9, 500.0)
    assert not trend.is_known


def test_what_was_found_while_nobody_looked_counts() -> None:
    """Whoever was busy for seconds must not take a search for one that stands still."""
    trend = Trend()
    trend.add(1.0, 1000.0)
    trend.add(5.0, 900.0)
    assert trend.is_known
    assert trend.loss(end=20.0, share=0.5) > 0


def test_a_search_that_stands_still_loses_nothing() -> None:
    trend = Trend()
    for second in range(1, 10):
        trend.add(float(second), 1000.0)
    assert trend.loss(end=20.0, share=0.5) == 0


def test_only_what_is_better_than_others_networks_is_lost() -> None:
    trend = Trend()
    for second in range(1, 11):
        trend.add(float(second), 1000.0 - 10 * second)
    loss = trend.loss(end=20.0, share=0.5)
    assert loss > 0
    assert trend.loss(end=20.0, share=0.5, known=900.0) == loss  # it is as good itself
    ahead = 900.0 - trend.gain(end=20.0)
    assert trend.loss(end=20.0, share=0.5, known=ahead) == 0  # it would not get there
    assert 0 < trend.loss(end=20.0, share=0.5, known=ahead + loss / 2) < loss


def test_a_pause_on_the_first_way_down_means_little() -> None:
    trend = Trend()
    for second in range(1, 12):
        trend.add(float(second), 1000.0 - 10 * min(second, 5))
    assert trend.loss(end=20.0, share=0.5) == 0
    trend.has_come_down = False
    assert trend.loss(end=20.0, share=0.5) > 0
