"""What the built-in engine knows of a catalogue before it reads a wish: its titles and the values of its metadata.

World knowledge is what an LLM has and this engine has not; a catalogue gives it a little (METHOD 12).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from rapidfuzz.distance import OSA

from pdgf.constraints.formats import FORMAT_KEYS, names_of
from pdgf.constraints.makers import parts_of
from pdgf.constraints.metadata import MetadataSchema, key_words, schema_of
from pdgf.constraints.nations import regions_of, said_of
from pdgf.constraints.places import states_places
from pdgf.constraints.spelling import respelt
from pdgf.constraints.words import KEYS_OF_UNIT
from pdgf.engines.builtin.column_values import nouns_of, values_by_column
from pdgf.engines.builtin.food.knowledge import names_food
from pdgf.engines.builtin.lexicon import concept_mentions
from pdgf.glossary import folded, has_han
from pdgf.identity import name_key
from pdgf.models import Candidate, normalised
from pdgf.traits import all_names, shared_values

# Which perspective a metadata key of a catalogue speaks of; a key that is not here gives no vocabulary.
PERSPECTIVE_OF_KEY: Mapping[str, str] = {
    "format": "format",
    "form": "format",
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
    "town": "location",
}
_TOO_COMMON = frozenset({"restaurant", "film", "movie", "book", "novel", "food", "none", "yes", "no"})
_PRICE_KEYS = frozenset(KEYS_OF_UNIT["dollar"])
_MAKERS = frozenset({"director", "author", "authors", "creators", "cast", "studio"})
WHAT_AN_ITEM_IS = 0.8  # the share of items from which a form is what an item of the catalogue is anyway
ENOUGH = 400  # items that show what a catalogue is of
ARE_DISHES = 0.7  # the share of items that must look like dishes for a catalogue to be one of dishes
_MADE_OF = frozenset({"ingredients", "ingredient"})
SHORTEST_SLIP = 5  # letters of a word that is read as another, one slip away


@dataclass(frozen=True, kw_only=True)
class KnownTitle:
    """A title of the catalogue with what a reference to it expands to."""

    title: str
    year: int | None
    genres: tuple[str, ...]
    makers: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)  # names by metadata key
    traits: tuple[str, ...] = ()  # what the catalogue says of it and of others too
    item: Candidate | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """Titles by name key, metadata values by their normalised words."""

    titles: Mapping[str, tuple[KnownTitle, ...]] = field(default_factory=dict)
    other_names: Mapping[str, tuple[KnownTitle, ...]] = field(default_factory=dict)  # by these only with the year
    distinctive: Mapping[str, KnownTitle] = field(default_factory=dict)  # a word that stands in one title only
    values: Mapping[str, str] = field(default_factory=dict)  # normalised value -> perspective
    spelt: Mapping[str, str] = field(default_factory=dict)  # normalised value -> the value as the catalogue writes it
    parts: Mapping[str, str] = field(default_factory=dict)  # parts of makers' names, likewise
    nationalities: frozenset[str] = frozenset()  # words for what comes from a country of the catalogue
    formats: frozenset[str] = frozenset()  # nouns that name a form which not every item has ("film", "series")
    usual_formats: frozenset[str] = frozenset()  # nouns that name what an item is anyway ("novel")
    places: bool = False  # its items are places that people go to
    dishes: bool = False  # its items are dishes or recipes of them
    priced: bool = False  # its items have prices in numbers, so that "under 30" is one
    english: frozenset[str] = frozenset()  # words that are right as they are
    measures: MetadataSchema | None = None  # its keys of numbers, of which "short" and "cheap" are the lowest
    columns: MetadataSchema | None = None  # those of a person's own catalogue, whose headers we did not choose
    nouns: frozenset[str] = frozenset()  # what items of such a catalogue are called in general ("game")

    @cached_property
    def said_of_item(self) -> frozenset[str]:
        """The perspectives of columns of a person's own catalogue that say what an item is, not what it is about."""
        return self.column_names - {"theme", "themes", "topic", "subject"}

    @cached_property
    def value_words(self) -> frozenset[str]:
        """The words of all values and nationalities."""
        return frozenset(word for value in (*self.values, *self.nationalities) for word in value.split())

    @cached_property
    def column_names(self) -> frozenset[str]:
        """The columns of a person's own catalogue, in words."""
        return frozenset(key.words for key in self.columns.keys) if self.columns is not None else frozenset()

    @property
    def may_be_dishes(self) -> bool:
        """Whether nothing is known that speaks against items to cook or eat."""
        return self.dishes or not self.titles

    @cached_property
    def meant_by(self) -> Callable[[str], str | None]:
        """The value, as the catalogue writes it, that words with one slip of the pen stand for; None for words that are
        right, or near to none or several. A word of several is known by the others, whatever English has."""
        return lru_cache(maxsize=8_192)(self._meant_by)

    def _meant_by(self, words: str) -> str | None:
        said = normalised(re.sub(r"[\s-]+", " ", words))
        if said in self.values or said in self.parts or len(said) < SHORTEST_SLIP or respelt(words).text != words:
            return None  # what people wish by is read so wherever it stands, in the user's own spelling
        if concept_mentions(said):
            return None  # "gorey" is no slip of "Grey"
        like = [value for size in (-1, 0, 1) for value in self._by_shape.get((said.count(" "), len(said) + size), ())]
        near = [value for value in like if _one_slip(said, value, self.english)]
        return self.spelt.get(near[0]) or self.parts.get(near[0]) if len(near) == 1 else None

    def mended(self, text: str) -> str:
        """The text with the values that it misspells as the catalogue writes them."""
        words = list(re.finditer(r"[^\W_]+(?:['’.-][^\W_]+)*", text))
        for length in range(min(4, len(words)), 0, -1):
            for at in range(len(words) - length + 1):
                start, end = words[at].start(), words[at + length - 1].end()
                meant = self.meant_by(text[start:end])
                if meant is not None:
                    return f"{text[:start]}{meant}{self.mended(text[end:])}"
        return text

    @cached_property
    def chinese_values(self) -> Mapping[str, str]:
        """The values with a Chinese character, folded, with their perspectives."""
        return {folded(value): perspective for value, perspective in self.values.items() if has_han(value)}

    @cached_property
    def _by_shape(self) -> dict[tuple[int, int], list[str]]:
        """The values and parts by their numbers of spaces and of letters."""
        shapes: dict[tuple[int, int], list[str]] = {}
        for value in dict.fromkeys((*self.spelt, *self.parts)):
            shapes.setdefault((value.count(" "), len(value)), []).append(value)
        return shapes


def _one_slip(said: str, value: str, english: frozenset[str]) -> bool:
    """Whether one word of two names of equally many words has one slip. A name of one word must be no word itself and
    no other form of the value."""
    pairs = [(one, other) for one, other in zip(said.split(), value.split(), strict=True) if one != other]
    if len(pairs) != 1:
        return False
    (word, meant), alone = pairs[0], " " not in said
    if min(len(word), len(meant)) < SHORTEST_SLIP - 1 or max(len(word), len(meant)) < SHORTEST_SLIP:
        return False
    if not (word.isalpha() and meant.isalpha() and word[0] == meant[0]):
        return False
    if alone and (word in english or f"{meant}s" == word or f"{word}s" == meant):
        return False
    return OSA.distance(word, meant, score_cutoff=1) <= 1


def vocabulary_of(items: Iterable[Candidate], *, own: bool = False) -> Vocabulary:
    """The vocabulary of a catalogue. Values of more than four words are sentences, not names, and are left out. In a
    person's `own` one the columns are read by their headers and values, whatever they are called."""
    titles: dict[str, list[KnownTitle]] = {}
    values: dict[str, str] = {}
    spelt: dict[str, str] = {}
    parts: dict[str, str] = {}
    forms: Counter[str] = Counter()
    nations: set[str] = set()
    regions: set[str] = set()
    items = list(items)
    others: dict[str, list[KnownTitle]] = {}
    for item, traits in zip(items, shared_values(items), strict=True):
        genres = item.metadata.get("genres", [])
        known = KnownTitle(
            title=item.title,
            year=item.year,
            genres=tuple(genres) if isinstance(genres, list) else (str(genres),),
            makers={key: _names(value) for key in _MAKERS if (value := item.metadata.get(key))},
            traits=traits,
            item=item,
        )
        other = item.metadata.get("other_titles", [])
        for name in (item.title, *(other if isinstance(other, list) else [str(other)])):
            titles.setdefault(name_key(name), []).append(known)
        for name in all_names(item):
            others.setdefault(name_key(name), []).append(known)
        for key, perspective in PERSPECTIVE_OF_KEY.items():
            value = item.metadata.get(key)
            for text in value if isinstance(value, list) else [value] if isinstance(value, str) else []:
                words = normalised(re.sub(r"[\s-]+", " ", text))
                if words and words.count(" ") < 4 and words not in _TOO_COMMON:
                    values.setdefault(words, perspective)
                    spelt.setdefault(words, text)
                if key in _MAKERS:
                    parts |= {words: words.title() for part in parts_of(text) if (words := " ".join(part)) not in parts}
                elif key in FORMAT_KEYS:
                    forms[text] += 1
                elif key == "country":
                    nations.update(said_of(text))
                    regions.update(regions_of(text))
    for region in sorted(regions):
        values.setdefault(region, "country")
        spelt.setdefault(region, region.title())
    columns = schema_of(items) if own else None
    of_columns = values_by_column(columns, frozenset(PERSPECTIVE_OF_KEY)) if columns is not None else {}
    for words, (perspective, text) in of_columns.items():
        values.setdefault(words, perspective)
        spelt.setdefault(words, text)
    by_name = {key: tuple(found) for key, found in titles.items() if key}
    usual = {form for form, count in forms.items() if count >= WHAT_AN_ITEM_IS * len(items)}
    return Vocabulary(
        titles=by_name,
        other_names={key: tuple(found) for key, found in others.items() if key},
        places=states_places(key for item in items for key in item.metadata),
        dishes=_are_dishes(items),
        priced=any(_is_price(key, value) for item in items for key, value in item.metadata.items()),
        distinctive=_distinctive(by_name),
        values=_with_genres_first(values, items),
        spelt=spelt,
        parts={part: name for part, name in parts.items() if part not in values},
        nationalities=frozenset(nations - set(values)),
        formats=_nouns(forms) - _nouns(usual) if len(forms) > 1 else frozenset(),
        usual_formats=_nouns(usual) if len(forms) > 1 else frozenset(),
        measures=None if own else _measures(items),
        columns=columns,
        nouns=nouns_of(of_columns) if own else frozenset(),
    )


def _measures(items: Sequence[Candidate]) -> MetadataSchema | None:
    """The keys of numbers by which a relative word is told; None where there are none."""
    keys = tuple(key for key in schema_of(items).keys if key.column is not None and key.column.thirds is not None)
    return MetadataSchema(keys=keys) if keys else None


def _are_dishes(items: Sequence[Candidate]) -> bool:
    """Whether most items say what they are made of, or are called by a food."""
    items = items[:ENOUGH]
    keys = {key_words(key) for item in items for key in item.metadata}
    if states_places(keys) or any(PERSPECTIVE_OF_KEY.get(key) in ("location", "creator") for key in keys):
        return False
    made = sum(any(key_words(key) in _MADE_OF for key in item.metadata) for item in items)
    called = sum(names_food(item.title) for item in items)
    return bool(items) and max(made, called) >= ARE_DISHES * len(items)


def _names(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else (str(value),)


def _is_price(key: str, value: object) -> bool:
    return key_words(key) in _PRICE_KEYS and isinstance(value, int | float) and not isinstance(value, bool)


def _nouns(forms: Iterable[str]) -> frozenset[str]:
    """The single nouns by which forms are called."""
    return frozenset(name for form in forms for name in names_of(form) if " " not in name)


def _with_genres_first(values: Mapping[str, str], items: Iterable[Candidate]) -> dict[str, str]:
    """The values with those as genres that more items have as their genre than as their form ("memoir")."""
    as_form: Counter[str] = Counter()
    as_genre: Counter[str] = Counter()
    for item in items:
        genres = item.metadata.get("genres", [])
        as_genre.update(normalised(g.replace("-", " ")) for g in (genres if isinstance(genres, list) else ()))
        forms = (item.metadata.get(key) for key in FORMAT_KEYS)
        as_form.update(normalised(form.replace("-", " ")) for form in forms if isinstance(form, str))
    more = {word for word, count in as_genre.items() if word in as_form and count > 1.5 * as_form[word]}
    return {word: "genre" if word in more else perspective for word, perspective in values.items()}


def _distinctive(titles: Mapping[str, tuple[KnownTitle, ...]]) -> dict[str, KnownTitle]:
    """The words by which a title is called for short ("Totoro"): long enough, and in the titles of one item only."""
    holders: dict[str, dict[tuple[str, int | None], KnownTitle]] = {}
    for known in (known for found in titles.values() for known in found):
        for word in re.findall(r"[^\W\d_]{5,}", known.title.casefold()):
            holders.setdefault(word, {})[known.title, known.year] = known
    return {word: next(iter(items.values())) for word, items in holders.items() if len(items) == 1}
