"""What the readers of network files in brackets share: tokens, and complaints that name a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from anytimebn.base.errors import InputError

if TYPE_CHECKING:
    import re
    from collections.abc import Container, Iterator
    from pathlib import Path


@dataclass(frozen=True)
class Token:
    """A word, a quoted string or a punctuation mark, and the line it stands on."""

    text: str
    line: int
    is_mark: bool = False


class TokenReader:
    """Reads a file token by token; every complaint names the file and the line.

    The pattern has the groups ``skip``, ``quoted``, ``mark`` and ``word``.
    """

    pattern: re.Pattern[str]

    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 1
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            text = path.read_text(encoding="latin-1")
        self.tokens = self._tokenize(text)

    def _tokenize(self, text: str) -> Iterator[Token]:
        position, line = 0, 1
        while position < len(text):
            match = self.pattern.match(text, position)
            if match is None:
                self.line = line
                self._fail("a quoted name or a comment that does not end")
            kind, piece = match.lastgroup, match.group()
            if kind != "skip":
                assert kind is not None
                yield Token(match.group(kind), line, kind == "mark")
            line += piece.count("\n")
            position = match.end()

    def _fail(self, message: str) -> NoReturn:
        raise InputError(f"{self.path}, line {self.line}: {message}")

    def _next(self, wanted: str) -> Token:
        token = next(self.tokens, None)
        if token is None:
            self._fail(f"the file ends where {wanted} is needed")
        self.line = token.line
        return token

    def _mark(self, mark: str) -> None:
        token = self._next(repr(mark))
        if not (token.is_mark and token.text == mark):
            self._fail(f"{token.text!r} stands where {mark!r} is needed")

    def _word(self, wanted: str) -> str:
        token = self._next(wanted)
        if token.is_mark:
            self._fail(f"{token.text!r} stands where {wanted} is needed")
        return token.text

    def _until(self, *marks: str) -> tuple[list[str], str]:
        """Collect words, skipping commas, up to one of the marks."""
        wanted = " or ".join(map(repr, marks))
        words = []
        while True:
            token = self._next(wanted)
            if not token.is_mark:
                words.append(token.text)
            elif token.text in marks:
                return words, token.text
            elif token.text != ",":
                self._fail(f"{token.text!r} stands where {wanted} is needed")

    def _family(self, what: str, declared: Container[str]) -> tuple[str, list[str]]:
        """Read ``( child | parents )``, all of them declared before."""
        self._mark("(")
        own, end = self._until("|", ")")
        members: list[str] = []
        if end == "|":
            members, _ = self._until(")")
        if len(own) != 1:
            self._fail(f"probabilities of {len(own)} {what}s at once; one is needed before '|'")
        for name in (*own, *members):
            if name not in declared:
                self._fail(f"{what} {name!r} was not declared above")
        return own[0], members
