"""Yes, no, or how far: what metadata decide of a yes-or-no question (METHOD 9.7). Pure; precise rather than eager.

A value that says another thing is a no, and so is a value that a whole list lacks ("is it Italian?" of "Cuisine:
French"); a key that the item lacks decides nothing. Levels are told as they are: "a little", "moderately".
"""

import re
from collections.abc import Sequence
from enum import StrEnum

from dialogue import facts
from dialogue.domain import Domain
from dialogue.opening_hours import day_asked
from dialogue.questions import Asked, without_free
from pdgf.constraints import KeyKind, MetadataSchema, Requirement, Verdict, check, constraints_of
from pdgf.constraints.ages import child_ages
from pdgf.constraints.amounts import amounts
from pdgf.constraints.metadata import fold, truth_of
from pdgf.constraints.week import open_days
from pdgf.models import Metadata, MetadataValue, Node, Value
from pdgf.temporal import violates, year_constraint

YOUNGEST_KEYS = ("suitable_from_age",)  # metadata that say from which age an item suits
CHILD, TEENAGER = (7, 15), (12, 18)  # suits them from this age at most; suits them no more from that age on
MOST_KINDS = 8  # values of a key that says what kind of thing an item is
WHOLE_LISTS = frozenset({"genres"})  # lists that say what an item is as a whole
_CHILDREN = re.compile(r"\b(?:children|child|kids?|family|families|little ones|youngsters?)\b", re.IGNORECASE)
_TEENAGERS = re.compile(r"\b(?:teens?|teenagers?|adolescents?)\b", re.IGNORECASE)
_SUITS = re.compile(
    r"\b(?:suitable|good|ok|okay|fine|right|appropriate|safe|alright|for|suits?|works?)\b", re.IGNORECASE
)
_ABOUT = re.compile(r"^(?:\w+ ){0,2}about\b|^(?:like|similar to|as)\b", re.IGNORECASE)
_FILMED = re.compile(r"^(?:filmed|shot|recorded|dubbed|subtitled)\b", re.IGNORECASE)  # no country of origin tells it
_SAYS_NOTHING = frozenset(
    re.findall(r"\w+", "a an the any of in for with to it its on own there here and or is based part have has good at")
)


class Said(StrEnum):
    """What a fact says to a yes-or-no question."""

    YES = "yes"
    NO = "no"
    LITTLE = "little"
    MODERATELY = "moderately"
    NOT_ENTIRELY = "not_entirely"
    DEPENDS = "depends"


class Decision(Value):
    """The answer and the metadata keys that give it ("year" for the item's own)."""

    said: Said
    keys: tuple[str, ...]


_TURNED = {
    Said.YES: Said.NO,
    Said.NO: Said.YES,
    Said.LITTLE: Said.NOT_ENTIRELY,
    Said.MODERATELY: Said.NO,
    Said.NOT_ENTIRELY: Said.LITTLE,
    Said.DEPENDS: Said.DEPENDS,
}


def decided(
    asked: Asked, known: Metadata, domain: Domain, schema: MetadataSchema, current_year: int
) -> Decision | None:
    """What is known of an item decides of a question; None where it decides nothing. `known` holds its year too.

    "Too much?" is left open but for an age: how much is too much is not in the metadata.
    """
    body = asked.body
    free = without_free(body)
    if free is not None and facts.key_asked(free, known, domain) in _levels(known, domain):
        asked, body = asked.model_copy(update={"body": free, "denied": not asked.denied}), free
    if not body or _ABOUT.match(body) or _FILMED.match(body):
        return None
    found = _for_an_age(asked, known) or _by_year(body, known, current_year)
    if found is None and not (asked.too and not _level_key(body, known, domain)):
        found = (
            _level(body, known, domain)
            or _value_held(body, known)
            or _tested(asked, known, schema)
            or _by_day(body, known)
            or _truth(body, known, domain, schema)
        )
    found = _half_a_yes(found, body, known, domain)
    if found is None or not asked.denied:
        return found
    return found.model_copy(update={"said": _TURNED[found.said]})


def _half_a_yes(found: Decision | None, body: str, known: Metadata, domain: Domain) -> Decision | None:
    """The decision, where "street parking only" is held against a question for parking of any kind as half a yes."""
    if found is None or found.said is not Said.YES or len(found.keys) != 1:
        return found
    value = known.get(found.keys[0])
    half = isinstance(value, str) and fold(value).endswith(" only") and not _beyond(body, found.keys[0], domain)
    return found.model_copy(update={"said": Said.NOT_ENTIRELY}) if half else found


def _for_an_age(asked: Asked, known: Metadata) -> Decision | None:
    """ "Is it (too scary) for a six-year-old?": the age from which an item suits, against the one that is named."""
    key = next((key for key in YOUNGEST_KEYS if is_number(known.get(key))), None)
    if key is None:
        return None
    youngest = float(str(known[key]))
    ages = child_ages(asked.body)
    if ages:
        suits: bool | None = min(ages)[0] >= youngest
    else:
        groups = ((_CHILDREN, CHILD), (_TEENAGERS, TEENAGER))
        limits = next((limits for words, limits in groups if words.search(asked.body)), None)
        if limits is None or not _SUITS.search(asked.body):
            return None
        suits = True if youngest <= limits[0] else False if youngest >= limits[1] else None
    if suits is None:
        return None
    return Decision(said=Said.YES if suits is not asked.too else Said.NO, keys=(key,))


def _by_year(body: str, known: Metadata, current_year: int) -> Decision | None:
    """ "Was it made before 1990?"; the life of the story is no matter of the year of release."""
    year = known.get("year")
    if year is None or re.search(r"\bset\b", body):
        return None
    constraint = year_constraint(body, mode="explicit", current_year=current_year)
    if constraint is None or amounts(body):
        return None
    return Decision(said=Said.NO if violates(constraint, int(str(year))) else Said.YES, keys=("year",))


def _level(body: str, known: Metadata, domain: Domain) -> Decision | None:
    """How far up its scale a value stands, from the end whose words are used ("is it quiet?", "is it loud?")."""
    key = _level_key(body, known, domain)
    if key is None or amounts(body):
        return None
    order, degrees, low = domain.levels(key)
    said = Said(degrees[order.index(str(known[key]))])
    asks_low = any(f" {word} " in facts.words_of(body) for word in low)
    return Decision(said=_TURNED[said] if asks_low else said, keys=(key,))


def _level_key(body: str, known: Metadata, domain: Domain) -> str | None:
    """The key with levels that the words ask for, where they ask for no more than that."""
    key = facts.key_asked(body, known, domain)
    return key if key in _levels(known, domain) and not _beyond(body, key, domain) else None


def _levels(known: Metadata, domain: Domain) -> frozenset[str]:
    """The keys of an item whose value is a step of a scale."""
    return frozenset(key for key, value in known.items() if isinstance(value, str) and value in domain.levels(key)[0])


def _value_held(body: str, known: Metadata) -> Decision | None:
    """A value that the words name: one of a list, or a whole one of several words ("first person")."""
    held = facts.values_asked(body, known)
    key = held[0] if held else next((k for k, v in known.items() if _is_phrase(v) and f" {v} " in f" {body} "), None)
    return Decision(said=Said.YES, keys=(key,)) if key else None


def _is_phrase(value: MetadataValue) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[^\W\d]+(?: [^\W\d]+)+", value) is not None


def _tested(asked: Asked, known: Metadata, schema: MetadataSchema) -> Decision | None:
    """The question read as a wish and checked as one (METHOD 7.5)."""
    node = Node(id="question", atom="question", perspective="", instantiation=asked.body)
    constraints = constraints_of(node, schema)
    verdicts = [check(constraint, known) for constraint in constraints]
    broken = [c.key for c, verdict in zip(constraints, verdicts, strict=True) if verdict is Verdict.VIOLATED]
    if broken:
        return Decision(said=Said.NO, keys=tuple(dict.fromkeys(broken))[:1])
    if verdicts and all(verdict is Verdict.SATISFIED for verdict in verdicts):
        return Decision(said=Said.YES, keys=tuple(dict.fromkeys(c.key for c in constraints)))
    whole = [c.key for c in constraints if c.requirement is Requirement.ONE_OF and c.key in WHOLE_LISTS]
    if whole and len(whole) == len(constraints) and not asked.has and known.get(whole[0]):
        return Decision(said=Said.NO, keys=tuple(whole[:1]))
    if constraints:
        return None
    country = None if asked.has else _of_country(asked.body, known, schema)  # "French subtitles" are no country
    return country or _of_kind(asked.body, known, schema)


def _of_kind(body: str, known: Metadata, schema: MetadataSchema) -> Decision | None:
    """ "Is it a series?" of "Format: film" where others are a "TV series": a part of a value that items have but one
    of, where no value of another key holds it."""
    words = [word for word in re.findall(r"\w+", fold(body)) if word not in _SAYS_NOTHING]
    single = (key for key in schema.keys if key.kind is KeyKind.CATEGORY and not key.listed)
    kinds = [key for key in single if len(key.values) <= MOST_KINDS and _holds(key.values, words)]
    if not words or len(kinds) != 1:
        return None
    key, value = kinds[0].key, known.get(kinds[0].key)
    if not isinstance(value, str):
        return None
    return Decision(said=Said.YES if _holds([fold(value)], words) else Said.NO, keys=(key,))


def _holds(values: Sequence[str], words: Sequence[str]) -> bool:
    wanted = [{word, word.removesuffix("s")} for word in words]
    return any(all(forms & set(re.findall(r"\w+", value)) for forms in wanted) for value in values)


def _of_country(body: str, known: Metadata, schema: MetadataSchema) -> Decision | None:
    """ "Is it British?" of "Country: United Kingdom"."""
    value, key = known.get("country"), schema.by_words.get("country")
    if value is None or key is None:
        return None
    countries = [*key.proper, *(value if isinstance(value, list) else [str(value)])]
    named = (facts.country_of(word, countries) for word in re.findall(r"[A-Z]\w+", body))
    country = next(filter(None, named), None)
    if country is None:
        return None
    held = fold(country) in [fold(each) for each in (value if isinstance(value, list) else [str(value)])]
    return Decision(said=Said.YES if held else Said.NO, keys=("country",))


def _by_day(body: str, known: Metadata) -> Decision | None:
    """ "Is it open on Sunday?"."""
    day, hours = day_asked(body), known.get("opening_hours")
    if day is None or not isinstance(hours, str) or re.search(r"\d", body):
        return None
    days = open_days(hours)
    return Decision(said=Said.YES if day <= days else Said.NO, keys=("opening_hours",)) if days else None


def _truth(body: str, known: Metadata, domain: Domain, schema: MetadataSchema) -> Decision | None:
    """Whether a value says that there is what the words name, where they name it by its key or by what it holds."""
    key = facts.key_asked(body, known, domain)
    if key is None:
        return None
    value = known[key]
    beyond = _beyond(body, key, domain)
    if isinstance(value, bool):
        return Decision(said=Said.YES if value else Said.NO, keys=(key,)) if not (value and beyond) else None
    if not isinstance(value, str):
        return None
    if truth_of(value) is False:
        return Decision(said=Said.NO, keys=(key,))
    if beyond:
        return _beyond_decides(beyond, key, value, schema)
    named = (name for name in facts.names_of(key, domain) if f" {name} " in facts.words_of(body))
    kinds = [tuple(fold(name).split()) for name in named if name != facts.name_of(key)]
    found = [decision for kind in kinds if (decision := _beyond_decides(kind, key, value, schema)) is not None]
    if found:
        return next((decision for decision in found if decision.said is Said.YES), found[0])
    affirmed = facts.affirms(body, key, value, domain)
    return Decision(said=Said.YES, keys=(key,)) if affirmed else None


def _beyond(body: str, key: str, domain: Domain) -> tuple[str, ...]:
    """The words that ask for more than a key names ("free" in "free parking", "manga" in "based on a manga")."""
    rest = facts.words_of(body)
    for name in sorted(facts.names_of(key, domain), key=len, reverse=True):
        rest = rest.replace(f" {name} ", " ")
    return tuple(word for word in rest.split() if word not in _SAYS_NOTHING)


def _beyond_decides(beyond: Sequence[str], key: str, value: str, schema: MetadataSchema) -> Decision | None:
    """A yes where the value holds those words, a no where it lacks them and other values of the key have them."""
    held = set(re.findall(r"\w+", fold(value)))
    if all(word in held for word in beyond):
        return Decision(said=Said.YES, keys=(key,))
    of_key = next((known for known in schema.keys if known.key == key and known.kind is KeyKind.CATEGORY), None)
    vocabulary = {word for text in (of_key.values if of_key else ()) for word in re.findall(r"\w+", text)}
    lacks = all(word in vocabulary for word in beyond) and not held.intersection(beyond)
    return Decision(said=Said.NO, keys=(key,)) if lacks else None


def is_number(value: MetadataValue | None) -> bool:
    """Whether a value is a number, which a word such as "long" or "old" measures by nothing that is known."""
    return isinstance(value, int | float) and not isinstance(value, bool)
