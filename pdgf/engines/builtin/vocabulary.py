"""What the built-in engine knows of a catalogue before it reads a wish: its titles and the values of its metadata.

World knowledge is what an LLM has and this engine has not; a catalogue gives it a little (METHOD 12).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pdgf.identity import name_key
from pdgf.models import Candidate, normalised

# Which perspective a metadata key of a catalogue speaks of; a key that is not here gives no vocabulary.
PERSPECTIVE_OF_KEY: Mapping[str, str] = {
    "location": "location",
    "district": "location",
    "city": "location",
    "neighbourhood": "location",
    "cuisine": "cuisine",
    "dishes": "dish",
    "genres": "genre",
    "director": "creator",
    "author": "creator",
    "authors": "creator",
    "creators": "creator",
    "cast": "creator",
    "studio": "creator",
    "language": "language",
    "country": "country",
    "atmosphere": "atmosphere",
    "kind": "format",
    "form": "format",
    "town": "location",
}
_TOO_COMMON = frozenset({"restaurant", "film", "movie", "book", "novel", "food", "none", "yes", "no"})


@dataclass(frozen=True, kw_only=True)
class KnownTitle:
    """A title of the catalogue with what a reference to it expands to."""

    title: str
    year: int | None
    genres: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """Titles by name key, metadata values by their normalised words."""

    titles: Mapping[str, tuple[KnownTitle, ...]] = field(default_factory=dict)
    distinctive: Mapping[str, KnownTitle] = field(default_factory=dict)  # a word that stands in one title only
    values: Mapping[str, str] = field(default_factory=dict)  # normalised value -> perspective


def vocabulary_of(items: Iterable[Candidate]) -> Vocabulary:
    """The vocabulary of a catalogue. Values of more than four words are sentences, not names, and are left out."""
    titles: dict[str, list[KnownTitle]] = {}
    values: dict[str, str] = {}
    for item in items:
        genres = item.metadata.get("genres", [])
        known = KnownTitle(
            title=item.title, year=item.year, genres=tuple(genres) if isinstance(genres, list) else (str(genres),)
        )
        other = item.metadata.get("other_titles", [])
        for name in (item.title, *(other if isinstance(other, list) else [str(other)])):
            titles.setdefault(name_key(name), []).append(known)
        for key, perspective in PERSPECTIVE_OF_KEY.items():
            value = item.metadata.get(key)
            for text in value if isinstance(value, list) else [value] if isinstance(value, str) else []:
                words = normalised(re.sub(r"[\s-]+", " ", text))
                if words and words.count(" ") < 4 and words not in _TOO_COMMON:
                    values.setdefault(words, perspective)
    by_name = {key: tuple(found) for key, found in titles.items() if key}
    return Vocabulary(titles=by_name, distinctive=_distinctive(by_name), values=values)


def _distinctive(titles: Mapping[str, tuple[KnownTitle, ...]]) -> dict[str, KnownTitle]:
    """The words by which a title is called for short ("Totoro"): long enough, and in the titles of one item only."""
    holders: dict[str, dict[tuple[str, int | None], KnownTitle]] = {}
    for known in (known for found in titles.values() for known in found):
        for word in re.findall(r"[^\W\d_]{5,}", known.title.casefold()):
            holders.setdefault(word, {})[known.title, known.year] = known
    return {word: next(iter(items.values())) for word, items in holders.items() if len(items) == 1}
