"""What the machine offers, and what this process uses."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from anytimebn.base.containers import container_memory_left
from anytimebn.base.errors import InputError
from anytimebn.base.memory_units import parse_memory
from anytimebn.base.text import shown

UNLIMITED_BYTES = 2**63


def available_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def available_memory_bytes() -> int | None:
    """Memory that can be taken now, where the system tells; containers and limits allow less."""
    amounts = [_machine_memory_bytes(), container_memory_left(), _address_space_left()]
    return min((amount for amount in amounts if amount is not None), default=None)


def _machine_memory_bytes() -> int | None:
    """Memory that is free, or holds copies of files that can be read again."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            key, _, amount = line.partition(":")
            if key == "MemAvailable":
                return int(amount.split()[0]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return None


def _address_space_left() -> int | None:
    """What ``ulimit -v`` leaves of the addresses of this process; None without such a limit."""
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (ImportError, OSError, ValueError, IndexError):
        return None
    if limit == resource.RLIM_INFINITY:
        return None
    return max(0, limit - pages * os.sysconf("SC_PAGE_SIZE"))


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


def check_folder(what: str, folder: object) -> None:
    """Refuse what is no folder that this process can write to."""
    if not isinstance(folder, str | os.PathLike) or not os.fspath(folder):
        raise InputError(f"{what} must be the path of a folder, not {shown(folder)}")
    if not Path(folder).is_dir():
        raise InputError(f"{what}: {shown(str(folder))} is not a folder; make it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{what}: no files can be written to {shown(str(folder))}")


def disk_to_use(folder: str | os.PathLike[str], disk_limit: int | str | None) -> int:
    """Bytes that work may write to a folder.

    Without a limit, four fifths of what is free now, as for memory.
    """
    if disk_limit is None:
        return shutil.disk_usage(folder).free * 4 // 5
    return min(UNLIMITED_BYTES, parse_memory(disk_limit, what="disk limit"))
