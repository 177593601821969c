"""What can go wrong, and whose fault it is.

Reaching a limit is never an error: it is a status of the result.
"""

from __future__ import annotations


class AnytimebnError(Exception):
    """Base of every error that this package raises on purpose."""


class InputError(AnytimebnError, ValueError):
    """What the user gave cannot be used: the message says where, and what would be accepted."""


class ConstraintError(InputError):
    """No network satisfies the constraints that were given."""


class LimitReached(AnytimebnError):
    """A limit was reached before there was anything to return, such as a network or an answer."""


class DataWarning(UserWarning):
    """The data can be used, but probably not as intended: the message says what to do."""


class CheckpointWarning(UserWarning):
    """A checkpoint cannot be written: the run goes on, but could not be taken up again."""


class WorkerWarning(UserWarning):
    """Those who were to do a part of the work cannot: it is done elsewhere."""


class MissingPackage(AnytimebnError, ImportError):
    """Something needs a package that is not installed: the message says how to get it."""


# Tracebacks call them by the name under which people import them.
for _kind in (
    AnytimebnError,
    InputError,
    ConstraintError,
    LimitReached,
    DataWarning,
    CheckpointWarning,
    WorkerWarning,
    MissingPackage,
):
    _kind.__module__ = "anytimebn"
