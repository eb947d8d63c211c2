"""The word lists of opinions as patterns: what reviews speak of, and how they praise and blame it (`words.toml`)."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources


@dataclass(frozen=True)
class Aspect:
    """A thing that reviews speak of: how wishes and sentences name it, and what is said of it alone."""

    wish: re.Pattern[str]
    said: re.Pattern[str]
    good: re.Pattern[str]
    bad: re.Pattern[str]


@dataclass(frozen=True)
class Lists:
    """All aspects by name, words of praise and of blame for anything, praise of no particular kind, and words of a
    wish: those that name nothing, those that may stand beside thing and praise, and things that every place has."""

    aspects: Mapping[str, Aspect]
    good: re.Pattern[str]
    bad: re.Pattern[str]
    any_praise: re.Pattern[str]
    plain: frozenset[str]
    filling: frozenset[str]
    everywhere: re.Pattern[str]


@cache
def lists() -> Lists:
    read = tomllib.loads(resources.files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))
    return Lists(
        aspects={
            name: Aspect(*(_pattern(words[kind]) for kind in ("wish", "said", "good", "bad")))
            for name, words in read["aspects"].items()
        },
        good=_pattern(read["opinions"]["good"]),
        bad=_pattern(read["opinions"]["bad"]),
        any_praise=_pattern(read["opinions"]["any_praise"]),
        plain=frozenset(read["opinions"]["plain"]),
        filling=frozenset(read["opinions"]["filling"]),
        everywhere=_pattern(read["opinions"]["everywhere"]),
    )


@lru_cache(maxsize=4_096)
def aspects_of(wish: str) -> tuple[str, ...]:
    """The aspects that a wish names, in the order of the list; none for a wish for anything else."""
    return tuple(name for name, aspect in lists().aspects.items() if aspect.wish.search(wish))


def _pattern(words: Iterable[str]) -> re.Pattern[str]:
    parts = sorted((re.escape(word).replace(r"\*", r"\w*") for word in words), key=lambda part: (-len(part), part))
    return re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)", re.IGNORECASE)
