"""Runs that others contribute to from outside: what they find counts for the search at once."""

from __future__ import annotations

import threading
import time

import pytest
from search_problems import hard

import anytimebn as ab
from anytimebn.solver import registry
from anytimebn.solver.run import start_run

NATIVE_PROOFS = [
    algorithm.name
    for algorithm in registry.algorithms()
    if algorithm.proves
    # This one would not even begin: it asks for memory for the whole order graph first.
    and algorithm.name != "dynamic-programming"
    and algorithm not in registry.IN_PYTHON
]


@pytest.mark.parametrize("algorithm", NATIVE_PROOFS)
def test_a_closing_bound_from_outside_ends_the_search(algorithm: str) -> None:
    settings = ab.SearchSettings(
        algorithm=algorithm,
        heuristic="simple",
        path_extension=False,
        local_search=False,
        memory_limit="1GiB",  # ends the test if nothing else does
    )
    run = start_run(hard(40), settings).native  # of 2**40 nodes
    assert run.prepare()
    first_bound = run.component_bounds[0]
    searching = threading.Thread(target=run.search)
    searching.start()
    while searching.is_alive():  # and has begun
        if run.snapshot().expanded > 0 or run.component_bounds[0] > first_bound:
            break
        time.sleep(0.001)
    run.offer_bound(0, run.component_costs[0])
    expanded_before = run.snapshot().expanded  # as it was when the bound was taken
    searching.join()
    run.finish()
    assert run.status == "optimal"
    assert run.snapshot().expanded - expanded_before <= 1024


@pytest.mark.parametrize("is_stopped", [False, True])
def test_what_ends_those_who_go_on_ends_the_run(is_stopped: bool) -> None:
    """The order graph gives up for want of memory, and the linear program goes on."""
    settings = ab.SearchSettings(algorithm="dynamic-programming", memory_limit=1000)
    run = start_run(hard(12), settings).native
    assert run.prepare()
    run.search()
    contributor = run.contributor()
    assert not contributor.stopped()
    if is_stopped:
        run.stop()
        assert contributor.stopped()
    run.finish()
    assert run.status == ("interrupted" if is_stopped else "memory")
