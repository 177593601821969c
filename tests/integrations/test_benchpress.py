"""The module for benchpress, as far as it runs without benchpress."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import anytimebn as ab
from anytimebn.checker.formulas import local_cost
from anytimebn.scores.registry import scores

MODULE = Path(__file__).parents[2] / "integrations" / "benchpress" / "anytimebn"
SCHEMA: dict[str, Any] = json.loads((MODULE / "schema.json").read_text(encoding="utf-8"))["items"]
GIVEN = {"score": "mdl", "ess": "None", "max_parents": "auto", "gap": "0", "timeout": "None"}


def written(folder: Path, data: ab.Dataset) -> Path:
    """Data as benchpress has it."""
    file = folder / "data.csv"
    rows = [data.names, data.arities, *data.codes.T.tolist()]
    file.write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
    return file


def run(folder: Path, data: Path, **wildcards: str) -> Path:
    """Run the script as Snakemake does; give the matrix that it wrote."""
    names = ("adjmat", "time", "ntests")
    job = SimpleNamespace(
        input={"data": str(data)},
        output={name: str(folder / name) for name in names},
        wildcards={"replicate": "1", **GIVEN, **wildcards},
        threads=1,
    )
    runpy.run_path(str(MODULE / "script.py"), init_globals={"snakemake": job})
    return folder / "adjmat"


@pytest.mark.parametrize(
    "wildcards",
    [{}, {"score": "bdeu", "ess": "10"}, {"max_parents": "1"}, {"timeout": "60", "gap": "0.01"}],
    ids=str,
)
def test_script_writes_the_network(tmp_path: Path, wildcards: dict[str, str]) -> None:
    _, data = ab.generate(7, 2, 400, seed=5)
    matrix = run(tmp_path, written(tmp_path, data), **wildcards)
    header, *rows = matrix.read_text().splitlines()
    assert header.split(",") == list(data.names)
    found = np.array([[int(cell) for cell in row.split(",")] for row in rows])
    assert found.shape == (7, 7)
    limit = int(wildcards["max_parents"]) if "max_parents" in wildcards else "auto"
    expected = ab.learn(
        data,
        score=wildcards.get("score", "mdl"),
        ess=float(wildcards.get("ess", 1)),
        max_parents=limit,
        gap=float(wildcards.get("gap", 0)),
        seed=1,
        jobs=1,
        progress=False,
    )
    if "timeout" not in wildcards:
        arcs = {(data.names[a], data.names[b]) for a, b in np.argwhere(found)}
        assert arcs == set(expected.network.arcs)
        return
    # With a time limit it may be another network that is as good as was asked for.
    parents = [tuple(np.flatnonzero(found[:, child])) for child in range(7)]
    cost = sum(local_cost(data, child, own) for child, own in enumerate(parents))
    assert cost <= (1 + float(wildcards["gap"])) * expected.cost
    assert float((tmp_path / "time").read_text()) > 0
    assert (tmp_path / "ntests").read_text() == "None"


def test_values_that_never_occur_count_as_values(tmp_path: Path) -> None:
    """The second line says how many there are, which scores depend on."""
    _, data = ab.generate(5, 2, 60, seed=2)
    file = written(tmp_path, data)
    lines = file.read_text().splitlines()
    lines[1] = ",".join(["40"] * 5)
    file.write_text("\n".join(lines) + "\n")
    assert "1" not in run(tmp_path, file).read_text().split("\n", 1)[1]


def test_data_that_is_not_discrete_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "data.csv"
    file.write_text("a,b\n2,2\n0,5\n1,1\n")
    with pytest.raises(SystemExit, match="discrete data"):
        run(tmp_path, file)


def test_schema_script_and_examples_name_the_same_parameters() -> None:
    properties = set(SCHEMA["properties"])
    assert properties == set(SCHEMA["required"]) == {"id", *GIVEN}
    for example in SCHEMA["examples"]:
        assert set(example) == properties
    script = (MODULE / "script.py").read_text(encoding="utf-8")
    assert set(re.findall(r'asked\["(\w+)"\]', script)) == {*GIVEN, "replicate"}


def test_schema_names_the_scores_that_there_are() -> None:
    one, several = SCHEMA["properties"]["score"]["anyOf"]
    assert one["enum"] == several["items"]["enum"] == [choice.name for choice in scores()]


def test_rule_has_what_benchpress_asks_of_an_algorithm() -> None:
    rule = (MODULE / "rule.smk").read_text(encoding="utf-8")
    for part in ("name: module_name", "data=alg_input_data()", '"script.py"'):
        assert part in rule
    for output in ("adjmat", "time", "ntests"):
        assert f"{output}=alg_output_{output}_path(module_name)" in rule
    info = json.loads((MODULE / "info.json").read_text(encoding="utf-8"))
    assert {"title", "version", "package", "papers", "outputs", "graph_types"} <= set(info)
    cited = (MODULE / "bibtex.bib").read_text(encoding="utf-8")
    for name in re.findall(r"footcite:t:`(\w+)`", (MODULE / "docs.rst").read_text("utf-8")):
        assert f"{{{name}," in cited
