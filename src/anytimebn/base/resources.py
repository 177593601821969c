"""What the machine offers, and what this process uses."""

from __future__ import annotations

import os
from pathlib import Path

from anytimebn.base.memory_units import parse_memory

UNLIMITED_BYTES = 2**63


def available_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def available_memory_bytes() -> int | None:
    """Memory that is free now, where the system tells."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return None


def resident_bytes(process: int | str = "self") -> int:
    """Memory that this process holds now, or another by its number; 0 where no system tells."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def memory_to_use(memory_limit: int | str | None) -> int:
    """Bytes that work may take: what a limit on the whole process leaves.

    Without a limit, four fifths of what is free now: other programs need some, too.
    """
    if memory_limit is None:
        available = available_memory_bytes()
        return UNLIMITED_BYTES if available is None else available * 4 // 5
    return min(UNLIMITED_BYTES, max(0, parse_memory(memory_limit) - resident_bytes()))
