"""What can be chosen by name: each name once, whichever language it is written in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import anytimebn as ab
from anytimebn import _native
from anytimebn.solver import registry

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def fresh_registry() -> Iterator[None]:
    """Let a test change what is registered, and forget it afterwards."""
    registry.algorithms.cache_clear()
    yield
    registry.algorithms.cache_clear()


def native_names() -> list[str]:
    return [entry[0] for entry in _native.registered_algorithms()]


def test_algorithms_are_sorted_and_each_name_is_there_once() -> None:
    names = [choice.name for choice in registry.algorithms()]
    assert names == sorted(set(names))
    assert set(names) == {*native_names(), *(choice.name for choice in registry.IN_PYTHON)}


@pytest.mark.parametrize("taken", ["astar", "ilp"])
@pytest.mark.usefixtures("fresh_registry")
def test_duplicate_registration_is_an_error(taken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against a native algorithm, and against another one in Python."""
    again = replace(registry.IN_PYTHON[0], name=taken, summary="another")
    monkeypatch.setattr(registry, "IN_PYTHON", (*registry.IN_PYTHON, again))
    with pytest.raises(ab.InputError, match=f"two algorithms are registered as '{taken}'"):
        registry.algorithms()


def test_runners_extend_algorithms_that_there_are() -> None:
    assert set(registry.EXTENDED) <= set(native_names())
    for name, runner in registry.EXTENDED.items():
        assert registry.algorithm(name).runner is runner
