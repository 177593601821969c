"""Tables of many columns, and the networks that they were drawn from, where these are known.

All learners get a table as the same ``.csv`` file. Those that are generated or sampled are made
once, into ``benchmarks/cache``, with the generating network beside them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import anytimebn as ab
from anytimebn.data.files.tables import write_table
from anytimebn.network.random import generate
from benchmarks.generated import CACHE

SEED = 1
COLUMNS = (45, 60, 100, 200, 500)
PARENTS = (3, 5)
ROWS = {"5k": 5_000, "50k": 50_000}
VALUES = (2, 3)
# Those with as many columns as the smallest generated table, of the networks that pgmpy ships.
SAMPLED = (
    "barley",
    "hailfinder",
    "hepar2",
    "win95pts",
    "pathfinder",
    "munin1",
    "andes",
    "diabetes",
    "pigs",
    "link",
)
ROWS_OF_SAMPLED = 5_000
SUFFIXES = (".csv", ".csv.gz")


@dataclass(frozen=True)
class Line:
    """One table: a name, and either how it is generated, or its file, or a network of that name."""

    name: str
    columns: int = 0
    parents: int = 0
    rows: int = ROWS_OF_SAMPLED
    values: int = 2
    file: str | None = None

    def table(self) -> Path:
        """Give the file with the table, and make it if it is not there yet."""
        if self.file is not None:
            return Path(self.file)
        path = CACHE / f"wide-{self.name}-seed-{SEED}.csv"
        if not path.exists():
            CACHE.mkdir(exist_ok=True)
            parents, dataset = self._generated() if self.columns else self._sampled()
            self._structure_file.write_text(json.dumps(parents), encoding="utf-8")
            unfinished = path.with_suffix(".unfinished.csv")
            write_table(dataset, unfinished)
            unfinished.replace(path)
        return path

    def generating_network(self) -> ab.Network | None:
        """Give the structure that the table was drawn from, if it is known."""
        if self.file is not None:
            return None
        self.table()
        return ab.Network.from_parents(json.loads(self._structure_file.read_text("utf-8")))

    @property
    def _structure_file(self) -> Path:
        return CACHE / f"wide-{self.name}-seed-{SEED}-parents.json"

    def _generated(self) -> tuple[dict[str, list[str]], ab.Dataset]:
        network, dataset = generate(
            self.columns, self.parents, self.rows, arity=self.values, seed=SEED
        )
        return {name: list(network.parents_of(name)) for name in network.names}, dataset

    def _sampled(self) -> tuple[dict[str, list[str]], ab.Dataset]:
        from pgmpy.utils import get_example_model

        from benchmarks.networks import sampled_table

        frame = sampled_table(self.name, self.rows, SEED)
        parents: dict[str, list[str]] = {name: [] for name in frame.columns}
        for parent, child in get_example_model(self.name).edges():
            parents[child].append(parent)
        # A value may be called NA, which means something else in a text file.
        dataset = ab.to_dataset(frame)
        states = tuple(tuple(f"s{i}" for i in range(len(own))) for own in dataset.states)
        return parents, replace(dataset, states=states)


def generated_name(columns: int, parents: int, rows: str, values: int) -> str:
    """Name a line as the other suites do; the values are named if there are more than two."""
    return f"{columns}.{parents}.{rows}" + (f".v{values}" if values > 2 else "")


def usual_lines() -> list[Line]:
    """Give the lines that need no files, the smallest tables first."""
    generated = [
        Line(generated_name(columns, parents, rows, values), columns, parents, ROWS[rows], values)
        for columns in COLUMNS
        for rows in ROWS
        for parents in PARENTS
        for values in VALUES
    ]
    return [*generated, *(Line(name) for name in SAMPLED)]


def lines_of_folder(folder: Path) -> list[Line]:
    """Give a line for each table of a folder, named as its file."""
    return [
        Line(_stem(path), file=str(path.resolve()))
        for path in sorted(folder.iterdir())
        if path.name.endswith(SUFFIXES)
    ]


def _stem(path: Path) -> str:
    return next(path.name.removesuffix(s) for s in reversed(SUFFIXES) if path.name.endswith(s))
