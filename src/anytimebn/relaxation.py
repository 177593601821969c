"""The linear relaxation with cutting planes: for problems of many variables with few parent sets.

A root cutting-plane loop as in Cussens' GOBNILP (Bartlett & Cussens 2017), without any branching:
choose one parent set a variable at least cost, subject to cluster rows (Jaakkola et al. 2010) and
zero-half rows (Caprara & Fischetti 1996) found where the last solution violates them. Parent sets
enter when their reduced cost asks for it, and leave for good when it shows that no network better
than the incumbent uses them. Orderings read off the solutions give networks.

Only the description is here, because listing algorithms must not load numpy; the work is done in
`anytimebn.cutting_plane_loop`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anytimebn.registry import Algorithm, Parameter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anytimebn import _native
    from anytimebn.search_settings import SearchSettings

ALGORITHM = Algorithm(
    name="relaxation",
    summary="linear program with cutting planes; for many variables with few parent sets",
    paper="Bartlett & Cussens 2017; Caprara & Fischetti 1996",
    uses_heuristic=False,
    proves=False,
    parameters=(Parameter("rounds", 1e6, 0, 1e9, "of cutting planes at most", True),),
)


def run_relaxation(
    run: _native.SearchRun, settings: SearchSettings, names: Sequence[str]
) -> dict[str, Any]:
    """Work on a prepared run, and return a certificate of its bound."""
    from anytimebn.cutting_plane_loop import raise_bound_of

    rounds = settings.parameters.get("rounds", ALGORITHM.parameters[0].default)
    return raise_bound_of(run, names, seed=settings.seed, rounds=int(rounds))
