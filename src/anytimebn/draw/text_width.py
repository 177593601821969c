"""How wide a line of text is, about: for drawings that others put on a screen, in their fonts."""

from __future__ import annotations

import unicodedata

# Of the size of the letters, in the sans-serif fonts that systems have.
NARROW, SLIM, USUAL, CAPITAL, WIDE, SQUARE = 0.3, 0.4, 0.58, 0.7, 0.92, 1.05
_WIDTHS = {
    **dict.fromkeys("ijlI.,:;'|!`", NARROW),
    **dict.fromkeys('frt()[]{}-/\\ "', SLIM),
    **dict.fromkeys("mwMW@%…—", WIDE),
}


def estimated_width(text: str, size: float) -> float:
    """Estimate the width of a line, rather too wide than too narrow.

    Examples
    --------
    >>> estimated_width("ill", 10.0) < estimated_width("age", 10.0) < estimated_width("WWW", 10.0)
    True
    >>> estimated_width("年齢", 10.0)
    21.0
    """
    return size * sum(map(_width, text))


def _width(letter: str) -> float:
    known = _WIDTHS.get(letter)
    if known is not None:
        return known
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):  # stands on or steers another
        return 0.0
    if unicodedata.east_asian_width(letter) in ("W", "F"):
        return SQUARE
    return CAPITAL if letter.isupper() else USUAL if letter.isascii() else CAPITAL
