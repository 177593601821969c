"""The process that measures one case: ``python -m benchmarks.worker SUITE OPTIONS``."""

from __future__ import annotations

import json
import resource
import sys

from benchmarks.suites import load


def peak_memory_bytes() -> int:
    """Most memory that this process has held so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


if __name__ == "__main__":
    suite_name, options = sys.argv[1:]
    results = load(suite_name).measure(**json.loads(options))
    # A measurement of another process has the memory of that one.
    print(json.dumps({"peak_memory_bytes": peak_memory_bytes(), **results}))
