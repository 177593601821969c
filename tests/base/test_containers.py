"""Free memory as control groups of both versions limit it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from anytimebn.base import resources
from anytimebn.base.containers import container_memory_left

if TYPE_CHECKING:
    from pathlib import Path

NAMES = {
    1: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    2: ("memory.max", "memory.current", "inactive_file"),
}


def group(folder: Path, version: int, limit: object, used: object, cache: object = 0) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    limit_name, usage_name, cache_name = NAMES[version]
    (folder / limit_name).write_text(f"{limit}\n")
    (folder / usage_name).write_text(f"{used}\n")
    (folder / "memory.stat").write_text(f"anon 7\n{cache_name} {cache}\nother 1\n")


@pytest.fixture
def process(tmp_path: Path) -> Path:
    return tmp_path / "cgroup"


@pytest.mark.parametrize("version", [1, 2])
def test_the_tightest_of_all_groups_counts(tmp_path: Path, process: Path, version: int) -> None:
    process.write_text("4:cpu,memory:/a/b\n1:cpu:/c\n" if version == 1 else "0::/a/b\n")
    root = tmp_path / "memory" if version == 1 else tmp_path
    group(root / "a" / "b", version, 1000, 400, cache=100)
    assert container_memory_left(process, tmp_path) == 700
    group(root / "a", version, 900, 850)
    assert container_memory_left(process, tmp_path) == 50
    group(root, version, 10, 20)
    assert container_memory_left(process, tmp_path) == 0


@pytest.mark.parametrize("version", [1, 2])
def test_the_path_of_the_host_is_not_there_in_a_container(
    tmp_path: Path, process: Path, version: int
) -> None:
    process.write_text("4:memory:/docker/0123\n" if version == 1 else "0::/../docker/0123\n")
    group(tmp_path / "memory" if version == 1 else tmp_path, version, 1000, 400)
    assert container_memory_left(process, tmp_path) == 600


@pytest.mark.parametrize(
    ("limit", "used"), [("max", 5), ("", 5), (5, ""), ("-1", 5), ("9" * 5000, 5), ("é", 5)]
)
def test_groups_without_a_limit_do_not_count(
    tmp_path: Path, process: Path, limit: object, used: object
) -> None:
    process.write_text("nonsense\n\n0::/a\n")
    group(tmp_path / "a", 2, limit, used)
    assert container_memory_left(process, tmp_path) is None
    assert container_memory_left(tmp_path / "absent", tmp_path) is None


def test_a_limit_on_addresses_counts() -> None:
    code = (
        "import resource\n"
        "from anytimebn.base.resources import available_memory_bytes\n"
        "most = 2**30\n"
        "resource.setrlimit(resource.RLIMIT_AS, (most, most))\n"
        "print(0 < available_memory_bytes() < most)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "True\n"


def test_a_container_leaves_less_than_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = resources.available_memory_bytes()
    assert machine is None or machine > 0
    monkeypatch.setattr(resources, "container_memory_left", lambda: 1000)
    assert resources.available_memory_bytes() == 1000
    assert resources.memory_to_use(None) == 800
    monkeypatch.setattr(resources, "_machine_memory_bytes", lambda: None)
    monkeypatch.setattr(resources, "container_memory_left", lambda: None)
    assert resources.memory_to_use(None) == resources.UNLIMITED_BYTES
