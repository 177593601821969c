"""On what machine and with what versions something was measured."""

from __future__ import annotations

import datetime as dt
import os
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGES = ("anytimebn", "numpy", "highspy", "pyscipopt", "matplotlib")


def describe_machine() -> dict[str, Any]:
    """Describe the machine, and what else it was doing."""
    from anytimebn import _native
    from anytimebn.base.resources import available_cores

    return {
        "cpu": _cpu_model(),
        "cores": available_cores(),
        "memory_bytes": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
        "system": f"{platform.system()} {platform.machine()}",
        "instruction_set": _native.instruction_set(),
        # More than 0 at the start means that others were using the machine, too.
        "load_at_start": round(os.getloadavg()[0], 2),
    }


@cache
def describe_versions() -> dict[str, str]:
    """Versions of Python, of this package and of what its results depend on."""
    versions = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "not installed"
    return versions


def now() -> str:
    """Give the present time, in UTC, to the second."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


@cache
def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if "model name" in line), "?")
