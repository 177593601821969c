"""What is done with a result: written to files, and shown."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from anytimebn.cli.outputs import uninterrupted, write_all
from anytimebn.cli.summary import print_result, print_verdict
from anytimebn.draw.style import PICTURE_SUFFIXES
from anytimebn.network.files.networks import write_network

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from rich.console import Console

    from anytimebn.cli.outputs import Writer
    from anytimebn.result.result import Result


@contextmanager
def kept(found: list[Result]) -> Iterator[None]:
    """Go on when Ctrl-C comes after a result was found, as while the view of it is closed."""
    try:
        yield
    except KeyboardInterrupt:
        if not found:
            raise


def write_result(
    console: Console, result: Result, json: Path | None, networks: Sequence[Path]
) -> None:
    """Write a result and its network, and print it.

    It may have taken hours. What was found is written first, because nobody may be there to read
    it, and shown even when it cannot be written.
    """
    files: list[tuple[Path, Writer]] = [(json, result.save)] if json else []
    for path in networks:
        drawn = path.suffix.lower() in PICTURE_SUFFIXES
        write = result.plot_network if drawn else partial(write_network, result.network)
        files.append((path, write))
    with uninterrupted():
        try:
            write_all(files)
        finally:
            print_result(console, result)
        for path, _ in files:
            console.print(f"wrote {path}", soft_wrap=True)
        print_verdict(console, result)  # once more: the first may have scrolled out of sight
