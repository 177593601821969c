"""Searches over random parent sets, in all ways, stopped at random: what they claim is true."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import anytimebn as ab
from anytimebn.solver import registry
from fuzz.campaign import Campaign, Case, require
from fuzz.knowledge import allows, draw_constraints
from fuzz.oracle import is_acyclic, lowest_cost, mask_of, members_of
from fuzz.score_problems import (
    UNITS,
    as_families,
    as_scores,
    draw_problem,
    draw_symmetric,
    names_of,
)
from fuzz.simplify import with_fewer, without_keys
from fuzz.verifying import require_verified, verified

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from fuzz.oracle import Families

LIMITS = ("stop_at_check", "max_expansions", "memory_limit", "refuse_memory_at")
RUNS_A_PROBLEM = 5


def draw(random: Random) -> Case:
    """Draw a problem, and some ways to search it."""
    symmetric = random.random() < 0.03
    problem = draw_problem(random, 11 if random.random() < 0.03 else 9)
    if symmetric:
        problem = draw_symmetric(random)
    names = names_of(len(problem))
    constraints: dict[str, Any] = {}
    if random.random() < 0.3:
        constraints = draw_constraints(random, names, required=False)
    runs = [_draw_settings(random, problem) for _ in range(RUNS_A_PROBLEM)]
    if symmetric:
        runs[0] = {"algorithm": "ilp", "jobs": 1, "local_search": random.random() < 0.5}
    return {"problem": problem, "constraints": constraints, "runs": runs}


def _draw_settings(random: Random, problem: list[Any]) -> dict[str, Any]:
    count = len(problem)
    algorithms = [algorithm.name for algorithm in registry.algorithms()]
    chosen = registry.algorithm(random.choice([*algorithms, "auto", "auto"]))
    if chosen.name == "ilp" and random.random() < 0.8:  # takes long to set up
        chosen = registry.algorithm("auto")
    found: dict[str, Any] = {"algorithm": chosen.name, "jobs": random.choice([1, 1, 1, 2, 3])}
    known = list(chosen.parameters)
    if chosen.uses_heuristic:
        heuristic = random.choice(registry.heuristics())
        found["heuristic"] = heuristic.name
        known += heuristic.parameters
    parameters = {}
    for parameter in known:
        if random.random() < 0.3:
            parameters[parameter.name] = _draw_parameter(random, parameter)
    if parameters:
        found["parameters"] = parameters
    if chosen.name in ("best-order-search", "hill-climbing"):
        quick = {"generations": 1.0} if chosen.name == "best-order-search" else {"patience": 20.0}
        found["parameters"] = {**found.get("parameters", {}), **quick}
    if random.random() < 0.4:
        limit = random.choice(LIMITS)
        most = random.choice([3, 30, 300, 3000])
        found[limit] = random.randint(1, most) * (1000 if limit == "memory_limit" else 1)
    for name, likely in (("path_extension", 0.2), ("components", 0.2), ("local_search", 0.4)):
        if random.random() < likely:
            found[name] = False
    if random.random() < 0.1:
        found["gap"] = random.choice([0.001, 0.1, 2.0])
    if random.random() < 0.15 and not chosen.proves:
        found["bound"] = True
    if random.random() < 0.2:
        found["seed"] = random.randrange(1000)
    if random.random() < 0.2:
        found["start"] = draw_network(random, count)
    if random.random() < 0.1:
        found["also_with_jobs"] = random.choice([1, 2, 4])
    if random.random() < 0.1:
        found["stream"] = True
    return found


def _draw_parameter(random: Random, parameter: Any) -> float:
    low, default = parameter.lowest, parameter.default
    high = min(parameter.highest, 10 * max(1.0, default))
    value = random.choice([low, default, high, random.uniform(low, high)])
    return float(round(value)) if parameter.whole else float(value)


def draw_network(random: Random, count: int) -> list[list[int]]:
    """Draw the parents of each variable, without a cycle."""
    order = random.sample(range(count), count)
    parents: list[list[int]] = [[] for _ in order]
    for place, child in enumerate(order):
        wanted = min(place, random.choice([0, 1, 1, 2, 3]))
        parents[child] = sorted(random.sample(order[:place], wanted))
    return parents


def run(case: Case) -> Iterator[str]:
    """Search in all ways, and check each result."""
    names = names_of(len(case["problem"]))
    families = [
        {mask: cost for mask, cost in own.items() if allows(case["constraints"], names, v, mask)}
        for v, own in enumerate(as_families(case["problem"]))
    ]
    optimum = lowest_cost(families)
    scores = as_scores(case["problem"])
    for settings in case["runs"]:
        options = dict(settings)
        start = options.pop("start", None)
        other_jobs = options.pop("also_with_jobs", None)
        search = _streamed if options.pop("stream", False) else _learned
        if start is not None:
            options["start"] = ab.Network(tuple(names), tuple(map(tuple, start)))
        limited = any(name in settings for name in LIMITS)
        try:
            result = search(scores, **case["constraints"], **options)
        except ab.ConstraintError:
            require(optimum == math.inf or start is not None, "no network is found, but exists")
            yield "no network"
            continue
        except ab.LimitReached:
            require(limited, "a limit is reached that was not set")
            yield "limit reached"
            continue
        except ab.InputError:
            require(start is not None, "refused")
            yield "start refused"
            continue
        _check(result, families, optimum, names)
        _check_start(result, families, start)
        if result.status == "gap":
            bound = result.lower_bound or -math.inf
            within = result.cost <= (1 + settings["gap"]) * bound + 1e-6
            require(within, f"cost {result.cost} with the gap at {bound}")
        if result.status in ("memory", "expansions", "interrupted"):
            require(limited, f"the status is {result.status} without a limit")
        # What ilp proves, SCIP proves: within its tolerance, which can be too much.
        proves = registry.algorithm(result.algorithm).proves and result.algorithm != "ilp"
        if proves and not limited and "gap" not in settings:
            require(result.status == "optimal", f"the status is {result.status} without a limit")
        if not _is_tiny(case):
            given = None if case["constraints"] else scores
            require_verified(verified(result.to_json(), scores=given))
        # Other threads come to the same, unless something ends them in between.
        if other_jobs is not None and not limited:
            options["jobs"] = other_jobs
            same = search(scores, **case["constraints"], **options)
            require(_told(result) == _told(same), f"{_told(result)}, with others {_told(same)}")
        yield f"{result.algorithm} {result.status}"


def _learned(scores: ab.LocalScores, **options: Any) -> ab.Result:
    return ab.learn(scores, progress=None, **options)


def _streamed(scores: ab.LocalScores, **options: Any) -> ab.Result:
    stream = ab.stream(scores, **options)
    events = tuple(stream)
    result = stream.close()
    require(events == result.events, f"{len(events)} events in the stream, not those of the result")
    return result


def _told(result: ab.Result) -> tuple[Any, ...]:
    return result.status, result.cost, result.lower_bound, result.network.parents


def _check(result: ab.Result, families: Families, optimum: float, names: list[str]) -> None:
    require(optimum < math.inf, "a network is found where there is none")
    require(list(result.network.names) == names, "the names are others")
    masks = [mask_of(parents) for parents in result.network.parents]
    require(is_acyclic(masks), f"the network has a cycle: {result.network.parents}")
    for child, mask in enumerate(masks):
        require(mask in families[child], f"{names[child]} may not have the parents {mask}")
    cost = sum(own[mask] for own, mask in zip(families, masks, strict=True))
    require(_units(result.cost) == cost, f"its cost is {cost}, not {_units(result.cost)}")
    require(cost >= optimum, f"the cost {cost} is below the optimum {optimum}")
    if result.status == "optimal":
        require(cost == optimum, f"{cost} is called optimal, but {optimum} is")
    last_cost, last_bound = math.inf, -math.inf
    moments: list[ab.Event | ab.Result] = [*result.events, result]
    for event in moments:
        bound = -math.inf if event.lower_bound is None else event.lower_bound
        require(bound * UNITS <= optimum + 0.5, f"bound {bound} above optimum {optimum / UNITS}")
        require(_units(event.cost) >= optimum, f"an event has the cost {event.cost}")
        # By less than a unit sums in another order differ.
        require(event.cost <= last_cost + 0.5 / UNITS, "the cost rises")
        require(bound >= last_bound - 0.5 / UNITS, "the bound falls")
        last_cost, last_bound = event.cost, bound
    for earlier, later in pairwise(result.events):
        require(earlier.seconds <= later.seconds, "time runs backwards")
        require(earlier.expanded <= later.expanded, "fewer nodes are expanded than before")
    require(_units(result.events[-1].cost) == cost, "the last event has another cost")


def _check_start(result: ab.Result, families: Families, start: list[list[int]] | None) -> None:
    if start is None:
        return
    costs = [own.get(mask_of(p), math.inf) for own, p in zip(families, start, strict=True)]
    require(_units(result.cost) <= sum(costs), "the network is worse than the one to begin with")


def _is_tiny(case: Case) -> bool:
    """Whether costs are of the size of rounding errors, for which `verify` makes allowance."""
    return all(abs(cost) < UNITS for own in case["problem"] for _, cost in own)


def _units(cost: float) -> int:
    return round(cost * UNITS)


def simpler(case: Case) -> Iterator[Case]:
    """One run, fewer settings, fewer constraints, fewer parent sets."""
    if len(case["runs"]) > 1:
        for settings in case["runs"]:
            yield {**case, "runs": [settings]}
        return
    yield from without_keys(case, "constraints")
    settings = case["runs"][0]
    for key in settings:
        if key != "algorithm":
            kept = {name: value for name, value in settings.items() if name != key}
            yield {**case, "runs": [kept]}
    for child, own in enumerate(case["problem"]):
        for fewer in with_fewer(own):
            if fewer:
                changed = [fewer if v == child else sets for v, sets in enumerate(case["problem"])]
                yield {**case, "problem": changed}
    last = len(case["problem"]) - 1
    used = any(last in members_of(mask) for own in case["problem"] for mask, _ in own)
    if last and not used and "start" not in settings and not case["constraints"]:
        yield {**case, "problem": case["problem"][:-1]}


CAMPAIGN = Campaign(
    name="search",
    summary="random parent sets, all algorithms and settings, against dynamic programming",
    draw=draw,
    run=run,
    simpler=simpler,
    in_suite=range(120),
)
