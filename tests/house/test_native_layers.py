"""The folders of the native code are the stages of one pipeline: includes point left only."""

import re
from pathlib import Path

import pytest

NATIVE = Path(__file__).parents[2] / "native"

# What a folder may include is itself and whatever stands before it.
LAYERS = (
    "base",  # containers, random numbers, threads, registry: nothing of Bayesian networks
    "tables",  # from cells of text to numbers
    "problem",  # parent sets, components
    "run",  # budget, progress, options, what an algorithm gets and how it registers
    "scores",  # from a table to parent sets
    "clusters",  # the cluster bound and its multipliers
    "local",  # local search over orderings
    "arcs",  # local search over arcs
    "orders",  # local search over orders
    "cycles",  # branch and bound on cycles
    "cuts",  # rows of the linear program
    "heuristics",  # lower bounds for sets of placed variables
    "sweep",  # the order graph in blocks
    "order_graph",  # the order graph node by node: A* and its kin
    "solve",  # a whole run, from parent sets or a table to an outcome
    "evaluation",  # studies of the whole order graph
    "all_networks",  # sums over all networks, and lists of good ones
    "bindings",  # the Python module
)
PYTHON_FREE = LAYERS[:-1]

pytestmark = pytest.mark.skipif(not NATIVE.is_dir(), reason="needs the source tree")

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]*)"|<([^>]*)>)', re.MULTILINE)
PYTHON = re.compile(
    r"^\s*#\s*include\s*[<\"](?:Python\.h|nanobind/|pybind11/)|\b(?:nanobind|Py_\w+|PyObject)\b",
    re.MULTILINE,
)


def source_files():
    return sorted(path for path in NATIVE.rglob("*") if path.suffix in {".h", ".cpp"})


def wrong_includes(folder: str, text: str) -> list[str]:
    """Quoted includes that name no layer, or one to the right of the folder."""
    allowed = LAYERS[: LAYERS.index(folder) + 1]
    quoted = [match[1] for match in INCLUDE.finditer(text) if match[1] is not None]
    return [include for include in quoted if include.partition("/")[0] not in allowed]


def test_native_folders_are_the_layers():
    assert {path.name for path in NATIVE.iterdir()} == set(LAYERS)
    deeper = [path for path in NATIVE.rglob("*") if path.is_dir() and path.parent != NATIVE]
    assert not deeper


@pytest.mark.parametrize("folder", LAYERS)
def test_native_includes_point_left(folder):
    files = [path for path in source_files() if path.parent.name == folder]
    assert files
    wrong = {
        str(path.relative_to(NATIVE)): wrong_includes(folder, path.read_text()) for path in files
    }
    assert not {path: includes for path, includes in wrong.items() if includes}


def test_native_includes_exist():
    missing = [
        f"{path.relative_to(NATIVE)}: {match[1]}"
        for path in source_files()
        for match in INCLUDE.finditer(path.read_text())
        if match[1] is not None and not (NATIVE / match[1]).is_file()
    ]
    assert not missing


@pytest.mark.parametrize("folder", PYTHON_FREE)
def test_native_core_knows_no_python(folder):
    files = [path for path in source_files() if path.parent.name == folder]
    assert not [str(path) for path in files if PYTHON.search(path.read_text())]


def test_layer_rules_catch_what_they_forbid():
    assert wrong_includes("cuts", '#include "cuts/rows.h"\n#include "base/random.h"\n') == []
    assert wrong_includes("cuts", '#include "solve/search_run.h"\n') == ["solve/search_run.h"]
    assert wrong_includes("cuts", '  # include "search/run.h"\n') == ["search/run.h"]
    assert wrong_includes("cuts", '#include "rows.h"\n') == ["rows.h"]
    assert PYTHON.search("#include <Python.h>\n")
    assert PYTHON.search("#include <nanobind/nanobind.h>\n")
    assert PYTHON.search("nanobind::gil_scoped_release release;")
    assert not PYTHON.search("// what Python sees\n")
