"""What pages are told, as JSON values, of searches that run and of results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from anytimebn.base.report import ORDERS, SCORING, SEARCHING, BestNetwork
from anytimebn.base.text import how_many, percent
from anytimebn.network.files.bif import bif_text
from anytimebn.result.event import bound_in_words
from anytimebn.result.words import status_line, summary_of
from anytimebn.watch.page.board import Moment
from anytimebn.watch.standing import share_done, title_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from anytimebn.base.report import Report
    from anytimebn.network.network import Network
    from anytimebn.result.event import Event
    from anytimebn.result.result import Result

LARGEST_FILE = 30_000_000  # bytes that a page is handed when a run ends

STEPS = ("first network", "growing", "proving")


def status_json(now: Report, rows: Mapping[str, str], *, searched: bool) -> dict[str, Any]:
    """Tell where a search stands.

    Parameters
    ----------
    now
        The last report.
    rows
        As `anytimebn.watch.standing.Standing` gives them.
    searched
        Whether there was more than the search for a first network.
    """
    step = STEPS[2] if now.phase == SEARCHING else STEPS[1 if searched else 0]
    told = {
        ORDERS: "searching orders for a better network"
        if searched
        else "searching orders for a first network",
        SCORING: "counting the families that may be better",
        SEARCHING: "proving that no network is better, or finding one",
    }
    facts = {name: said for name, said in rows.items() if said and name not in ABOUT_THE_NETWORK}
    if now.fraction is not None:
        facts = {"elapsed": rows["elapsed"], "done": share_done(now)}
    elif now.phase == ORDERS:  # there are no nodes of a graph
        facts = {name: said for name, said in facts.items() if not name.startswith("nodes")}
    return {
        "state": "working",
        "step": step,
        "steps": STEPS,
        "doing": told.get(now.phase, now.phase),
        "detail": title_of(now),
        "fraction": now.fraction,
        "facts": facts,
        **quality_json(now.cost, now.lower_bound, now.bound_space or now.space),
    }


ABOUT_THE_NETWORK = ("cost", "lower bound", "above best")
SAID_LARGER = ("cost", "lower bound", "gap")
"""What a page shows elsewhere, and larger: of reports, and of results."""


def quality_json(cost: float | None, bound: float | None, space: str | None) -> dict[str, Any]:
    """Tell how good the best network is, in numbers and in words."""
    from anytimebn.result.event import error_bound

    ratio = None if cost is None else error_bound(cost, bound)
    return {
        "cost": None if cost is None else f"{cost:,.3f}",
        "bound": bound_in_words(bound, cost, 3),
        "gap": None if ratio is None else percent(ratio - 1),
        "is_closed": ratio == 1.0,
        "space": space,
    }


def ended_json(result: Result) -> dict[str, Any]:
    """Tell what was found, in the place of where the search stands."""
    return {
        "state": "ended",
        "step": None,
        "steps": STEPS,
        "doing": "ended",
        "detail": status_line(result),
        "claim": result.claim,
        "fraction": None,
        "facts": {
            name: said for name, said in summary_of(result).items() if name not in SAID_LARGER
        },
        **quality_json(
            result.cost,
            result.lower_bound,
            None if result.lower_bound is None else result.space.name,
        ),
        "is_closed": result.status == "optimal",
    }


def end_json(result: Result) -> dict[str, Any]:
    """Hand over what people may want to keep, because nobody serves it any more."""
    kept = {"result.json": result.to_json_text()}
    if result.network.probabilities is not None:
        kept["network.bif"] = network_bif(result.network)
    kept = {name: text for name, text in kept.items() if len(text) <= LARGEST_FILE}
    return {"words": status_line(result), "files": kept}


def network_bif(network: Network) -> str:
    """Give a network with probabilities as BIF."""
    return bif_text(network, Path("network.bif"))


def best_network_of(result: Result) -> BestNetwork:
    """Give the network of a result as reports have it."""
    return BestNetwork(result.network.names, result.network.parents, result.arc_strengths or None)


def moments_of(events: Iterable[Event]) -> list[Moment]:
    """Give the history of a search that has ended."""
    moments = []
    space = None
    for event in events:
        space = event.space or space
        moments.append(Moment(event.seconds, event.cost, event.lower_bound, space))
    return moments


def subject_json(
    title: str, kind: str, *, rows: int | None = None, variables: int | None = None, stops: bool
) -> dict[str, Any]:
    """Tell what a page is about."""
    sizes = [
        how_many(number, thing)
        for number, thing in ((rows, "row"), (variables, "variable"))
        if number is not None
    ]
    return {"title": title, "kind": kind, "size": ", ".join(sizes), "can_stop": stops}
