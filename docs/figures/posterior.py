"""Draw the exact probability of every arc of the tutorial's table.

.venv/bin/python docs/figures/posterior.py
"""

from __future__ import annotations

from pathlib import Path

import anytimebn as ab

ROOT = Path(__file__).parents[2]
OUTPUT = Path(__file__).with_suffix(".png")

if __name__ == "__main__":
    ab.posterior(ROOT / "examples" / "clinic.csv").plot(OUTPUT)
