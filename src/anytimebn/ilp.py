"""Integer programming by branch and cut, in the manner of GOBNILP.

Choose one parent set a variable at least cost, as an integer program whose rows for acyclicity are
found when a solution violates them (Cussens 2011; Bartlett & Cussens 2017). SCIP branches; rows,
propagation and networks are ours. By default the cutting planes of `anytimebn.relaxation` come
first, and SCIP gets what they could not rule out.

Only the description is here, because listing algorithms must not load numpy; the work is done in
`anytimebn.branch_and_cut`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anytimebn.registry import Algorithm, Parameter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anytimebn import _native
    from anytimebn.search_settings import SearchSettings

ALGORITHM = Algorithm(
    name="ilp",
    summary="branch and cut with SCIP, after the linear program; proves within SCIP's tolerance",
    paper="Bartlett & Cussens 2017",
    uses_heuristic=False,
    proves=True,
    parameters=(
        Parameter("from-scratch", 0, 0, 1, "1: SCIP alone, without the relaxation first", True),
        Parameter("rounds", 100, 0, 1e9, "of cutting planes before SCIP, at most", True),
    ),
    rests_on="linear programs of SCIP that keep their dual tolerance of 1e-9",
)


def run_ilp(
    run: _native.SearchRun, settings: SearchSettings, names: Sequence[str]
) -> dict[str, Any] | None:
    """Work on a prepared run, and return a certificate of the bound before branching."""
    from anytimebn.branch_and_cut import branch_and_cut

    chosen = {p.name: int(settings.parameters.get(p.name, p.default)) for p in ALGORITHM.parameters}
    return branch_and_cut(
        run,
        names,
        seed=settings.seed,
        rounds=0 if chosen["from-scratch"] else chosen["rounds"],
    )
