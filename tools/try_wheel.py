"""Use an installed package as people would: learn a table, prove the network, check the proof."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import anytimebn
import anytimebn._native as native

CONSISTENT = 6  # status of `verify` for what it found right and did not prove once more


def main(table: str) -> None:
    """Learn from this table in Python and on the command line; whatever fails raises."""
    result = anytimebn.learn(table, progress=False)
    assert result.status == "optimal", result
    assert anytimebn.verify(result, data=table).ok
    module = Path(native.__file__).name
    if sys.version_info >= (3, 12) and sys.platform != "win32":  # there, no name tells
        assert ".abi3." in module, module
    command = [sys.executable, "-m", "anytimebn"]
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "result.json")
        for asked in (["learn", table, "--json", file], ["verify", file, "--data", table]):
            ended = subprocess.run([*command, *asked], check=False, stdout=subprocess.DEVNULL)
            assert ended.returncode in (0, CONSISTENT), asked
    print(f"  {module}: learned, proven and checked, in Python and on the command line")


if __name__ == "__main__":
    main(sys.argv[1])
