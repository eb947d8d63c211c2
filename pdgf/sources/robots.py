"""What a robots.txt allows, by RFC 9309. Pure, and linear in the length of the file: it comes from outside."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from string import punctuation
from urllib.parse import quote

MAX_DELAY = 5.0  # seconds; a site that asks for more is asked this often

_LINE = re.compile(r"[\r\n]+")
_TOKEN = re.compile(r"[a-z_-]+|\*")
_ESCAPED = re.compile(r"%([0-9a-fA-F]{2})")
_UNRESERVED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")


@dataclass(frozen=True)
class Rules:
    """The rules for one agent: (allowed, pattern) each, and the seconds between two requests.

    `closed` is the reason for which nothing may be read at all, a `why` of PageUnusable: `robots_unreachable` where
    the file could not be had, `refused_address` where it may not be asked for.
    """

    patterns: tuple[tuple[bool, str], ...] = ()
    delay: float = 0.0
    closed: str = ""

    def allow(self, target: str) -> bool:
        """Whether a path with its query may be read: the longest matching pattern says so, allowing wins a tie."""
        if self.closed:
            return False
        path = _normal(target)
        matching = [(len(pattern), allowed) for allowed, pattern in self.patterns if _matches(pattern, path)]
        return max(matching)[1] if matching else True


def rules_for(agent: str, text: str) -> Rules:
    """The rules of all groups that name an agent, or else of those for everyone. `agent` is a product token."""
    groups: dict[str, list[tuple[str, str]]] = {agent: [], "*": []}
    named: set[str] = set()
    seen: set[str] = set()
    in_head = False
    for field, value in _lines(text):
        if field == "user-agent":
            named = named if in_head else set()
            in_head = True
            token = _TOKEN.match(value.lower())
            if token and token.group() in groups:
                named.add(token.group())
                seen.add(token.group())
        elif field in ("allow", "disallow", "crawl-delay"):
            in_head = False
            for name in named:
                groups[name].append((field, value))
    members = groups[agent if agent in seen else "*"]
    patterns = tuple((field == "allow", _normal(value)) for field, value in members if field != "crawl-delay" and value)
    return Rules(patterns=patterns, delay=max((_seconds(v) for f, v in members if f == "crawl-delay"), default=0.0))


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in _LINE.split(text.removeprefix("\ufeff")):
        field, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield field.strip().lower(), value.strip()


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        return 0.0
    return min(MAX_DELAY, max(0.0, seconds)) if isfinite(seconds) else 0.0


def _normal(path: str) -> str:
    """One spelling for equal paths: characters that need no escape bare, all others escaped in capitals."""
    bare = _ESCAPED.sub(lambda found: _unescaped(found.group(1)), path)
    return quote(bare, safe=punctuation, errors="replace")


def _unescaped(digits: str) -> str:
    character = chr(int(digits, 16))
    return character if character in _UNRESERVED else f"%{digits.upper()}"


def _matches(pattern: str, path: str) -> bool:
    """`*` stands for anything, a final `$` for the end. Each piece is looked for once, from where the last ended."""
    anchored = pattern.endswith("$")
    first, *others = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    place = len(first)
    if not others:
        return not anchored or place == len(path)
    *inner, last = others
    for piece in inner:
        found = path.find(piece, place)
        if found < 0:
            return False
        place = found + len(piece)
    if anchored:
        return len(path) - len(last) >= place and path.endswith(last)
    return path.find(last, place) >= 0
