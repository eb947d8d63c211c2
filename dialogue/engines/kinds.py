"""The kinds of wishes that words tell by themselves, from `kinds.en.toml`, and the key of a domain for each. Pure."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from dialogue.domain import Domain
from dialogue.spans import Span
from pdgf.models import normalised


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of wish: its perspective, what a key that holds it may be called, and words that are of it."""

    name: str
    perspective: str
    names: frozenset[str]
    words: re.Pattern[str]

    def spans_in(self, words: str) -> list[Span]:
        """Where words of this kind stand."""
        return [match.span() for match in self.words.finditer(words)]

    def key_in(self, domain: Domain) -> str | None:
        """The key of a domain that holds this kind: one bound to its perspective before one of its names."""
        rows = domain.constraint_keys
        bound = (row.key for row in rows if self.perspective in row.perspectives)
        named = (row.key for row in rows if plain_name(row.key) in self.names)
        return next(bound, None) or next(named, None)


def plain_name(key: str) -> str:
    """A key as people say it."""
    return normalised(key.replace("_", " "))


@cache
def kinds() -> tuple[Kind, ...]:
    """All kinds in their order."""
    text = resources.files("dialogue.engines").joinpath("kinds.en.toml").read_text(encoding="utf-8")
    return tuple(
        Kind(
            name=name,
            perspective=table["perspective"],
            names=frozenset(table["keys"]),
            words=_any_of(table["words"]),
        )
        for name, table in tomllib.loads(text).items()
    )


def kind(name: str) -> Kind:
    """The kind of this name."""
    return next(one for one in kinds() if one.name == name)


def _any_of(words: list[str]) -> re.Pattern[str]:
    """Whole words with their endings of number, the longest first; hyphens and spaces are alike."""
    if not words:
        return re.compile(r"(?!)")
    longest = sorted(words, key=len, reverse=True)
    either = "|".join(re.escape(word).replace(r"\-", "[- ]").replace(r"\ ", "[- ]") for word in longest)
    return re.compile(rf"(?<![\w-])(?:{either})(?:e?s)?(?![\w-])", re.IGNORECASE)
