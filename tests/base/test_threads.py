"""Work in a thread of its own: it ends when it is told to, dropped, or the program ends."""

from __future__ import annotations

import gc
import subprocess
import sys
import textwrap
import threading
import time
import weakref
from typing import Any

import pytest
from stopping import GUARD, search_threads

from anytimebn.base.threads import NativeThread, run_native


class Patient:
    """Work that goes on until it is stopped."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.stopped = threading.Event()

    def __call__(self) -> str:
        self.begun.set()
        assert self.stopped.wait(GUARD)
        return "stopped"

    def stop(self) -> None:
        self.stopped.set()


class Unhappy(Exception):
    pass


def test_outcome_and_failure_reach_the_caller() -> None:
    assert run_native(lambda: 7, Patient()) == 7

    def fail() -> None:
        raise Unhappy

    with pytest.raises(Unhappy):
        run_native(fail, Patient())


def test_exception_in_a_report_stops_the_work() -> None:
    patient = Patient()

    def complain() -> None:
        raise Unhappy

    with pytest.raises(Unhappy):
        run_native(patient, patient, complain)
    assert search_threads() == []


@pytest.mark.parametrize("keep", [True, False])
def test_interrupt_stops_the_work_and_may_keep_its_outcome(keep: bool) -> None:
    patient = Patient()

    def press() -> None:
        if not patient.stopped.is_set():
            raise KeyboardInterrupt

    if keep:
        assert run_native(patient, patient, press, keep_on_interrupt=True) == "stopped"
    else:
        with pytest.raises(KeyboardInterrupt):
            run_native(patient, patient, press)
    assert patient.stopped.is_set()
    assert search_threads() == []


def test_interrupt_right_after_the_end_does_not_lose_the_outcome() -> None:
    patient = Patient()
    patient.stop()
    told: list[int] = []

    def press() -> None:
        told.append(1)
        if search_threads() == []:
            raise KeyboardInterrupt

    assert run_native(patient, patient, press, keep_on_interrupt=True) == "stopped"
    assert told
    with pytest.raises(KeyboardInterrupt):
        run_native(patient, patient, press)


def test_work_that_is_dropped_is_stopped() -> None:
    patient = Patient()
    thread = NativeThread(patient, patient)
    assert patient.begun.wait(GUARD)
    del thread
    gc.collect()
    assert patient.stopped.is_set()
    assert search_threads() == []


def test_work_that_has_ended_is_not_stopped_again() -> None:
    """A run that is told to stop when one of its threads has ended would call it interrupted."""
    patient = Patient()
    thread = NativeThread(lambda: 7, patient)
    thread.join()
    del thread
    gc.collect()
    assert not patient.stopped.is_set()


def test_work_may_be_collected_by_its_own_thread() -> None:
    """Garbage is collected in whichever thread happens to allocate."""

    class Cycle:
        thread: NativeThread[None]
        itself: Cycle

    patient = Patient()
    dropped, collected = threading.Event(), threading.Event()

    def work() -> None:
        assert dropped.wait(GUARD)
        gc.collect()  # must not wait for the thread that it runs in
        collected.set()

    gc.disable()
    try:
        cycle = Cycle()
        cycle.itself, cycle.thread = cycle, NativeThread(work, patient)
        thread = weakref.ref(cycle.thread)
        del cycle
        dropped.set()
        assert collected.wait(GUARD)
        assert thread() is None
        assert patient.stopped.is_set()
    finally:
        gc.enable()


@pytest.mark.parametrize("algorithm", ["dynamic-programming", "astar", "relaxation", "auto"])
@pytest.mark.parametrize("ending", ["", "raise SystemExit"])
def test_program_that_holds_a_stream_ends(algorithm: str, ending: str) -> None:
    """The search goes on in native code until Python is taken down."""
    program = textwrap.dedent(
        f"""
        import sys
        sys.path[:0] = {sys.path!r}
        import anytimebn as ab
        from search_problems import hard
        stream = ab.stream(
            hard(28), algorithm={algorithm!r}, heuristic="simple", path_extension=False
        )
        print(next(stream).cost > 0, flush=True)
        {ending}
        """
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=GUARD, check=False
    )
    assert (ended.stdout, ended.stderr, ended.returncode) == ("True\n", "", 0)


def test_a_join_that_returns_too_early_does_not_lose_the_outcome(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # As Python's own does when it is called again after Ctrl-C.
    monkeypatch.setattr(threading.Thread, "join", lambda *_: None)
    go_on = threading.Event()

    class Control:
        def stop(self) -> None:
            threading.Timer(0.05, go_on.set).start()

    def work() -> str:
        go_on.wait(GUARD)
        return "done"

    thread = NativeThread(work, Control())
    thread.stop()
    assert thread.outcome == "done"


def test_a_wait_that_was_interrupted_blocks_no_other() -> None:
    thread = NativeThread(lambda: "done", Patient())
    assert thread.wait(GUARD)
    # Where Ctrl-C leaves it when it comes between taking the lock and giving it back.
    thread._running.acquire()
    assert thread.wait(GUARD)
    thread.join()
    assert thread.outcome == "done"


class Unheard(threading.Event):
    """The first sign of a thread, which comes late; Ctrl-C while somebody waits for it."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()

    def wait(self, timeout: float | None = None) -> bool:  # noqa: ARG002
        raise KeyboardInterrupt

    def set(self) -> None:
        assert self.gate.wait(GUARD)
        super().set()


def test_ctrl_c_while_a_thread_starts_leaves_no_work_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[threading.Thread] = []
    signs: list[Unheard] = []
    done: list[bool] = []

    class Interrupted(threading.Thread):
        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            self._started = Unheard()
            signs.append(self._started)
            made.append(self)

    with monkeypatch.context() as patched:
        patched.setattr(threading, "Thread", Interrupted)
        with pytest.raises(KeyboardInterrupt):
            run_native(lambda: done.append(True), Patient())
    first_sign = signs[0]
    first_sign.gate.set()
    while not first_sign.is_set():
        time.sleep(0.001)
    made[0].join(GUARD)
    assert not made[0].is_alive()
    assert not done
