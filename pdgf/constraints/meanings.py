"""What the phrases of a wish can mean in a pool: its truths, levels and values, each with its key. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pdgf.constraints import levels as scales
from pdgf.constraints import words as said
from pdgf.constraints.checks import scale_of
from pdgf.constraints.metadata import KeyKind, MetadataKey, MetadataSchema, names_of_truth
from pdgf.constraints.nations import regions_of, said_of
from pdgf.constraints.words import tokens_of

_NO_VALUES = said.either("no|none|yes|true|false|free|average|other|none at all|n a")


@dataclass(frozen=True)
class Facet:
    """What a phrase can mean: a key, and a truth, a stretch of a scale, or a value of it."""

    key: MetadataKey
    truth: bool | None = None
    levels: scales.LevelWords | None = None
    scale: str | None = None
    value: str | None = None
    others: tuple[str, ...] = ()  # further values that the phrase stands for: "European"
    complete: bool = True


def known_form(phrase: str, lexicon: dict[str, tuple[Facet, ...]]) -> str:
    """The form under which the lexicon knows a phrase: itself, an equal, or its singular."""
    forms = [phrase, said.SAME_VALUE.get(phrase, phrase)]
    if phrase.endswith("ies"):
        forms.append(f"{phrase[:-3]}y")
    if phrase.endswith("s") and len(phrase) > 3:
        forms.append(phrase[:-1])
    return next((form for form in forms if form in lexicon), phrase)


def lexicon_of(schema: MetadataSchema) -> dict[str, tuple[Facet, ...]]:
    """Every phrase that this schema gives a meaning, with all its meanings."""
    if "lexicon" not in schema.memo:
        lexicon: dict[str, list[Facet]] = {}
        for key in schema.keys:
            for phrase, facet in _meanings(key, translated="author" in schema.by_words):
                lexicon.setdefault(phrase, []).append(facet)
        schema.memo["lexicon"] = {phrase: tuple(facets) for phrase, facets in lexicon.items()}
    known: dict[str, tuple[Facet, ...]] = schema.memo["lexicon"]
    return known


def _meanings(key: MetadataKey, *, translated: bool) -> Iterator[tuple[str, Facet]]:
    """The phrases by which one key can be asked for; items that are `translated` are had in other languages too."""
    presence = next((p for p in said.PRESENCES if key.words in p.keys), None)
    scale = scale_of(key)
    if scale:
        own = scales.CONTENT_OF_KEY.get(key.words)
        words = (own,) if own else scales.WORDS_OF_SCALE.get(scale, ())
        for levels in words or (scales.content_words(key.words),):
            yield from ((word, Facet(key, levels=levels, scale=scale)) for word in levels.words)
        return
    if presence and key.kind is not KeyKind.NUMBER:
        yield from ((word, Facet(key, truth=True)) for word in presence.there)
        yield from ((word, Facet(key, truth=False)) for word in presence.absent)
    if key.kind is KeyKind.BOOLEAN:
        yield from ((" ".join(tokens_of(name)), Facet(key, truth=True)) for name in names_of_truth(key.words))
    if key.kind is KeyKind.CATEGORY and not key.names_items:
        yield from _value_meanings(key, translated=translated)


def _value_meanings(key: MetadataKey, *, translated: bool) -> Iterator[tuple[str, Facet]]:
    """The values of a category as phrases, those of people also under their shorter names."""
    complete = key.words not in said.NEVER_COMPLETE and (not key.listed or key.words in said.COMPLETE_LISTS)
    complete = complete and not (translated and key.words.startswith("language"))
    named = {value: tokens_of(value) for value in key.values}
    surnames = Counter(words[-1] for words in named.values() if len(words) > 1)
    for value, words in named.items():
        facet = Facet(key, value=value, complete=complete and (value in key.proper or not _mixed(key)))
        phrase = " ".join(words)
        if words and phrase not in said.ITEM_WORDS and phrase not in _NO_VALUES:
            yield phrase, facet
        if len(words) > 1 and words[-1] in said.SAID_OF_ITEMS:
            yield " ".join(words[:-1]), facet
        if key.words.removesuffix("s") in said.PERSON_CUES:
            yield from ((short, facet) for short in _short_names(words, surnames, key) if short != phrase)
    if key.words in said.COUNTRY_KEYS:
        yield from ((words, Facet(key, value=v[0], others=v[1:], complete=complete)) for words, v in _origins(key))


def _origins(key: MetadataKey) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The words for what comes from the countries of a key, each with all of them that it stands for."""
    found: dict[str, list[str]] = {}
    for value in key.values:
        for words in (*said_of(value), *regions_of(value)):
            found.setdefault(words, []).append(value)
    return ((words, tuple(values)) for words, values in found.items())


def _mixed(key: MetadataKey) -> bool:
    """Whether a list mixes names with kinds of things, so that a kind that is missing may go by another word."""
    return key.listed and key.words in said.MIXED_LISTS and 0 < len(key.proper) < len(key.values)


def _short_names(words: Sequence[str], surnames: Counter[str], key: MetadataKey) -> Iterator[str]:
    """A name without its initials, with its initials run together, and the surname alone where nobody shares it."""
    initials = [word for word in words if len(word) == 1]
    full = [word for word in words if len(word) > 1]
    if initials and full:
        if len(full) > 1:
            yield " ".join(full)
        yield " ".join(("".join(initials), *full))
    if len(words) > 1 and surnames[words[-1]] == 1 and key.words.removesuffix("s") in said.KNOWN_BY_SURNAME:
        yield words[-1]
