"""What people ask of a place and which metadata keys state it, however a catalogue spells them. Pure.

words of a wish -> place_mentions -> the asked-for things, each with its place in the words, wanted or not
key, value      -> PlaceFact.read -> whether the place has it
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from pdgf.constraints.metadata import fold, truth_of

_WRAPPED = re.compile(r"^(?:attributes?|optional|details|restaurants?|business)+(?=\w{2})")
_NEGATED = re.compile(
    r"\b(?:no|not|without|non|never|isn['’]?t|aren['’]?t|doesn['’]?t|don['’]?t|lacks?|avoid\w*)[\s-]+"
    r"(?:(?:an?|any|the|good|open|for|too|have|has|take|takes|accept|accepts|be)[\s-]+){0,2}$",
    re.IGNORECASE,
)
_NOT_NEEDED = re.compile(r"^\s*(?:are |is )?(?:needed|required|necessary)\b", re.IGNORECASE)


class Held(IntEnum):
    """How far a place has what is asked for, as a value of its metadata says."""

    NO = 0
    SOME = 1
    YES = 2


@dataclass(frozen=True, kw_only=True)
class PlaceFact:
    """One thing people ask of places. `listed` means that its key holds impressions, which deny nothing."""

    name: str
    perspective: str
    keys: frozenset[str]
    said: re.Pattern[str]
    absent: re.Pattern[str] | None
    implied: re.Pattern[str] | None
    yes: re.Pattern[str] | None
    some: re.Pattern[str] | None
    no: re.Pattern[str] | None
    listed: bool

    def read(self, value: str) -> Held | None:
        """What a value says; None if it does not say."""
        words = fold(value).replace("_", " ")
        if self.yes is None:
            truth = truth_of(value)
            return None if truth is None else Held.YES if truth else Held.NO
        if self.listed:
            return Held.YES if self.yes.search(words) else None
        for held, pattern in ((Held.YES, self.yes), (Held.SOME, self.some), (Held.NO, self.no)):
            if pattern is not None and pattern.fullmatch(words):
                return held
        return None


@dataclass(frozen=True, kw_only=True)
class PlaceMention:
    """A thing asked for by words at half-open offsets: `wanted` or to be away, or merely `implied`.

    `needless` means that it need not be there, and may.
    """

    fact: PlaceFact
    start: int
    end: int
    wanted: bool = True
    implied: bool = False
    needless: bool = False


@cache
def place_facts() -> tuple[PlaceFact, ...]:
    """Everything people ask of places, in the order of the file."""
    data = tomllib.loads(resources.files(__package__).joinpath("places.toml").read_text(encoding="utf-8"))
    return tuple(_fact(name, row) for name, row in data.items())


@lru_cache(maxsize=8_192)
def squeezed(key: str) -> str:
    """A metadata key without capitals, joins and the names of what it is nested in: "Attributes > GoodForKids" ->
    "goodforkids"."""
    return _WRAPPED.sub("", re.sub(r"[\W_]+", "", key.casefold())).rstrip("0123456789")


@lru_cache(maxsize=8_192)
def place_mentions(words: str) -> tuple[PlaceMention, ...]:
    """What the words ask of a place, the longest expressions first to count, in their order, without overlap."""
    found: list[PlaceMention] = []
    for fact in place_facts():
        found += [_mention(fact, match, words) for match in fact.said.finditer(words)]
        if fact.absent is not None:
            found += [
                PlaceMention(fact=fact, start=m.start(), end=m.end(), wanted=False) for m in fact.absent.finditer(words)
            ]
        if fact.implied is not None:
            found += [
                PlaceMention(fact=fact, start=m.start(), end=m.end(), implied=True)
                for m in fact.implied.finditer(words)
            ]
    found.sort(key=lambda mention: (mention.start - mention.end, mention.start))
    kept: list[PlaceMention] = []
    for one in found:
        if all(one.end <= other.start or one.start >= other.end for other in kept):
            kept.append(one)
    return tuple(sorted(kept, key=lambda one: one.start))


def states_places(keys: Iterable[str]) -> bool:
    """Whether metadata keys are those of places people go to."""
    known = {key for fact in place_facts() for key in fact.keys}
    return len({squeezed(key) for key in keys} & known) > 2  # one alone may be of anything ("music", "internet")


def _mention(fact: PlaceFact, match: re.Match[str], words: str) -> PlaceMention:
    wanted = not _NEGATED.search(words[: match.start()])
    needless = not wanted and bool(_NOT_NEEDED.match(words[match.end() :]))
    return PlaceMention(fact=fact, start=match.start(), end=match.end(), wanted=wanted, needless=needless)


def _fact(name: str, row: dict[str, Any]) -> PlaceFact:
    return PlaceFact(
        name=name,
        perspective=row["perspective"],
        keys=frozenset(row["keys"]),
        said=_expression(row["said"]),
        absent=_expression(row["absent"]) if "absent" in row else None,
        implied=_expression(row["implied"]) if "implied" in row else None,
        yes=_expression(row["yes"]) if "yes" in row else None,
        some=_expression(row["some"]) if "some" in row else None,
        no=_expression(row["no"]) if "no" in row else None,
        listed=row.get("listed", False),
    )


def _expression(phrases: Iterable[str]) -> re.Pattern[str]:
    """A pattern for any of the phrases on word boundaries, the longest first."""
    parts = [
        re.escape(phrase).replace(r"\*", r"\w*").replace(r"\ ", r"[\s-]+").replace(r"\-", r"[\s-]?")
        for phrase in sorted(phrases, key=len, reverse=True)
    ]
    return re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)", re.IGNORECASE)
