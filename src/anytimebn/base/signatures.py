"""Signatures that show options which are declared elsewhere, once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, fields
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def fields_as_parameters(kind: type, *, without: Iterable[str] = ()) -> list[inspect.Parameter]:
    """Give the fields of a dataclass as keywords of a function, with their types and defaults."""
    left_out = set(without)
    return [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=_default(field),
            annotation=field.type,
        )
        for field in fields(kind)
        if field.name not in left_out
    ]


def _default(field: Field[Any]) -> Any:
    if field.default is not MISSING:
        return field.default
    return inspect.Parameter.empty if field.default_factory is MISSING else field.default_factory()


def shows(parameters: Iterable[inspect.Parameter]) -> Callable[[Function], Function]:
    """Show parameters in the signature of a function that takes them among its ``**options``.

    So ``help`` and the completion of notebooks have them, and their defaults stand in one place.
    What the function declares itself comes first, and counts.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Options:
    ...     depth: int = 3
    ...     seed: int = 0
    >>> @shows(fields_as_parameters(Options))
    ... def walk(start, *, seed: int = 1, **options): ...
    >>> str(inspect.signature(walk))
    "(start, *, seed: 'int' = 1, depth: 'int' = 3)"
    """
    given = list(parameters)

    def show(function: Function) -> Function:
        signature = inspect.signature(function)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        names = {parameter.name for parameter in own}
        more = [parameter for parameter in given if parameter.name not in names]
        function.__signature__ = signature.replace(parameters=[*own, *more])  # type: ignore[attr-defined]
        return function

    return show
