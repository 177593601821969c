"""Interrupting SCIP in the middle of a linear program, which PySCIPOpt has no call for.

`Model.interruptSolve` takes effect when the linear program at hand is solved, which can take many
seconds. The library that PySCIPOpt is linked to has ``SCIPinterruptLP`` for that, made to be called
from another thread. Where it cannot be found, one has to wait.
"""

from __future__ import annotations

import ctypes
from typing import Any

import pyscipopt.scip
from pyscipopt import Model

SOLVING = 9  # SCIP_STAGE_SOLVING


def interrupt(model: Model) -> None:
    """Ask SCIP, from another thread, to stop at once."""
    model.interruptSolve()
    function = _interrupt_lp()
    if function is not None and model.getStage() == SOLVING:
        function(_address(model), 1)


def _interrupt_lp() -> Any:
    try:
        # Symbols of a library's dependencies are found through it.
        function = ctypes.CDLL(pyscipopt.scip.__file__).SCIPinterruptLP
    except (OSError, AttributeError):
        return None
    function.argtypes = [ctypes.c_void_p, ctypes.c_uint]
    return function


def _address(model: Model) -> int:
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype = ctypes.c_void_p
    get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    address: int = get_pointer(model.to_ptr(False), b"scip")
    return address
