"""What can be chosen by name, and the parameters it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from anytimebn.base.checks import is_number
from anytimebn.base.errors import InputError
from anytimebn.base.text import did_you_mean, shown, unknown_name

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class Choice:
    """One registered score, heuristic or algorithm."""

    name: str
    summary: str
    paper: str


@dataclass(frozen=True)
class Parameter:
    """A number that an algorithm or a heuristic takes."""

    name: str
    default: float
    lowest: float
    highest: float
    summary: str
    whole: bool


Found = TypeVar("Found", bound=Choice)


def find_choice(kind: str, name: str, choices: tuple[Found, ...]) -> Found:
    """Look one up, or list the valid names."""
    for choice in choices:
        if choice.name == name:
            return choice
    raise InputError(unknown_name(kind, name, [choice.name for choice in choices]))


def parse_parameters(texts: Iterable[str]) -> dict[str, float]:
    """Read parameters as people write them.

    Examples
    --------
    >>> parse_parameters(["weight=1.5"])
    {'weight': 1.5}
    """
    found = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            found[name.strip()] = float(value)
        except ValueError:
            raise InputError(
                f"{text!r} is not a parameter; write NAME=VALUE with a number, such as weight=1.5"
            ) from None
    return found


def check_parameters(
    owner: str, given: Mapping[str, float], parameters: Iterable[Parameter]
) -> None:
    """Refuse unknown parameters of an algorithm or a heuristic, and values out of range."""
    if not isinstance(given, Mapping):
        raise InputError(
            f"parameters must be numbers by name, such as {{'weight': 1.5}}, not {shown(given)}"
        )
    known = {parameter.name: parameter for parameter in parameters}
    for name, value in given.items():
        if name not in known:
            options = ", ".join(sorted(known)) or "none"
            hint = did_you_mean(name, known)
            raise InputError(f"{owner} has no parameter {name!r}{hint}; it has: {options}")
        own = known[name]
        kind = "a whole number" if own.whole else "a number"
        if not (
            is_number(value)
            and own.lowest <= value <= own.highest
            and (not own.whole or value == int(value))
        ):
            raise InputError(
                f"parameter {name} must be {kind} between {own.lowest:g} and {own.highest:g}, "
                f"not {shown(value)}"
            )
