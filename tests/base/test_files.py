"""Files are there whole or not at all: whatever fails half-way, an older file stays as it was."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import numpy as np
import pytest

import anytimebn as ab
from anytimebn.base.files import replacing, write_text
from anytimebn.cli.outputs import write_all
from anytimebn.data.files.tables import write_table
from anytimebn.evaluation.store import write_json

if TYPE_CHECKING:
    from collections.abc import Callable

OLDER = "what was there before\n"
TABLE = ab.to_dataset(np.array([["no", "no"], ["yes", "yes"], ["no", "yes"], ["yes", "yes"]] * 10))
SCORES = ab.score(TABLE)
RESULT = ab.search(SCORES)
FITTED = RESULT.network.fit(TABLE)
BOOTSTRAP = ab.bootstrap(TABLE, replicates=2, jobs=1)

SAVED: dict[str, Callable[[Path], None]] = {
    "result.json": RESULT.save,
    "convergence.svg": RESULT.plot,
    "scores.jkl": SCORES.save,
    "scores.pss": SCORES.save,
    "table.csv": lambda path: write_table(TABLE, path),
    "table.parquet": lambda path: write_table(TABLE, path),
    "frequencies.json": BOOTSTRAP.save,
    "frequencies.csv": BOOTSTRAP.save,
    "frequencies.png": BOOTSTRAP.save,
    "run.json": lambda path: write_json(path, {"format": 1}),
} | {
    f"network{suffix}": FITTED.save
    for suffix in (".bif", ".xmlbif", ".net", ".dot", ".json", ".png", ".svg")
}


@pytest.fixture
def older(tmp_path: Path) -> Path:
    path = tmp_path / "older.txt"
    path.write_text(OLDER)
    return path


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def half(path: Path, failure: BaseException) -> NoReturn:
    with replacing(path) as passing:
        passing.write_text("half of ")
        raise failure


@pytest.mark.parametrize(
    "failure",
    [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt(), RuntimeError("a bug")],
    ids=lambda failure: type(failure).__name__,
)
def test_writer_that_fails_half_way_leaves_the_older_file(
    older: Path, failure: BaseException
) -> None:
    with pytest.raises((ab.InputError, KeyboardInterrupt, RuntimeError)):
        half(older, failure)
    assert older.read_text() == OLDER
    assert names_in(older.parent) == [older.name]
    with pytest.raises((ab.InputError, KeyboardInterrupt, RuntimeError)):
        half(older.with_name("new.txt"), failure)
    assert names_in(older.parent) == [older.name]


def test_errors_of_writers_name_the_file_that_was_asked_for(older: Path) -> None:
    with pytest.raises(ab.InputError, match=rf"^{older}: cannot be written: No space left"):
        half(older, OSError(errno.ENOSPC, "No space left", "another name"))
    with (
        pytest.raises(ab.InputError, match=rf"^{older}: holds no probabilities$"),
        replacing(older) as passing,
    ):
        raise ab.InputError(f"{passing}: holds no probabilities")
    with pytest.raises(ab.InputError, match=rf"^{older}: .*'\\ud800' cannot be written as UTF-8"):
        write_text(older, "\ud800")
    assert older.read_text() == OLDER


@pytest.mark.parametrize("name", SAVED)
def test_everything_that_is_saved_survives_a_full_disk(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    path.write_text(OLDER)
    with monkeypatch.context() as patched:

        def full(_: int) -> NoReturn:
            raise OSError(errno.ENOSPC, "No space left on device")

        patched.setattr(os, "fsync", full)
        with pytest.raises(ab.InputError, match=rf"^{path}: cannot be written: No space left"):
            SAVED[name](path)
    assert path.read_text() == OLDER
    assert names_in(tmp_path) == [name]
    SAVED[name](path)
    assert path.read_bytes() != OLDER.encode()
    assert names_in(tmp_path) == [name]


def test_commands_write_all_files_or_none(older: Path) -> None:
    def fail(path: Path) -> NoReturn:
        raise ab.InputError(f"{path}: cannot hold this")

    other = older.with_name("other.txt")
    with pytest.raises(ab.InputError, match=rf"^{other}: cannot hold this"):
        write_all([(older, lambda path: write_text(path, "newer\n")), (other, fail)])
    assert older.read_text() == OLDER
    assert names_in(older.parent) == [older.name]


def test_permissions_of_an_older_file_stay(older: Path) -> None:
    older.chmod(0o640)
    write_text(older, "newer\n")
    assert older.read_text() == "newer\n"
    assert stat.S_IMODE(older.stat().st_mode) == 0o640


def test_new_files_have_the_permissions_that_the_user_asked_for(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "new.txt", "new\n")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.txt").stat().st_mode) == 0o640


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_what_must_not_be_written_is_refused(older: Path) -> None:
    older.chmod(0o440)
    with pytest.raises(ab.InputError, match="cannot be written: Permission denied"):
        write_text(older, "newer\n")
    older.chmod(0o640)
    older.parent.chmod(0o500)
    try:
        write_text(older, "newer\n")  # the file may be written, though its folder takes no other
        with pytest.raises(ab.InputError, match="cannot be written: Permission denied"):
            write_text(older.with_name("new.txt"), "new\n")
    finally:
        older.parent.chmod(0o700)
    assert older.read_text() == "newer\n"


def test_a_file_that_cannot_be_replaced_is_overwritten(
    older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> NoReturn:
        raise OSError(errno.EBUSY, "Device or resource busy")  # as for files mounted one by one

    monkeypatch.setattr(Path, "replace", refuse)
    write_text(older, "newer\n")
    assert older.read_text() == "newer\n"
    assert names_in(older.parent) == [older.name]


@pytest.mark.parametrize("there", [True, False])
def test_links_are_followed(tmp_path: Path, there: bool) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "target.txt", tmp_path / "link.txt"
    if there:
        target.write_text(OLDER)
    link.symlink_to(target)
    write_text(link, "newer\n")
    assert link.is_symlink()
    assert target.read_text() == "newer\n"
    assert names_in(tmp_path) == ["far", "link.txt"]
    assert names_in(tmp_path / "far") == ["target.txt"]


def test_links_in_a_circle_are_no_accident(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.symlink_to(other)
    other.symlink_to(one)
    write_text(one, "newer\n")
    assert one.read_text() == "newer\n"


def test_pipes_are_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "through\n")
    reader.join()
    assert read == ["through\n"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("redirected", [True, False])
def test_standard_output_is_written_to(tmp_path: Path, redirected: bool) -> None:
    """Where it is an ordinary file, what is printed later must reach that file too."""
    script = (
        "from pathlib import Path; from anytimebn.base.files import write_text; "
        "write_text(Path('/dev/stdout'), 'written\\n'); "
        "import sys; sys.stdout.seek(0, 2) if sys.argv[1:] else None; print('printed')"
    )
    command = [sys.executable, "-c", script, *(["redirected"] if redirected else [])]
    if redirected:
        with (tmp_path / "out.txt").open("w") as output:
            subprocess.run(command, stdout=output, check=True)
        assert (tmp_path / "out.txt").read_text() == "written\nprinted\n"
        assert names_in(tmp_path) == ["out.txt"]
    else:
        ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        assert ended.stdout == "written\nprinted\n"


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ab.InputError, match=f"^{tmp_path}: cannot be written: Is a directory"):
        write_text(tmp_path, "text")
