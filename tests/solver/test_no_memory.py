"""When the system itself refuses memory, in the midst of a search."""

from __future__ import annotations

import sys

import pytest
from search_problems import check, hard, optimum_of_hard

import anytimebn as ab
from anytimebn.solver.linear.program import LinearProgram
from anytimebn.solver.no_memory import importing_late


class Refusing:
    """Finds a library that does not fit into memory."""

    def find_spec(self, name: str, *_: object) -> None:
        if name == "highspy":
            told = "_core.so: failed to map segment from shared object"
            raise ImportError(told)


@pytest.mark.parametrize("algorithm", ["relaxation", "ilp"])
@pytest.mark.parametrize("where", ["import", "solve"])
def test_no_memory_for_a_linear_program_keeps_the_network(
    algorithm: str, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> bool:
        raise MemoryError

    if where == "import":
        monkeypatch.delitem(sys.modules, "highspy", raising=False)
        monkeypatch.setattr(sys, "meta_path", [Refusing(), *sys.meta_path])
    else:
        monkeypatch.setattr(LinearProgram, "solve", refuse)
    scores = hard(8)
    result = ab.search(scores, algorithm=algorithm, local_search=False)
    assert result.status == "memory"
    check(scores, result, optimum_of_hard(8))


def test_no_memory_for_a_tree_keeps_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    scip_tree = pytest.importorskip("anytimebn.solver.linear.scip_tree")

    def refuse(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(scip_tree.Tree, "solve", refuse)
    scores = hard(8)
    result = ab.search(scores, algorithm="ilp", parameters={"from-scratch": 1.0})
    assert result.status == "memory"
    check(scores, result, optimum_of_hard(8))


def test_a_broken_library_is_no_lack_of_memory() -> None:
    with pytest.raises(ImportError, match="undefined symbol"), importing_late():
        raise ImportError("undefined symbol")
