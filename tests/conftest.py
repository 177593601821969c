"""What all tests share: settings (``HYPOTHESIS_PROFILE=thorough`` tries ten times as many examples)
and the choice of instruction set.
"""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from anytimebn import _native

if TYPE_CHECKING:
    from collections.abc import Iterator

# Nothing here depends on how fast the machine is, or on what else it does.
settings.register_profile("usual", deadline=None)
settings.register_profile(
    "thorough", deadline=None, max_examples=10 * settings.get_profile("default").max_examples
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))

# Shells let programs that run in the background ignore Ctrl-C; the tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(params=["portable", "avx2"])
def instruction_set(request: pytest.FixtureRequest) -> Iterator[str]:
    before = _native.instruction_set()
    _native.limit_instruction_set(request.param)
    if _native.instruction_set() != request.param:
        pytest.skip(f"this processor has no {request.param}")
    yield request.param
    _native.limit_instruction_set(before)
