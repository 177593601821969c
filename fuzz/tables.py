"""Learning from small random tables: against all networks, with costs recounted in plain Python."""

from __future__ import annotations

import io
import json
import math
import re
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

import anytimebn as ab
from anytimebn.scores import parent_limit
from fuzz.campaign import Campaign, Case, Failure, require
from fuzz.knowledge import allows, draw_constraints
from fuzz.oracle import is_acyclic, is_near, lowest_cost, mask_of, members_of
from fuzz.plain_costs import family_cost
from fuzz.search import draw_network
from fuzz.simplify import with_fewer, without_keys
from fuzz.verifying import require_verified, verified

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

SCORES = ("mdl", "bic", "aic", "bdeu", "fnml", "qnml")
ALGORITHMS = (*["auto"] * 8, "astar", "relaxation", "best-order-search", "hill-climbing")


def draw(random: Random) -> Case:
    """Draw a table, and how to learn from it."""
    count = random.choice([2, 3, 3, 4, 4, 5, 5])
    rows = random.choice([1, 2, 5, 10, 20, 40, 60])
    columns = _draw_columns(random, count, rows)
    options: dict[str, Any] = {
        "score": random.choice(SCORES),
        "space": random.choice(["grow", "grow", "complete", "neighbourhood"]),
        "algorithm": random.choice(ALGORITHMS),
        "jobs": random.choice([1, 1, 2, 3]),
        "missing": random.choice(["category", "category", "drop", "drop", "error"]),
    }
    if options["score"] == "bdeu" and random.random() < 0.5:
        options["ess"] = random.choice([0.01, 0.5, 10.0, 1000.0])
    if random.random() < 0.3:
        options["max_parents"] = random.randint(0, 4)
    if random.random() < 0.3:
        limit, most = random.choice([("stop_at_check", 300), ("max_expansions", 30)])
        options[limit] = random.randint(1, most)
    if random.random() < 0.15:
        options["time_limit"] = random.choice([0.0, 0.01])
    if random.random() < 0.1:
        options["gap"] = random.choice([0.001, 0.1])
    if random.random() < 0.2:
        options["seed"] = random.randrange(100)
    if random.random() < 0.1:
        options["memory_limit"] = random.choice([2**12, 2**16, 2**20, 2**23])
    constraints: dict[str, Any] = {}
    if random.random() < 0.4:
        constraints = draw_constraints(random, _names(count), required=True)
    return {
        "columns": columns,
        "file": random.random() < 0.3,
        "options": options,
        "constraints": constraints,
        "start": draw_network(random, count) if random.random() < 0.2 else None,
        "stream": random.random() < 0.15,
        # Where all sets are too many, the space grows; here they are few unless that means less.
        "feasible_work": random.choice([0, 0, 300, 2000, None]),
    }


def _names(count: int) -> list[str]:
    return [f"v{number}" for number in range(count)]


def _draw_columns(random: Random, count: int, rows: int) -> list[list[str | None]]:
    codes: list[list[int]] = []
    for number in range(count):
        values = random.choice([1, 2, 2, 2, 3, 4, 40])
        own = [random.randrange(values) for _ in range(rows)]
        if number and random.random() < 0.7:
            parents = random.sample(range(number), min(number, random.choice([1, 1, 2, 3])))
            for row in range(rows):
                if random.random() < 0.85:
                    own[row] = sum(codes[p][row] * (i + 1) for i, p in enumerate(parents)) % values
        if number and random.random() < 0.1:
            own = list(codes[random.randrange(number)])
        codes.append(own)
    absent = random.choice([0.0, 0.0, 0.05])
    return [
        [None if random.random() < absent else f"a{code}" for code in column] for column in codes
    ]


def run(case: Case) -> Iterator[str]:
    """Learn, and compare with all networks."""
    names = _names(len(case["columns"]))
    columns = _as_counted(case)
    options, constraints = case["options"], case["constraints"]
    try:
        with _feasible(case["feasible_work"]):
            result = _learn(case, names)
    except ab.InputError as error:
        require(_may_be_refused(case, columns, str(error)), f"refused: {error}")
        yield "refused"
        return
    except ab.LimitReached:
        limits = {"time_limit", "stop_at_check", "memory_limit"}
        require(not limits.isdisjoint(options), "no limit was set")
        yield "limit reached"
        return
    costs = [
        {
            mask: family_cost(
                columns, child, members_of(mask), options["score"], options.get("ess", 1.0)
            )
            for mask in range(2 ** len(names))
            if allows(constraints, names, child, mask)
        }
        for child in range(len(names))
    ]
    _check(result, costs, names, options)
    content = json.loads(json.dumps(result.to_json()))
    data = ab.to_dataset(_table(case, names), missing=options["missing"])
    require_verified(verified(content, data=data))
    yield f"{result.claim or result.status}"


def _table(case: Case, names: list[str]) -> pa.Table:
    own = {name: pa.array(c, pa.string()) for name, c in zip(names, case["columns"], strict=True)}
    return pa.table(own)


def _learn(case: Case, names: list[str]) -> ab.Result:
    given = {**case["constraints"], **case["options"]}
    if case["start"] is not None:
        given["start"] = ab.Network(tuple(names), tuple(map(tuple, case["start"])))
    if case["stream"]:
        stream = ab.stream(_table(case, names), **given)
        events = tuple(stream)
        result = stream.close()
        require(events == result.events, "the events of the stream are not those of the result")
        return result
    given["progress"] = None
    if not case["file"]:
        return ab.learn(_table(case, names), **given)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder, "table.csv")
        text = io.StringIO()
        for row in (names, *zip(*case["columns"], strict=True)):
            text.write(",".join("" if cell is None else str(cell) for cell in row) + "\n")
        path.write_text(text.getvalue())
        return ab.learn(path, **given)


@contextmanager
def _feasible(work: float | None) -> Iterator[None]:
    """Change how much work scoring all parent sets may be."""
    before = parent_limit.AUTO_CELL_VISITS
    parent_limit.AUTO_CELL_VISITS = before if work is None else work
    try:
        yield
    finally:
        parent_limit.AUTO_CELL_VISITS = before


def _as_counted(case: Case) -> list[list[str | None]]:
    """Leave out rows with missing values, if that is wanted."""
    columns: list[list[str | None]] = case["columns"]
    if case["options"]["missing"] != "drop":
        return columns
    rows = [row for row in zip(*columns, strict=True) if None not in row]
    return [list(column) for column in zip(*rows, strict=True)]


def _may_be_refused(case: Case, columns: list[list[str | None]], told: str) -> bool:
    """Whether there is a reason to refuse a case."""
    missing = any(None in column for column in case["columns"])
    if missing and case["options"]["missing"] == "error":
        return True
    if not columns or not columns[0]:
        return True
    if any(all(cell is None for cell in column) for column in case["columns"]):
        return True
    if case["start"] is not None and "start" in told:
        return True
    if "memory_limit" in case["options"] and "memory" in told:
        return True
    required = [child for _, child in case["constraints"].get("require", [])]
    if required and ("required" in told or "parents" in told):
        limits = case["constraints"].get("parent_limits", {})
        most = case["options"].get("max_parents", len(columns))
        if any(required.count(child) > min(most, limits.get(child, most)) for child in required):
            return True
        return "tier" in told  # a required arc may lead to an earlier tier
    return False


def _check(
    result: ab.Result, costs: list[dict[int, float]], names: list[str], options: dict[str, Any]
) -> None:
    limit = options.get("max_parents", len(names))
    masks = [mask_of(parents) for parents in result.network.parents]
    require(is_acyclic(masks), "the network has a cycle")
    for child, mask in enumerate(masks):
        require(mask in costs[child], f"{names[child]} may not have the parents {mask}")
        require(mask.bit_count() <= limit, f"{names[child]} has too many parents")
    plain = math.fsum(own[mask] for own, mask in zip(costs, masks, strict=True))
    slack = 1e-6 * len(names) + 1e-9 * abs(plain)
    require(abs(plain - result.cost) <= slack, f"the cost is {plain}, not {result.cost}")

    def optimum_up_to(most: int) -> float:
        return lowest_cost(
            [{m: c for m, c in own.items() if m.bit_count() <= most} for own in costs]
        )

    best = optimum_up_to(len(names))
    if result.claim is not None:
        require(result.status == "optimal", f"{result.claim} is claimed; it is {result.status}")
        claimed = _optimum_of_claim(result.claim, costs, masks, limit)
        if claimed is not None:
            told = f"{result.claim} is claimed at {plain}, but {claimed} can be had"
            require(plain <= claimed + slack, told)
    space = result.to_json().get("space")
    if result.lower_bound is not None and space is not None:
        claimed = None
        if space["complete"]:
            claimed = best
        elif space["neighbourhood"]:
            claimed = _near(costs, masks, space["all_up_to"] or 0, limit)
        elif not space["grown"] and space["all_up_to"] is not None:
            claimed = optimum_up_to(space["all_up_to"])
        if claimed is not None:
            told = f"the bound {result.lower_bound} is above {claimed} in {space}"
            require(result.lower_bound <= claimed + slack, told)
    _check_events(result, best, optimum_up_to, slack)


def _near(costs: list[dict[int, float]], masks: list[int], up_to: int, limit: int) -> float:
    """Try all networks of the neighbourhood, and of all families of up to some parents."""
    return lowest_cost(
        [
            {
                mask: cost
                for mask, cost in own.items()
                if mask.bit_count() <= limit and (is_near(mask, mine) or mask.bit_count() <= up_to)
            }
            for own, mine in zip(costs, masks, strict=True)
        ]
    )


def _optimum_of_claim(
    claim: str, costs: list[dict[int, float]], masks: list[int], limit: int
) -> float | None:
    """Give what the words of a claim say that nothing is below; None where they say nothing."""
    everything = len(costs)
    if claim == "optimal":
        return lowest_cost(costs)
    if match := re.fullmatch(r"optimal up to (\d+) parents?", claim):
        most = int(match[1])
        return lowest_cost(
            [{m: c for m, c in own.items() if m.bit_count() <= most} for own in costs]
        )
    if match := re.fullmatch(r"neighbourhood-optimal(?:, up to (\d+) parents?)?", claim):
        return _near(costs, masks, int(match[1] or 0), min(limit, everything))
    if claim == "optimal among the families searched":
        return None
    raise Failure(f"nobody knows the claim {claim!r}")


def _check_events(result: ab.Result, best: float, optimum_up_to: Any, slack: float) -> None:
    cost, bound, seconds = math.inf, -math.inf, 0.0
    space: str | None = None
    require(bool(result.events), "there are no events")
    for event in result.events:
        space = event.space or space
        own = -math.inf if event.lower_bound is None else event.lower_bound
        require(event.cost <= cost + slack, f"the cost rises from {cost} to {event.cost}")
        require(event.cost >= best - slack, f"an event has the cost {event.cost} below {best}")
        require(event.seconds >= seconds, "time runs backwards")
        if event.space is None:
            require(own >= bound - slack, f"the bound falls from {bound} to {own}")
        if space == "all networks":
            require(own <= best + slack, f"an event has the bound {own}, above {best}")
        elif match := re.fullmatch(r"networks of up to (\d+) parents?", space or ""):
            most = optimum_up_to(int(match[1]))
            require(own <= most + slack, f"an event has the bound {own}, above {most}")
        cost, bound, seconds = event.cost, own, event.seconds
    require(abs(cost - result.cost) <= slack, f"the last event has the cost {cost}")


def simpler(case: Case) -> Iterator[Case]:
    """Fewer rows, constraints and options; fewer columns that nobody names."""
    for rows in with_fewer(list(zip(*case["columns"], strict=True))):
        if rows:
            yield {**case, "columns": [list(column) for column in zip(*rows, strict=True)]}
    yield from without_keys(case, "constraints")
    for smaller in without_keys(case, "options"):
        if {"score", "missing", "space", "algorithm"} <= smaller["options"].keys():
            yield smaller
    yield from (
        {**case, key: simple}
        for key, simple in (("file", False), ("stream", False), ("start", None))
        if case[key]
    )
    if not case["constraints"] and case["start"] is None and len(case["columns"]) > 2:
        for number in range(len(case["columns"])):
            columns = [column for v, column in enumerate(case["columns"]) if v != number]
            yield {**case, "columns": columns}


CAMPAIGN = Campaign(
    name="tables",
    summary="small tables, all scores and spaces, against all networks counted in plain Python",
    draw=draw,
    run=run,
    simpler=simpler,
    in_suite=range(100),
)
