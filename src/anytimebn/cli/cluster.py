"""``--cluster``: workers of Dask, on other machines or on this one."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anytimebn.base.checks import MOST_JOBS
from anytimebn.base.errors import InputError
from anytimebn.base.optional import check_for, optional

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

LOCAL = "local:"
CONNECT_SECONDS = 20

Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS|local:N",
        help="Work on the workers of this Dask scheduler, or on N processes here.",
    ),
]


@dataclass(frozen=True)
class Workers:
    """Who does the work; nobody else if `executor` is None."""

    executor: Executor | None = None
    threads: int = 1  # that there are now


def check_cluster(address: str | None) -> None:
    """Refuse what could never be a cluster, before anything is read."""
    if address is None:
        return
    check_for("distributed", needed_for="--cluster", install="'anytimebn[cluster]'")
    if address.startswith(LOCAL):
        _local_workers(address)
    elif ":" not in address:
        raise InputError(
            f"--cluster {address}: give the address of a scheduler, such as tcp://10.0.0.1:8786, "
            f"or {LOCAL}N for N processes on this machine"
        )


@contextmanager
def workers_of(address: str | None) -> Iterator[Workers]:
    """Connect to a cluster, or start one; it ends with the block, what was there before does not.

    Raises
    ------
    InputError
        If nobody answers.
    """
    check_cluster(address)
    if address is None:
        yield Workers()
        return
    distributed = optional("distributed", needed_for="--cluster", install="'anytimebn[cluster]'")
    with ExitStack() as opened:
        target: Any = address
        if address.startswith(LOCAL):
            target = opened.enter_context(
                distributed.LocalCluster(
                    n_workers=_local_workers(address),
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=":0",
                    silence_logs=50,
                )
            )
        try:
            client = opened.enter_context(
                distributed.Client(target, timeout=CONNECT_SECONDS, set_as_default=False)
            )
        except (OSError, ValueError) as error:
            raise InputError(f"--cluster {address}: nobody answers there ({error})") from error
        threads = sum(client.nthreads().values())
        if threads == 0:
            raise InputError(f"--cluster {address}: the scheduler has no workers yet")
        yield Workers(client.get_executor(), threads)


def _local_workers(address: str) -> int:
    number = address.removeprefix(LOCAL)
    if not (number.isdecimal() and 1 <= int(number) <= MOST_JOBS):
        raise InputError(f"--cluster {address}: give a number of processes, such as {LOCAL}4")
    return int(number)
