"""A job of learning as JSON, so that it can be taken up by another process."""

from __future__ import annotations

import os
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anytimebn.base.errors import InputError
from anytimebn.base.json_fields import Fields
from anytimebn.data.completion import Completion
from anytimebn.data.options import TableOptions
from anytimebn.knowledge.constraints import Knowledge
from anytimebn.learning.task import LearnTask
from anytimebn.network.network import Network
from anytimebn.scores.scoring import ScoringOptions
from anytimebn.solver.settings import SearchSettings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from anytimebn.data.read import TableLike
    from anytimebn.scores.store import LocalScores

LEFT_OUT = ("known_rows", "proofs", "certify_along", "stop_at_check")
"""Settings that make a search faster, or are for tests: the state of a run has its own."""

_SETTINGS = tuple(one.name for one in fields(SearchSettings) if one.name not in LEFT_OUT)


def recipe_of(task: LearnTask) -> dict[str, Any]:
    """Write a task down; data that are not a file are left out.

    Examples
    --------
    >>> recipe = recipe_of(LearnTask(data="rain.csv", settings=SearchSettings(seed=3)))
    >>> Path(recipe["data"]).name, recipe["settings"]["seed"]
    ('rain.csv', 3)
    >>> task_of(recipe, data=[[0, 1], [1, 0]]).settings.seed
    3
    """
    settings = {name: getattr(task.settings, name) for name in _SETTINGS}
    settings["parameters"] = {name: float(own) for name, own in task.settings.parameters.items()}
    settings["groups"] = [list(group) for group in task.settings.groups]
    for name in ("jobs", "seed", "max_expansions"):  # of other packages, perhaps
        settings[name] = None if settings[name] is None else int(settings[name])
    if settings["disk"] is not None:
        settings["disk"] = str(Path(settings["disk"]).absolute())
    start = task.start
    return {
        "data": _path_of(task.data),
        "table_options": task.table_options.to_json(),
        "scoring": {one.name: getattr(task.scoring, one.name) for one in fields(ScoringOptions)},
        "knowledge": task.knowledge.to_json(),
        "settings": settings,
        "start": None
        if start is None
        else {name: list(start.parents_of(name)) for name in start.names},
        "space": task.space,
        "completion": None if task.completion is None else task.completion.to_json(),
    }


def _path_of(data: object) -> str | None:
    return str(Path(data).resolve()) if isinstance(data, str | os.PathLike) else None


def task_of(content: object, data: TableLike | LocalScores | None = None) -> LearnTask:
    """Make a task of what `recipe_of` wrote.

    Parameters
    ----------
    content
        What `recipe_of` wrote.
    data
        Where the data are now, if they are not where they were.

    Raises
    ------
    InputError
        If it makes no sense, or there are no data.
    """
    recipe = Fields(content, "the task")
    if data is None:
        path = recipe.maybe("data", recipe.text)
        if path is None:
            raise InputError("the data were not a file: give them again, as data=...")
        if not Path(path).exists():
            raise InputError(
                f"the data were in {path}, where there is nothing now: say where they are, with "
                "--data (data=... in Python)"
            )
        data = Path(path)
    known = _known(recipe.entries("settings"), _SETTINGS, "the settings")
    scoring = _known(
        recipe.entries("scoring"), [one.name for one in fields(ScoringOptions)], "the scoring"
    )
    try:
        return LearnTask(
            data=data,
            table_options=TableOptions.from_json(recipe.entries("table_options")),
            scoring=ScoringOptions(**scoring),
            knowledge=Knowledge.from_json(recipe.entries("knowledge")),
            settings=SearchSettings(**known),
            start=recipe.maybe("start", lambda key: Network.from_parents(recipe.entries(key))),
            space=recipe.text("space"),  # type: ignore[arg-type]
            completion=Completion.from_json(recipe.maybe("completion", recipe.entries)),
        )
    except (TypeError, AttributeError) as error:
        raise InputError(f"the task cannot be understood: {error}") from error


def _known(given: Mapping[str, Any], names: Any, place: str) -> dict[str, Any]:
    for name in given:
        if name not in names:
            raise InputError(f"{place} have an entry {name!r}, which is unknown")
    return dict(given)
