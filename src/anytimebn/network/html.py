"""Networks as HTML: a drawing, and what it is in words."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from anytimebn.draw.embed import embedded_image

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from anytimebn.network.network import Network


MOST_DRAWN = 250
"""Variables of a network that is drawn without being asked: more are slow to lay out."""


def network_html(network: Network, weights: Mapping[tuple[str, str], float] | None = None) -> str:
    """Show a network: a drawing, and what it is in words.

    Examples
    --------
    >>> from anytimebn import Network
    >>> "<img" in network_html(Network.from_parents({"rain": [], "wet": ["rain"]}))
    True
    """
    return drawn_with_words(network, repr(network), lambda: network.plot(weights=weights or None))


def drawn_with_words(network: Network, words: str, draw: Callable[[], Any]) -> str:
    """Show a drawing and words; a network that is too large to draw has words only."""
    escaped = html.escape(words)
    if not 0 < len(network.names) <= MOST_DRAWN:
        return f"<div>{escaped}</div>"
    return f"<div>{embedded_image(draw, words)}<div>{escaped}</div></div>"


def table_html(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Write a table, with a line of headings if there are any.

    Examples
    --------
    >>> table_html([], [["yes", "0.25"]])
    '<table><tbody><tr><td>yes</td><td>0.25</td></tr></tbody></table>'
    """

    def row(line: Sequence[str], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in line)}</tr>"

    top = f"<thead>{row(head, 'th')}</thead>" if head else ""
    return f"<table>{top}<tbody>{''.join(row(line, 'td') for line in lines)}</tbody></table>"


def text_html(text: str) -> str:
    """Write lines whose blanks matter; notebooks have no fixed width for them by themselves."""
    return f'<pre style="font-family: monospace">{html.escape(text)}</pre>'
