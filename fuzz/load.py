"""Many searches at once, left half-way, in programs that end at any moment: no hang, no crash."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from fuzz.campaign import Campaign, Case, require
from fuzz.children import forked, started
from fuzz.scenarios import SCENARIOS, play

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random


def draw(random: Random) -> Case:
    """Draw what a program does."""
    return {"scenario": random.choice(list(SCENARIOS)), "seed": random.randrange(10**6)}


def run(case: Case) -> Iterator[str]:
    """Do it in a process of its own, and see how that ends."""
    name, seed = case["scenario"], case["seed"]
    _, expected, afresh = SCENARIOS[name]
    with tempfile.TemporaryDirectory(prefix="fuzz-") as text:
        folder = Path(text)
        if afresh:
            child = started(["-m", "fuzz.scenarios", name, seed], folder)
        else:
            child = forked(lambda: play(name, seed), folder)
        status = child.wait()
        require(status == expected, f"{name}: the exit status is {status}: {child.said()}")
        left = child.left_behind()
        require(not left, f"{name}: processes are left behind: {left}")
        require("Traceback" not in child.said(), f"{name}: {child.said()}")
        yield name


CAMPAIGN = Campaign(
    name="load",
    summary="many searches at once, left half-way, in programs that end: no hang, no crash",
    draw=draw,
    run=run,
    in_suite=range(5),
)
