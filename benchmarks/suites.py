"""The suites there are, each a module of this package."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.suite import Suite

SUITE_NAMES = (
    "scoring",
    "checkpoints",
    "cluster",
    "helped",
    "search",
    "threads",
    "proof",
    "ilp",
    "order_graph",
    "local",
    "all_networks",
    "networks",
    "greedy",
    "wide",
    "routes",
)
BY_DEFAULT = SUITE_NAMES[:-5]  # the others take an hour and more


def load(name: str) -> Suite:
    """Import a suite; only the one that is wanted, so that others do not count in its memory."""
    suite: Suite = import_module(f"benchmarks.{name}").SUITE
    return suite
