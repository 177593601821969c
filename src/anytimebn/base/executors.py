"""Work on other processes and machines, by whatever `concurrent.futures.Executor` there is.

A task is a function of a module, a value that all tasks share, and arguments of its own; all of it
can be pickled. The shared value, such as a table, is sent once: Dask's workers get it from each
other, process pools read it from a file, and threads simply have it. Any other executor gets it
with every task, and unpacks it once in each process.

What comes back does not depend on who did it. A task whose worker died is done again; where no
worker is left, here.
"""

from __future__ import annotations

import os
import pickle
import tempfile
import uuid
import warnings
from collections import OrderedDict
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from anytimebn.base.errors import InputError, WorkerWarning
from anytimebn.base.text import shown
from anytimebn.base.warn import warn_caller

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator
    from types import TracebackType

POLL_SECONDS = 0.1
MOST_TRIES = 4
"""How often a task is begun whose workers die: it may be what kills them."""
UNTOLD_PLACES = 8
"""Tasks that are handed over at once to an executor that does not tell how many it does."""
KEPT_VALUES = 2
"""Shared values that a worker keeps: the one at work, and perhaps that of another caller."""

Outcome = TypeVar("Outcome")
Label = TypeVar("Label", bound="Hashable")


def check_executor(executor: object) -> None:
    """Refuse what tasks cannot be given to."""
    if executor is not None and not isinstance(executor, Executor):
        raise InputError(
            f"executor must be a concurrent.futures.Executor, such as a ProcessPoolExecutor or "
            f"client.get_executor() of a Dask client, not {shown(executor)}"
        )


@dataclass(frozen=True)
class _Parcel:
    """A shared value on its way: its bytes, or where they are."""

    key: str
    content: bytes | None
    path: str | None = None

    def value(self) -> Any:
        """Unpack it, unless this process has done so before."""
        if self.key in _UNPACKED:
            _UNPACKED.move_to_end(self.key)
            return _UNPACKED[self.key]
        content = Path(str(self.path)).read_bytes() if self.content is None else self.content
        value = pickle.loads(content)
        _UNPACKED[self.key] = value
        while len(_UNPACKED) > KEPT_VALUES:
            _UNPACKED.popitem(last=False)
        return value


_UNPACKED: OrderedDict[str, Any] = OrderedDict()


@dataclass(frozen=True)
class _Here:
    """A shared value in this process."""

    own: Any

    def value(self) -> Any:
        """Give it."""
        return self.own


def _do(work: Callable[..., Outcome], shared: Any, arguments: tuple[Any, ...]) -> Outcome:
    """Do a task, where it is done. Dask has put the value itself in the place of its own handle."""
    value = shared.value() if isinstance(shared, _Parcel | _Here) else shared
    return work(value, *arguments)


class Shared:
    """A value that tasks share, with the executor that they are given to.

    Examples
    --------
    >>> with ThreadPoolExecutor(2) as pool, Shared([10, 20], pool) as numbers:
    ...     numbers.submit(list.index, 20).result()
    1
    """

    def __init__(self, value: Any, executor: Executor) -> None:
        self._value, self._executor = value, executor
        self._handle: Any = None
        self._file: str | None = None

    def submit(self, work: Callable[..., Outcome], *arguments: Any) -> Future[Outcome]:
        """Have ``work(value, *arguments)`` done."""
        if self._handle is None:
            self._handle = self._send()
        return self._executor.submit(_do, work, self._handle, arguments)

    def send_again(self) -> None:
        """Forget where it was sent: those who had it may be gone."""
        self._handle = None

    def _send(self) -> Any:
        if isinstance(self._executor, ThreadPoolExecutor):
            return _Here(self._value)
        content = pickle.dumps(self._value, protocol=pickle.HIGHEST_PROTOCOL)
        client = getattr(self._executor, "_client", None)
        if client is not None and hasattr(client, "get_executor"):  # Dask
            # The result of a task, not scattered: if all who have it die, it is unpacked again.
            # Workers get it from each other.
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Sending large graph")
                return client.submit(pickle.loads, content, pure=False)
        if not isinstance(self._executor, ProcessPoolExecutor):
            return _Parcel(uuid.uuid4().hex, content)
        if self._file is None:
            descriptor, self._file = tempfile.mkstemp(prefix="anytimebn-", suffix=".pickle")
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
        return _Parcel(uuid.uuid4().hex, None, self._file)

    def __enter__(self) -> Shared:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._handle = None
        if self._file is not None:
            with suppress(OSError):
                Path(self._file).unlink()


class Tasks(Generic[Label, Outcome]):
    """Tasks that are done elsewhere, and come back in any order.

    Parameters
    ----------
    work
        A function of a module, called with the shared value and the arguments of a task.
    value
        What all tasks share.
    executor
        Who does them.
    here
        Whether the rest is done in this process when the executor takes no more tasks; otherwise
        its error is raised.

    Examples
    --------
    >>> with ThreadPoolExecutor(2) as pool, Tasks(pow, 2, pool) as tasks:
    ...     for exponent in (1, 2, 3):
    ...         tasks.begin(exponent, exponent)
    ...     dict(sorted(done for found in tasks.come_back() for done in found))
    {1: 2, 2: 4, 3: 8}
    """

    def __init__(
        self, work: Callable[..., Outcome], value: Any, executor: Executor, *, here: bool = True
    ) -> None:
        self._work, self._value, self._executor, self._here = work, value, executor, here
        self._shared = Shared(value, executor)
        self._own: ThreadPoolExecutor | None = None  # where all workers are gone
        self._waiting: dict[Future[Outcome], tuple[Label, tuple[Any, ...], int]] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def begin(self, label: Label, *arguments: Any) -> None:
        """Have a task done; what comes back has its label."""
        self._begin(label, arguments, tries=0)

    def _begin(self, label: Label, arguments: tuple[Any, ...], tries: int) -> None:
        try:
            future = self._shared.submit(self._work, *arguments)
        except (BrokenExecutor, RuntimeError) as error:  # RuntimeError: it was shut down
            if self._own is not None or not self._here:
                raise
            self._work_here(error)
            future = self._shared.submit(self._work, *arguments)
        self._waiting[future] = label, arguments, tries + 1

    def _work_here(self, error: BaseException) -> None:
        warn_caller(
            f"the executor takes no more tasks ({error}): the rest is done in this process",
            WorkerWarning,
        )
        self._own = ThreadPoolExecutor(1, thread_name_prefix="anytimebn")
        self._shared.__exit__(None, None, None)
        self._shared = Shared(self._value, self._own)

    def come_back(self) -> Iterator[list[tuple[Label, Outcome]]]:
        """Yield what has come back, a few times a second, until all has; perhaps nothing."""
        while self._waiting:
            yield self.take(POLL_SECONDS)

    def take(self, seconds: float) -> list[tuple[Label, Outcome]]:
        """Give what has come back, as soon as something has, but after so many seconds at most."""
        ended, _ = wait(self._waiting, seconds, FIRST_COMPLETED)
        found, again = [], []
        for future in ended:
            label, arguments, tries = self._waiting.pop(future)
            try:
                found.append((label, future.result()))
            except BaseException as error:
                if not worker_died(error) or tries >= MOST_TRIES:
                    raise
                again.append((label, arguments, tries))
        if again:
            self._shared.send_again()
            for label, arguments, tries in again:
                self._begin(label, arguments, tries)
        return found

    def __enter__(self) -> Tasks[Label, Outcome]:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for future in self._waiting:
            future.cancel()
        self._waiting.clear()
        self._shared.__exit__(kind, error, trace)
        if self._own is not None:
            self._own.shutdown(wait=False, cancel_futures=True)


def places_of(executor: Executor) -> int:
    """How many tasks an executor does at once, as far as it tells.

    Examples
    --------
    >>> with ThreadPoolExecutor(3) as pool:
    ...     places_of(pool)
    3
    """
    client = getattr(executor, "_client", None)
    if client is not None and hasattr(client, "nthreads"):  # Dask
        return max(1, int(sum(client.nthreads().values())))
    told = getattr(executor, "_max_workers", None)
    return told if isinstance(told, int) and told > 0 else UNTOLD_PLACES


def worker_died(error: BaseException) -> bool:
    """Whether a task failed because of who did it, not because of what it was.

    Dask's own errors are known by name: it need not be installed.
    """
    names = {kind.__name__ for kind in type(error).__mro__}
    return isinstance(error, BrokenExecutor | CancelledError) or bool(
        names & {"KilledWorker", "FutureCancelledError", "FuturesCancelledError", "CommClosedError"}
    )


def dealt_out(weights: Iterable[float], parts: int) -> list[list[int]]:
    """Deal numbered pieces out to so many parts of about the same weight, the heaviest first.

    Examples
    --------
    >>> dealt_out([1, 5, 2, 4], 2)
    [[0, 1], [2, 3]]
    """
    pieces = sorted(enumerate(weights), key=lambda piece: (-piece[1], piece[0]))
    sums, dealt = [0.0] * parts, [list[int]() for _ in range(parts)]
    for number, weight in pieces:
        lightest = min(range(parts), key=sums.__getitem__)
        sums[lightest] += weight
        dealt[lightest].append(number)
    return [sorted(part) for part in dealt if part]
