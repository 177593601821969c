"""The house: packages are the stages of one pipeline, and imports point back along it only."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import anytimebn

LAYERS = (
    "base",
    "draw",
    "data",
    "knowledge",
    "scores",
    "network",
    "result",
    "checker",
    "solver",
    "watch",
    "learning",
    "evaluation",
    "cli",
)
PACKAGE = Path(anytimebn.__file__).parent
FLAT = {"__init__", "__main__"}  # the only modules outside the rooms
MODULES = sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


def imported(tree: ast.Module) -> list[tuple[int, str]]:
    """Our own modules that a module imports: at its top, in functions, and for types only."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports name the whole path here"
            module = node.module or ""
            found += [(node.lineno, f"{module}.{alias.name}") for alias in node.names]
    return [
        (line, name.removeprefix("anytimebn."))
        for line, name in found
        if name.startswith("anytimebn.")
    ]


def test_every_room_is_in_the_table() -> None:
    rooms = {name_of(path).split(".")[0] for path in MODULES} - FLAT
    assert rooms == set(LAYERS)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_back_along_the_pipeline(path: Path) -> None:
    name = name_of(path)
    if name in FLAT:
        return
    own = LAYERS.index(name.split(".")[0])
    for line, other in imported(ast.parse(path.read_text(encoding="utf-8"))):
        room = other.split(".")[0]
        if room in ("_native", "__version__"):
            continue
        assert room in LAYERS, f"{name}, line {line}: {other} has no room"
        assert LAYERS.index(room) <= own, f"{name}, line {line} imports {other}, a later stage"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_module_uses_private_names_of_another(path: Path) -> None:
    """Neither imported by name, nor reached through a module; the compiled core is `_native`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules: dict[str, str] = {}  # by the name that they have here
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("anytimebn"):
            continue
        for alias in node.names:
            assert not is_private(alias.name), (
                f"line {node.lineno} imports {alias.name} of {node.module}"
            )
            modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            of = modules.get(node.value.id)
            assert of is None or not is_private(node.attr), (
                f"line {node.lineno}: {node.attr} of {of}"
            )


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_native"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_nothing_is_imported_by_a_string(path: Path) -> None:
    """A name in a string hides an import; other packages may be asked for in `base.optional`."""
    if name_of(path) in (*FLAT, "base.optional"):
        return
    called = {
        node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    }
    assert not called & {"import_module", "__import__"}
