"""The word lists of the built-in engine as patterns: concepts (what is asked for), cues (how wishes relate)."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Protocol, TypeVar

from pdgf.constraints.spelling import respelt


@dataclass(frozen=True, kw_only=True)
class Concept:
    """One thing people ask for: expressions that name it in a wish, and those that assert or deny it in evidence."""

    name: str
    perspective: str
    naming: re.Pattern[str]
    names: re.Pattern[str]
    asserting: re.Pattern[str]
    denying: re.Pattern[str] | None
    kinds: re.Pattern[str] | None
    parts: re.Pattern[str] | None  # of `asserting` what is only a part of it: "no gore" denies no violence
    facts: tuple[str, ...]
    denied_by: tuple[str, ...]  # keys whose value, where it is there, denies the concept


@dataclass(frozen=True, kw_only=True)
class Cues:
    """Cue expressions in lower case, each a tuple of words, by section and kind of `cues.toml`."""

    kinds: Mapping[tuple[str, ...], tuple[str, ...]]  # words -> every "section.kind" they stand under
    generic_nouns: frozenset[str]
    frame_verbs: frozenset[str]
    heads: frozenset[str]
    nations: frozenset[str]
    linkers: frozenset[str]
    weak_adjectives: frozenset[str]
    weak_adverbs: frozenset[str]
    longest: int

    def words_of(self, kind: str) -> tuple[str, ...]:
        """All expressions of one kind, longest first, joined by spaces."""
        found = (" ".join(words) for words, kinds in self.kinds.items() if kind in kinds)
        return tuple(sorted(found, key=lambda words: (-len(words), words)))


# "six people", "a table for eight": so many that a place must have room for them
_MANY = (
    *["five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "fifteen", "twenty", "thirty"],
    *(str(number) for number in range(5, 31)),
)
_GRADABLE = frozenset({"tone", "pace", "noise", "price", "atmosphere", "length", "quality"})


def _load(name: str) -> dict[str, Any]:
    return tomllib.loads(resources.files(__name__).joinpath(name).read_text(encoding="utf-8"))


def expression(words: Iterable[str], *, comparable: bool = False) -> re.Pattern[str]:
    """A pattern for any of the expressions on word boundaries; `*` stands for the rest of a word.

    A hyphen in an expression also matches a space, and white space matches any run of it. With `comparable` a single
    word also stands for its comparative and superlative ("dark", "darker", "darkest").
    """
    alternatives = []
    for phrase in sorted(words, key=len, reverse=True):
        if comparable and phrase.isalpha():
            stem, ends = (
                (phrase[:-1], "y|ier|iest") if phrase.endswith("y") else (phrase.removesuffix("e"), "e?(?:r|st)?")
            )
            alternatives.append(f"{re.escape(stem.casefold())}(?:{ends})")
            continue
        escaped = (
            re.escape(phrase.casefold()).replace(r"\*", r"\w*").replace(r"\ ", r"[\s-]+").replace(r"\-", r"[\s-]?")
        )
        alternatives.append(escaped)
    return re.compile(r"(?<!\w)(?<!pro-)(?<!anti-)(?<!non-)(?:" + "|".join(alternatives) + r")(?!\w)", re.IGNORECASE)


def _spelt_out(words: Iterable[str]) -> list[str]:
    """The expressions, one for each number where `{many}` stands for any."""
    return [phrase.replace("{many}", number) for phrase in words for number in (_MANY if "{many}" in phrase else ("",))]


@cache
def concepts() -> Mapping[str, Concept]:
    """Every concept by name, in the order of the file."""
    return {
        name: Concept(
            name=name,
            perspective=row["perspective"],
            naming=expression(_spelt_out(row["words"]), comparable=row["perspective"] in _GRADABLE),
            names=expression(row.get("names", row["words"][:1])),
            asserting=expression(row.get("evidence", row["words"]), comparable=row["perspective"] in _GRADABLE),
            denying=expression(row["opposite"], comparable=True) if row.get("opposite") else None,
            kinds=expression(row["kinds"]) if row.get("kinds") else None,
            parts=expression(row["parts"]) if row.get("parts") else None,
            facts=tuple(row.get("fact", ())),
            denied_by=tuple(row.get("denied_by", ())),
        )
        for name, row in _load("concepts.toml").items()
    }


@cache
def cues() -> Cues:
    """The cue lists."""
    data = _load("cues.toml")
    kinds: dict[tuple[str, ...], list[str]] = {}
    for section, lists in data.items():
        for kind, expressions in lists.items():
            if section in ("small", "nations") or (section, kind) in {("frames", "nouns"), ("frames", "verbs")}:
                continue
            for words in expressions:
                kinds.setdefault(tuple(words.split()), []).append(f"{section}.{kind}")
    return Cues(
        kinds={words: tuple(found) for words, found in kinds.items()},
        generic_nouns=frozenset(data["frames"]["nouns"]),
        frame_verbs=frozenset(data["frames"]["verbs"]),
        heads=frozenset(data["small"]["heads"]),
        nations=frozenset(data["nations"]["adjectives"]),
        linkers=frozenset(data["small"]["linkers"]),
        weak_adjectives=frozenset(data["small"]["adjectives"]),
        weak_adverbs=frozenset(data["small"]["adverbs"]),
        longest=max(map(len, kinds)),
    )


@dataclass(frozen=True, kw_only=True)
class Mention:
    """A concept named by a piece of text: half-open offsets within the text, and whether by its opposite."""

    concept: Concept
    start: int
    end: int


@cache
def concept_mentions(text: str) -> tuple[Mention, ...]:
    """The concepts a short phrase names: longest match first, of equally long ones that whose own name it is, not
    overlapping, in order of the text.

    A slip of the pen is read as the word that was meant; the offsets are those of the text as it is written.
    """
    spelt = respelt(text)
    found = [
        Mention(concept=concept, start=spelt.place(match.start()), end=spelt.place(match.end()))
        for concept in concepts().values()
        for match in concept.naming.finditer(spelt.text)
    ]
    names = list(concepts())
    found.sort(key=lambda m: (m.start - m.end, m.start, not _by_name(text, m), names.index(m.concept.name)))
    return tuple(without_overlap(found))


def _by_name(text: str, mention: Mention) -> bool:
    """Whether a concept is called by its own name, not by that of a narrower one: "slapstick" is a kind of humour."""
    return bool(mention.concept.names.fullmatch(text[mention.start : mention.end]))


class Spanned(Protocol):
    """What stands at half-open offsets of a text."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


SpannedT = TypeVar("SpannedT", bound=Spanned)


def without_overlap(found: Iterable[SpannedT]) -> list[SpannedT]:
    """What overlaps nothing before it in `found`, which begins with what counts most; in order of the text."""
    kept: list[SpannedT] = []
    for one in found:
        if all(one.end <= other.start or one.start >= other.end for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)
