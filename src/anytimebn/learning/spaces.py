"""How one space of families is searched, and how it is made wider than a neighbourhood.

When that is done, and in which way, is what `anytimebn.learning.planner` decides.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from anytimebn.base.errors import InputError, LimitReached
from anytimebn.base.resources import available_cores
from anytimebn.learning.stage_sink import StageOver
from anytimebn.learning.stages import Stages
from anytimebn.scores.neighbourhood import score_neighbourhood
from anytimebn.scores.space import Grown, Space

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from anytimebn.base.clock import Deadline
    from anytimebn.base.report import Report
    from anytimebn.learning.known import ParentSets, Way
    from anytimebn.scores.store import LocalScores
    from anytimebn.solver.run import Parents


class SpaceStages(Stages):
    """The stages that search families near the best network, with proof."""

    def _search_way(self, way: Way, deadline: Deadline) -> bool:
        """Search the neighbourhood and what a way adds to it; whether to the end."""
        known = self._known
        if way == "levels":
            return self._search_levels(known.level + 1, deadline)
        if way == "good families":
            scores = self._score_families(deadline, others=known.good_families)
        elif way == "near good families":
            scores = self._score_families(deadline, near=known.other_networks())
        else:
            scores = self._score_families(deadline, further=True)
        return scores is not None and self._search_in(scores, deadline, self._until_it_lasts())

    def _until_it_lasts(self) -> Callable[[Report], bool]:
        """Say when a search has found a better network, and nothing more for as long again."""
        best, found_after = self._best.cost - self._rounding, math.inf

        def lasts(report: Report) -> bool:
            nonlocal best, found_after
            if report.cost is not None and report.cost < best:
                best, found_after = report.cost, report.seconds
            return report.seconds > 2 * found_after

        return lasts

    def _search_levels(self, level: int, deadline: Deadline) -> bool:
        """Search the neighbourhood and all sets up to a size."""
        began = self.watch.elapsed()
        try:
            levels = self._scores_of(
                f"up to {level}", lambda: self._score_all_sets(self._sink(), level, deadline)
            )
        except (LimitReached, InputError):  # too slow, or too large
            return False
        finally:
            self.journal.spend("scoring", self.watch.elapsed() - began)
        if levels.provenance.max_parents_exact:
            return self._search_in(levels, deadline)
        scores = self._score_families(deadline, levels=levels)
        proven = scores is not None and self._search_in(scores, deadline)
        if not self._is_over():
            self._known.level = level
        return proven

    def _score_families(
        self,
        deadline: Deadline,
        *,
        others: ParentSets | None = None,
        near: Sequence[Parents] = (),
        further: bool = False,
        levels: LocalScores | None = None,
        enough: Callable[[Report], bool] | None = None,
    ) -> LocalScores | None:
        """Score the families near the best network, and more; None if there is no time for it.

        Parameters
        ----------
        deadline
            Until when.
        others, further, levels
            As in `score_neighbourhood`; by default, those of earlier networks are there.
        near
            Other networks, whose neighbourhoods are to be there, too.
        enough
            Whether to give it up.
        """
        began = self.watch.elapsed()
        try:
            return score_neighbourhood(
                self.counted,
                [self._best.network.parents, *near],
                others=self._known.families() if others is None else others,
                further=further,
                levels=levels,
                jobs=self.settings.jobs or available_cores(),
                deadline=deadline,
                progress=self._sink(enough=enough),
            )
        except StageOver:
            if self._stopped:
                raise
            return None
        except LimitReached:
            return None
        finally:
            self.journal.spend("scoring", self.watch.elapsed() - began)

    def _search_in(
        self,
        scores: LocalScores,
        deadline: Deadline,
        enough: Callable[[Report], bool] | None = None,
    ) -> bool:
        """Search among families, those of the best network included; whether it was proven."""
        space = Space.of_scores(scores)
        settings = self._settings_for(space, deadline)
        # Of an earlier run that was in the midst of this, the network is known already.
        start = self.network if settings.proofs else self._best.network
        result = self._search_stage(scores, settings, start, space.name, enough)
        if space.grown is not None and result.cost < self._best.cost:
            # Of another network the families are not the neighbourhood.
            moved = Grown.around(
                scores,
                result.network.parents,
                neighbourhood=False,
                all_up_to=space.grown.all_up_to,
            )
            result = replace(result, details=result.details | {"space": moved.to_json()})
        self._known.learn(result)
        self.journal.take(space.name, result, covers=True, families=scores.pops)
        self._check_proof(result)
        return result.status in ("optimal", "gap")
