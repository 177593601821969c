"""Names of any kind as plain words, for formats that take nothing else."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def plain_words(originals: Iterable[str], plain_word: Callable[[str], str]) -> list[str]:
    """Turn each string into a word that the format takes, all of them different.

    Parameters
    ----------
    originals
        The strings, all different.
    plain_word
        Gives a word for a string: the string itself if the format takes it as it is.

    Examples
    --------
    >>> plain_words(["a b", "a_b", "c"], lambda text: text.replace(" ", "_"))
    ['a_b_2', 'a_b', 'c']
    """
    originals = list(originals)
    words = list(map(plain_word, originals))
    # A string that is a plain word keeps it; only then do the rewritten ones choose theirs.
    taken = {word for word, original in zip(words, originals, strict=True) if word == original}
    for position, (word, original) in enumerate(zip(words, originals, strict=True)):
        if word == original:
            continue
        free = (f"{word}_{number}" for number in itertools.count(2))
        words[position] = word if word not in taken else next(w for w in free if w not in taken)
        taken.add(words[position])
    return words
