"""A client of a page's server, without a browser."""

from __future__ import annotations

import http.client
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from stopping import GUARD

if TYPE_CHECKING:
    from collections.abc import Iterator


OPEN: list[Reader] = []


def close_readers() -> None:
    """Close all that tests have left open, so that no server waits for them."""
    while OPEN:
        OPEN.pop().close()


class Answer:
    """What a server says to one request."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.text = response.read().decode()


def ask(
    address: str,
    name: str = "",
    *,
    method: str = "GET",
    headers: dict[str, str] | None = None,
    token: str | None = None,
) -> Answer:
    """Ask for something below an address, or below that of another token."""
    parts = urlsplit(address)
    path = parts.path if token is None else f"/{token}/"
    connection = http.client.HTTPConnection(parts.netloc, timeout=GUARD)
    try:
        connection.putrequest(method, path + name, skip_host="Host" in (headers or {}))
        for key, value in (headers or {}).items():
            connection.putheader(key, value)
        connection.endheaders()
        return Answer(connection.getresponse())
    finally:
        connection.close()


class Reader:
    """Reads messages as a page does."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._connection = http.client.HTTPConnection(parts.netloc, timeout=GUARD)
        self._connection.request("GET", parts.path + "events")
        self._response = self._connection.getresponse()
        OPEN.append(self)
        assert self._response.status == 200
        assert self._response.headers["Content-Type"] == "text/event-stream"

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        kind = ""
        for line in self._response:
            text = line.decode().rstrip("\n")
            if text.startswith("event: "):
                kind = text.removeprefix("event: ")
            elif text.startswith("data: "):
                yield kind, json.loads(text.removeprefix("data: "))

    def until(self, wanted: str) -> Any:
        """Read on up to the next message of a kind."""
        for kind, content in self:
            if kind == wanted:
                return content
        raise AssertionError(f"ended without {wanted}")

    def close(self) -> None:
        """Go away, as a browser does whose page is closed."""
        self._response.close()
        self._connection.close()
