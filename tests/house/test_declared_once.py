"""Every option is declared once: whoever adds one touches few files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import anytimebn
from anytimebn.data.options import TABLE_KEYWORDS

PACKAGE = Path(anytimebn.__file__).parent
# Where options on reading tables are declared, where they take effect, and the command line.
MAY_SPELL = {"data/options.py", "data/read.py", "data/encode.py", "cli/blocks.py"}


@pytest.mark.parametrize("option", ["bin_method"])
def test_options_of_tables_are_spelled_in_few_places(option: str) -> None:
    assert option in TABLE_KEYWORDS
    spelled = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if re.search(rf"\b{option}\b", path.read_text(encoding="utf-8"))
    }
    assert spelled <= MAY_SPELL
