"""Spoiled and forged certificates: `verify` never confirms what is not true."""

from __future__ import annotations

import copy
import json
import math
from random import Random
from typing import TYPE_CHECKING, Any

import pyarrow as pa

import anytimebn as ab
from anytimebn.checker.claim import Claim
from anytimebn.checker.clusters import cluster_bound
from anytimebn.checker.families import problem_of
from anytimebn.checker.rows import row_bound
from anytimebn.result.certificates import Clusters, certificate_from_json
from fuzz.campaign import Campaign, Case, require
from fuzz.knowledge import allows, draw_constraints
from fuzz.mutations import spoiled_json
from fuzz.oracle import is_acyclic, is_near, lowest_cost, mask_of, members_of
from fuzz.plain_costs import family_cost
from fuzz.score_problems import UNITS, as_families, as_scores, draw_problem, names_of
from fuzz.simplify import with_fewer
from fuzz.verifying import verified

if TYPE_CHECKING:
    from collections.abc import Iterator
MULTIPLIERS: list[Any] = [
    *(0, 1, 7, 1000, 10**6, 2**31, 2**32, 2**53, 2**62, 2**63 - 1, 2**63, 2**64, 2**64 + 1),
    *(10**30, 10**400, -1, -(2**63), -(10**30), 1.5, True, "1", None, [1]),
]
DENOMINATORS: list[Any] = [1, 1, 1, 2, 3, 7, 2**63, 10**30, 0, -1, 1.0, None]


def draw(random: Random) -> Case:
    """Draw a problem, a network, and a certificate that is spoiled, forged or both."""
    if random.random() < 0.3:
        return _draw_table(random)
    problem = draw_problem(random, 5, 10)
    names = names_of(len(problem))
    claimed = draw_constraints(random, names, required=True) if random.random() < 0.2 else {}
    case: Case = {
        "problem": problem,
        "network": _draw_network(random, problem),
        "constraints": claimed,
        "bound": random.choice(["cost", "cost", "more", "less"]),
    }
    if random.random() < 0.6:
        kind = random.choice(["clusters", "rows"])
        case["certificate"] = _forged(random, names, problem, kind)
    else:
        # An honest one of this search, spoiled by a seed of its own.
        case["search"] = random.choice(["auto", "relaxation", "block-sweep", "branch-and-bound"])
        case["spoiling"] = random.choice([None, random.randrange(10**9)])
    return case


def _draw_network(random: Random, problem: Any) -> list[int]:
    """Draw parents for each variable, mostly some that it may have, mostly without a cycle."""
    chosen: list[int] = []
    for _ in range(20):
        chosen = [random.choice(own)[0] for own in problem]
        if is_acyclic(chosen):
            break
    return chosen


def _forged(random: Random, names: list[str], problem: Any, kind: str) -> dict[str, Any]:
    clusters = [
        random.sample(names, random.randint(1, len(names))) for _ in range(random.randint(0, 4))
    ]
    if clusters and random.random() < 0.3:
        clusters.append(list(clusters[0]))  # the same cluster twice
    if clusters and random.random() < 0.05:
        clusters[0] = random.choice([[], [*clusters[0], clusters[0][0]], ["nobody"], ["X0", "X0"]])

    def multiplier() -> Any:
        costs = [cost for own in problem for _, cost in own]
        usual = abs(random.choice(costs) - random.choice(costs))
        return usual if random.random() < 0.7 else random.choice(MULTIPLIERS)

    if kind == "clusters":
        return {
            "kind": kind,
            "groups": _draw_groups(random, names),
            "clusters": clusters,
            "multipliers": [multiplier() for _ in clusters],
            "lower_bound": None,
        }
    zero_half = []
    for number in range(len(clusters), len(clusters) + random.randint(0, 3)):
        sources = random.choices(range(number), k=random.randint(1, 3)) if number else [0]
        wanted = random.choices(names, k=random.randint(0, 3))
        zero_half.append({"rows": sources, "variables": wanted})
    count = len(clusters) + len(zero_half)
    stages = []
    for _ in range(random.randint(1, 3)):
        rows = random.choices(range(count), k=random.randint(0, 4)) if count else []
        denominator = 1 if random.random() < 0.5 else random.choice(DENOMINATORS)
        multipliers = [multiplier() for _ in rows]
        stages.append({"rows": rows, "multipliers": multipliers, "denominator": denominator})
    return {
        "kind": kind,
        "clusters": clusters,
        "zero_half": zero_half,
        "stages": stages,
        "lower_bound": None,
    }


def _draw_groups(random: Random, names: list[str]) -> list[list[str]]:
    groups: list[list[str]] = [[] for _ in range(random.randint(1, 3))]
    for name in names:
        random.choice(groups).append(name)
    if random.random() < 0.1:
        random.choice(groups).append(random.choice([*names, "nobody"]))
    if random.random() < 0.7:
        groups = [group for group in groups if group]
    return groups


def _draw_table(random: Random) -> Case:
    """A result of learning in a neighbourhood, of which something is changed."""
    rows = random.choice([5, 20, 40])
    count = random.randint(2, 5)
    columns = [[f"a{random.randrange(2)}" for _ in range(rows)]]
    for _ in range(count - 1):
        source = random.choice(columns)
        columns.append(
            [cell if random.random() < 0.8 else random.choice(["a0", "a1"]) for cell in source]
        )
    return {
        "columns": columns,
        "score": random.choice(["mdl", "bdeu", "aic"]),
        "algorithm": random.choice(["auto", "relaxation", "relaxation"]),
        "change": random.choice(["network", "certificate", "space", "bound", "nothing"]),
        "spoiling": random.randrange(10**9),
        "with_scores": random.random() < 0.3,
    }


def run(case: Case) -> Iterator[str]:
    """Have it verified, and see whether what is confirmed is true."""
    yield from _run_table(case) if "columns" in case else _run_scores(case)


# ---- scores ----


def _run_scores(case: Case) -> Iterator[str]:
    names = names_of(len(case["problem"]))
    everything = as_families(case["problem"])
    families = [
        {m: c for m, c in own.items() if allows(case["constraints"], names, v, m)}
        for v, own in enumerate(everything)
    ]
    optimum = lowest_cost(families)
    scores = as_scores(case["problem"])
    network = case["network"]
    certificate = case.get("certificate")
    if certificate is None:
        try:
            result = ab.search(scores, algorithm=case["search"], jobs=1)
        except ab.ConstraintError:
            yield "no network"
            return
        certificate = json.loads(json.dumps(result.to_json()["certificate"]))
        if case["spoiling"] is not None:
            certificate = _spoiled(case["spoiling"], certificate)
        network = [mask_of(parents) for parents in result.network.parents]
    cost = sum(own[mask] for own, mask in zip(everything, network, strict=True))
    content = _claim(case, names, network, cost, certificate)
    verdict = verified(content, scores=scores)
    bound = content["lower_bound"] * UNITS
    slack = len(names) + 2e-11 * abs(cost)
    if verdict.proven:
        told = f"the lower bound {bound} is confirmed, but the optimum is {optimum}"
        require(bound <= optimum + slack, told)
    yield f"{_kind(certificate)} {_ending(verdict)}"
    yield from _check_bound(content, scores, optimum, cost, is_acyclic(network))


def _claim(
    case: Case, names: list[str], network: list[int], cost: float, certificate: Any
) -> dict[str, Any]:
    nats = cost / UNITS
    bound = {"cost": nats, "more": nats + 1.0, "less": nats - 1.0}[case["bound"]]
    constraints = {k: v for k, v in case["constraints"].items() if k != "parent_limits"}
    if "parent_limits" in case["constraints"]:
        constraints["max_parents"] = case["constraints"]["parent_limits"]
    return {
        "status": "optimal" if case["bound"] == "cost" else "time",
        "cost": nats,
        "score": -nats,
        "lower_bound": bound,
        "error_bound": nats / bound if bound > 0 else 1.0 if bound == nats else None,
        "variables": names,
        "parents": {
            name: [names[p] for p in members_of(mask)]
            for name, mask in zip(names, network, strict=True)
        },
        "score_name": "unknown",
        "max_parents": len(names),
        "constraints": constraints,
        "events": [],
        "certificate": certificate,
    }


def _check_bound(
    content: dict[str, Any], scores: ab.LocalScores, optimum: float, cost: float, sound: bool
) -> Iterator[str]:
    """Compute the bound without all that stands around it: it has no tolerance."""
    if not isinstance(content["certificate"], dict):
        return
    try:
        certificate = certificate_from_json(content["certificate"], content["variables"])
        problem = problem_of(Claim.of(content), scores)
        if isinstance(certificate, Clusters):
            bound: float = cluster_bound(certificate, problem)
        else:
            bound = row_bound(certificate, problem)
    except ab.InputError:
        yield "bound refused"
        return
    # Rows leave out what costs as much as the claimed network, which must be one for that.
    if isinstance(certificate, Clusters):
        require(bound <= optimum, f"clusters prove {bound}, but the optimum is {optimum}")
    elif sound and optimum < math.inf:
        least = min(bound, cost)
        require(least <= optimum, f"rows prove {least}, but the optimum is {optimum}")
    yield "bound computed"


def _kind(certificate: Any) -> str:
    kind = certificate.get("kind") if isinstance(certificate, dict) else None
    return kind if kind in ("clusters", "rows") else "no certificate"


def _ending(verdict: Any) -> str:
    return "confirmed" if verdict.proven else "consistent" if verdict.holds else "rejected"


def _spoiled(seed: int, certificate: Any) -> Any:
    random = Random(seed)
    spoiled = copy.deepcopy(certificate)
    if isinstance(spoiled, dict) and random.random() < 0.6:
        for owner in [spoiled, *(spoiled.get("stages") or [])]:
            for number in range(len(owner.get("multipliers", []))):
                if random.random() < 0.5:
                    factor = random.choice([0, 2, 10, 2**40])
                    owner["multipliers"][number] = owner["multipliers"][number] * factor + 1
        return spoiled
    return spoiled_json(random, spoiled)


# ---- tables ----


def _run_table(case: Case) -> Iterator[str]:
    random = Random(case["spoiling"])
    count = len(case["columns"])
    names = [f"v{number}" for number in range(count)]
    table = pa.table(dict(zip(names, case["columns"], strict=True)))
    data = ab.to_dataset(table)
    result = ab.learn(
        data,
        score=case["score"],
        space="neighbourhood",
        algorithm=case["algorithm"],
        jobs=1,
        progress=None,
    )
    content = json.loads(json.dumps(result.to_json()))
    costs = [
        {
            mask: family_cost(case["columns"], child, members_of(mask), case["score"], 1.0)
            for mask in range(2**count)
            if not mask >> child & 1
        }
        for child in range(count)
    ]
    _change(random, case["change"], content, names, costs)
    scores = ab.score(data, case["score"]) if case["with_scores"] else None
    verdict = verified(content, data=data, scores=scores)
    if case["change"] == "nothing" and scores is None:
        require(verdict.holds, f"what is true is rejected: {verdict.told}")
    masks = [mask_of([names.index(p) for p in content["parents"][name]]) for name in names]
    cost = sum(own[mask] for own, mask in zip(costs, masks, strict=True))
    slack = 2e-6 * count + 1e-9 * abs(cost)
    if verdict.holds:
        require(abs(cost - content["cost"]) <= slack, f"the cost is {cost}; confirmed is another")
    if verdict.proven and content["lower_bound"] is not None:
        most = _optimum_of_space(content, costs, masks)
        told = f"the bound {content['lower_bound']} is confirmed, but {most} can be had"
        require(content["lower_bound"] <= most + slack, told)
    yield f"neighbourhood, changed {case['change']}: {_ending(verdict)}"


def _change(
    random: Random, what: str, content: dict[str, Any], names: list[str], costs: Any
) -> None:
    if what == "network":
        order = random.sample(range(len(names)), len(names))
        parents = {
            child: random.sample(order[:place], random.randint(0, min(place, 2)))
            for place, child in enumerate(order)
        }
        content["parents"] = {names[c]: [names[p] for p in sorted(parents[c])] for c in parents}
        cost = math.fsum(costs[child][mask_of(own)] for child, own in parents.items())
        bound = content["lower_bound"]
        if random.random() < 0.7 or bound is None:
            bound = cost
        content |= {"cost": cost, "score": -cost, "lower_bound": bound, "events": []}
        content["error_bound"] = cost / bound if bound > 0 else None
    elif what == "certificate":
        if content["certificate"] is not None:
            content["certificate"] = spoiled_json(random, content["certificate"])
    elif what == "space":
        up_to = random.choice([None, 0, 1, 2, 3])
        content["space"] |= {"all_up_to": up_to, "complete": random.choice([False, True, None])}
        content["max_parents_exact"] = random.choice([True, False])
        content["max_parents"] = random.choice([None, 0, 1, 3])
        content["space"]["neighbourhood"] = random.random() < 0.5
        content.pop("claim", None)
    elif what == "bound" and content["lower_bound"] is not None:
        content["lower_bound"] += random.choice([1e-3, 1.0, -1.0])
        content["error_bound"] = content["cost"] / content["lower_bound"]
        content["status"] = random.choice(["time", content["status"]])
        content.pop("claim", None)
        content["events"] = []


def _optimum_of_space(content: dict[str, Any], costs: Any, masks: list[int]) -> float:
    """Give the best of the networks that the result says its bound is about."""
    space = content["space"]
    limit = content["max_parents"]
    most = len(masks) if limit is None or space["complete"] else limit
    if not space["neighbourhood"]:
        return lowest_cost([{m: c for m, c in o.items() if m.bit_count() <= most} for o in costs])
    up_to = space["all_up_to"] or 0
    return lowest_cost(
        [
            {
                mask: cost
                for mask, cost in own.items()
                if mask.bit_count() <= most and (is_near(mask, mine) or mask.bit_count() <= up_to)
            }
            for own, mine in zip(costs, masks, strict=True)
        ]
    )


def simpler(case: Case) -> Iterator[Case]:
    """Fewer parts of a forged certificate; fewer rows of a table."""
    if "columns" in case:
        for rows in with_fewer(list(zip(*case["columns"], strict=True))):
            if rows:
                yield {**case, "columns": [list(column) for column in zip(*rows, strict=True)]}
        return
    certificate = case.get("certificate")
    if certificate is None:
        return
    for key in ("stages", "zero_half"):
        for fewer in with_fewer(certificate.get(key, [])):
            yield {**case, "certificate": {**certificate, key: fewer}}
    if certificate["kind"] == "clusters":
        pairs = list(zip(certificate["clusters"], certificate["multipliers"], strict=True))
        for fewer_pairs in with_fewer(pairs):
            changed = {
                "clusters": [cluster for cluster, _ in fewer_pairs],
                "multipliers": [multiplier for _, multiplier in fewer_pairs],
            }
            yield {**case, "certificate": {**certificate, **changed}}
    for child, own in enumerate(case["problem"]):
        for mask, cost in own:
            if mask != case["network"][child]:
                kept = [entry for entry in own if entry != [mask, cost]]
                changed_sets = [kept if v == child else o for v, o in enumerate(case["problem"])]
                yield {**case, "problem": changed_sets}


CAMPAIGN = Campaign(
    name="certificates",
    summary="spoiled and forged certificates: verify never confirms what is not true",
    draw=draw,
    run=run,
    simpler=simpler,
    in_suite=range(200),
)
