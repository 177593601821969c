"""Damage to files, the same for the same seed: what disks, editors and programs do to them."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

NUMBERS = [
    b"0",
    b"-1",
    b"1.5",
    b"nan",
    b"inf",
    b"1e999",
    b"-0.0",
    b"9" * 30,
    b"9" * 5000,
    b"0x1F",
    b"1_000",
    "²".encode(),
    b"true",
    b"null",
    b'"3"',
    b"[]",
    b"",
]
PIECES = [
    *(b"{", b"}", b"(", b")", b"[", b"]", b"|", b";", b",", b"=", b'"', b"'", b"\\", b"#", b"%"),
    *(b"<", b">", b"&", b"\x00", b"\xff", b"\n", b"\r", b" ", b"\t", b"//", b"/*", b":", b"->"),
]


def damaged(content: bytes, count: int, seed: int) -> Iterator[bytes]:
    """Yield copies that differ from the content in one or two places."""
    dice = random.Random(seed)
    for _ in range(count):
        changed = content
        for _ in range(dice.choice((1, 1, 2))):
            changed = dice.choice(DAMAGES)(changed, dice)
        yield changed


def _flip(content: bytes, dice: random.Random) -> bytes:
    if not content:
        return b"\x00"
    place = dice.randrange(len(content))
    return content[:place] + bytes([dice.randrange(256)]) + content[place + 1 :]


def _insert(content: bytes, dice: random.Random) -> bytes:
    place = dice.randrange(len(content) + 1)
    return content[:place] + dice.choice(PIECES) + content[place:]


def _delete(content: bytes, dice: random.Random) -> bytes:
    place = dice.randrange(len(content) + 1)
    return content[:place] + content[place + dice.randrange(1, 12) :]


def _truncate(content: bytes, dice: random.Random) -> bytes:
    return content[: dice.randrange(len(content) + 1)]


def _drop_line(content: bytes, dice: random.Random) -> bytes:
    lines = content.split(b"\n")
    del lines[dice.randrange(len(lines))]
    return b"\n".join(lines)


def _repeat_line(content: bytes, dice: random.Random) -> bytes:
    lines = content.split(b"\n")
    lines.insert(dice.randrange(len(lines) + 1), dice.choice(lines))
    return b"\n".join(lines)


def _swap_words(content: bytes, dice: random.Random) -> bytes:
    words = re.split(rb"(\W+)", content)
    one, other = (dice.randrange(len(words)) for _ in range(2))
    words[one], words[other] = words[other], words[one]
    return b"".join(words)


def _another_number(content: bytes, dice: random.Random) -> bytes:
    places = list(re.finditer(rb"-?\d+(?:\.\d+)?", content))
    if not places:
        return _insert(content, dice)
    place = dice.choice(places)
    return content[: place.start()] + dice.choice(NUMBERS) + content[place.end() :]


DAMAGES = [
    *(_flip, _insert, _delete, _truncate, _drop_line, _repeat_line, _swap_words),
    *(_another_number,) * 4,
]
