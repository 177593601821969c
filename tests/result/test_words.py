"""What results say of themselves in words: over which networks a proof is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from strategies import random_table

import anytimebn as ab
from anytimebn.result.schema import schema_problems
from anytimebn.result.words import status_line, summary_of
from anytimebn.scores.provenance import Provenance

if TYPE_CHECKING:
    from pathlib import Path

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


def grown(**changes: Any) -> dict[str, Any]:
    told = {"complete": False, "all_up_to": None, "neighbourhood": True, "grown": 4, "largest": 3}
    return {"max_parents": None, "details": {"space": told | changes}}


def up_to_two(*complete: str) -> dict[str, Any]:
    return {"details": {"max_parents_exact": False, "complete_variables": list(complete)}}


NEAR = " whose families each differ from these by at most one parent"


@pytest.mark.parametrize(
    ("changes", "claim", "considered"),
    [
        ({"details": {"max_parents_exact": True}}, "optimal", ""),
        (
            {"details": {"max_parents_exact": False}},
            "optimal up to 2 parents",
            " with at most 2 parents a variable",
        ),
        ({}, "optimal among the given parent sets", " of the given parent sets"),
        (
            {"max_parents": None},
            "optimal among the given parent sets",
            " of the given parent sets",
        ),
        (
            {"details": {"max_parents_exact": True}, "constraints": FORBIDDEN},
            "optimal",
            " within the constraints",
        ),
        (
            {"details": {"max_parents_exact": False}, "constraints": FORBIDDEN},
            "optimal up to 2 parents",
            " with at most 2 parents a variable and within the constraints",
        ),
        (grown(), "neighbourhood-optimal", NEAR),
        (
            grown(all_up_to=2),
            "neighbourhood-optimal, up to 2 parents",
            f"{NEAR}, or have at most 2,",
        ),
        (
            grown(neighbourhood=False),
            "optimal among the families searched",
            " of the families that were searched",
        ),
    ],
)
def test_proofs_say_over_which_networks_they_are(
    changes: dict[str, Any], claim: str, considered: str
) -> None:
    proven = optimal(**changes)
    assert proven.claim == claim
    assert status_line(proven) == f"{claim}: proven, no network{considered} costs less"
    assert repr(proven).startswith(f"Result({claim}: ")
    assert claim in proven._repr_html_()
    assert proven.to_json()["claim"] == claim
    late = optimal(**changes, status="time", lower_bound=2.0)
    best = "best network" if "space" in changes.get("details", {}) else "optimum"
    assert status_line(late).endswith(f"above the {best}{considered}")
    assert late.claim is None


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"max_parents": None, "lower_bound": None}, "no limit"),
        ({"lower_bound": None}, "up to 2 parents"),
        ({}, "the given parent sets, of up to 2 parents; larger ones may be better"),
        (
            {"details": {"max_parents_exact": True}},
            "complete: all sets of up to 2 parents; larger sets are ruled out",
        ),
        (
            {"details": {"max_parents_exact": False}},
            "all sets of up to 2 parents; larger ones may be better",
        ),
        (up_to_two(), "all sets of up to 2 parents; larger ones may be better"),
        (
            up_to_two("b"),
            "all sets of up to 2 parents; larger ones are ruled out for 1 of 2 variables",
        ),
        (
            grown(),
            "every family of the network with one parent more, less, or exchanged; 4 others; "
            "the largest has 3 parents",
        ),
        (
            grown(neighbourhood=False, all_up_to=1),
            "all of up to 1 parent; 4 others; the largest has 3 parents",
        ),
        (
            {"details": up_to_two("a")["details"] | grown(all_up_to=1)["details"]},
            "every family of the network with one parent more, less, or exchanged; "
            "all of up to 1 parent (larger ones are ruled out for 1 of 2 variables); "
            "4 others; the largest has 3 parents",
        ),
    ],
)
def test_summaries_say_what_the_bound_is_about(changes: dict[str, Any], told: str) -> None:
    assert summary_of(optimal(**changes))["space"] == told


@pytest.mark.parametrize(
    "changes",
    [{"details": {"max_parents_exact": True}}, {}, up_to_two("b"), grown(), grown(all_up_to=1)],
)
def test_results_that_are_saved_keep_their_space(changes: dict[str, Any], tmp_path: Path) -> None:
    result = optimal(**changes)
    result.save(tmp_path / "result.json")
    again = ab.Result.load(tmp_path / "result.json")
    assert (again.space, again.claim) == (result.space, result.claim)
    assert again.to_json() == result.to_json()
    assert summary_of(again) == summary_of(result)


def scores_with_a_complete_variable() -> ab.LocalScores:
    """Of one column with so few different rows that larger parent sets never pay, and others."""
    fair = random_table([2] * 7, rows=200, seed=1, noise=0.5).codes
    rare = (np.arange(200) < 3).astype(np.uint16)
    return ab.score(np.vstack([rare, fair]).T, max_parents=2, jobs=1)


def test_results_name_the_variables_whose_larger_sets_are_ruled_out() -> None:
    result = ab.search(scores_with_a_complete_variable())
    told = "all sets of up to 2 parents; larger ones are ruled out for 1 of 8 variables"
    assert result.to_json()["complete_variables"] == [result.network.names[0]]
    assert summary_of(result)["space"] == told
    assert result.claim == "optimal up to 2 parents"


def test_results_name_no_others_whatever_a_score_file_tells() -> None:
    scores = scores_with_a_complete_variable()
    first = scores.names[0]
    for told, taken in ((("nobody", first, first), [first]), ((), []), (None, None)):
        provenance = replace(scores.provenance, complete_variables=told)
        content = ab.search(replace(scores, provenance=provenance)).to_json()
        assert content.get("complete_variables") == taken
        assert not list(schema_problems(content))
    for told_by_others in (5, [1], "X0"):
        provenance = Provenance.from_json({"complete_variables": told_by_others})
        content = ab.search(replace(scores, provenance=provenance)).to_json()
        assert not list(schema_problems(content))
