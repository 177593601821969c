"""The campaigns of ``fuzz/``: a short part of each, and all cases that once failed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from fuzz import regressions
from fuzz.campaign import Campaign, Failure, require
from fuzz.campaigns import CAMPAIGN_NAMES, load
from fuzz.oracle import lowest_cost
from fuzz.runner import run, run_again
from fuzz.simplify import simplified, with_fewer
from fuzz.worker import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

MODULES = Path(regressions.__file__).parent
KEPT = sorted(regressions.FOLDER.glob("*.json"))


def test_all_campaigns_are_listed() -> None:
    found = [path.stem for path in MODULES.glob("*.py") if "\nCAMPAIGN = " in path.read_text()]
    assert sorted(found) == sorted(CAMPAIGN_NAMES)


@pytest.mark.parametrize("oracle", ["oracle", "plain_costs", "knowledge"])
def test_oracles_share_nothing_with_the_package(oracle: str) -> None:
    assert "anytimebn" not in (MODULES / f"{oracle}.py").read_text()


@pytest.mark.parametrize("name", CAMPAIGN_NAMES)
def test_cases_are_json_and_repeat(name: str) -> None:
    campaign = load(name)
    assert campaign.name == name
    drawn = [json.dumps(campaign.case(seed)) for seed in range(30)]
    assert drawn == [json.dumps(campaign.case(seed)) for seed in range(30)]
    assert len(set(drawn)) > 10


@pytest.mark.parametrize("name", CAMPAIGN_NAMES)
def test_campaign_finds_nothing(name: str) -> None:
    seeds = load(name).in_suite
    tally = run(name, iter(seeds))
    assert [(outcome.seed, outcome.failure, outcome.trace) for outcome in tally.failures] == []
    assert tally.cases == len(seeds)


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_what_once_failed_holds(path: Path) -> None:
    outcome = run_again(*regressions.read(path))
    assert outcome.failure is None, outcome.trace


# ---- how campaigns are run ----


def _draw(random: Random) -> dict[str, Any]:
    return {"numbers": [random.randrange(100) for _ in range(20)]}


def _run(case: dict[str, Any]) -> Iterator[str]:
    require(not any(number > 50 for number in case["numbers"]), "too large")
    yield "small"


def _simpler(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for fewer in with_fewer(case["numbers"]):
        yield {"numbers": fewer}


TOY = Campaign("toy", "numbers of at most 50", _draw, _run, _simpler)


def test_a_case_that_fails_is_made_simpler() -> None:
    case = TOY.case(1)
    assert TOY.failure(case) == "too large"
    (left,) = simplified(TOY, case)["numbers"]
    assert left > 50


def test_what_fails_is_kept_and_read_again(tmp_path: Path) -> None:
    case = {"numbers": [99]}
    path = regressions.keep("toy", Outcome(3, failure="too large", case=case), tmp_path)
    assert path.name == "toy-3-too-large.json"
    assert regressions.read(path) == ("toy", 3, case)


def test_a_false_claim_is_a_failure() -> None:
    with pytest.raises(Failure, match="it is not so"):
        require(False, "it is not so")


def test_oracle_finds_the_best_of_two() -> None:
    # Each would like the other as its parent.
    assert lowest_cost([{0: 5, 2: 1}, {0: 9, 1: 1}]) == 6
    assert lowest_cost([{2: 1}, {1: 1}]) == float("inf")
