"""The server of a page: on this machine only, and for those only who know its address.

- It listens on the loopback address. The page of a stranger whose name leads there all the same
  (DNS rebinding) is refused by the name that its requests give as their host.
- Every address begins with a token that nobody can guess; other users of the machine do not know
  it, and it is in no log.
- What is served is the page, what it shows, and nothing from elsewhere: a content security policy
  keeps the browser from running or loading anything else, whatever the names of variables are.
- Nothing can be changed but one thing: a POST request may stop the search.
"""

from __future__ import annotations

import hmac
import logging
import re
import secrets
import socketserver
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple, Protocol
from urllib.parse import parse_qs, urlsplit

from anytimebn.base.errors import InputError

if TYPE_CHECKING:
    from anytimebn.watch.page.board import Board
    from anytimebn.watch.page.share import Share

LOG = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"
HOSTS = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?")
MOST_PAGES = 64
SOCKET_SECONDS = 10.0  # after which a browser that neither reads nor writes is left alone
STOP_POLL_SECONDS = 0.05

TEXT, JSON = "text/plain; charset=utf-8", "application/json"
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
PAGE_FILES = ("page.html", "page.css", "icon.svg")
SCRIPTS = ("page.js", "elements.js", "chart.js", "graph.js", "panels.js", "study.js")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",  # the address has the token
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
    "Connection": "close",
}


class Served(NamedTuple):
    """What a request is answered with."""

    kind: str
    content: bytes
    name: str | None = None  # of a file that the browser should save


class Shown(Protocol):
    """What a page shows."""

    @property
    def board(self) -> Board:
        """The messages of all pages."""

    @property
    def share(self) -> Share:
        """Counts what serving takes."""

    def stop(self) -> bool:
        """Ask for the end of what is shown; whether that is possible."""

    def serve(self, name: str, asked: dict[str, str]) -> Served | None:
        """Give what is made on request; None if there is no such thing."""


class PageServer(ThreadingHTTPServer):
    """Serves one page to any number of browsers, in threads that keep nothing from ending.

    Parameters
    ----------
    shown
        What the page shows.
    port
        Where it is served; 0 takes one that is free.

    Raises
    ------
    InputError
        If the port is taken.
    """

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, shown: Shown, port: int = 0) -> None:
        self.shown = shown
        self.token = secrets.token_urlsafe(24)
        try:
            super().__init__((LOOPBACK, port), _Handler)
        except OSError as error:
            wanted = f"port {port}" if port else "a port"
            raise InputError(
                f"the page cannot be served: {wanted} of {LOOPBACK}: {error.strerror}; "
                "choose another one, or none"
            ) from error
        self._thread = threading.Thread(
            target=self.serve_forever,
            args=(STOP_POLL_SECONDS,),
            name="anytimebn page",
            daemon=True,
        )

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{LOOPBACK}:{self.server_address[1]}/{self.token}/"

    def start(self) -> None:
        """Serve from now on."""
        self._thread.start()

    def close(self) -> None:
        """Serve nobody any more."""
        if self._thread.is_alive():
            self.shutdown()
        self.server_close()

    def server_bind(self) -> None:
        """Take the port, without asking the network for the name of this machine."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = LOOPBACK, self.server_address[1]

    def handle_error(self, *_: object) -> None:
        """Leave out what a browser that went away causes: it is no fault of the search."""
        LOG.debug("a request ended early", exc_info=True)


class _Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: PageServer
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "anytimebn", ""
    timeout = SOCKET_SECONDS

    def do_GET(self) -> None:
        """Give the page, or a part of what it shows."""
        with self.server.shown.share.counted():
            name = self._asked_for()
            if name is None:
                return
            served = None if name == "events" else self._served(name)
        if name == "events":
            self._send_events()
        elif served is None:
            self._refuse(404, "there is nothing here")
        else:
            self._send(200, served)

    def do_POST(self) -> None:
        """Stop the search."""
        name = self._asked_for()
        if name is None:
            return
        origin = self.headers.get("Origin")
        if origin is not None and origin != f"http://{self.headers['Host']}":
            self._refuse(403, "this comes from another page")
        elif name != "stop":
            self._refuse(404, "there is nothing here")
        elif not self.server.shown.stop():
            self._refuse(409, "there is nothing to stop")
        else:
            self._send(202, Served(TEXT, b"stopping\n"))

    def _asked_for(self) -> str | None:
        """Give what comes after the token; refuse others than those who know it."""
        hosts = self.headers.get_all("Host") or []
        if len(hosts) != 1 or not HOSTS.fullmatch(hosts[0].strip().lower()):
            self._refuse(403, "this is not the name of this machine")
            return None
        first, _, rest = urlsplit(self.path).path.lstrip("/").partition("/")
        if not hmac.compare_digest(first.encode(), self.server.token.encode()):
            self._refuse(403, "the address is not complete: open the one that was printed")
            return None
        return rest

    def _served(self, name: str) -> Served | None:
        if name in ("", *PAGE_FILES, *SCRIPTS):
            file = name or "page.html"
            content = (files("anytimebn.watch.page") / "files" / file).read_bytes()
            return Served(KINDS[file[file.rindex(".") :]], content)
        asked = {key: values[0] for key, values in parse_qs(urlsplit(self.path).query).items()}
        return self.server.shown.serve(name, asked)

    def _send_events(self) -> None:
        """Send messages until nothing more comes, or the page is closed."""
        board, share = self.server.shown.board, self.server.shown.share
        if not board.enter(MOST_PAGES):
            self._refuse(503, "too many pages are open")
            return
        try:
            self._begin(200, "text/event-stream")
            self.end_headers()
            messages = board.follow()
            while True:
                # Waiting takes no processor; writing a message down does.
                with share.counted():
                    message = next(messages, None)
                    if message is None:
                        return
                    self.wfile.write(message)
        except OSError:  # the page was closed
            LOG.debug("a page was closed")
        finally:
            board.leave()

    def _send(self, status: int, served: Served) -> None:
        self._begin(status, served.kind)
        self.send_header("Content-Length", str(len(served.content)))
        if served.name is not None:
            self.send_header("Content-Disposition", f'attachment; filename="{served.name}"')
        self.end_headers()
        self.wfile.write(served.content)

    def _refuse(self, status: int, why: str) -> None:
        self._send(status, Served(TEXT, f"{why}\n".encode()))

    def send_error(self, code: int, *_: object) -> None:
        """Refuse what is no request that anybody here understands."""
        self._refuse(code, "this cannot be asked for here")

    def _begin(self, status: int, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Log nothing: addresses have the token."""
