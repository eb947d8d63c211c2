"""The word lists by which titles are told from other words of a page (`candidate_cues.toml`), as patterns.

Every pattern made here is bounded: no repetition runs longer than a line's worth, so that no text is slow to read.
"""

import re
import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from pdgf.engines.builtin.lexicon import expression

CJK = "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_REPLY = re.compile(r"[{,]\s{0,3}\"\w{1,20}\"\s?:|</?(?:data|untrusted|system|instructions?|user|page)\b|\bSYSTEM:")
_CJK = re.compile(f"[{CJK}]")


@dataclass(frozen=True, kw_only=True)
class KindCues:
    """What the wanted kind of item is called, how people speak of one, and what items of other kinds are called."""

    words: re.Pattern[str]
    speaks: re.Pattern[str]
    others: re.Pattern[str]


@cache
def kind_cues(item_word: str) -> KindCues:
    """The cues of a kind of item; for one without lists the word itself and the words for speaking of any kind."""
    kinds: dict[str, dict[str, list[str]]] = data()["kinds"]
    own = kinds.get(item_word.casefold())
    every = [entry for kind in kinds.values() for entry in kind["speaks"]]
    names = own["words"] if own else [item_word, f"{item_word}s"]
    others = {w for name, kind in kinds.items() if own and name != item_word.casefold() for w in kind["words"]}
    return KindCues(
        words=bounded(names),
        speaks=bounded([*names, *(own["speaks"] if own else every)]),
        others=bounded(others - set(names) - set(entries("shared.words")) if own else ["\0"]),
    )


@cache
def cue(name: str) -> re.Pattern[str]:
    """The expressions of one list, `section.list`, as a pattern for anywhere in a text."""
    return bounded(entries(name))


@cache
def words(name: str) -> frozenset[str]:
    """The entries of one list as they stand."""
    return frozenset(entries(name))


def is_order(line: str) -> bool:
    """Whether a line holds an order to whoever reads the page by machine, or the pieces of such a reply."""
    return cue("unread.instructions").search(line) is not None or _REPLY.search(line) is not None


def is_line(text: str, name: str) -> bool:
    """Whether a whole line, outer punctuation and case aside, is one of a list."""
    return cue(name).fullmatch(text.strip(" \t:：.-–—!?#*|【】[]>»→←·•").casefold()) is not None


def bounded(expressions: Collection[str]) -> re.Pattern[str]:
    """A pattern for any of the expressions: Latin ones on word boundaries, the others anywhere."""
    latin = {entry for entry in expressions if not _CJK.search(entry)}
    others = sorted(set(expressions) - latin, key=lambda entry: (-len(entry), entry))
    parts = [re.escape(entry).replace(r"\ …", ".{0,60}") for entry in others]
    if latin:
        source = expression(latin).pattern.replace(r"[\s-]+", r"[\s-]{1,3}").replace(r"\w*", r"\w{0,20}")
        parts.append(source.replace(r"[\s-]{1,3}…", r"\b.{0,60}"))
    return re.compile("|".join(parts), re.IGNORECASE)


def entries(name: str) -> list[str]:
    """The entries of one list in order."""
    section, _, key = name.partition(".")
    found: list[str] = data()[section][key]
    return found


@cache
def data() -> dict[str, Any]:
    """All lists by section and name."""
    return tomllib.loads(resources.files(__package__).joinpath("candidate_cues.toml").read_text(encoding="utf-8"))
