"""The page in a real browser: values move, it stops, and names do nothing but stand there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from browser import needs_browser, opened
from page_client import Reader, ask, close_readers
from stopping import GUARD

import anytimebn as ab
from anytimebn.base.clock import ManualClock
from anytimebn.base.report import SEARCHING, BestNetwork, Report
from anytimebn.watch.page.live import LivePage
from anytimebn.watch.page.saved import SavedPage, SavedResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = needs_browser

COMMAND = [sys.executable, "-c", "from anytimebn.cli import main; main()"]
PATIENCE = 120  # seconds until a page that does not change is given up
HOSTILE = (
    "<img src=x onerror=window.hurt=1>",
    "</script><script>window.hurt=1</script>",
    "'\"><svg/onload=window.hurt=1>",
    "{{window.hurt=1}} javascript:window.hurt=1",
    "__proto__",
    "a\nb\u2028c\u202e",
)


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with opened(tmp_path_factory.mktemp("profile")) as made:
        yield made


@pytest.fixture(autouse=True)
def _leave(driver: Any) -> Iterator[None]:
    driver.get_log("browser")
    yield
    complaints = [entry["message"] for entry in driver.get_log("browser")]
    driver.get("about:blank")
    close_readers()
    assert [said for said in complaints if "ERR_CONNECTION_REFUSED" not in said] == []


@pytest.fixture
def page() -> Iterator[LivePage]:
    made = LivePage("a table", working=ManualClock(tick=1000.0))
    yield made
    made.close()


def wait(driver: Any, holds: Callable[[Any], Any]) -> Any:
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(driver, PATIENCE, poll_frequency=0.05).until(holds)


def text_of(driver: Any, name: str) -> str:
    text: str = driver.execute_script(
        "return document.getElementById(arguments[0]).innerText", name
    )
    return text


def click(driver: Any, name: str) -> None:
    driver.execute_script("document.getElementById(arguments[0]).click()", name)


def count(driver: Any, selector: str) -> int:
    found: int = driver.execute_script(
        "return document.querySelectorAll(arguments[0]).length", selector
    )
    return found


def kept_files(driver: Any, *buttons: str) -> list[str]:
    """Click on buttons that save what the page has, and give what would be saved."""
    texts: list[str] = driver.execute_script(
        "const made = []; URL.createObjectURL = (blob) => { made.push(blob); return '#'; };"
        "for (const name of arguments) document.getElementById(name).click();"
        "return Promise.all(made.map((blob) => blob.text()))",
        *buttons,
    )
    return texts


def report(parents: tuple[tuple[int, ...], ...], **more: Any) -> Report:
    names = tuple("abcdef"[: len(parents)])
    told = {"phase": SEARCHING, "seconds": 1.0, "cost": 1000.0, "lower_bound": 900.0}
    return Report(**told | more, network=BestNetwork(names, parents))


def test_values_move_and_changes_are_marked(driver: Any, page: LivePage) -> None:
    driver.get(page.address)
    page(report(((), (0,), (1,), ())))
    wait(driver, lambda d: text_of(d, "gap") == "at most 12 %")
    wait(driver, lambda d: count(d, ".box") == 4 and count(d, ".arc path") == 2)
    assert text_of(driver, "cost") == "1,000.000"
    page(report(((), (0,), (), (1,)), cost=950.0, space="the neighbourhood"))
    wait(driver, lambda d: text_of(d, "cost") == "950.000")
    assert "of the neighbourhood" in text_of(driver, "gap-words")
    wait(driver, lambda d: count(d, ".arc.added path") == 1 and count(d, ".arc.lost path") == 1)
    assert text_of(driver, "parents").split() == ["a", "–", "b", "a", "c", "–", "d", "b"]
    click(driver, "changes")
    assert count(driver, ".arc.added path") == 0
    assert count(driver, "#chart .bound") == 1
    assert driver.title == "5.6 % · a table · anytimebn"


def test_click_shows_the_markov_blanket(driver: Any, page: LivePage) -> None:
    driver.get(page.address)
    page(report(((), (), (0, 1), (2, 4), (), ())))  # a, b -> c -> d <- e
    wait(driver, lambda d: count(d, ".box") == 6 and count(d, ".arc") == 4)
    choose = "document.querySelectorAll('.box')[arguments[0]].dispatchEvent(new MouseEvent('click',"
    driver.execute_script(choose + "{bubbles: true}))", 2)
    wait(driver, lambda d: "c" in text_of(d, "chosen").split())
    roles = {
        role: driver.execute_script(
            "return [...document.querySelectorAll('.box.' + arguments[0] + ' title')]"
            ".map(title => title.textContent)",
            role,
        )
        for role in ("self", "parent", "child", "spouse", "far")
    }
    assert roles == {
        "self": ["c"],
        "parent": ["a", "b"],
        "child": ["d"],
        "spouse": ["e"],
        "far": ["f"],
    }
    driver.execute_script(choose + "{bubbles: true}))", 2)
    assert count(driver, ".box.far") == 0
    assert driver.execute_script("return document.getElementById('chosen').hidden")


def test_class_has_no_heads_where_data_cannot_tell_directions(driver: Any, page: LivePage) -> None:
    driver.get(page.address)
    page(report(((), (0,), (), (), (2, 3))))  # a -> b can be turned; c -> e <- d cannot
    wait(driver, lambda d: count(d, ".arc polygon") == 3)
    click(driver, "as-class")
    assert count(driver, ".arc polygon") == 2
    assert "data cannot tell the direction" in text_of(driver, "legend")
    click(driver, "as-class")
    assert count(driver, ".arc polygon") == 3


def test_hostile_names_do_nothing(driver: Any, page: LivePage) -> None:
    parents = ((), (0,), (0, 1), (2,), (3,), (4,))
    told = report(parents)
    page.begin(ab.score(np.array([[0, 1], [1, 0]] * 5)))
    page(Report(**vars(told) | {"network": BestNetwork(HOSTILE, parents), "space": HOSTILE[0]}))
    driver.get(page.address)
    wait(driver, lambda d: count(d, ".box") == len(HOSTILE))
    shown = driver.execute_script(
        "return [...document.querySelectorAll('#parents td:first-child')].map(c => c.textContent)"
    )
    assert shown == list(HOSTILE)
    for number in range(len(HOSTILE)):
        driver.execute_script(
            "document.querySelectorAll('#parents tr')[arguments[0]].click()", number
        )
        wait(driver, lambda d: d.execute_script("return !document.getElementById('chosen').hidden"))
    assert driver.execute_script("return window.hurt") is None
    assert count(driver, "img") == 1  # our own
    assert count(driver, "main script, main img, main iframe") == 0
    (svg,) = kept_files(driver, "save-svg")
    assert "&lt;img src=x" in svg
    assert "<img" not in svg
    assert "<script" not in svg


def test_nothing_but_this_server_is_asked(driver: Any, page: LivePage) -> None:
    driver.get(page.address)
    page(report(((), (0,))))
    wait(driver, lambda d: count(d, ".box") == 2)
    asked = driver.execute_script(
        "return performance.getEntriesByType('resource').map(e => e.name)"
    )
    assert asked
    assert all(name.startswith(page.address) for name in asked)


def test_stop_keeps_the_result_and_the_page_works_on(driver: Any, tmp_path: Path) -> None:
    """The whole of it: a search on the command line that would take long, ten pages, one click."""
    scores, file = tmp_path / "large.jkl", tmp_path / "result.json"
    _, table = ab.generate(26, 3, 400, seed=1)
    ab.score(table, max_parents=2).save(scores)
    command = [*COMMAND, "learn", str(scores), "--live", "--json", str(file)]
    running = subprocess.Popen(
        [*command, "--algorithm", "dynamic-programming"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stderr is not None
    address = re.findall(r"http://\S+", running.stderr.readline())[0]
    others = [Reader(address) for _ in range(9)]
    driver.get(address)
    wait(driver, lambda d: count(d, ".box") == 26)
    moved = text_of(driver, "facts")
    wait(driver, lambda d: text_of(d, "facts") != moved)
    click(driver, "stop")
    assert text_of(driver, "stop") == "Stop now?"
    assert running.poll() is None
    click(driver, "stop")
    running.communicate(timeout=GUARD)
    assert running.returncode == 0
    found = ab.Result.load(file)
    assert found.status == "interrupted"
    for other in others:
        assert other.until("end")["words"].startswith("interrupted")
    # Nobody serves it any more.
    wait(driver, lambda d: "The run has ended" in text_of(d, "doing"))
    assert text_of(driver, "gap-words") or text_of(driver, "gap")
    assert text_of(driver, "cost") == f"{found.cost:,.3f}"
    driver.execute_script("document.querySelectorAll('#parents tr')[0].click()")
    assert not driver.execute_script("return document.getElementById('chosen').hidden")
    kept = kept_files(driver, "save-json", "save-svg")
    assert json.loads(kept[0]) == json.loads(file.read_text())
    assert kept[1].startswith("<svg")
    with pytest.raises(ConnectionRefusedError):
        ask(address)


@pytest.mark.parametrize("variables", [15, 56, 200])
def test_page_is_of_use_at_all_sizes(driver: Any, variables: int, tmp_path: Path) -> None:
    """All boxes are in sight, letters can be read, and no box lies on another."""
    network, table = ab.generate(variables, 3, 50, seed=2)
    result = ab.learn(table, start=network, time_limit=0)
    result.save(tmp_path / "result.json")
    page = SavedPage(SavedResult(tmp_path / "result.json"))
    driver.get(page.address)
    wait(driver, lambda d: count(d, ".box") == variables)
    room, boxes, letters = driver.execute_script(
        "const flat = (e) => { const r = e.getBoundingClientRect();"
        " return [r.left, r.top, r.right, r.bottom]; };"
        "for (const box of document.querySelectorAll('.box')) box.style.transition = 'none';"
        "return [flat(document.getElementById('canvas')),"
        " [...document.querySelectorAll('.box rect')].map(flat),"
        " Math.max(...[...document.querySelectorAll('.box text')]"
        "   .map(e => e.getBoundingClientRect().height))]"
    )
    page.close()
    assert letters >= 6
    for left, top, right, bottom in boxes:
        assert room[0] <= left < right <= room[2]
        assert room[1] <= top < bottom <= room[3]
    for number, one in enumerate(boxes):
        for other in boxes[:number]:
            apart = (
                one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            )
            assert apart
    click(driver, "zoom-in")
    assert "scale(" in driver.execute_script(
        "return document.querySelector('#canvas svg > g').getAttribute('transform')"
    )


def test_curve_falls_where_bounds_were_of_networks_left_behind(driver: Any, tmp_path: Path) -> None:
    result = ab.learn(ab.generate(5, 2, 50, seed=2)[1], time_limit=0)
    cost = result.cost
    events = (
        ab.Event(1.0, cost + 900, None, 0, "order search"),
        ab.Event(2.0, cost + 800, cost + 700, 0, "the neighbourhood"),
        ab.Event(3.0, cost, None, 0, "order search"),
    )
    replace(result, events=events).save(tmp_path / "result.json")
    page = SavedPage(SavedResult(tmp_path / "result.json"))
    driver.get(page.address)
    wait(driver, lambda d: count(d, "#chart path.cost") == 1)
    line = driver.execute_script(
        "return document.querySelector('#chart path.cost').getAttribute('d')"
    )
    page.close()
    heights = {point.split()[1] for point in line[1:].split("L")}
    assert len(heights) == 3


def test_connection_that_is_lost_is_told_and_nothing_is_gone(driver: Any) -> None:
    page = LivePage("a table", working=ManualClock(tick=1000.0))
    driver.get(page.address)
    page(report(((), (0,))))
    wait(driver, lambda d: count(d, ".box") == 2)
    page._server.close()  # as if the process were killed: without a word
    page.board.end()
    wait(driver, lambda d: "connection is lost" in text_of(d, "notice"))
    assert text_of(driver, "cost") == "1,000.000"
    page.close()
