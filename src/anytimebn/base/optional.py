"""Packages that only some users need: imported when used, and named when missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from anytimebn.base.errors import MissingPackage


def optional(module: str, *, needed_for: str, install: str) -> Any:
    """Import a module, or say what to install.

    Examples
    --------
    >>> optional("no_such_module", needed_for="this example", install="no-such-package")
    Traceback (most recent call last):
    anytimebn.MissingPackage: this example needs no_such_module: pip install no-such-package
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and module.split(".")[0] != error.name.split(".")[0]:
            raise  # it is there, but lacks something itself
        raise MissingPackage(
            f"{needed_for} needs {module.split('.')[0]}: pip install {install}"
        ) from error
