"""``anytimebn watch``: show in a browser what an earlier run has left, or what one leaves now."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anytimebn.base.errors import InputError

if TYPE_CHECKING:
    from anytimebn.watch.page.saved import Source


def watch(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH",
            help="A result (learn --json), a checkpoint (learn --checkpoint), or the folder of a "
            "study (evaluate --out).",
        ),
    ],
    *,
    port: Annotated[
        int | None,
        typer.Option(metavar="PORT", help="Of the page.", show_default="one that is free"),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only print the address of the page.")
    ] = False,
) -> None:
    """Show a result, a checkpoint or a study on a page in a browser, until Ctrl-C.

    The page is served on this machine only. It follows the file: a checkpoint that a running learn
    writes, or a study, shows what is new.
    """
    from anytimebn.watch.page.saved import SavedPage
    from anytimebn.watch.page.serving import check_live, open_in_browser

    if port is not None:
        check_live(port)
    page = SavedPage(_source(path), port=port or 0)
    try:
        typer.echo(f"{path}: {page.address} (Ctrl-C ends)")
        if not no_browser:
            open_in_browser(page.address)
        page.wait()
    except KeyboardInterrupt:  # which is how this ends
        pass
    finally:
        page.close()


def _source(path: Path) -> "Source":
    """See what a path is."""
    from anytimebn.evaluation.store import ARCHIVE_SUFFIX
    from anytimebn.learning.checkpoint_file import MAGIC

    if path.is_dir() or path.name.endswith(ARCHIVE_SUFFIX):
        from anytimebn.evaluation.on_page import SavedStudy

        return SavedStudy(path)
    try:
        with path.open("rb") as file:
            begins = file.read(len(MAGIC))
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read: {error.strerror}; give a result, a checkpoint, or the folder "
            "of a study"
        ) from error
    if begins == MAGIC:
        from anytimebn.learning.saved_on_page import SavedCheckpoint

        return SavedCheckpoint(path)
    from anytimebn.watch.page.saved import SavedResult

    return SavedResult(path)
