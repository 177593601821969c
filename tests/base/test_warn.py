"""Warnings name the line that called the package, not one inside of it."""

from __future__ import annotations

import inspect
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

import anytimebn as ab
from anytimebn.base.warn import warn_caller

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NUMBERED = pd.DataFrame({"id": range(100), "a": [0, 1] * 50, "b": [0, 1] * 50})
NETWORK = ab.learn(np.array([[0, 0], [1, 1]] * 10)).network


@pytest.mark.parametrize(
    "call",
    [
        lambda: ab.to_dataset(NUMBERED, bins=3),
        lambda: ab.learn(NUMBERED, bins=3),
        lambda: ab.score(NUMBERED, bins=3),
        lambda: ab.bootstrap(NUMBERED, bins=3, replicates=1),
        lambda: ab.BayesianNetworkLearner(bins=3).fit(NUMBERED),
        lambda: NETWORK.predict_proba(pd.DataFrame({"X0": [7, 0]}), "X1"),
    ],
)
def test_warnings_point_to_the_line_of_the_caller(call: Callable[[], object]) -> None:
    with pytest.warns(ab.DataWarning) as told:
        call()
    assert {warning.filename for warning in told} == {__file__}
    assert {warning.lineno for warning in told} == {inspect.getsourcelines(call)[1]}


def test_a_warning_names_the_line_of_a_script(tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text(
        "import pandas as pd\nimport anytimebn as ab\n"
        "frame = pd.DataFrame({'id': range(100), 'a': [0, 1] * 50})\nab.learn(frame, bins=3)\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=True, timeout=300
    )
    assert f"{script}:4: DataWarning: the table: column 'id'" in done.stderr


def test_what_python_puts_between_is_passed_over() -> None:
    @contextmanager
    def opened() -> Iterator[None]:
        warn_as_if_inside("opened")
        yield

    inside = {"__name__": "anytimebn.somewhere", "warn_caller": warn_caller}
    exec("def warn_as_if_inside(text): warn_caller(text, UserWarning)", inside)
    warn_as_if_inside = inside["warn_as_if_inside"]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        with opened():
            pass
        with ThreadPoolExecutor(1) as threads:  # where nobody called
            threads.submit(warn_as_if_inside, "alone").result()
    assert [str(warning.message) for warning in told] == ["opened", "alone"]
    assert told[0].filename == __file__
    assert told[1].filename == "<string>"
