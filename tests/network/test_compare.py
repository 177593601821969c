"""Comparisons of networks, and pictures of classes and comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from test_equivalence import networks

from anytimebn.base.errors import InputError
from anytimebn.draw.style import ADDED, LOST, TURNED
from anytimebn.network.network import Network

if TYPE_CHECKING:
    from pathlib import Path

ONE = Network.from_parents({"a": [], "b": ["a"], "c": ["b"], "d": ["a", "c"]})
OTHER = Network.from_parents({"d": [], "c": ["b"], "b": [], "a": ["b", "d"]})


def test_comparison_has_every_edge_once() -> None:
    some = networks(4)[::11]
    for one in some:
        for other in some[::3]:
            found = one.compare(other)
            before, after = set(one.arcs), set(other.arcs)
            assert set(found.kept) == before & after
            assert set(found.turned) == {arc for arc in after if arc[::-1] in before}
            assert set(found.added) == after - before - {arc[::-1] for arc in before}
            assert set(found.lost) == before - after - {arc[::-1] for arc in after}
            different = len(found.added) + len(found.lost) + len(found.turned)
            assert different == one.structural_hamming_distance(other, of="networks")
            of_classes = one.compare(other, of="classes")
            different = sum(map(len, (of_classes.added, of_classes.lost, of_classes.turned)))
            assert different == one.structural_hamming_distance(other)


def test_comparison_becomes_words_and_frames() -> None:
    found = ONE.compare(OTHER)
    assert repr(found) == (
        "Comparison(0 added, 1 lost, 2 turned, 1 kept)\n"
        "  lost    c -> d\n"
        "  turned  a -> b  now b -> a\n"
        "  turned  a -> d  now d -> a"
    )
    frame = found.to_pandas()
    assert frame.to_dict("list") == {
        "change": ["lost", "turned", "turned", "kept"],
        "before": ["c -> d", "a -> b", "a -> d", "b -> c"],
        "after": ["", "b -> a", "d -> a", "b -> c"],
    }
    assert found.to_polars().shape == (4, 3)
    assert ONE.compare(ONE).lost == ()
    empty = Network.from_parents({"a": [], "b": []})
    assert empty.compare(empty).to_pandas().shape == (0, 3)
    assert "<img" in found._repr_html_()


def test_comparison_tells_of_directions_that_mean_nothing() -> None:
    chain = Network.from_parents({"a": [], "b": ["a"], "c": ["b"]})
    fork = Network.from_parents({"a": ["b"], "b": [], "c": ["b"]})
    assert repr(chain.compare(fork)).endswith("equivalent: data cannot tell them apart")
    assert "data cannot" not in repr(chain.compare(chain))
    assert "data cannot" not in repr(chain.compare(fork, of="classes"))
    longer = Network.from_parents({"a": ["b"], "b": [], "c": []})
    told = "1 turned only as data cannot tell; comparing classes leaves that out"
    assert repr(chain.compare(longer)).endswith(told)
    collider = Network.from_parents({"a": [], "b": ["a", "c"], "c": []})
    assert "cannot tell" not in repr(fork.compare(collider))


def test_comparison_refuses_other_things() -> None:
    with pytest.raises(InputError, match="only be compared with a Network"):
        ONE.compare("network.bif")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="only one of them has 'a'"):
        ONE.compare(Network.from_parents({"e": []}))
    with pytest.raises(InputError, match="choose one of networks, classes"):
        ONE.compare(OTHER, of="skeletons")  # type: ignore[arg-type]


def test_picture_of_a_comparison_has_colours_and_heads(tmp_path: Path) -> None:
    arrows = drawn_arrows(ONE.compare(OTHER).plot(tmp_path / "compared.svg"))
    assert (tmp_path / "compared.svg").stat().st_size > 1000
    assert sorted(colour for colour, _ in arrows) == sorted([LOST, TURNED, TURNED, "#5b6b7f"])
    assert (ADDED, True) in drawn_arrows(OTHER.compare(ONE).plot())
    # An arc of the first that leads up the layers of the second has its head above.
    forth, back = (
        Network.from_parents({"a": [], "b": ["a"], "c": []}),
        Network.from_parents({"a": ["c"], "b": [], "c": ["b"]}),
    )
    assert (LOST, True) in drawn_arrows(forth.compare(back).plot())


def drawn_arrows(figure: Any) -> list[tuple[str, bool]]:
    """Give the colour of each arc of a drawing, and whether it has a head."""
    from matplotlib.colors import to_hex
    from matplotlib.patches import ArrowStyle, FancyArrowPatch

    return [
        (to_hex(patch.get_edgecolor()), type(patch.get_arrowstyle()) is not ArrowStyle.Curve)
        for patch in figure.axes[0].patches
        if isinstance(patch, FancyArrowPatch)
    ]


def test_pictures_of_classes_have_no_heads_where_data_cannot_tell(tmp_path: Path) -> None:
    network = Network.from_parents({"a": [], "b": [], "c": ["a", "b"], "d": ["c"], "e": ["d", "c"]})
    found = network.cpdag()
    for figure in (found.plot(tmp_path / "class.png"), network.plot(equivalence=True)):
        heads = [head for _, head in drawn_arrows(figure)]
        assert len(heads) == len(found.skeleton)
        assert heads.count(False) == len(found.undirected)
        texts = [text.get_text() for text in figure.axes[0].texts]
        assert "without an arrowhead: data cannot tell the direction" in texts
    assert (tmp_path / "class.png").stat().st_size > 1000
    assert all(head for _, head in drawn_arrows(network.plot()))
    assert "<img" in found._repr_html_()
    Network.from_parents({}).cpdag().plot()
