"""Replicates as HTML, for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anytimebn.network.html import drawn_with_words

if TYPE_CHECKING:
    from anytimebn.learning.resampling import Bootstrap


def bootstrap_html(found: Bootstrap) -> str:
    """Show what replicates say: the network, each arc as wide as it is frequent in them."""
    return drawn_with_words(found.result.network, repr(found), found.plot)
