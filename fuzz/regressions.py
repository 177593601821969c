"""Cases that once failed, in files: the test suite runs them all again."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fuzz.campaign import Case
    from fuzz.worker import Outcome

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "regressions"


def keep(name: str, outcome: Outcome, folder: Path = FOLDER) -> Path:
    """Write a case that failed; without one, its seed says all there is."""
    folder.mkdir(parents=True, exist_ok=True)
    words = re.sub(r"[^a-z0-9]+", "-", (outcome.failure or "").lower())[:40].strip("-")
    path = folder / f"{name}-{outcome.seed}-{words}.json"
    content = {
        "campaign": name,
        "seed": outcome.seed,
        "failure": outcome.failure,
        "case": outcome.case,
    }
    path.write_text(json.dumps(content, indent=1) + "\n")
    return path


def read(path: Path) -> tuple[str, int | None, Case | None]:
    """Give the campaign, the seed and the case of a file."""
    content = json.loads(path.read_text())
    return content["campaign"], content["seed"], content["case"]
