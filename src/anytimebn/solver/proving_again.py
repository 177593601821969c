"""Bounds of an earlier run, proven again at the start of a search.

What a certificate says of itself is not believed: its clusters and rows are evaluated with the
parent sets of this search, exactly and in whole numbers, as those are that the search finds itself.
A certificate of other parent sets thus proves little, but nothing that is wrong.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from anytimebn.result.certificates import Certificate, Clusters, Rows
from anytimebn.solver.linear.lead import Lead

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anytimebn import _native
    from anytimebn.solver.description import Told
    from anytimebn.solver.linear.loop import CuttingPlaneLoop

Evidence: TypeAlias = Certificate | Lead
"""What a search that goes on can compute again."""

LARGEST_MULTIPLIER = 2**47
"""In units of costs: more than any search finds, and as much as tables hold exactly."""


@dataclass
class ProvenAgain:
    """What came of it.

    Attributes
    ----------
    certificates
        Of what rows prove; the run itself keeps those of clusters.
    begun
        A linear program that has begun where an earlier one ended.
    """

    certificates: list[Rows] = field(default_factory=list)
    begun: CuttingPlaneLoop | None = None


def prove_again(
    run: _native.SearchRun, proofs: Sequence[Evidence], *, seed: int, told: Told | None = None
) -> ProvenAgain:
    """Offer a prepared run what certificates prove.

    Parameters
    ----------
    run
        To contribute to.
    proofs
        Of an earlier run.
    seed, told
        Of a linear program that goes on.
    """
    found = ProvenAgain()
    for proof in proofs:
        if run.solved():
            break
        if isinstance(proof, Clusters):
            _evaluate_clusters(run, proof)
        elif isinstance(proof, Lead):
            found.begun = found.begun or _begin(run, proof, seed, told)
        else:
            again = _evaluate_rows(run, proof, seed)
            found.certificates += [] if again is None else [again]
    return found


def _evaluate_clusters(run: _native.SearchRun, proof: Clusters) -> None:
    usable = [
        (list(cluster), multiplier)
        for cluster, multiplier in zip(proof.clusters, proof.multipliers, strict=True)
        if multiplier <= LARGEST_MULTIPLIER
    ]
    run.prove_again(
        [list(group) for group in proof.groups],
        [cluster for cluster, _ in usable],
        [multiplier for _, multiplier in usable],
    )


def _begin(
    run: _native.SearchRun, lead: Lead, seed: int, told: Told | None
) -> CuttingPlaneLoop | None:
    from anytimebn import _native
    from anytimebn.solver.linear.loop import start_loop

    loop = start_loop(run, seed=seed, lead=lead, told=told)
    if loop is not None:
        with suppress(_native.WorkStopped):
            loop.cuts.hand_over(run)
    return loop


def _evaluate_rows(run: _native.SearchRun, proof: Rows, seed: int) -> Rows | None:
    from anytimebn import _native
    from anytimebn.solver.linear.loop import start_loop
    from anytimebn.solver.linear.proof import certificate

    loop = start_loop(run, seed=seed, with_rows=False)
    if loop is None:
        return None
    with suppress(_native.WorkStopped):
        loop.take_over(proof, all_stages=True)
        loop.cuts.hand_over(run)
    return certificate(run, loop)
