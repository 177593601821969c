"""Signals before a command works, while modules are imported, and after all is done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import anytimebn as ab
from anytimebn.cli.result_files import kept

KINDS = ["SIGINT", "SIGTERM", "SIGHUP"]
GUARD = 60
MESSAGE = "interrupted before there was a result; nothing was written\n"


def run(code: str, folder: Path, kind: str) -> subprocess.CompletedProcess[str]:
    head = (
        "import os, signal\n"
        "from anytimebn.cli.interrupts import INTERRUPTS\n"
        "INTERRUPTS.install()\n"
        f"def interrupt(): os.kill(os.getpid(), signal.{kind})\n"
    )
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-c", head + code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=GUARD,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_signal_before_the_work_ends_it_in_a_line(kind: str, tmp_path: Path) -> None:
    ended = run("interrupt()\nprint('went on')\n", tmp_path, kind)
    assert (ended.returncode, ended.stdout, ended.stderr) == (4, "", MESSAGE)


def test_ctrl_c_before_anybody_listens_ends_it_in_a_line() -> None:
    """It comes while the module is looked for that would hear it."""
    code = (
        "import os, signal, sys\n"
        "class Pressed:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'anytimebn.cli.interrupts': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Pressed())\n"
        "from anytimebn.cli import main\n"
        "main()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=GUARD
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (4, "", MESSAGE)


@pytest.mark.parametrize("kind", KINDS)
def test_a_signal_during_an_import_waits_for_its_end(kind: str, tmp_path: Path) -> None:
    (tmp_path / "slow_module.py").write_text(
        "import __main__\n__main__.interrupt()\nready = True\n"
    )
    code = (
        "import time\n"
        "INTERRUPTS.begin_work()\n"
        "try:\n"
        "    import slow_module\n"
        f"    time.sleep({GUARD})\n"
        "except KeyboardInterrupt:\n"
        "    print(slow_module.ready)\n"
    )
    ended = run(code, tmp_path, kind)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "True\n", "")


@pytest.mark.parametrize("kind", KINDS)
def test_a_signal_while_garbage_is_collected_is_not_lost(kind: str, tmp_path: Path) -> None:
    code = (
        "import time\n"
        "class Dropped:\n"
        "    def __del__(self): interrupt()\n"
        "INTERRUPTS.begin_work()\n"
        "try:\n"
        "    dropped = Dropped()\n"
        "    del dropped\n"
        f"    time.sleep({GUARD})\n"
        "except KeyboardInterrupt:\n"
        "    print('heard')\n"
    )
    ended = run(code, tmp_path, kind)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "heard\n", "")


def test_a_second_signal_and_one_at_the_end_change_nothing(tmp_path: Path) -> None:
    code = (
        "INTERRUPTS.begin_work()\n"
        "try:\n"
        "    interrupt()\n"
        "except KeyboardInterrupt:\n"
        "    interrupt()\n"
        "    print('once')\n"
        "INTERRUPTS.end_work()\n"
        "interrupt()\n"
        "INTERRUPTS._interrupt(0, None)\n"
        "print('done')\n"
    )
    ended = run(code, tmp_path, "SIGINT")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "once\ndone\n", "")


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there is no such timer")
@pytest.mark.parametrize("kind", [*KINDS, "SIGALRM"])
def test_no_signal_ends_the_writing_of_files(kind: str, tmp_path: Path) -> None:
    """Not even one that came before, and waits for the end of an import."""
    code = (
        "from pathlib import Path\n"
        "from anytimebn.cli.outputs import write_all\n"
        "def write(path):\n"
        "    interrupt()\n"
        "    path.write_text('whole')\n"
        "INTERRUPTS.begin_work()\n"
        f"write_all([(Path({str(tmp_path / 'file.txt')!r}), write)])\n"
        "print('done')\n"
    )
    ended = run(code, tmp_path, kind)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", "")
    assert (tmp_path / "file.txt").read_text() == "whole"


def test_a_signal_after_the_result_keeps_it() -> None:
    found: list[ab.Result] = []
    with pytest.raises(KeyboardInterrupt), kept(found):
        raise KeyboardInterrupt
    with kept(found):
        found.append(ab.learn(ab.generate(3, 1, 20, seed=1)[1], progress=False))
        raise KeyboardInterrupt
    assert found


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there are no such shells")
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_take_nothing_from_files(closed: str, tmp_path: Path) -> None:
    table, result = tmp_path / "t.csv", tmp_path / "r.json"
    table.write_text("a,b\n" + "0,1\n1,0\n" * 20)
    command = f"'{sys.executable}' -m anytimebn learn '{table}' --json '{result}' {closed}"
    ended = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=GUARD)
    assert ended.returncode == 0, ended.stderr
    assert "Traceback" not in ended.stderr
    assert result.read_text().startswith("{")
    assert result.read_text().endswith("}\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_a_full_disk_behind_standard_output_changes_the_status_only(tmp_path: Path) -> None:
    table, result = tmp_path / "t.csv", tmp_path / "r.json"
    table.write_text("a,b\n" + "0,1\n1,0\n" * 20)
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "anytimebn", "learn", table, "--json", result],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=GUARD,
        )
    told = "error: standard output cannot be written: No space left on device; files are as they"
    assert (ended.returncode, ended.stderr.startswith(told)) == (2, True), ended.stderr
    assert ended.stderr.count("\n") == 1
    assert result.read_text().endswith("}\n")
