"""Runs on disk: one JSON file each, written as soon as a run ends, and never in part.

::

    OUT/runs/DATA_SET/LABEL-KEY.json   a run: specification, outcome, result, machine, versions
    OUT/scores/DATA_SET-KEY.jkl        scores, made once and shared by all runs
    OUT/plans/KEY.json                 what was asked for, so that missing runs are known
    OUT/claims/KEY.json                who works on what at present
    OUT/under-way/KEY/                 what a run writes before it ends

All runs of a folder can be packed into one ``.jsonl.gz`` file, which reports read just as well.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import socket
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from anytimebn.base.errors import InputError
from anytimebn.base.files import lock_file, replacing, write_text
from anytimebn.evaluation.specification import Json, Specification
from anytimebn.result.event import Event

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FORMAT = 1
ARCHIVE_SUFFIX = ".jsonl.gz"


@dataclass(frozen=True)
class Run:
    """A run that has ended, however it did."""

    specification: Specification
    values: Mapping[str, Any]

    @property
    def outcome(self) -> str:
        """One of ``done``, ``limit``, ``memory``, ``refused``, ``killed``, ``crashed``, ``late``.

        ``limit`` and ``memory`` came before there was a result, or ended it; ``refused`` is input
        that cannot be used; the other three are failures.
        """
        return str(self.values["outcome"]["kind"])

    @property
    def failed(self) -> bool:
        """Whether nobody asked for this end."""
        return self.outcome not in ("done", "limit", "memory")

    @property
    def result(self) -> Mapping[str, Any] | None:
        """What the run found, if it came that far."""
        result: Mapping[str, Any] | None = self.values["result"]
        return result

    @property
    def events(self) -> list[Event]:
        """What the search knew when, as far as it was kept."""
        return [] if self.result is None else [Event(*row) for row in self.result["events"]]

    def explain(self) -> str:
        """Say how it ended."""
        return str(self.values["outcome"]["message"])


@dataclass
class Stored:
    """All there is of a study: what ran, what was planned, and files that could not be read."""

    runs: dict[str, Run] = field(default_factory=dict)  # by key
    planned: dict[str, Specification] = field(default_factory=dict)  # by key, in their order
    unreadable: list[str] = field(default_factory=list)

    @property
    def missing(self) -> list[Specification]:
        """What was planned and has not run."""
        return [spec for key, spec in self.planned.items() if key not in self.runs]


class RunFolder:
    """The folder of a study."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._claims: dict[str, IO[bytes]] = {}  # locked files, by key

    def create(self) -> None:
        """Make the folders."""
        for name in ("runs", "scores", "plans", "claims", "under-way"):
            try:
                (self.path / name).mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(f"{self.path}: cannot be made: {error.strerror}") from error

    def run_path(self, spec: Specification) -> Path:
        """Where the file of a run lies."""
        return self.path / "runs" / _slug(spec.data_set) / f"{_slug(spec.label)}-{spec.key}.json"

    def scores_path(self, scoring: Specification) -> Path:
        """Where the scores of a data set lie; a score file stays where it is."""
        if scoring.data["kind"] == "scores":
            return Path(scoring.data["path"])
        return self.path / "scores" / f"{_slug(scoring.data_set)}-{scoring.key}.jkl"

    def work_path(self, spec: Specification) -> Path:
        """Where a run writes before it ends."""
        return self.path / "under-way" / spec.key

    def find(self, spec: Specification) -> Run | None:
        """Give a run that has ended."""
        path = self.run_path(spec)
        return _read_run(path) if path.exists() else None

    def save(self, run: Run) -> None:
        """Keep a run."""
        path = self.run_path(run.specification)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, {"format": FORMAT, **run.values})

    def plan(self, specifications: list[Specification]) -> None:
        """Remember what was asked for."""
        keys = ",".join(spec.key for spec in specifications)
        name = Specification("plan", "", {}, {}, {"keys": keys}).key
        plan = [spec.to_json() for spec in specifications]
        write_json(self.path / "plans" / f"{name}.json", {"format": FORMAT, "planned": plan})

    def claim(self, spec: Specification) -> bool:
        """Claim a run, unless another living process has it.

        A claim is a locked file: whatever ends its holder, the system takes the lock away.
        """
        path = self._claim_path(spec)
        while True:
            file = path.open("a+b")
            if not lock_file(file):
                file.close()
                return False
            # Who had it may have removed the file before we locked it.
            try:
                if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                    break
            except FileNotFoundError:
                pass
            file.close()
        self._claims[spec.key] = file
        self.note_worker(spec, None)
        return True

    def note_worker(self, spec: Specification, pid: int | None) -> None:
        """Write into a claim which process does the work."""
        holder = {"host": socket.gethostname(), "pid": os.getpid(), "worker": pid}
        file = self._claims[spec.key]
        file.truncate(0)
        file.write(json.dumps(holder).encode())
        file.flush()

    def release(self, spec: Specification) -> None:
        """Give a run back."""
        self._claim_path(spec).unlink(missing_ok=True)
        self._claims.pop(spec.key).close()

    def _claim_path(self, spec: Specification) -> Path:
        return self.path / "claims" / f"{spec.key}.json"


def load(*paths: Path) -> Stored:
    """Read all runs of folders and packed files; of one that is there twice, the last stays."""
    stored = Stored()
    for path in paths:
        own = _load_one(path)
        stored.runs |= own.runs
        stored.planned |= own.planned
        stored.unreadable += own.unreadable
    return stored


def _load_one(path: Path) -> Stored:
    stored = Stored()
    if path.is_dir():
        for file in sorted((path / "plans").glob("*.json"), key=lambda p: p.stat().st_mtime):
            try:
                _add(stored, json.loads(file.read_text(encoding="utf-8")))
            except (ValueError, KeyError, TypeError) as error:
                stored.unreadable.append(f"{file}: {type(error).__name__}: {error}")
        for file in sorted((path / "runs").glob("*/*.json")):
            try:
                _add(stored, json.loads(file.read_text(encoding="utf-8")))
            except (ValueError, KeyError, TypeError) as error:
                stored.unreadable.append(f"{file}: {type(error).__name__}: {error}")
    elif path.name.endswith(ARCHIVE_SUFFIX) and path.is_file():
        try:
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                for line in lines:
                    _add(stored, json.loads(line))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path}: not a file of runs: {error}") from error
    else:
        raise InputError(
            f"{path}: give the folder of a study, or a file of its runs ({ARCHIVE_SUFFIX})"
        )
    if not stored.runs and not stored.planned and not stored.unreadable:
        raise InputError(f"{path}: there are no runs here; 'anytimebn evaluate table1' makes some")
    return stored


def pack(stored: Stored, path: Path) -> None:
    """Write all runs into one file."""
    plan = [spec.to_json() for spec in stored.planned.values()]
    entries: list[Mapping[str, Any]] = [{"format": FORMAT, "planned": plan}]
    entries += [stored.runs[key].values for key in sorted(stored.runs)]
    text = "".join(json.dumps(entry, separators=(",", ":")) + "\n" for entry in entries)
    # No time in the header: the same runs give the same file.
    with replacing(path) as passing:
        passing.write_bytes(gzip.compress(text.encode(), mtime=0))


def write_json(path: Path, values: Mapping[str, Any]) -> None:
    """Write a file either completely or not at all."""
    # A line an entry, so that files can be read and compared, but no line a number.
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in values.items()]
    write_text(path, "{\n" + ",\n".join(lines) + "\n}\n")


def _read_run(path: Path) -> Run | None:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return _as_run(values)
    except (OSError, ValueError, KeyError, TypeError):
        return None  # to be run again; a report names the file


def _as_run(values: Json) -> Run:
    if values["format"] != FORMAT:
        raise ValueError(f"format {values['format']} is not known, only {FORMAT}")
    run = Run(Specification.from_json(values["specification"]), values)
    str(run.outcome + run.explain())  # what every reader needs
    if not isinstance(values["result"], dict | None):
        raise TypeError("the result is not an object")
    return run


def _add(stored: Stored, values: Json) -> None:
    if "planned" in values:
        _add_plan(stored, values["planned"])
    else:
        run = _as_run(values)
        stored.runs[run.specification.key] = run


def _add_plan(stored: Stored, plan: Iterable[Json]) -> None:
    for spec in map(Specification.from_json, plan):
        stored.planned.setdefault(spec.key, spec)


def _slug(text: str) -> str:
    return re.sub(r"[^\w.,=+-]+", "_", text)[:80] or "_"
