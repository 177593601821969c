"""On what and with what was measured."""

from __future__ import annotations

from typing import Any

import anytimebn
from anytimebn.evaluation.machine import describe_machine, describe_versions, now


def describe() -> dict[str, Any]:
    """Describe the machine and the program, for the raw results."""
    machine = describe_machine()
    return {
        "date": now(),
        "machine": machine,
        "python": describe_versions()["python"],
        "version": anytimebn.__version__,
        "instruction_set": machine["instruction_set"],
    }
