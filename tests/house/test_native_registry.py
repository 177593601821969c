"""The native registry: a small program tries it, and the module has every entry of the sources."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from anytimebn import _native

NATIVE = Path(__file__).parents[2] / "native"
COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")

PROGRAM = """
#include "base/registry.h"

#include <cstdio>

using Numbers = anytimebn::Registry<int>;
const Numbers first({"one", "the first", ""}, 1);
const Numbers second({"two", "the second", ""}, 2);
#if defined(TWICE)
const Numbers again({"one", "another", ""}, 3);
#endif

int main() {
    try {
        std::printf("%d of %zu", Numbers::find("two").make, Numbers::entries().size());
    } catch (const std::logic_error& error) {
        std::printf("%s", error.what());
    }
    try {
        Numbers::find("three");
    } catch (const std::logic_error& error) {
        std::printf("; %s", error.what());
    }
}
"""


@pytest.mark.skipif(COMPILER is None or not NATIVE.is_dir(), reason="needs a compiler and sources")
@pytest.mark.parametrize(
    ("options", "printed"),
    [
        ([], "2 of 2; unknown name: three"),
        (["-DTWICE"], "registered twice: one; registered twice: one"),
    ],
)
def test_duplicate_registration_is_an_error_on_lookup(tmp_path, options, printed):
    (tmp_path / "registry.cpp").write_text(PROGRAM)
    program = tmp_path / "registry"
    subprocess.run(
        [COMPILER, "-std=c++20", *options, "-I", NATIVE, tmp_path / "registry.cpp", "-o", program],
        check=True,
    )
    assert subprocess.run([program], check=True, capture_output=True, text=True).stdout == printed


# An object file that a linker leaves out takes its entries with it.
@pytest.mark.skipif(not NATIVE.is_dir(), reason="needs the source tree")
@pytest.mark.parametrize(
    ("registry", "registered"),
    [
        ("ScoreRegistry", _native.registered_scores),
        ("HeuristicRegistry", _native.registered_heuristics),
        ("AlgorithmRegistry", _native.registered_algorithms),
    ],
)
def test_registered_names_are_those_of_the_sources(registry, registered):
    entry = re.compile(rf'^const {registry} \w+\(\s*\{{\s*"([^"]+)"', re.MULTILINE)
    names = [name for path in NATIVE.rglob("*.cpp") for name in entry.findall(path.read_text())]
    assert names
    assert sorted(names) == [description[0] for description in registered()]
