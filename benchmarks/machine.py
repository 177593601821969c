"""On what and with what was measured."""

from __future__ import annotations

import datetime as dt
import os
import platform
from pathlib import Path
from typing import Any

import anytimebn
from anytimebn import _native
from anytimebn.scores import available_cores


def describe() -> dict[str, Any]:
    """Describe the machine and the program, for the raw results."""
    return {
        "date": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "machine": {
            "cpu": _cpu_model(),
            "cores": available_cores(),
            "memory_bytes": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
            "system": f"{platform.system()} {platform.machine()}",
            # More than 0 at the start means that others were using the machine, too.
            "load_at_start": round(os.getloadavg()[0], 2),
        },
        "python": platform.python_version(),
        "version": anytimebn.__version__,
        "instruction_set": _native.instruction_set(),
    }


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if "model name" in line), "?")
