"""What results say of themselves in words: over which networks a proof is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import anytimebn as ab
from anytimebn.result.words import status_line, summary_of

FORBIDDEN = {"require": [], "forbid": [["a", "b"]], "tiers": [], "max_parents": {}}


def optimal(**changes: Any) -> ab.Result:
    found = ab.Result(
        network=ab.Network.from_parents({"a": [], "b": ["a"]}),
        status="optimal",
        cost=3.0,
        lower_bound=3.0,
        events=(),
        algorithm="astar",
        heuristic=None,
        seed=0,
        score_name="mdl",
        max_parents=2,
        pops=3,
        expanded=1,
        stored=1,
        peak_memory_bytes=100,
        seconds={"total": 1.0},
    )
    return replace(found, **changes)


@pytest.mark.parametrize(
    ("changes", "considered"),
    [
        ({"details": {"max_parents_exact": True}}, ""),
        ({"max_parents": None}, ""),
        ({"details": {"max_parents_exact": False}}, " with at most 2 parents a variable"),
        ({}, " with at most 2 parents a variable"),
        (
            {"details": {"max_parents_exact": True}, "constraints": FORBIDDEN},
            " within the constraints",
        ),
        (
            {"constraints": FORBIDDEN},
            " with at most 2 parents a variable and within the constraints",
        ),
    ],
)
def test_proofs_say_over_which_networks_they_are(changes: dict[str, Any], considered: str) -> None:
    assert status_line(optimal(**changes)) == f"optimal: proven, no network{considered} costs less"
    late = optimal(**changes, status="time", lower_bound=2.0)
    assert status_line(late).endswith(f"above the optimum{considered}")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"max_parents": None, "lower_bound": None}, "no limit"),
        ({"lower_bound": None}, "up to 2"),
        ({}, "up to 2, as in the score file; optimality is relative to it"),
        (
            {"details": {"max_parents_exact": True}},
            "up to 2 considered; larger sets are ruled out",
        ),
        (
            {"details": {"max_parents_exact": False}},
            "up to 2 considered; optimality is relative to this limit",
        ),
    ],
)
def test_summaries_say_whether_the_limit_on_parents_matters(
    changes: dict[str, Any], told: str
) -> None:
    assert summary_of(optimal(**changes))["parents"] == told
