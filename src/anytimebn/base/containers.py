"""What a container leaves of the memory: the limits of control groups, of both versions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class _Names:
    """What the files of a version are called."""

    limit: str
    usage: str
    cache: str  # in memory.stat: what the system takes back when memory is short


_UNIFIED = _Names("memory.max", "memory.current", "inactive_file")
_LEGACY = _Names("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")


def container_memory_left(
    process: Path = Path("/proc/self/cgroup"), mount: Path = Path("/sys/fs/cgroup")
) -> int | None:
    """Bytes that the groups of this process may still take; None if none of them has a limit.

    Every group is inside others, up to the root, and each can have a limit.

    Parameters
    ----------
    process
        Which groups it is in: lines of a number, controllers and a path.
    mount
        Where the groups are.

    Examples
    --------
    >>> container_memory_left(Path("/no/such/file")) is None
    True
    """
    left = [
        room
        for folder, names in _groups(process, mount)
        if (room := _left(folder, names)) is not None
    ]
    return min(left, default=None)


def _groups(process: Path, mount: Path) -> Iterator[tuple[Path, _Names]]:
    try:
        lines = process.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = [*line.split(":", 2), "", ""][:3]
        if controllers == "":
            root, names = mount, _UNIFIED
        elif "memory" in controllers.split(","):
            root, names = mount / "memory", _LEGACY
        else:
            continue
        # Inside a container the path can be that of the host, which is not there: then the root is
        # the container's own group.
        parts = [part for part in path.split("/") if part not in ("", "..")]
        for count in range(len(parts), -1, -1):
            yield root.joinpath(*parts[:count]), names


def _left(folder: Path, names: _Names) -> int | None:
    limit, used = _number(folder / names.limit), _number(folder / names.usage)
    if limit is None or used is None:
        return None
    return max(0, limit - max(0, used - _reclaimable(folder, names)))


def _number(path: Path) -> int | None:
    try:
        text = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return int(text) if text.isdigit() and len(text) < 20 else None  # or "max"


def _reclaimable(folder: Path, names: _Names) -> int:
    try:
        lines = (folder / "memory.stat").read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return 0
    for line in lines:
        key, _, value = line.partition(" ")
        if key == names.cache and value.isdigit():
            return int(value)
    return 0
