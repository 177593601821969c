"""The scores that can be chosen by name, read from the native registry."""

from __future__ import annotations

from functools import cache

from anytimebn.base.choices import Choice


@cache
def scores() -> tuple[Choice, ...]:
    """All scores, by name.

    Examples
    --------
    >>> [choice.name for choice in scores()]
    ['aic', 'bdeu', 'bic', 'fnml', 'mdl', 'qnml']
    """
    from anytimebn import _native

    return tuple(Choice(*entry) for entry in _native.registered_scores())


def score_names() -> tuple[str, ...]:
    """Names of all scores."""
    return tuple(choice.name for choice in scores())
