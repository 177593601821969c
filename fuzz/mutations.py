"""Ways to spoil a file, or a JSON value."""

from __future__ import annotations

import copy
import gzip
import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

NUMBERS = [
    *("0", "-1", "1", "2", "-0.0", "1.5", "1e999", "-1e999", "1e-400", "nan", "inf", "-inf"),
    *("2147483648", "4294967296", "9223372036854775808", "18446744073709551616", "1e18", "-1e308"),
    *("0x10", "1_000", "٣", "+1", "1.", ".5", "1e5", "65536", "65537", "1024", "9" * 400),
    *("7" * 5000, "27", "40"),
]
WORDS = [
    *("", " ", "null", "true", "NaN", "?", "NA", "rain", "wet", "X9", '"', "'", "\\", "{", "}"),
    *("(", ")", "[", "]", ";", ",", "|", "->", "=", "#", "%", "<", ">", "&", "&lt;", "\x00"),
    *("\ufeff", "\u2028", "é", "𝔘", "a" * 3000, "\n", "\r", "\t", "*anchor", "!!python/object:x"),
    *("property", "default", "table", "network", "states", "data", "@data", "@attribute", "META"),
]
VALUES: list[Any] = [
    *(None, True, False, 0, -1, 1, 1.5, -0.0, 1e308, 2**31, 2**63, 2**64, 10**400, -(10**400)),
    *("", "rain", "x", "nan", "optimal", [], {}, [[]], [None], {"": None}, {"rain": 1}, [["rain"]]),
    *(float("nan"), float("inf"), float("-inf"), ["rain", "rain"], [["rain", "wet", "wet"]]),
]


def spoiled_bytes(random: Random, content: bytes) -> bytes:
    """Change some bytes, whatever they mean."""
    data = bytearray(content)
    for _ in range(random.choice([1, 1, 2, 5])):
        at = random.randrange(len(data) + 1)
        end = min(len(data), at + random.choice([1, 1, 4, 30]))
        way = random.randrange(6)
        if way == 0 and at < len(data):
            data[at] ^= 1 << random.randrange(8)
        elif way == 1 and at < len(data):
            data[at] = random.randrange(256)
        elif way == 2:
            data[at:at] = bytes(random.randrange(256) for _ in range(random.choice([1, 3])))
        elif way == 3:
            del data[at:end]
        elif way == 4:
            data[at:at] = data[at:end]
        elif random.random() < 0.3:
            del data[at:]
    return bytes(data)


def spoiled_text(random: Random, content: bytes) -> bytes:
    """Change words, numbers and lines."""
    text = content.decode("utf-8", "surrogateescape")
    for _ in range(random.choice([1, 1, 2, 4])):
        way = random.randrange(4)
        if way == 0:
            text = _replaced(random, text, r"-?\d+(?:\.\d+)?", NUMBERS)
        elif way == 1:
            text = _replaced(random, text, r"\w+", [*WORDS, *NUMBERS])
        elif way == 2:
            text = _replaced(random, text, r"[^\w\s]", WORDS)
        else:
            text = _other_lines(random, text)
    return text.encode("utf-8", "surrogateescape")


def _replaced(random: Random, text: str, pattern: str, by: list[str]) -> str:
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    chosen = random.choice(found)
    return text[: chosen.start()] + random.choice(by) + text[chosen.end() :]


def _other_lines(random: Random, text: str) -> str:
    lines = text.split("\n")
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    way = random.randrange(4)
    if way == 0:
        del lines[one]
    elif way == 1:
        lines.insert(other, lines[one])
    elif way == 2:
        lines[one], lines[other] = lines[other], lines[one]
    else:
        lines[one:one] = [lines[other]] * random.choice([2, 50])
    return random.choice(["\n", "\n", "\n", "\r\n", "\r"]).join(lines)


def spoiled_json(random: Random, content: Any) -> Any:
    """Change some values inside a JSON value."""
    content = copy.deepcopy(content)
    for _ in range(random.choice([1, 1, 2, 3])):
        places = list(_places(content))
        if not places:
            return random.choice(VALUES)
        owner, key = random.choice(places)
        way = random.randrange(5)
        if way == 0:
            del owner[key]
        elif way == 1 and isinstance(owner, list):
            owner.append(copy.deepcopy(owner[key]))
        elif way == 2:
            other_owner, other_key = random.choice(places)
            owner[key] = copy.deepcopy(other_owner[other_key])
        else:
            owner[key] = copy.deepcopy(random.choice(VALUES))
    return content


def _places(content: Any) -> Any:
    """Every place inside a value, as what holds it and the key there."""
    entries: Any = ()
    if isinstance(content, dict):
        entries = content.items()
    elif isinstance(content, list):
        entries = enumerate(content)
    for key, value in entries:
        yield content, key
        yield from _places(value)


def bomb(random: Random, kind: str) -> bytes:
    """Make a small file that asks for much work or memory."""
    size = random.choice([10, 25, 30, 60, 1000])
    many = random.choice([100, 1000, 30_000])
    if kind == "bif":
        names = [f"v{i}" for i in range(size)]
        declared = "".join(
            f"variable {name} {{ type discrete [ 2 ] {{ a, b }}; }}\n" for name in names
        )
        rest = ", ".join(names[1:])
        table = random.choice(["table 0.5, 0.5;", "default 0.5, 0.5;", ""])
        return f"{declared}probability ( v0 | {rest} ) {{ {table} }}".encode()
    if kind == "net":
        names = [f"v{i}" for i in range(size)]
        declared = "".join(f'node {name} {{ states = ("a" "b"); }}\n' for name in names)
        return f"{declared}potential (v0 | {' '.join(names[1:])}) {{ data = (0.5); }}".encode()
    if kind == "xmlbif":
        if random.random() < 0.5:
            names = [f"v{i}" for i in range(size)]
            declared = "".join(
                f"<VARIABLE><NAME>{n}</NAME><OUTCOME>a</OUTCOME><OUTCOME>b</OUTCOME></VARIABLE>"
                for n in names
            )
            given = "".join(f"<GIVEN>{n}</GIVEN>" for n in names[1:])
            definition = f"<DEFINITION><FOR>v0</FOR>{given}<TABLE>0.5 0.5</TABLE></DEFINITION>"
            return f"<BIF><NETWORK>{declared}{definition}</NETWORK></BIF>".encode()
        entities = "".join(
            f'<!ENTITY e{i} "{f"&e{i - 1};" * 10 if i else "lol"}">' for i in range(12)
        )
        return f"<!DOCTYPE BIF [{entities}]><BIF><NETWORK>&e11;</NETWORK></BIF>".encode()
    if kind == "yaml":
        lines = [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}' if i else 'x'] * 9)}]" for i in range(12)]
        return "\n".join([*lines, "tiers: *a11"]).encode()
    if kind == "toml":
        return f"tiers = {'[' * many}{']' * many}".encode()
    if kind in ("network", "result", "knowledge", "tiers"):
        return random.choice([b"[" * many + b"]" * many, b'{"a":' * many, b"9" * many])
    if kind == "csv.gz":
        return gzip.compress(b"a,b\n" + b"0,1\n" * (many * 100), mtime=0)
    if kind in ("jkl", "pss"):
        return f"{10**size}\nA {10**size}\n-1 {10**size} B\n".encode()
    if kind == "dat":
        return f"a b\n{10**size} 2\n0 1\n".encode()
    if kind == "arff":
        return b"@attribute " * many
    return b"," * many + b"\n" + b'"' * many


def json_bytes(content: Any) -> bytes:
    """Write JSON as anything may stand in it, infinite numbers too."""
    return json.dumps(content).encode()
