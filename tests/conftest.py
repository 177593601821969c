"""Settings of all tests: ``HYPOTHESIS_PROFILE=thorough`` tries ten times as many examples."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile(
    "thorough", deadline=None, max_examples=10 * settings.get_profile("default").max_examples
)

if "HYPOTHESIS_PROFILE" in os.environ:
    settings.load_profile(os.environ["HYPOTHESIS_PROFILE"])
