"""Spoiled files for every reader: a value or an `InputError`, within bounds of memory and work."""

from __future__ import annotations

import gzip
import json
import resource
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anytimebn as ab
from anytimebn.knowledge.files import read_knowledge, read_tiers
from fuzz.campaign import Campaign, Case, Failure, require
from fuzz.mutations import bomb, json_bytes, spoiled_bytes, spoiled_json, spoiled_text
from fuzz.originals import KNOWLEDGE, NETWORK, ORIGINALS, RESULT
from fuzz.simplify import with_fewer
from fuzz.verifying import verified

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

MEMORY, MEMORY_A_BYTE = 200 * 2**20, 2000
"""Bytes that reading a file may take, and further ones for each byte of it."""

SECONDS, SECONDS_A_BYTE = 30.0, 1e-3
"""The same for seconds of processors."""

BINARY = ("csv.gz", "parquet", "feather", "arrow", "xlsx")
TABLES = ("csv", "tsv", "txt", "arff", "dat", *BINARY)

AS_JSON: dict[str, Any] = {"network": NETWORK, "result": RESULT, "knowledge": KNOWLEDGE}


def draw(random: Random) -> Case:
    """Spoil a file."""
    kind = random.choice(list(ORIGINALS))
    suffix, content = ORIGINALS[kind]
    way = random.random()
    if way < 0.02:
        content = bomb(random, kind)
    elif kind in AS_JSON and way < 0.6:
        content = json_bytes(spoiled_json(random, AS_JSON[kind]))
    elif kind == "csv.gz" and way < 0.6:
        content = gzip.compress(spoiled_text(random, gzip.decompress(content)), mtime=0)
    elif kind not in BINARY and way < 0.6:
        content = spoiled_text(random, content)
    else:
        content = spoiled_bytes(random, content)
    options: dict[str, Any] = {}
    if random.random() < 0.5:
        options["missing"] = random.choice(["drop", "category", "em"])
    if random.random() < 0.3:
        options["bins"] = random.choice([2, 3, {"hours": 2}, {"hours": [1, 2], "*": 2}])
        options["bin_method"] = random.choice(["quantile", "width", "mdl"])
    if random.random() < 0.1:
        options["header"] = False
    if random.random() < 0.1:
        options["encoding"] = random.choice(["utf-8", "utf-16", "cp1252", "utf-7", "ascii"])
    if random.random() < 0.1:
        options["separator"] = random.choice([",", ";", "tab", "space"])
    if random.random() < 0.1:
        options["categorical"] = "all"
    if random.random() < 0.1:
        options["weights"] = "hours"
    return {
        "kind": kind,
        "suffix": suffix,
        "content": content.decode("latin-1"),  # a character a byte
        "options": options,
    }


def run(case: Case) -> Iterator[str]:
    """Read it, and look at what is read."""
    content = case["content"].encode("latin-1")
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder, f"file{case['suffix']}")
        path.write_bytes(content)
        began = time.process_time()
        try:
            with _little_memory(len(content)):
                value = _read(case["kind"], path, case["options"])
            _look_at(value, Path(folder))
            ending = "read"
        except ab.InputError as error:
            require(bool(str(error)), "the error says nothing")
            ending = "refused"
        except MemoryError:
            raise Failure(f"{case['kind']}: out of memory with {len(content)} bytes") from None
        spent = time.process_time() - began
        most = SECONDS + SECONDS_A_BYTE * len(content)
        require(spent < most, f"{case['kind']}: {len(content)} bytes took {spent:.0f} s")
        yield f"{case['kind']} {ending}"


@contextmanager
def _little_memory(size: int) -> Iterator[None]:
    """Have the system refuse memory beyond what reading a file of this size should need."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY + MEMORY_A_BYTE * size
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _read(kind: str, path: Path, options: dict[str, Any]) -> Any:
    if kind in TABLES:
        return ab.to_dataset(path, **options)
    if kind in ("jkl", "pss"):
        return ab.LocalScores.load(path)
    if kind in ("toml", "yaml", "knowledge"):
        return read_knowledge(path)
    if kind == "tiers":
        return read_tiers(path)
    if kind != "result":
        return ab.Network.load(path)
    try:
        content = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        content = None  # that is for the reader to say
    if isinstance(content, dict):
        verified(content)
    return ab.Result.load(path)


def _look_at(value: Any, folder: Path) -> None:
    """Use what was read: what a reader lets through must be usable."""
    repr(value)
    str(value)
    if isinstance(value, ab.LocalScores):
        try:
            ab.search(value, algorithm="astar", max_expansions=3, jobs=1)
        except (ab.LimitReached, ab.InputError):
            return
        value.save(folder / "again.pss")
        require(ab.LocalScores.load(folder / "again.pss").pops == value.pops, "written otherwise")
    elif isinstance(value, ab.Network):
        len(value.topological_order)
        value.cpdag()
        value.save(folder / "again.json")
        again = ab.Network.load(folder / "again.json")
        require(again.parents == value.parents, "written otherwise")
    elif isinstance(value, ab.Result):
        value._repr_html_()
        value.save(folder / "again.json")
        same = ab.Result.load(folder / "again.json")
        require(same.claim == value.claim, "written otherwise")
    elif isinstance(value, ab.Knowledge):
        value.check(["rain", "wet", "hours", "slip"])


def simpler(case: Case) -> Iterator[Case]:
    """Fewer lines, then fewer bytes."""
    content = case["content"]
    for lines in with_fewer(content.split("\n")):
        yield {**case, "content": "\n".join(lines)}
    if len(content) < 1000:
        for fewer in with_fewer(content):
            yield {**case, "content": "".join(fewer)}
    if case["options"]:
        yield {**case, "options": {}}


CAMPAIGN = Campaign(
    name="readers",
    summary="spoiled files for every reader: a value or an InputError, within bounds",
    draw=draw,
    run=run,
    simpler=simpler,
    in_suite=range(100, 300),
)
