"""Reports: all that is shown is made from stored runs alone, at any time, as often as wanted."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING

from anytimebn.base.files import write_text
from anytimebn.draw.figure import save_figure, svg_of
from anytimebn.evaluation import figures, rendering
from anytimebn.evaluation.data_sets import by_data_set, labels_of
from anytimebn.evaluation.page import page
from anytimebn.evaluation.specification import Limits
from anytimebn.evaluation.tables import failures, table1, table2

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from matplotlib.figure import Figure

    from anytimebn.evaluation.data_sets import DataSetRuns
    from anytimebn.evaluation.store import Stored
    from anytimebn.evaluation.tables import Failure, Table1Row, Table2Row

FIGURES = ("figure2", "figure3", "figure4")


@dataclass(frozen=True, eq=False)
class Report:
    """Tables and figures of stored runs.

    Parameters
    ----------
    stored
        From `anytimebn.evaluation.store.load`.
    snapshot_seconds
        Seconds after which Table 1 looks at the searches; by default what the study asked for.
    """

    stored: Stored
    snapshot_seconds: float | None = None
    _drawn: dict[str, dict[str, ReportFigure]] = field(default_factory=dict, init=False)

    @cached_property
    def data_sets(self) -> list[DataSetRuns]:
        """Runs by data set."""
        return by_data_set(self.stored)

    @cached_property
    def snapshot(self) -> float:
        """Seconds after which Table 1 looks at the searches."""
        if self.snapshot_seconds is not None:
            return self.snapshot_seconds
        specs = [*self.stored.planned.values()]
        specs += [run.specification for run in self.stored.runs.values()]
        asked = Counter(s.settings["snapshot"] for s in specs if s.kind == "search")
        ((seconds, _),) = asked.most_common(1) or [(Limits.snapshot, 0)]
        return float(seconds)

    @cached_property
    def failures(self) -> list[Failure]:
        """What needs an explanation."""
        return failures(self.stored, self.data_sets)

    @cached_property
    def table1(self) -> list[Table1Row]:
        """Quality over time."""
        return table1(self.data_sets, self.snapshot)

    @cached_property
    def table2(self) -> list[Table2Row]:
        """Nodes below the optimum, and learned networks."""
        return table2(self.data_sets)

    def write(self, folder: Path, *parts: str) -> list[Path]:
        """Write all of the report, or the named parts of it; give the files.

        Parts are ``table1``, ``table2``, ``figure2``, ``figure3``, ``figure4`` and ``page``.
        """
        folder.mkdir(parents=True, exist_ok=True)
        writers: dict[str, Callable[[Path], Iterator[Path]]] = {
            "table1": self._write_table1,
            "table2": self._write_table2,
            **{kind: partial(self._write_pictures, kind=kind) for kind in FIGURES},
            "page": self._write_page,
        }
        return [path for part in (parts or writers) for path in writers[part](folder)]

    def text(self) -> str:
        """All of it that is text: failures first."""
        shown = []
        if self.failures:
            lines = [f"  {failure.what}: {failure.message}" for failure in self.failures]
            shown.append("\n".join([f"Failures: {len(lines)}", *lines, ""]))
        if self.stored.missing:
            shown.append(f"Missing: {len(self.stored.missing)} of the runs that were planned.\n")
        if self.table1:
            shown.append("Table 1\n\n" + rendering.table1_text(self.table1, self.snapshot))
        if self.table2:
            shown.append("Table 2\n\n" + rendering.table2_text(self.table2))
        return "\n".join(shown)

    def _write_table1(self, folder: Path) -> Iterator[Path]:
        if self.table1:
            yield _written(folder / "table1.txt", rendering.table1_text(self.table1, self.snapshot))
            yield _written(folder / "table1.csv", rendering.to_csv(self.table1))
            yield _written(
                folder / "table1.tex", rendering.table1_latex(self.table1, self.snapshot)
            )

    def _write_table2(self, folder: Path) -> Iterator[Path]:
        if self.table2:
            yield _written(folder / "table2.txt", rendering.table2_text(self.table2))
            yield _written(folder / "table2.csv", rendering.to_csv(self.table2))
            yield _written(folder / "table2.tex", rendering.table2_latex(self.table2))

    def _write_pictures(self, folder: Path, kind: str) -> Iterator[Path]:
        for name, picture in self._pictures(kind).items():
            stem = _file_name(kind, name)
            save_figure(picture.figure, folder / f"{stem}.png")
            yield folder / f"{stem}.png"
            yield _written(folder / f"{stem}.svg", picture.svg)

    def _write_page(self, folder: Path) -> Iterator[Path]:
        pictures = {
            kind: {name: picture.svg for name, picture in self._pictures(kind).items()}
            for kind in FIGURES
        }
        text = page(
            self.stored,
            title="Evaluation of algorithms that learn Bayesian networks",
            failures=self.failures,
            rows1=self.table1,
            rows2=self.table2,
            snapshot=self.snapshot,
            pictures=pictures,
        )
        yield _written(folder / "report.html", text)

    def _pictures(self, kind: str) -> dict[str, ReportFigure]:
        """By the name of the data set; drawn once."""
        if kind not in self._drawn:
            drawn: dict[str, Figure | None]
            if kind == "figure2":
                labels = labels_of(self.data_sets)
                drawn = {data.name: figures.figure2(data, labels) for data in self.data_sets}
            elif kind == "figure3":
                drawn = {data.name: figures.figure3(data) for data in self.data_sets}
            else:
                drawn = {"": figures.figure4(self.data_sets)}
            self._drawn[kind] = {
                name: ReportFigure(figure) for name, figure in drawn.items() if figure is not None
            }
        return self._drawn[kind]


@dataclass(frozen=True, eq=False)
class ReportFigure:
    """A figure, and the same as text."""

    figure: Figure

    @cached_property
    def svg(self) -> str:
        """The figure as SVG."""
        return svg_of(self.figure, keep_letters=True)


def _written(path: Path, text: str) -> Path:
    write_text(path, text)
    return path


def _file_name(kind: str, name: str) -> str:
    plain = re.sub(r"[^\w.-]+", "_", name)
    return f"{kind}-{plain}" if plain else kind
