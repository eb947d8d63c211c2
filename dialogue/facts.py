"""What metadata say about a question: which key it asks for, its value in words, and how values compare. Pure.

A key is found by whole words, its own name among them, never by a substring (METHOD 9.8).
"""

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from dialogue import cue_words
from dialogue.domain import Domain, Scale
from pdgf.constraints.columns import heading_of, quantity_of
from pdgf.constraints.metadata import fold
from pdgf.glossary import in_english
from pdgf.models import Metadata, MetadataValue, normalised

_COMPARATIVE = re.compile(r"\b(?:which|who|what|either|any|both|all|each|compare|difference|better|best)\b", re.I)
_POLAR = re.compile(
    r"(?:(?:and|but|so|also|well|ok|okay),? )?(?:is|are|was|does|do|did|has|have|can|could|will|would)(?:n['’]t)?\b",
    re.I,
)
_ABOUT_REASONS = re.compile(
    r"\bwhy\b(?!\s+(?:not\s*[.!?]*$|don['’]?t\s+(?:you|we)))|\bhow come\b|\bwhat makes\b|\bin what way\b"
    r"|\bcompare\b(?!.*\b(?:for|by|on|in)\b)|\b(?:difference|differ|tell .* apart)\b"
    r"|\b(?:is|are|was|were)n?['’]?t?\b.*\b(?:any |really |actually |very )?(?:good|nice|great|recommended)"
    r"(?: ones?)?\W*$"
    r"|\bworth (?:it|(?:the|a|my|our) \w+|\w+ing)\W*$"
    r"|\b(?:would|do|can) you (?:really )?recommend (?:it|them|this|that|the)\b",
    re.I,
)
_DOWNSIDES = re.compile(
    r"\b(?:downsides?|drawbacks?|down sides?|weakness(?:es)?|weak points?|weak spots?|disadvantages?|cons\b|caveats?"
    r"|flaws?|criticisms?|complaints?|catch\b|speaks? against|wrong with|(?:not|n['’]t) like about|bad about"
    r"|problems? with)",
    re.I,
)
_ABOUT = re.compile(r"\babout (?:a|an|the|some|any|two|three|how|what|people|someone)\b|\bset (?:in|on|during)\b", re.I)
_WHO = re.compile(r"\W*(?:(?:and|but|so|also|ok|okay|then)\W+)*who\b", re.IGNORECASE)
_WHAT_IS = re.compile(
    r"\W*(?:(?:and|but|so|also)\W+)*what(?:['’]?s| is| are| was| were) (?:the|its|their)\b", re.IGNORECASE
)
_FOLLOWS = frozenset(  # may stand behind the words of a key without asking for anything else
    re.findall(
        r"\w+",
        "like of for in at on by to from with is are was were does do it this that there here and or then please"
        " exactly again situation level policy rules options rating nearby available minutes hours type style kind name"
        " names",
    )
)
_OF_IT = re.compile(
    r" s (?!(?:is|was|like|there|here|it|this|that|of|in)\b)\w"
)  # "the author's age" is none of the item
_BETWEEN_WORDS = re.compile(r"[^\w$%-]+")
_NOTHING = ("no ", "none", "not ")
_OF_THE_SHOWING = re.compile(
    r"\b(?:sub-?titl\w+|subs|captions?|dub(?:s|bed|bing)?|translat\w+|available in)\b|字幕|配音", re.IGNORECASE
)
_WISH_FILLER = frozenset(("a", "an", "the", "not", "no", "too", "very", "without", "less", "really", "mostly"))


def key_asked(question: str, metadata: Metadata, domain: Domain) -> str | None:
    """The metadata key of an item that a question asks for; None when no key's words stand in the question.

    Of several keys the one with the longest matching words wins, then the one whose words come last.
    """
    words, names = words_of(question), {key: names_of(key, domain) for key in metadata}
    found = [
        (len(name), place, key, name)
        for key in metadata
        for name in names[key]
        if (place := words.rfind(f" {name} ")) >= 0
    ]
    if any(_OF_IT.match(words, place + length + 1) for length, place, *_ in found):
        return None
    others = {word for each in names.values() for name in each for word in name.split()[:1]}
    asked = [
        (length, place, key)
        for length, place, key, name in found
        if _may_answer(question, key, names[key]) and not _only_qualifies(question, words[place + length + 2 :], others)
    ]
    return max(asked, key=lambda each: each[:2])[2] if asked else None


def _may_answer(question: str, key: str, names: Sequence[str]) -> bool:
    """Whether a key can hold what is asked for: nobody is named by a year or a language."""
    if not _WHO.match(question):
        return True
    return f" {name_of(key)} " in words_of(question) or any(name.startswith("who ") for name in names)


def _only_qualifies(question: str, behind: str, others: Collection[str]) -> bool:
    """Whether the words of a key only say of what kind the thing asked for is ("what is the wifi password?")."""
    following = next(iter(behind.split()), "")
    return bool(_WHAT_IS.match(question)) and bool(following) and following not in _FOLLOWS and following not in others


def key_of(question: str, metadata: Metadata, domain: Domain) -> str | None:
    """The key whose value a question is answered with: that of the scale on which it compares, or else the one that its
    words name. Words about the story ("is it about a family?") name none."""
    compared = (scale.metadata for scale, _ in scales_asked(question, domain) if scale.metadata in metadata)
    return next(compared, None) or (None if _ABOUT.search(question) else key_asked(question, metadata, domain))


def asks_of_the_showing(question: str) -> bool:
    """Whether the question is for subtitles, a dubbed voice or a translation, of which neither the language of an item
    nor its country says anything."""
    return bool(_OF_THE_SHOWING.search(question))


def values_asked(question: str, metadata: Metadata) -> tuple[str, str] | None:
    """(key, value) of a list in the metadata that holds a value named in the question ("vegan", "ramen")."""
    words = words_of(question)
    for key, value in metadata.items():
        for entry in value if isinstance(value, list) else ():
            if f" {normalised(entry)} " in words:
                return key, entry
    return None


def country_of(word: str, countries: Iterable[str]) -> str | None:
    """Which of some countries a word such as "French" or "Japanese" says something to be from; None where none."""
    wanted, known = normalised(word), [normalised(country) for country in countries]
    if (named := normalised(cue_words.countries().get(wanted, ""))) in known:
        return named
    begun = (c for c in known if any(len(part) > 3 and part[:4] == wanted[:4] for part in c.split()))
    return next(begun, None) if len(wanted) > 3 else None


def name_of(key: str) -> str:
    """A metadata key as words."""
    return key.replace("_", " ").strip()


def is_polar(question: str) -> bool:
    """Whether the question asks for yes or no."""
    return bool(_POLAR.match(question.strip()))


def asks_whether(question: str) -> bool:
    """Whether the question asks for yes or no, or for a degree ("how funny is it?")."""
    return is_polar(question) or bool(re.match(r"\W*(?:and |but |so )?how\b", question, re.IGNORECASE))


def names(question: str, wish: str) -> bool:
    """Whether all words of a wish, its negation aside, stand in a question."""
    wished = [word for word in words_of(in_english(wish)).split() if word not in _WISH_FILLER]
    return bool(wished) and set(wished) <= set(words_of(question).split())


def compares(question: str) -> bool:
    """Whether the question sets several items against each other."""
    return bool(_COMPARATIVE.search(question))


def asks_for_reasons(question: str) -> bool:
    """Whether the question is about why an item is shown, or sets items against each other in no named respect."""
    return bool(_ABOUT_REASONS.search(question))


def asks_to_compare(question: str) -> bool:
    """Whether the question sets items side by side, alike or not."""
    return bool(re.search(r"\bcompar(?:e|ison)\b|\bside by side\b", question, re.I))


def asks_for_downsides(question: str) -> bool:
    """Whether the question is for what speaks against an item."""
    return bool(_DOWNSIDES.search(question))


def affirms(question: str, key: str, value: MetadataValue, domain: Domain) -> bool | None:
    """Whether a value says that there is what the question names; None where the value is no matter of yes and no."""
    if isinstance(value, bool):
        return value
    asked = [name for name in names_of(key, domain) if f" {name} " in words_of(question)]
    if not isinstance(value, str) or not asked:
        return None
    if normalised(value).startswith(_NOTHING):
        return False
    return True if name_of(key) in asked or any(f" {name} " in words_of(value) for name in asked) else None


def scales_asked(text: str, domain: Domain) -> tuple[tuple[Scale, bool], ...]:
    """The scales whose words stand in the text, each with whether its low end is asked for; longest words first."""
    words = words_of(text)
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
        order = [fold(level) for level in scale.order]
        said = fold(value) if isinstance(value, str) else ""
        return float(order.index(said)) if said in order else None
    if isinstance(value, str):
        return _amount(scale.metadata, value)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _amount(key: str, value: str) -> float | None:
    """The number that a value amounts to under its header, of a range its middle ("45 min", "2-4")."""
    quantity = quantity_of(value, heading_of(key))
    ends = [end for end in (quantity.low, quantity.high) if math.isfinite(end)] if quantity is not None else []
    return sum(ends) / len(ends) if ends else None


def at_the_end(places: Mapping[str, float | None], *, low: bool) -> tuple[str, ...]:
    """The ids at the low or the high end, all of them in a tie; empty when fewer than two are known."""
    known = {item: place for item, place in places.items() if place is not None}
    if len(known) < 2:
        return ()
    best = min(known.values()) if low else max(known.values())
    return tuple(item for item, place in known.items() if place == best)


def names_of(key: str, domain: Domain) -> Sequence[str]:
    """The words by which a key is asked for, its own name first."""
    return [name_of(key), *domain.fact_words.get(key, ())]


def words_of(text: str) -> str:
    """The words of a text between single spaces, with one at each end, so that whole words can be looked up."""
    return f" {_BETWEEN_WORDS.sub(' ', normalised(text)).strip()} "
