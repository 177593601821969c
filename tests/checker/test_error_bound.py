"""The ratio of cost and lower bound, where both are about as small as what rounding hides."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from anytimebn.checker import checks


def claim(cost: float, bound: float, ratio: float) -> Any:
    return SimpleNamespace(
        cost=cost,
        lower_bound=bound,
        error_bound=ratio,
        tolerance=5e-6,
        agree=lambda first, second: abs(first - second) <= 5e-6,
    )


@pytest.mark.parametrize(("ratio", "holds"), [(7.6, True), (1.0, True), (7.7, False), (9.0, False)])
def test_the_ratio_of_tiny_costs_is_theirs(ratio: float, holds: bool) -> None:
    cost, bound = 3.8e-6, 5e-7
    assert checks._error_bound(claim(cost, bound, ratio)).passed == holds
