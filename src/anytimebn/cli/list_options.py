"""Options that take several words: ``--rows 1000 5000``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

LISTS = (
    "--variables",
    "--max-parents",
    "--rows",
    "--seed",
    "--data",
    "--algorithms",
    "--heuristics",
)


class ListCommand(TyperCommand):
    """A command whose list options take all words up to the next option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Write ``--rows 1000 5000`` as ``--rows 1000 --rows 5000``, then continue as usual."""
        return super().parse_args(ctx, spread(args))


def spread(words: Sequence[str]) -> list[str]:
    """Repeat a list option before each of its values.

    Examples
    --------
    >>> spread(["--rows", "1000", "5000", "--jobs", "2"])
    ['--rows', '1000', '--rows', '5000', '--jobs', '2']
    """
    spoken: list[str] = []
    option, taken = "", 0
    for word in words:
        if word.startswith("-"):
            option, taken = (word if word in LISTS else ""), 0
        elif option:
            taken += 1
            if taken > 1:
                spoken.append(option)
        spoken.append(word)
    return spoken
