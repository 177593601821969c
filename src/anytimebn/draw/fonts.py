"""Fonts for the letters of any script, as far as the machine has them."""

from __future__ import annotations

import functools
import unicodedata
import warnings
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from anytimebn.base.errors import DataWarning
from anytimebn.base.text import listed
from anytimebn.base.warn import warn_caller

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

USUAL = "DejaVu Sans"
"""Comes with matplotlib: Latin, Greek, Cyrillic and much more, but not the letters of East Asia."""

NO_LETTERS = "Last Resort"
"""Comes with matplotlib, too: boxes with the number of every letter there is."""


def families_for(texts: Iterable[str]) -> list[str]:
    """Name fonts that together have the letters of all texts, each for what those before lack.

    Letters that no font of the machine has are drawn as boxes, with a warning.

    Examples
    --------
    >>> families_for(["rain", "Größe", "возраст"])
    ['DejaVu Sans']
    """
    needed = {ord(letter) for text in texts for letter in text if _is_drawn(letter)}
    families = [USUAL]
    missing = needed - _letters_of(_path_of(USUAL))
    while missing:
        family, path = _best_font(frozenset(missing))
        if not family:
            shown = listed([repr(chr(letter)) for letter in sorted(missing)])
            warn_caller(
                f"no font on this machine has {shown}: a drawing shows boxes instead; install one "
                "that has, such as the Noto fonts",
                DataWarning,
            )
            break
        families.append(family)
        missing -= _letters_of(path)
    return families


@contextmanager
def without_warnings_of_letters() -> Iterator[None]:
    """Leave out what matplotlib says of each letter that no font has: it was said once."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def _is_drawn(letter: str) -> bool:
    """Whether a font must have it: not spaces, nor signs that steer how others are drawn."""
    return not letter.isspace() and unicodedata.category(letter) not in ("Cc", "Cf", "Cn", "Co")


@functools.cache
def _best_font(missing: frozenset[int]) -> tuple[str, str]:
    """Find the font with the most of these letters; names break ties, so that it is always one."""
    from matplotlib.font_manager import fontManager

    _look_for_new_fonts()
    best = (0, "", "")
    # Of each family the plain face: others have the same letters.
    for font in sorted(fontManager.ttflist, key=lambda one: (one.name, str(one.fname))):
        if (
            font.name.startswith(NO_LETTERS)
            or font.style != "normal"
            or font.weight not in (400, "normal", "regular", "book")
        ):
            continue
        count = len(missing & _letters_of(font.fname))
        if count > best[0]:
            best = (count, font.name, font.fname)
    return best[1], best[2]


@functools.cache
def _look_for_new_fonts() -> None:
    """Find fonts that were installed since matplotlib made its list, which it keeps for good."""
    from matplotlib.font_manager import findSystemFonts, fontManager

    known = {str(font.fname) for font in fontManager.ttflist}
    for path in sorted(set(findSystemFonts()) - known):
        with suppress(OSError, RuntimeError):  # one that cannot be read is none
            fontManager.addfont(path)


def _path_of(family: str) -> str:
    from matplotlib.font_manager import findfont

    return str(findfont(family))


@functools.cache
def _letters_of(path: str) -> frozenset[int]:
    from matplotlib.ft2font import FT2Font

    try:
        return frozenset(FT2Font(path).get_charmap())
    except (OSError, RuntimeError):  # a font that cannot be read has no letters
        return frozenset()
