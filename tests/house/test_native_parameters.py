"""Parameters of what registers itself: a small program tries how they are resolved."""

import shutil
import subprocess
from pathlib import Path

import pytest

NATIVE = Path(__file__).parents[2] / "native"
COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")

PROGRAM = """
#include "base/parameters.h"

#include <cstdio>

int main() {
    using namespace anytimebn;
    const std::map<std::string, double> given{{"weight", 3}, {"window", 7}};
    const std::vector<Parameter> declared{{"weight", 1.5, 1, 9, ""}, {"decrease", 0.5, 0, 9, ""}};
    const Parameters astar("astar", declared, given);
    std::printf("%g %g", astar["weight"], astar["decrease"]);
    try {
        astar["window"];  // another's, though the user gave it
    } catch (const std::logic_error& error) {
        std::printf("; %s", error.what());
    }
}
"""


@pytest.mark.skipif(COMPILER is None or not NATIVE.is_dir(), reason="needs a compiler and sources")
def test_only_declared_parameters_can_be_asked_for(tmp_path):
    (tmp_path / "parameters.cpp").write_text(PROGRAM)
    program = tmp_path / "parameters"
    subprocess.run(
        [COMPILER, "-std=c++20", "-I", NATIVE, tmp_path / "parameters.cpp", "-o", program],
        check=True,
    )
    printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    assert printed == "3 0.5; astar declares no parameter window"
