"""What form an item has: a film or a series, a novel or short stories, animated or live action. Pure.

A form is named by the head of its value: "animation" is said of stop-motion animation too, "novel" of a graphic novel.
"""

import re
from collections.abc import Iterable, Iterator

from pdgf.constraints.checks import MetadataConstraint, Requirement
from pdgf.constraints.metadata import KeyKind, MetadataKey, MetadataSchema
from pdgf.constraints.words import NEGATORS, either, tokens_of
from pdgf.models import Node, Polarity

FORMAT_KEYS = either("format|form")
_SAME = {
    "movie": "film", "feature": "film", "feature film": "film", "show": "series", "tv": "series", "tv show": "series",
    "television series": "tv series", "animated": "animation", "cartoon": "animation",
    "stop motion": "stop motion animation",
    "doc": "documentary", "documentaries": "documentary", "nonfiction": "non fiction", "comic": "graphic novel",
    "comic book": "graphic novel", "story collection": "short stories", "collection of short stories": "short stories",
    "short story collection": "short stories", "short story": "short stories", "novelette": "novella",
}  # fmt: skip
_SAID_ALIKE = {"novel": ("novella",)}  # a novella is a short novel
_ITEMS = either("film|movie|book|anime|feature")  # say nothing beside the form itself: "an animated film"
_SMALL = either("a|an|the|some|any|only|in|as|of|its|be|must|either|just")
_KNOWN = either(
    "film|series|tv series|ova|ona|special|animation|live action|documentary|novel|novella|short stories"
    "|graphic novel|non fiction|memoir|biography|poetry|play"
)
_MEDIA = either("film|series|tv series|web series|ova|ona|special")  # how it is shown, not how it is made
_FILMS = either("film|movie|feature")
_OR = re.compile(r"\s*(?:,|\bor\b)\s*", re.IGNORECASE)


def form_of(words: str) -> str:
    """The form that words name, folded and in the singular; the words themselves where they name none."""
    tokens = [token for token in tokens_of(words) if token not in _SMALL]
    if len(tokens) > 1 and _singular(tokens[-1]) in _ITEMS and " ".join(tokens) not in _SAME:
        tokens = tokens[:-1]
    said = " ".join(tokens)
    if said in _SAME or said in _KNOWN:
        return _SAME.get(said, said)
    single = " ".join([*tokens[:-1], _singular(tokens[-1])]) if tokens else ""
    return _SAME.get(single, single)


def names_form(words: str) -> bool:
    """Whether words name a form and no more."""
    return form_of(words) in _KNOWN


def has_form(form: str, value: str) -> bool:
    """Whether a value of a catalogue is of a form, as `form_of` gives it."""
    asked, held = form.split(), tokens_of(value)
    if not asked:
        return False
    return held[-len(asked) :] == asked or " ".join(held) in _SAID_ALIKE.get(form, ())


def says_form(words: str, value: str) -> bool | None:
    """Whether a value is of the form that words name; None for words that name no form known.

    Where a catalogue tells films from series, "an animated film" asks for a film there, and "animation" for neither.
    """
    form = form_of(words)
    if form == "animation" and " ".join(tokens_of(value)) in _MEDIA:
        return has_form("film", value) if any(_singular(token) in _FILMS for token in tokens_of(words)) else None
    return has_form(form, value) if form in _KNOWN or has_form(form, value) else None


def formats_of(node: Node, schema: MetadataSchema) -> list[MetadataConstraint]:
    """The test of a wish for a form, or against one; empty where it names none that the pool has."""
    if node.perspective != "format" or set(tokens_of(node.instantiation)) & NEGATORS:
        return []
    made = []
    for key in _keys(schema):
        parts = [part for part in _OR.split(node.instantiation) if part]
        values = [value for value in key.values if any(has_form(form_of(part), value) for part in parts)]
        values = values or [value for value in key.values if any(says_form(part, value) for part in parts)]
        if values:
            refused = node.polarity is Polarity.AVOID
            requirement = Requirement.NONE_OF if refused else Requirement.ONE_OF
            made.append(MetadataConstraint(node=node.id, key=key.key, requirement=requirement, values=tuple(values)))
    return made


def names_of(value: str) -> Iterable[str]:
    """The nouns by which people call a form in passing ("a film", "a movie", "a series"), in the singular."""
    head = (word for word in tokens_of(value)[-1:] if word in _KNOWN)
    for form in dict.fromkeys((" ".join(tokens_of(value)), *head)):
        yield form
        yield from (said for said, meant in _SAME.items() if meant == form and " " not in said)


def _keys(schema: MetadataSchema) -> Iterator[MetadataKey]:
    return (key for key in schema.keys if key.words in FORMAT_KEYS and key.kind is KeyKind.CATEGORY)


def _singular(token: str) -> str:
    if token in ("series", "stories", "news"):
        return token
    return token[:-1] if token.endswith("s") and not token.endswith("ss") and len(token) > 3 else token
