"""The scores that can be chosen by name, read from the native registry."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from anytimebn.base.choices import Choice, Parameter, find_choice


@dataclass(frozen=True)
class ScoreChoice(Choice):
    """A registered score."""

    parameters: tuple[Parameter, ...]
    largest_table: float  # cells of the largest joint table that it can score

    def takes(self, parameter: str) -> bool:
        """Whether it has a parameter of this name.

        Examples
        --------
        >>> find_score("bdeu").takes("ess"), find_score("mdl").takes("ess")
        (True, False)
        """
        return any(own.name == parameter for own in self.parameters)


@cache
def scores() -> tuple[ScoreChoice, ...]:
    """All scores, by name.

    Examples
    --------
    >>> [choice.name for choice in scores()]
    ['aic', 'bdeu', 'bic', 'fnml', 'mdl', 'qnml']
    """
    from anytimebn import _native

    return tuple(
        ScoreChoice(*entry[:3], tuple(Parameter(*own) for own in entry[3]), entry[4])
        for entry in _native.registered_scores()
    )


def score_names() -> tuple[str, ...]:
    """Names of all scores."""
    return tuple(choice.name for choice in scores())


def find_score(name: str) -> ScoreChoice:
    """Look a score up."""
    return find_choice("score", name, scores())
