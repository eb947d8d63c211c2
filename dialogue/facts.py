"""What metadata say about a question: which key it asks for, its value in words, and how values compare. Pure.

A key is found by whole words, its own name among them, never by a substring (METHOD 9.8).
"""

import re
from collections.abc import Mapping, Sequence

from dialogue import wording
from dialogue.domain import Domain, Scale
from pdgf.constraints import fact_line
from pdgf.models import Metadata, MetadataValue, normalised

_COMPARATIVE = re.compile(r"\b(?:which|who|what|either|any|both|all|each|compare|difference|better|best)\b", re.I)
_POLAR = re.compile(
    r"(?:(?:and|but|so|also|well|ok|okay),? )?(?:is|are|was|does|do|did|has|have|can|could|will|would)(?:n['’]t)?\b",
    re.I,
)
_ABOUT_REASONS = re.compile(
    r"\bwhy\b(?!\s+(?:not\s*[.!?]*$|don['’]?t\s+(?:you|we)))|\bhow come\b|\bwhat makes\b|\bin what way\b"
    r"|\bcompare\b(?!.*\b(?:for|by|on|in)\b)|\b(?:difference|differ|tell .* apart)\b",
    re.I,
)
_BETWEEN_WORDS = re.compile(r"[^\w$%-]+")
_NOTHING = ("no ", "none", "not ")
_WISH_FILLER = frozenset(("a", "an", "the", "not", "no", "too", "very", "without", "less", "really", "mostly"))


def key_asked(question: str, metadata: Metadata, domain: Domain) -> str | None:
    """The metadata key of an item that a question asks for; None when no key's words stand in the question.

    Of several keys the one with the longest matching words wins, then the one whose words come last.
    """
    words = _words(question)
    best: tuple[int, int, str] | None = None
    for key in metadata:
        for name in _names(key, domain):
            place = words.rfind(f" {name} ")
            if place >= 0 and (best is None or (len(name), place) > best[:2]):
                best = (len(name), place, key)
    return best[2] if best else None


def values_asked(question: str, metadata: Metadata) -> tuple[str, str] | None:
    """(key, value) of a list in the metadata that holds a value named in the question ("vegan", "ramen")."""
    words = _words(question)
    for key, value in metadata.items():
        for entry in value if isinstance(value, list) else ():
            if f" {normalised(entry)} " in words:
                return key, entry
    return None


def name_of(key: str) -> str:
    """A metadata key as words."""
    return key.replace("_", " ").strip()


def answer_text(question: str, key: str, value: MetadataValue, domain: Domain, *, named: bool = False) -> str:
    """One item's answer: its fact quoted, with a yes or no where the value decides a question that asks for one.

    `named` says that the question names a value which the fact holds.
    """
    has = (True if named else affirms(question, key, value, domain)) if is_polar(question) else None
    sentence = "answer.fact" if has is None else "answer.yes" if has else "answer.no"
    return wording.say(sentence, fact=fact_line(key, value))


def is_polar(question: str) -> bool:
    """Whether the question asks for yes or no."""
    return bool(_POLAR.match(question.strip()))


def asks_whether(question: str) -> bool:
    """Whether the question asks for yes or no, or for a degree ("how funny is it?")."""
    return is_polar(question) or bool(re.match(r"\W*(?:and |but |so )?how\b", question, re.IGNORECASE))


def names(question: str, wish: str) -> bool:
    """Whether all words of a wish, its negation aside, stand in a question."""
    wished = [word for word in _words(wish).split() if word not in _WISH_FILLER]
    return bool(wished) and set(wished) <= set(_words(question).split())


def compares(question: str) -> bool:
    """Whether the question sets several items against each other."""
    return bool(_COMPARATIVE.search(question))


def asks_for_reasons(question: str) -> bool:
    """Whether the question is about why an item is shown, or sets items against each other in no named respect."""
    return bool(_ABOUT_REASONS.search(question))


def affirms(question: str, key: str, value: MetadataValue, domain: Domain) -> bool | None:
    """Whether a value says that there is what the question names; None where the value is no matter of yes and no."""
    if isinstance(value, bool):
        return value
    asked = [name for name in _names(key, domain) if f" {name} " in _words(question)]
    if not isinstance(value, str) or not asked:
        return None
    if normalised(value).startswith(_NOTHING):
        return False
    return True if name_of(key) in asked or any(f" {name} " in _words(value) for name in asked) else None


def scales_asked(text: str, domain: Domain) -> tuple[tuple[Scale, bool], ...]:
    """The scales whose words stand in the text, each with whether its low end is asked for; longest words first."""
    words = _words(text)
    found = [
        (len(word), scale, low)
        for scale in domain.scales
        for low, names in ((True, scale.less), (False, scale.more))
        for word in names
        if f" {word} " in words
    ]
    return tuple((scale, low) for _, scale, low in sorted(found, key=lambda entry: -entry[0]))


def place_on(scale: Scale, metadata: Metadata, year: int | None) -> float | None:
    """Where an item stands on a scale; None when its metadata do not say."""
    value = year if scale.metadata == "year" else metadata.get(scale.metadata)
    if scale.order:
        return float(scale.order.index(value)) if isinstance(value, str) and value in scale.order else None
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def at_the_end(places: Mapping[str, float | None], *, low: bool) -> tuple[str, ...]:
    """The ids at the low or the high end, all of them in a tie; empty when fewer than two are known."""
    known = {item: place for item, place in places.items() if place is not None}
    if len(known) < 2:
        return ()
    best = min(known.values()) if low else max(known.values())
    return tuple(item for item, place in known.items() if place == best)


def _names(key: str, domain: Domain) -> Sequence[str]:
    return [name_of(key), *domain.fact_words.get(key, ())]


def _words(text: str) -> str:
    """The words of a text between single spaces, with one at each end, so that whole words can be looked up."""
    return f" {_BETWEEN_WORDS.sub(' ', normalised(text)).strip()} "
