"""50 times ``kill -9`` in a run of minutes: the same optimum, and little work is done twice."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from fuzz.campaign import Campaign, Case, require
from fuzz.kills import Killed, draw_moments

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

KILLS = 50
AT_MOST = 1.5
"""How many times the work of an undisturbed run all pieces may take together."""


def draw(random: Random) -> Case:
    """Draw when it is killed; the table is always the same, and takes minutes."""
    return {
        "table": {"variables": 100, "rows": 3000, "seed": 1},
        "options": ["--max-parents", 3, "--jobs", 2],
        "kills": draw_moments(random, KILLS),
    }


def run(case: Case) -> Iterator[str]:
    """Learn undisturbed, then with kills, and compare what comes out and what it took."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        work = Killed(case, Path(name))
        undisturbed = work.undisturbed()
        assert undisturbed is not None  # there is no limit
        disturbed = work.disturbed(undisturbed)
        work.check()
        told = f"{disturbed:.0f} seconds of work instead of {undisturbed:.0f}"
        require(disturbed <= AT_MOST * undisturbed, told)
        yield told


CAMPAIGN = Campaign(
    name="long_kills",
    summary=f"{KILLS} times kill -9 in a run of minutes: {AT_MOST} times its work at most",
    draw=draw,
    run=run,
    patience=7200.0,
    in_suite=range(0),
    on_request=True,
)
