"""Who may ask the server of a page for what, without a browser."""

from __future__ import annotations

import logging
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest
from page_client import Reader, ask, close_readers

from anytimebn.base.errors import InputError
from anytimebn.watch.page import server as served
from anytimebn.watch.page.board import Board
from anytimebn.watch.page.server import PAGE_FILES, SCRIPTS, TEXT, PageServer, Served
from anytimebn.watch.page.share import Share

if TYPE_CHECKING:
    from collections.abc import Iterator

HOSTILE = "</script><script>alert(1)</script>\n\ndata: {}\n\nevent: end\u2028"


class Shown:
    """Something to show."""

    def __init__(self) -> None:
        self.board, self.share = Board(), Share()
        self.stops = 0
        self.can_stop = True

    def stop(self) -> bool:
        self.stops += self.can_stop
        return self.can_stop

    def serve(self, name: str, asked: dict[str, str]) -> Served | None:
        return Served(TEXT, repr(asked).encode(), name) if name == "made" else None


@pytest.fixture
def shown() -> Shown:
    return Shown()


@pytest.fixture
def server(shown: Shown) -> Iterator[PageServer]:
    made = PageServer(shown)
    made.start()
    yield made
    close_readers()
    shown.board.end()
    made.close()


# --- who may ask ---


def test_page_is_served_on_this_machine_only(server: PageServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert server.address == f"http://127.0.0.1:{server.server_port}/{server.token}/"
    assert len(server.token) >= 32


@pytest.mark.parametrize("token", ["", "x", "../", "%2e%2e", "%C3%A9"])
@pytest.mark.parametrize("name", ["", "page.js", "events", "made"])
def test_nothing_is_given_without_the_token(server: PageServer, token: str, name: str) -> None:
    for wrong in (token, server.token[:-1], f"{server.token}x"):
        answer = ask(server.address, name, token=wrong)
        assert answer.status == 403
        assert server.token not in answer.text


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost@evil", ""]
)
def test_strangers_whose_name_leads_here_are_refused(
    server: PageServer, shown: Shown, host: str
) -> None:
    for method, name in (("GET", ""), ("GET", "events"), ("POST", "stop")):
        assert ask(server.address, name, method=method, headers={"Host": host}).status == 403
    assert shown.stops == 0


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:9", "LOCALHOST:8000", "[::1]:80"])
def test_all_names_of_this_machine_are_welcome(server: PageServer, host: str) -> None:
    """Whatever the port: a tunnel to another machine has its own."""
    assert ask(server.address, headers={"Host": host}).status == 200


# --- what is given ---


def test_everything_has_a_strict_policy(server: PageServer) -> None:
    for name in ("", *PAGE_FILES, *SCRIPTS, "made", "nothing"):
        headers = ask(server.address, name).headers
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"


def test_page_and_all_that_it_needs_are_files_of_the_package(server: PageServer) -> None:
    folder = files("anytimebn.watch.page") / "files"
    assert {file.name for file in folder.iterdir()} == {*PAGE_FILES, *SCRIPTS}
    page = ask(server.address).text
    for named in re.findall(r'(?:src|href)="([^"]+)"', page):
        assert ask(server.address, named).status == 200
    for script in SCRIPTS:
        for named in re.findall(r'from "\./([^"]+)"', ask(server.address, script).text):
            assert named in SCRIPTS


def test_page_has_nothing_from_elsewhere_and_makes_no_markup_of_names() -> None:
    for file in (files("anytimebn.watch.page") / "files").iterdir():
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:|//[a-z]+\.|@import", text), file.name
        for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert way not in text, file.name


@pytest.mark.parametrize("name", ["nothing", "../server.py", "%2e%2e/server.py", "files/page.js"])
def test_nothing_else_is_given(server: PageServer, name: str) -> None:
    assert ask(server.address, name).status in (403, 404)


def test_what_is_made_on_request_knows_what_was_asked(server: PageServer) -> None:
    answer = ask(server.address, "made?key=a%20b&key=c")
    assert answer.text == "{'key': 'a b'}"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="made"'


# --- what can be changed ---


def test_only_a_post_stops(server: PageServer, shown: Shown) -> None:
    assert ask(server.address, "stop").status == 404
    for method in ("PUT", "DELETE", "HEAD", "OPTIONS"):
        assert ask(server.address, "stop", method=method).status == 501
    assert ask(server.address, "", method="POST").status == 404
    assert ask(server.address, "stop", method="POST", token="x").status == 403
    foreign = {"Origin": "http://evil.example"}
    assert ask(server.address, "stop", method="POST", headers=foreign).status == 403
    assert shown.stops == 0
    own = {"Origin": server.address.split(f"/{server.token}")[0]}
    assert ask(server.address, "stop", method="POST", headers=own).status == 202
    assert ask(server.address, "stop", method="POST").status == 202
    assert shown.stops == 2
    shown.can_stop = False
    assert ask(server.address, "stop", method="POST").status == 409


# --- messages ---


def test_names_of_all_kinds_arrive_as_they_are(server: PageServer, shown: Shown) -> None:
    shown.board.publish("subject", {"title": HOSTILE})
    reader = Reader(server.address)
    assert reader.until("subject") == {"title": HOSTILE}
    shown.board.end()
    assert list(reader) == []


def test_ten_pages_at_once_hear_the_same(server: PageServer, shown: Shown) -> None:
    shown.board.publish("subject", {"title": "before"})
    opened = threading.Barrier(11)

    def read() -> list[object]:
        reader = Reader(server.address)
        first = reader.until("subject")
        opened.wait()
        return [first, *[content for kind, content in reader if kind in ("network", "end")]]

    with ThreadPoolExecutor(10) as pool:
        heard = [pool.submit(read) for _ in range(10)]
        opened.wait()
        assert shown.board.readers == 10
        shown.board.publish("network", {"number": 1})
        shown.board.publish("end", {"words": "over"})
        shown.board.end()
        for one in heard:
            assert one.result() == [{"title": "before"}, {"number": 1}, {"words": "over"}]


def test_page_that_is_closed_disturbs_nobody(server: PageServer, shown: Shown) -> None:
    leaving, staying = Reader(server.address), Reader(server.address)
    for reader in (leaving, staying):
        shown.board.publish("subject", {"title": "both"})
        assert reader.until("subject") == {"title": "both"}
    leaving.close()
    number = 0
    while shown.board.readers > 1:  # it is noticed when something is written
        number += 1
        shown.board.publish("status", {"number": number, "more": "x" * 50_000})
        time.sleep(0.001)
    shown.board.publish("end", {"words": "over"})
    assert staying.until("end") == {"words": "over"}
    assert ask(server.address).status == 200


def test_too_many_pages_are_refused(
    server: PageServer, shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served, "MOST_PAGES", 1)
    shown.board.publish("subject", {})
    reader = Reader(server.address)
    reader.until("subject")
    assert ask(server.address, "events").status == 503
    assert ask(server.address).status == 200


def test_log_never_has_the_token(server: PageServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "anytimebn")
    ask(server.address)
    ask(server.address, "nothing")
    Reader(server.address).close()
    assert server.token not in caplog.text


def test_port_that_is_taken_is_an_error_of_input(server: PageServer, shown: Shown) -> None:
    with pytest.raises(InputError, match=f"port {server.server_port} of 127.0.0.1"):
        PageServer(shown, server.server_port)


def test_closed_server_answers_nobody(shown: Shown) -> None:
    server = PageServer(shown)
    server.start()
    server.close()
    with pytest.raises(ConnectionRefusedError):
        ask(server.address)
