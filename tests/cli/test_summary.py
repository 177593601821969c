"""What the command line prints of a result."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
from rich.console import Console

import anytimebn as ab
from anytimebn.cli.result_files import write_result
from anytimebn.cli.summary import MOST_VARIABLES
from anytimebn.result.words import summary_of

TABLE = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)


def printed(result: ab.Result) -> list[str]:
    text = io.StringIO()
    write_result(Console(file=text, width=120), result, None, [])
    return text.getvalue().splitlines()


def chain_of(length: int) -> ab.Network:
    names = [f"v{number}" for number in range(length)]
    return ab.Network.from_parents({name: names[max(0, i - 1) : i] for i, name in enumerate(names)})


def test_verdict_comes_first_and_last() -> None:
    lines = printed(ab.learn(TABLE))
    assert lines[1] == lines[-1] == "optimal: proven, no network costs less"


def test_large_networks_are_shortened_and_small_ones_are_not() -> None:
    result = ab.learn(TABLE)
    small, large = chain_of(MOST_VARIABLES), chain_of(MOST_VARIABLES + 60)
    lines = printed(replace(result, network=small))
    assert next(line for line in lines if line.startswith("  v")) == "  v0"
    assert sum(line.startswith("  v") for line in lines) == MOST_VARIABLES
    lines = printed(replace(result, network=large))
    assert sum("<-" in line for line in lines) == MOST_VARIABLES
    assert "  and 59 more with parents, 1 without parents" in lines


def test_long_lists_of_columns_are_shortened() -> None:
    columns = {f"c{number}": 3 for number in range(100)}
    result = ab.learn(TABLE)
    told = summary_of(replace(result, details=result.details | {"bins": columns}))["table"]
    assert told.endswith("c3, c4 and 95 more")


def test_gap_has_one_notation() -> None:
    result = replace(ab.learn(TABLE), status="time", cost=101.4, lower_bound=100.0)
    said = "at most 1.4 % above"
    lines = printed(result)
    assert lines[-1].startswith(f"time limit reached: {said}")
    assert f"  gap          {said} the best" in lines
    assert said in repr(result)
    assert said in result._repr_html_()
    assert not any("error bound" in text for text in (*lines, repr(result), result._repr_html_()))


def test_a_network_without_arcs_says_why() -> None:
    table = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    said = "no arc is worth its parameters"
    assert any(said in line for line in printed(ab.learn(table)))
    assert not any(said in line for line in printed(ab.learn(TABLE)))
