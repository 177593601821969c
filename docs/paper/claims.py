"""The paper's findings, each tested on our runs and on the figures that it prints itself.

Both are counted in the same way, on the same data sets: those that have been run here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs.findings import (
    AUTO,
    ILP,
    REPAIRING,
    WEIGHTED,
    WINDOW,
    Rows,
    better,
    by_density,
    is_proven,
    item,
    with_both,
    won_and_lost,
    wrapped,
)
from docs.paper import published
from docs.paper.explanation import explanation
from docs.paper.finding import Finding, of

if TYPE_CHECKING:
    from docs.findings import Measured

    from anytimebn.evaluation.report import Report

FEW = "1k"  # rows of the data sets that the ILP proves early
ALMOST_ALL = 0.9
MEANING = (
    "The verdicts are counted, and the limits are ours: unless it says all, a finding holds if it "
    "does on more than half of the data sets or pairs that can be compared. Almost all are nine "
    "tenths of those with a clear difference, often is a third, and about as many is a difference "
    "of a tenth. All data sets that have been run count here; the paper's figures are counted on "
    "those of them that it has."
)
NOTHING_YET = (
    "It is about the algorithms, and no part of Table 1 has been run: nothing can be said yet. "
    "`make paper PART=table1` runs them all."
)
SAME = 1e-6  # ratios of costs, which are kept in millionths of a nat, that differ by less
NO_NETWORK = 9.0


def findings(report: Report, rows: Rows) -> list[str]:
    """Write all findings: those of the conclusion, then the explanation."""
    printed = published.table1()
    paper: Rows = {name: dict(printed[name]) for name in rows if name in printed}
    conclusion = [
        _window_wins(rows, paper),
        _window_is_early(rows, paper),
        _ilp_proves_small(rows, paper),
        _ilp_is_slow(rows, paper),
        _ilp_has_better_bounds(rows, paper),
        _proofs(rows, paper),
        _sparse_is_harder(report, rows, paper),
    ]
    return [
        wrapped(MEANING),
        "### The conclusion",
        "\n".join(finding.text() for finding in conclusion) if rows else wrapped(NOTHING_YET),
        "### The explanation: why sparse networks are harder (section 5.4)",
        "\n".join(finding.text() for finding in explanation(report)),
        *_what_auto_adds(rows, paper),
    ]


def _early(row: Measured) -> float:
    """Ratio at the snapshot; without a network, worse than any."""
    return NO_NETWORK if row.ratio_at_snapshot is None else row.ratio_at_snapshot


def _ratio(row: Measured) -> float:
    return 0.0 if row.ratio is None else row.ratio


# --- algorithms ---


def _window_wins(rows: Rows, paper: Rows) -> Finding:
    def told(own: Rows) -> str:
        return " and ".join(
            f"{won} to {lost} against {name}"
            for name, (won, lost) in (
                ("repairing A\\*", won_and_lost(own, WINDOW, REPAIRING)),
                ("weighted A\\*", won_and_lost(own, WINDOW, WEIGHTED)),
            )
        )

    counts = [won_and_lost(rows, WINDOW, rival) for rival in (REPAIRING, WEIGHTED)]
    known = any(with_both(rows, WINDOW, rival) for rival in (REPAIRING, WEIGHTED))
    return Finding(
        "Window A\\* beats repairing and weighted A\\* on almost all data sets (lower error bound "
        "at the end, or the same clearly earlier)",
        all(won > 0 and won >= ALMOST_ALL * (won + lost) for won, lost in counts)
        if known
        else None,
        told(rows),
        told(paper),
    )


def _window_is_early(rows: Rows, paper: Rows) -> Finding:
    def early(own: Rows) -> tuple[int, int]:
        some = [algorithms[WINDOW] for algorithms in own.values() if WINDOW in algorithms]
        return sum(_early(row) < _ratio(row) + SAME for row in some), len(some)

    count, total = early(rows)
    return Finding(
        "Window A\\* often has its best network within 60 s (14 of 32 in the paper)",
        3 * count >= total if total else None,
        of(count, total),
        of(*early(paper)),
    )


def _ilp_proves_small(rows: Rows, paper: Rows) -> Finding:
    def proven(own: Rows) -> tuple[int, int]:
        some = [
            algorithms[ILP]
            for name, algorithms in own.items()
            if name.endswith(f".{FEW}") and ILP in algorithms
        ]
        return sum(row.error_bound_at_snapshot == 1 for row in some), len(some)

    count, total = proven(rows)
    return Finding(
        "ILP proves all data sets of 1,000 rows within 60 s",
        count == total if total else None,
        of(count, total),
        of(*proven(paper)),
    )


def _many_parent_sets(rows: Rows, one: str, other: str) -> list[tuple[Measured, Measured]]:
    """The half of the data sets with the most parent sets."""
    both = sorted(with_both(rows, one, other), key=lambda pair: pair[0].pops or 0)
    return both[len(both) // 2 :]


def _ilp_is_slow(rows: Rows, paper: Rows) -> Finding:
    def worse(own: Rows) -> tuple[int, int, int]:
        some = _many_parent_sets(own, ILP, WINDOW)
        without = sum(ilp.ratio_at_snapshot is None for ilp, _ in some)
        behind = sum(_early(ilp) > _early(window) + SAME for ilp, window in some)
        return behind, len(some), without

    def told(own: Rows) -> str:
        behind, total, without = worse(own)
        return f"its network is worse on {of(behind, total)}, and on {without} it has none"

    behind, total, _ = worse(rows)
    return Finding(
        "ILP is slow to find good networks where there are many parent sets (after 60 s, compared "
        "with window A\\*, on the half of the data sets with the most)",
        2 * behind > total if total else None,
        told(rows),
        told(paper),
    )


def _ilp_has_better_bounds(rows: Rows, paper: Rows) -> Finding:
    def bounds(own: Rows) -> tuple[int, int, int]:
        """The share of the best cost that is proven, compared."""
        low = [
            (_proven_share(ilp), _proven_share(window))
            for ilp, window in with_both(own, ILP, WINDOW)
        ]
        return sum(i > w for i, w in low), sum(i < w for i, w in low), len(low)

    def told(own: Rows) -> str:
        higher, lower, total = bounds(own)
        return f"higher on {higher}, lower on {lower} of {total}"

    higher, lower, total = bounds(rows)
    return Finding(
        "The lower bounds of ILP at the end are more often better than worse than those of window "
        "A\\*",
        higher > lower if total else None,
        told(rows),
        told(paper),
    )


def _proven_share(row: Measured) -> float:
    """Lower bound over best cost, to the digits that the paper has."""
    if row.ratio is None or row.error_bound is None:
        return 0.0
    return round(row.ratio / row.error_bound, 3)


def _proofs(rows: Rows, paper: Rows) -> Finding:
    def told(own: Rows) -> str:
        return ", ".join(
            f"{of(sum(map(is_proven, some)), len(some))} by {title}"
            for name, title in ((WINDOW, "window A\\*"), (ILP, "ILP"))
            if (some := [algorithms[name] for algorithms in own.values() if name in algorithms])
        )

    outcomes = [(is_proven(ilp), is_proven(window)) for ilp, window in with_both(rows, ILP, WINDOW)]
    by_ilp, by_window = (sum(own) for own in zip(*outcomes, strict=True)) if outcomes else (0, 0)
    return Finding(
        "ILP proves about as many data sets as window A\\* (14 and 13 by the paper's text; its "
        "table has 1.000 for 16 and 11)",
        abs(by_ilp - by_window) <= 0.1 * len(outcomes) if outcomes else None,
        told(rows),
        told(paper),
    )


def _sparse_is_harder(report: Report, rows: Rows, paper: Rows) -> Finding:
    def harder(own: Rows, algorithm: str) -> tuple[int, int]:
        some = {name: found[algorithm] for name, found in own.items() if algorithm in found}
        both = [(some[sparse], some[dense]) for sparse, dense in by_density(report, some)]
        return sum(better(dense, sparse) > 0 for sparse, dense in both), len(both)

    count, total = harder(rows, WINDOW)
    of_auto = f" ({of(*harder(rows, AUTO))} with `auto`)" if harder(rows, AUTO)[1] else ""
    return Finding(
        "Data of sparse generating networks are harder to prove (pairs that differ only in this, "
        "window A\\*: the sparser has the higher error bound, or the same clearly later)",
        2 * count > total if total else None,
        of(count, total) + of_auto,
        of(*harder(paper, WINDOW)),
    )


def _what_auto_adds(rows: Rows, paper: Rows) -> list[str]:
    some = [algorithms[AUTO] for algorithms in rows.values() if AUTO in algorithms]
    if not some:
        return []
    seconds = [row.bound_seconds or 0.0 for row in some if is_proven(row)]
    there = sum(any(map(is_proven, algorithms.values())) for algorithms in paper.values())
    slowest = f", the slowest after {max(seconds):.1f} s" if seconds else ""
    return [
        "### What has changed since",
        item(
            f"`auto` proves {of(len(seconds), len(some))} data sets{slowest}; in the paper's "
            f"figures, some algorithm reaches 1.000 on {of(there, len(paper))}."
        ),
    ]
