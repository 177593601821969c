"""Boxes in rows: what holds for every network."""

from __future__ import annotations

import itertools
import random

import pytest

from anytimebn.draw.compact import WIDTH_TO_HEIGHT, compact_layout
from anytimebn.draw.part import BOX_HEIGHT
from anytimebn.draw.text_width import estimated_width
from anytimebn.watch.page.drawing import drawing_json


def network(variables: int, most: int, seed: int) -> tuple[tuple[int, ...], ...]:
    """Draw a network whose arcs lead from smaller to larger numbers."""
    rng = random.Random(seed)
    return tuple(
        tuple(sorted(rng.sample(range(child), rng.randint(0, min(child, most)))))
        for child in range(variables)
    )


@pytest.mark.parametrize("variables", [1, 2, 15, 56, 200])
@pytest.mark.parametrize("most", [0, 1, 4])
def test_boxes_do_not_overlap_and_parents_are_not_below(variables: int, most: int) -> None:
    parents = network(variables, most, seed=variables + most)
    widths = [30.0 + 10 * (variable % 7) for variable in range(variables)]
    drawn = compact_layout(parents, widths)
    for one, other in itertools.combinations(range(variables), 2):
        (x0, y0), (x1, y1) = drawn.centres[one], drawn.centres[other]
        assert y0 == y1 or abs(y0 - y1) >= BOX_HEIGHT
        assert y0 != y1 or abs(x0 - x1) >= (widths[one] + widths[other]) / 2
    for parent, child in drawn.curves:
        assert drawn.centres[parent][1] <= drawn.centres[child][1]
    for (x, y), width in zip(drawn.centres, widths, strict=True):
        assert width / 2 - 1e-6 <= x <= drawn.width - width / 2 + 1e-6
        assert BOX_HEIGHT / 2 <= y <= drawn.height - BOX_HEIGHT / 2 + 1e-6
    assert set(drawn.curves) == {(p, child) for child, own in enumerate(parents) for p in own}


def test_shape_is_about_that_of_a_page() -> None:
    drawn = compact_layout(network(200, 3, seed=1), [50.0] * 200)
    assert 0.6 < drawn.width / drawn.height / WIDTH_TO_HEIGHT < 1.6


def test_nothing_has_no_size() -> None:
    assert compact_layout([], []).centres == []


def test_small_networks_are_layered_and_dense_ones_are_not() -> None:
    small, dense = network(15, 2, seed=1), network(200, 4, seed=1)
    names = [f"X{number}" for number in range(200)]
    assert drawing_json(names[:15], small, quickly=True)["is_layered"]
    assert not drawing_json(names, dense)["is_layered"]


@pytest.mark.parametrize("text", ["", "age", "blood_pressure", "WIDE", "Größe", "年齢", "e\u0301"])
def test_widths_are_not_estimated_too_small_by_much(text: str) -> None:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    plain = "".join(letter for letter in text if ord(letter) < 0x3000)  # of what the font has
    width, _, _ = text_to_path.get_text_width_height_descent(
        plain, FontProperties(family="DejaVu Sans", size=10), ismath=False
    )
    assert estimated_width(text, 10.0) >= 0.85 * width
