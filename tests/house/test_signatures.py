"""Signatures show all options, with the defaults of the one place where these are declared."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields
from typing import Any

import numpy as np
import pytest

import anytimebn as ab
from anytimebn.data.options import TABLE_KEYWORDS
from anytimebn.knowledge.combine import as_knowledge
from anytimebn.learning.task import TASK_OPTIONS
from anytimebn.scores.scoring import ScoringOptions
from anytimebn.solver.settings import SETTINGS, SearchSettings

FOR_TESTS = {"stop_at_check", "refuse_memory_at", "refuse_disk_at"}
LEARNERS = [ab.learn, ab.stream, ab.bootstrap]


def declared() -> dict[str, Any]:
    """All options with their defaults, where they are declared."""
    defaults = {
        field.name: field.default if field.default is not MISSING else field.default_factory()  # type: ignore[misc]
        for kind in (ScoringOptions, ab.TableOptions, SearchSettings)
        for field in fields(kind)
    }
    knowledge = inspect.signature(as_knowledge).parameters
    return defaults | {name: option.default for name, option in knowledge.items()}


@pytest.mark.parametrize("function", LEARNERS, ids=lambda function: function.__name__)
def test_signature_shows_every_option(function: Any) -> None:
    shown = inspect.signature(function).parameters
    assert set(TASK_OPTIONS) - FOR_TESTS <= set(shown)
    assert not any(p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL) for p in shown.values())


@pytest.mark.parametrize(
    "function",
    [*LEARNERS, ab.search, ab.score, ab.BayesianNetworkLearner.__init__],
    ids=lambda function: function.__name__,
)
def test_defaults_are_those_that_are_declared(function: Any) -> None:
    shown = inspect.signature(function).parameters
    differ = {
        name: (shown[name].default, default)
        for name, default in declared().items()
        if name in shown and (shown[name].default or default)  # None, () and {} mean nothing
        if shown[name].default != default
    }
    # Replicates need not be proven to the last nat, and say so.
    assert differ == ({"gap": (0.001, 0.0)} if function is ab.bootstrap else {})


def test_search_shows_its_settings() -> None:
    assert set(SETTINGS) - FOR_TESTS <= set(inspect.signature(ab.search).parameters)


def test_what_is_shown_is_taken() -> None:
    table = np.array([[0, 0], [1, 1]] * 10)
    given = {
        name: option.default
        for name, option in inspect.signature(ab.learn).parameters.items()
        if option.default is not option.empty
    }
    assert ab.learn(table, **given) is not None
    assert set(TABLE_KEYWORDS) <= set(given)


def test_misspelt_options_are_refused_by_name() -> None:
    for function in LEARNERS:
        with pytest.raises(ab.InputError, match="did you mean 'time_limit'"):
            function([[0, 0], [1, 1]], tiem_limit=3)
