"""Packages that only some users need: imported when used, and named when missing."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
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
        raise _missing(module, needed_for, install) from error


def check_for(module: str, *, needed_for: str, install: str) -> None:
    """Say now what to install, if a module is missing that will be needed later.

    Examples
    --------
    >>> check_for("no_such_module", needed_for="the end", install="no-such-package")
    Traceback (most recent call last):
    anytimebn.MissingPackage: the end needs no_such_module: pip install no-such-package
    """
    if find_spec(module) is None:
        raise _missing(module, needed_for, install)


def _missing(module: str, needed_for: str, install: str) -> MissingPackage:
    return MissingPackage(f"{needed_for} needs {module.split('.')[0]}: pip install {install}")
