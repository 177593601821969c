"""Whether a page is wanted, and where people find it."""

from __future__ import annotations

import logging
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from anytimebn.base.checks import is_whole
from anytimebn.base.errors import InputError
from anytimebn.base.text import shown
from anytimebn.watch.notebook import in_notebook, show_link

if TYPE_CHECKING:
    from collections.abc import Iterator

    from anytimebn.watch.page.live import LivePage

LOG = logging.getLogger(__name__)

HIGHEST_PORT = 65535


def check_live(live: object) -> None:
    """Refuse what is neither a truth value nor a port."""
    if isinstance(live, bool):
        return
    if not is_whole(live) or not 0 < live <= HIGHEST_PORT:  # type: ignore[operator]
        raise InputError(
            f"live must be True, False, or a port from 1 to {HIGHEST_PORT}, not {shown(live)}"
        )


@contextmanager
def live_page(
    live: bool | int, title: str, time_limit: float | None = None
) -> Iterator[LivePage | None]:
    """Serve a page while the block runs, if one is wanted, and tell its address.

    That is told in a notebook by a link, and elsewhere by a line on standard error.
    """
    if live is False:
        yield None
        return
    from anytimebn.watch.page.live import (
        LivePage,
    )  # so that nobody else waits for a server's imports

    page = LivePage(title, port=0 if live is True else int(live), time_limit=time_limit)
    try:
        tell_address(page.address)
        yield page
    except BaseException as failure:
        page.fail(failure)
        raise
    finally:
        try:
            page.close()
        except KeyboardInterrupt:  # whoever presses now wants the result no less
            LOG.debug("the page was closed early")


def tell_address(address: str) -> None:
    """Tell people where the page is."""
    if in_notebook():
        show_link(address, "live page")
    elif sys.stderr is not None:
        try:
            sys.stderr.write(f"live page: {address}\n")
            sys.stderr.flush()
        except (OSError, ValueError):  # nobody is there to read it
            LOG.debug("the address could not be told")


def title_of_data(data: object) -> str:
    """Call what is learned from by a name."""
    if isinstance(data, str | os.PathLike):
        return Path(data).name
    return "a table"


def open_in_browser(address: str) -> bool:
    """Open a page where there is a screen; a browser in a terminal would take that over."""
    has_screen = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    if not has_screen:
        return False
    import webbrowser

    return webbrowser.open(address)
