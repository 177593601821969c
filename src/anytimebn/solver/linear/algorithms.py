"""Algorithms by linear programming: `RELAXATION`, and `ILP`, which branches after it.

Both choose one parent set a variable at least cost, as an integer program whose rows for acyclicity
are found when a solution violates them (Cussens 2011; Bartlett & Cussens 2017).

``relaxation`` is the loop of cutting planes at the root, without any branching: cluster rows
(Jaakkola et al. 2010) and zero-half rows (Caprara & Fischetti 1996) are added where the last
solution violates them. Parent sets enter when their reduced cost asks for it, and leave for good
when it shows that no network better than the incumbent uses them. Orderings read off the solutions
give networks.

``ilp`` is branch and cut, in the manner of GOBNILP: SCIP branches; rows, propagation and networks
are ours. By default the relaxation comes first, and SCIP gets what it could not rule out.

Only the descriptions are here, because listing algorithms must not load numpy; the work is done in
`anytimebn.solver.linear.loop` and `anytimebn.solver.linear.scip_tree`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from anytimebn.base.choices import Parameter
from anytimebn.solver.description import Algorithm
from anytimebn.solver.no_memory import importing_late

if TYPE_CHECKING:
    from anytimebn import _native
    from anytimebn.result.certificates import Rows
    from anytimebn.solver.description import Told
    from anytimebn.solver.linear.loop import CuttingPlaneLoop
    from anytimebn.solver.settings import SearchSettings


def run_relaxation(
    run: _native.SearchRun,
    settings: SearchSettings,
    told: Told | None = None,
    begun: CuttingPlaneLoop | None = None,
) -> Rows | None:
    """Work on a prepared run, and return a certificate of its bound."""
    from anytimebn.solver.linear.loop import raise_bound_of

    return raise_bound_of(
        run,
        seed=settings.seed,
        rounds=int(settings.parameter("rounds")),
        known=settings.known_rows,
        told=told,
        begun=begun,
    )


def run_ilp(
    run: _native.SearchRun,
    settings: SearchSettings,
    told: Told | None = None,
    begun: CuttingPlaneLoop | None = None,
) -> Rows | None:
    """Work on a prepared run, and return a certificate of the bound before branching."""
    with importing_late():
        from anytimebn.solver.linear.scip_tree import branch_and_cut

    return branch_and_cut(
        run,
        seed=settings.seed,
        rounds=0 if settings.parameter("from-scratch") else int(settings.parameter("rounds")),
        told=told,
        begun=begun,
    )


RELAXATION = Algorithm(
    name="relaxation",
    summary="linear program with cutting planes; for many variables with few parent sets",
    paper="Bartlett & Cussens 2017; Caprara & Fischetti 1996",
    uses_heuristic=False,
    proves=False,
    parameters=(Parameter("rounds", 1e6, 0, 1e9, "rounds of cutting planes, at most", whole=True),),
    runner=run_relaxation,
)

ILP = Algorithm(
    name="ilp",
    summary="branch and cut with SCIP, after the linear program; proves within SCIP's tolerance",
    paper="Bartlett & Cussens 2017",
    uses_heuristic=False,
    proves=True,
    parameters=(
        Parameter(
            "from-scratch", 0, 0, 1, "1: SCIP alone, without the relaxation first", whole=True
        ),
        Parameter("rounds", 100, 0, 1e9, "rounds of cuts before SCIP, at most", whole=True),
    ),
    rests_on="linear programs of SCIP that keep their dual tolerance of 1e-9",
    runner=run_ilp,
    needs=("pyscipopt", "'anytimebn[ilp]'"),
)
