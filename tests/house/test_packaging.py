"""What the files around the code say of it is so, and agrees with each other."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import anytimebn._native as native

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]


def test_wheel_has_the_stable_abi_from_the_first_version_that_nanobind_supports() -> None:
    assert PROJECT["tool"]["scikit-build"]["wheel"]["py-api"] == "cp312"
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    # Without this component, the flag of the next line would be dropped, and nobody would know.
    assert re.search(r"find_package\(Python [^)]*\$\{SKBUILD_SABI_COMPONENT\}\)", cmake)
    assert "nanobind_add_module(_native STABLE_ABI " in cmake


def test_module_has_the_name_of_its_kind() -> None:
    name = Path(native.__file__).name
    assert (".abi3." in name) == (sys.version_info >= (3, 12)), name


def test_options_for_one_processor_are_for_its_files_only() -> None:
    """Elsewhere, compilers that do not know them would stop, and processors would be missed."""
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    [line] = [line for line in cmake.splitlines() if "-mavx2" in line]
    assert "COMPILE_OPTIONS" in line
    guard = cmake[: cmake.index(line)].rsplit("\nif(", 1)[1]
    assert 'MATCHES "^(x86_64|AMD64|amd64)$"' in guard
    assert "AND NOT MSVC" in guard


def test_all_has_every_extra() -> None:
    [every] = EXTRAS["all"]
    named = re.fullmatch(r"anytimebn\[(.*)\]", every)
    assert named is not None
    assert set(named[1].split(",")) == set(EXTRAS) - {"all"}


def test_tests_have_every_extra_but_the_peers() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = re.search(r"^EXTRAS := (.*)$", makefile, re.M)
    assert named is not None
    assert set(named[1].split(",")) == set(EXTRAS) - {"all", "pgmpy"}


def test_messages_name_extras_that_there_are() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("src/**/*.py"))
    named = re.findall(r"'anytimebn\[(\w+)\]'", text)
    assert set(named) >= {"draw", "ilp", "excel", "sklearn"}
    assert set(named) <= set(EXTRAS)


def test_citation_is_of_this_version() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == PROJECT["project"]["version"]
    assert cited["license"] == PROJECT["project"]["license"]
    assert cited["title"] == PROJECT["project"]["name"]


@pytest.mark.parametrize(
    "path",
    [*ROOT.glob(".github/workflows/*.yml"), ROOT / ".readthedocs.yaml"],
    ids=lambda path: path.name,
)
def test_workflows_call_targets_that_there_are(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert isinstance(yaml.safe_load(text), dict)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"(?:run:|-) make ([\w-]+)", text):
        assert re.search(rf"^{target}:", makefile, re.M), target


def test_hooks_before_a_commit_are_those_of_the_tools() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    lint = PROJECT["dependency-groups"]["lint"]
    for hook in config["repos"][0]["hooks"]:
        assert Path(hook["entry"].split()[0]).name in lint


def test_wheels_are_tried_where_they_are_built() -> None:
    building = PROJECT["tool"]["cibuildwheel"]
    assert {"cp311-*", "cp312-*"} <= set(building["build"])
    script = building["test-command"].split()[1].removeprefix("{project}/")
    assert (ROOT / script).is_file()
