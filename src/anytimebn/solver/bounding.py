"""A lower bound for algorithms that prove none: ``bound=True``, ``--bound``.

The linear program with cutting planes (`anytimebn.solver.linear`) works on the same run, so that
every answer comes with a gap, and with a certificate of its bound. If the two meet, the network is
optimal.

With a time limit both run at the same time, share their networks, and the linear program goes on
until the limit when the algorithm has ended. Without one, and with limited work, results must
repeat: the algorithm comes first, and then a limited number of rounds of cutting planes.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from anytimebn.base.threads import NativeThread, NoThread

if TYPE_CHECKING:
    from anytimebn import _native
    from anytimebn.result.certificates import Certificate
    from anytimebn.solver.description import Told
    from anytimebn.solver.linear.loop import CuttingPlaneLoop
    from anytimebn.solver.settings import SearchSettings

ROUNDS = 100  # of cutting planes, where no time limit ends them
UNLIMITED_ROUNDS = 10**9


def run_with_bound(
    run: _native.SearchRun,
    settings: SearchSettings,
    told: Told | None = None,
    begun: CuttingPlaneLoop | None = None,
) -> Certificate | None:
    """Run the native algorithm of a prepared run, raise its bound, and certify that."""
    from anytimebn.solver.linear.loop import raise_bound_of

    beside = None
    repeatable = settings.max_expansions is not None or settings.stop_at_check > 0
    if settings.time_limit is not None and not repeatable:
        with suppress(NoThread):
            beside = NativeThread(run.search, run)
    if beside is None:
        run.search()
        contributor = run.contributor()
        if run.solved() or contributor.stopped():
            return None
        return raise_bound_of(
            run,
            seed=settings.seed,
            rounds=ROUNDS,
            contributor=contributor,
            told=told,
            begun=begun,
        )

    try:
        certificate = raise_bound_of(
            run, seed=settings.seed, rounds=UNLIMITED_ROUNDS, told=told, begun=begun
        )
    except BaseException:
        beside.stop()
        raise
    if run.solved():
        beside.stop()
    beside.join()
    return certificate
