"""Under which key a wish belongs where its perspective does not tell, by its own words and those around it. Pure.

"in Toronto" and "near a mall" say where, "pizza" is a dish unless it is a pizza place that is sought, "cotton" is a
material. What nothing tells stays where it was. English; Chinese words keep the key of their perspective.
"""

import re
from collections.abc import Iterable, Sequence

from dialogue import cue_words
from dialogue.domain import ConstraintKey, Domain
from dialogue.engines.kinds import kind, kinds, plain_name
from dialogue.models import StateEdit
from dialogue.spans import Span
from dialogue.wish_words import DENIED
from pdgf.constraints.diets import diet_without, need_of
from pdgf.engines.builtin.lexicon import cues
from pdgf.glossary import has_han
from pdgf.models import normalised

OTHERS = "others"
_PARTS = ("material", "design", "occasion", "category")  # kinds that one phrase names beside each other
_TOLD_BY_WORDS = ("dish", "cuisine", "atmosphere", "diet", "meal", "tone", *_PARTS)
_OVER = frozenset({"cuisine", "diet", "meal", "theme", "quality", "content", "other"})  # read so, and yet a dish
_UNSURE = frozenset({"theme", "quality", "other", "setting", "manner", "location"})  # read so, and yet a place
_BARE = frozenset({"menu", "menus"})  # beside the word that says which
_IDLE = re.compile(r"\bmy (?:cup of tea|thing|jam)$", re.IGNORECASE)
_HOUSE = (
    r"(?:restaurant|place|bar|house|joint|spot|shop|cafe|café|room|parlou?r|eatery|stand|stall|truck|grill|kitchen"
    r"|pub)s?"
)
_HOUSE_AFTER = re.compile(rf"\W{{1,2}}{_HOUSE}\b", re.IGNORECASE)
_IS_HOUSE = re.compile(rf"\b{_HOUSE}$", re.IGNORECASE)
_NEAR = re.compile(
    r"\b(?:near(?:by|er)?(?: to)?|close to|next (?:door )?to|beside|opposite|not far from|across from|in front of"
    r"|around|within (?:easy )?walking distance (?:of|from|to)|by(?= the ))\s+(?:the |an? |my |our |your )?$",
    re.IGNORECASE,
)
_IN = re.compile(r"\b(?:in|around|within|outside|towards?|on|near)\s+(?:the )?$", re.IGNORECASE)
_EATS_IN = re.compile(
    r"\b(?:restaurants?|places?|somewhere|something|spots?|cafes?|bars?|shops?|food|eat|dine|dinner|lunch|live|located"
    r"|staying|(?:i|we)(?:['’]?m|['’]?re| am| are)) in\s+$",
    re.IGNORECASE,
)
_OF_A_NAME = re.compile(r"\b(?:New|Old|Great|Little|Big|Upper|Lower|North|South|East|West) $")
_WALK = re.compile(
    r"(?:(?:easy )?walking distance|an? (?:short|easy) walk|(?:near|close to|next to)(?=\s))\b", re.IGNORECASE
)
_STREET = re.compile(
    r"^[A-Z0-9][\w'’.-]*(?:\s+[\w'’.-]+)*?\s+(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Drive|Square|Plaza|Quay"
    r"|Parade|Crescent|Terrace|Highway)\b\.?"
)
_TIME = re.compile(
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn"
    r"|winter|english|christmas|easter|\w+days?)\b",
    re.IGNORECASE,
)
_SET_IN = re.compile(r"\b(?:set|takes? place|taking place) (?:in|on|at|during)\s+(?:the |an? )?$", re.IGNORECASE)
_MADE = re.compile(r"\b(?:from|by|made by|brand|called)\s+(?:the )?$", re.IGNORECASE)
_LEAD = re.compile(
    r"(?:if (?:at all )?possible|ideally|preferably)\s*,\s*(?:(?:i|we)(?:['’]d| would)?\s+(?:also\s+|really\s+)?"
    r"(?:prefer|like|love|want)\s+(?:to have\s+|having\s+)?)?(?:(?:an?|the|some)\s+)?(?=\w)",
    re.IGNORECASE,
)
_SAID_TO_BE = r"\s+(?:(?:to|should|must|can|could|may) be|has to be|needs to be|is|of)\b"
_SMALL = re.compile(r"\b(?:and|or|with|of|made|in|a|an|the|for|100)\b|[\W_]+", re.IGNORECASE)
_JOINED = re.compile(r"\s*[,&]\s*")


def pieces(text: str, span: Span, key: str, *, perspective: str, avoid: bool, domain: Domain) -> list[tuple[Span, str]]:
    """The wishes of a stretch of words, each with its key: mostly the stretch itself, none where it is only the name of
    what is wished about ("the colour to be white") or of what the domain holds."""
    if has_han(text):
        return [(span, key)]
    lead = _LEAD.match(text, span[0], span[1])
    span = (lead.end(), span[1]) if lead else span
    words = text[slice(*span)]
    if _names_an_attribute(text, span, domain) or (key == OTHERS and _names_the_items(words, domain)):
        return []
    if key == OTHERS and not avoid:
        parts = _parts(span, words, domain)
        if parts:
            return parts
        near = _NEAR.search(text, 0, span[0])
        if near and perspective in _UNSURE and _place_key(words, domain):
            return [((near.start(), span[1]), _place_key(words, domain) or key)]
    found = key_of_wish(text, span, key, perspective=perspective, domain=domain)
    row = _place_row(domain)
    if key == OTHERS and row is not None and found == row.key:
        span = (_start_of_name(text, span[0]), span[1])
    return [(span, found)]


def key_of_wish(text: str, span: Span, key: str, *, perspective: str, domain: Domain) -> str:
    """The key of a stretch of words: that of its perspective, or one that the words tell better."""
    if has_han(text):
        return key
    words = DENIED.sub("", text[slice(*span)]).strip()
    if perspective in _OVER and (dish := _as_dish(text, span, words, key, perspective, domain)):
        return dish
    if perspective == "theme" and _SET_IN.search(text, 0, span[0]) and domain.key_of("setting") != OTHERS:
        return domain.key_of("setting")
    if key != OTHERS:
        return key
    return (
        _attribute_before(text[: span[0]], domain)
        or (_place_key(words, domain) if perspective in _UNSURE and _says_where(text, span, words) else None)
        or next(
            (found for one in _TOLD_BY_WORDS if kind(one).spans_in(words) and (found := kind(one).key_in(domain))), None
        )
        or _of_a_nation(words, domain)
        or (kind("brand").key_in(domain) if _MADE.search(text, 0, span[0]) or _is_name(text, span, words) else None)
        or next((one.key_in(domain) for one in kinds() if perspective == one.perspective), None)
        or kind("features").key_in(domain)
        or key
    )


def with_places_joined(text: str, edits: Sequence[StateEdit], domain: Domain) -> list[StateEdit]:
    """The edits with what is one address as one: "Kent Road & Mill Lane, Leeds". Places that a key offers are two."""
    row = _place_row(domain)
    joined: list[StateEdit] = []
    for edit in edits:
        last = joined[-1] if joined else None
        named = row is not None and (edit.key == row.key or (edit.key == OTHERS and edit.text[:1].isupper()))
        alike = last is not None and row is not None and named and last.key == row.key and last.avoid == edit.avoid
        if last is not None and row is not None and alike and last.span[2] <= edit.span[1]:
            apart = any(_offers(row, one.text) for one in (last, edit))
            if not apart and _JOINED.fullmatch(text[last.span[2] : edit.span[1]]):
                span = (edit.span[0], last.span[1], edit.span[2])
                joined[-1] = last.model_copy(update={"span": span, "text": text[span[1] : span[2]]})
                continue
        joined.append(edit)
    return joined


def _as_dish(text: str, span: Span, words: str, key: str, perspective: str, domain: Domain) -> str | None:
    """The key for dishes, where words name one; that for kinds of places where such a place is sought."""
    dish, cuisine = kind("dish"), kind("cuisine").key_in(domain)
    target = dish.key_in(domain)
    if target is None or not dish.spans_in(words) or _of_a_nation(words, domain):
        return None
    if perspective == "diet" and (need_of(words) or diet_without(words) or re.search(r"\W(?:free|friendly)\b", words)):
        return None
    if kind("cuisine").spans_in(words) or _IS_HOUSE.search(words) or _HOUSE_AFTER.match(text, span[1]):
        return cuisine if key == OTHERS else key
    return target


def _parts(span: Span, words: str, domain: Domain) -> list[tuple[Span, str]]:
    """A phrase of several kinds in its parts ("white cotton shirt"), where they are all there is to it."""
    found: list[tuple[int, int, str]] = []
    for name in _PARTS:
        target = kind(name).key_in(domain)
        spans = kind(name).spans_in(words) if target else []
        found += [(a, b, target) for a, b in spans if target and all(b <= s or a >= e for s, e, _ in found)]
    rest = words
    for start, end, _ in found:
        rest = f"{rest[:start]}{' ' * (end - start)}{rest[end:]}"
    if _SMALL.sub("", rest):
        return []
    return [((span[0] + start, span[0] + end), target) for start, end, target in sorted(found)]


def _says_where(text: str, span: Span, words: str) -> bool:
    """Whether words are the name of a place: by their own kind, or by "in" before a name."""
    if kind("location").spans_in(words) or _STREET.match(words) or _WALK.match(words) or _NEAR.search(text, 0, span[0]):
        return True
    named = words[:1].isupper() and not _TIME.match(words) and words.casefold() not in cue_words.countries()
    unnamed = " " not in words and words.isalpha() and _EATS_IN.search(text, 0, span[0])  # "places in leeds"
    return bool((named and _IN.search(text, 0, _start_of_name(text, span[0]))) or (unnamed and not _TIME.match(words)))


def _start_of_name(text: str, start: int) -> int:
    """Where a name begins of which a common word was left out ("New" of "New York")."""
    before = _OF_A_NAME.search(text, 0, start)
    return before.start() if before else start


def _is_name(text: str, span: Span, words: str) -> bool:
    """Whether words are a name by their capital, which does not begin a sentence."""
    inside = re.search(r"[\w,]\s+$", text[: span[0]]) is not None
    return inside and re.fullmatch(r"(?:[A-Z][\w'’&-]+\s*){1,3}", words) is not None and not _TIME.match(words)


def _place_row(domain: Domain) -> ConstraintKey | None:
    """The row of the key that says where, and not where a story is set."""
    rows = domain.constraint_keys
    where = kind("location")
    return next((r for r in rows if r.perspectives[:1] == ("location",) or plain_name(r.key) in where.names), None)


def _place_key(words: str, domain: Domain) -> str | None:
    """The key for places; none where it offers certain places and this is another, so that it is asked for."""
    row = _place_row(domain)
    return row.key if row is not None and (not row.values or _offers(row, words)) else None


def _offers(row: ConstraintKey, words: str) -> bool:
    return any(normalised(value) in normalised(words) for value in row.values)


def _of_a_nation(words: str, domain: Domain) -> str | None:
    """The key for what a nation's word says of an item: its cooking, or the country that it is from."""
    nations = {*cue_words.countries(), *cues().nations}
    if not any(word in nations for word in re.findall(r"\w+", words.casefold())):
        return None
    found = next((domain.key_of(p) for p in ("cuisine", "country") if domain.key_of(p) != OTHERS), None)
    return found or kind("cuisine").key_in(domain)


def _attributes(domain: Domain) -> dict[str, str]:
    """What the keys of a domain are called, with the keys."""
    named = {name: key for one in reversed(kinds()) if (key := one.key_in(domain)) for name in one.names}
    return named | {plain_name(row.key): row.key for row in domain.constraint_keys if row.key != OTHERS}


def _either(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True)))


def _attribute_before(before: str, domain: Domain) -> str | None:
    """The key whose name is said before its value: "I want the colour to be ..."."""
    named = _attributes(domain)
    match = re.search(
        rf"\b(?:the|its|a)\s+({_either(named)}){_SAID_TO_BE}\s+(?:[a-z]+\s+){{0,2}}$", before, re.IGNORECASE
    )
    return named[normalised(match[1])] if match else None


def _names_an_attribute(text: str, span: Span, domain: Domain) -> bool:
    """Whether words only name what is wished about: "the price" before "to be cheap", "strong" before "preference"."""
    said, after = normalised(text[slice(*span)]), text[span[1] :]
    if (
        said in _BARE
        or _IDLE.search(text[max(0, span[0] - 10) : span[1]])
        or re.match(r"\s+(?:preference|opinion|requirement)s?\b", after, re.IGNORECASE)
    ):
        return True
    return said in _attributes(domain) and re.match(_SAID_TO_BE + r"\s+\w", after, re.IGNORECASE) is not None


def _names_the_items(words: str, domain: Domain) -> bool:
    """Whether a word is what the whole domain holds ("clothes" where it is called clothing)."""
    said = normalised(words)
    called = {normalised(name) for name in (domain.title, domain.name, domain.item_word, domain.items_word)}
    return len(said) >= 5 and " " not in said and any(said[:5] == name[:5] for name in called if " " not in name)
