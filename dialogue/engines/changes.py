"""How later words change the wishes that stand: taken back, allowed, put beside one another, turned round (METHOD 9.3).

Pure. A change of mind takes back what it contradicts: "actually not horror" drops the wish for horror.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from dialogue.domain import Domain
from dialogue.engines.chinese import cues as chinese
from dialogue.engines.cues import cue
from dialogue.models import ConstraintValue, DialogueState, EditKind, StateEdit
from dialogue.record import values_of
from dialogue.spans import Span
from dialogue.wish_words import denied, named_by, stems
from pdgf.constraints.amounts import MINUTES, PAGES, amounts
from pdgf.constraints.formats import names_form
from pdgf.engines.builtin.permissions import EXCLUSIVE
from pdgf.glossary import has_han
from pdgf.models import normalised

_CONTRAST = re.compile(r"而不是|(?:instead of|rather than|as opposed to)\b", re.IGNORECASE)
_OR = re.compile(r"\s*(?:,\s*(?:or\b)?|\bor\b)\s*(?:(?:an?|some|the)\s+)?|或者?是?|还是|、", re.IGNORECASE)
# Keys whose values are of one kind, by their first perspective: only these have alternatives of each other.
_KINDS = frozenset(
    (kind,)
    for kind in ("location", "cuisine", "era", "genre", "language", "dish", "theme", "setting", "creator", "meal")
)
_PAYING = re.compile(
    r"预算|价钱|多花点|花钱|\b(?:pay(?:ing)?|spend(?:ing)?|costs?|afford|money|budget|expensive|pricier)\b",
    re.IGNORECASE,
)
# Words for a limit, which name none: "the page limit" is no limit on contents
_LIMIT = re.compile(r"\b(?:limit(?:s|ation|ations)?|cap|caps|maximum|minimum|restrictions?|ceiling)\b", re.IGNORECASE)
# What a limit in a unit is called by
_COUNTED = {
    PAGES: re.compile(r"\b(?:pages?|length)\b", re.IGNORECASE),
    MINUTES: re.compile(r"\b(?:(?:running |run)?time|length|duration|hours?|minutes?)\b", re.IGNORECASE),
}
_BESIDE = re.compile(
    r"也(?:行|可以|成|好|ok)|或者|\b(?:too|also|as well|either|instead|equally|works?|(?:would|could|will) do)\b",
    re.IGNORECASE,
)


def taken_back(words: str, state: DialogueState, domain: Domain) -> list[StateEdit]:
    """The values that "forget the romance", "I no longer care about the price" takes back: those that share a word, or
    whose key is named. Of alternatives the others stay."""
    of_limit = None if has_han(words) else _LIMIT.search(words)
    if of_limit is not None:
        words = _LIMIT.sub(" ", words)
    named = stems(words) | ({"price"} if _PAYING.search(words) else set()) | _facts_named(words, domain)
    if of_limit is not None:
        limits = _limits(words, named, state, domain)
        if limits or not named:
            return limits
    edits = []
    for key, value, hard in values_of(state):
        row = domain.row(key)
        of_key = stems(" ".join([key.replace("_", " "), *(name.replace("_", " ") for name in row.metadata)]))
        by_key = key != "others" and named & of_key and not _of_another_fact(value.text, named, key, domain)
        if named & (stems(value.text) or {normalised(value.text)}) or by_key:
            edits.append(StateEdit(kind=EditKind.DROP, key=key, text=value.text))
            edits += _what_stays(key, value, named, hard=hard) if _alternatives(value.text) else []
    return edits


def _limits(words: str, named: set[str], state: DialogueState, domain: Domain) -> list[StateEdit]:
    """The limits in numbers that "the page limit" names: by a word of theirs, what they count, or their own fact. "The
    limit" alone is the only one there is."""
    numbers = [
        (key, value) for key, value, _ in values_of(state) if re.search(r"\d", value.text) or amounts(value.text)
    ]
    counted = {unit for unit, said in _COUNTED.items() if said.search(words)}
    found = [
        (key, value)
        for key, value in numbers
        if named & stems(value.text) or any(amount.unit in counted for amount in amounts(value.text))
    ]
    if not found and named:
        found = [
            (key, value)
            for key, value in numbers
            if named & stems(" ".join([key, *domain.row(key).metadata]).replace("_", " "))
            and not _of_another_fact(value.text, named, key, domain)
        ]
    if not named and len(numbers) == 1:
        found = numbers
    return [StateEdit(kind=EditKind.DROP, key=key, text=value.text) for key, value in found]


def _facts_named(words: str, domain: Domain) -> set[str]:
    """What Chinese words name by the key of a fact ("时长无所谓了")."""
    known = domain.chinese.fact_words if domain.chinese and has_han(words) else {}
    return {
        stem
        for fact, names in known.items()
        if any(name in words for name in names)
        for stem in stems(fact.replace("_", " "))
    }


def allowed(words: str, state: DialogueState) -> list[StateEdit]:
    """The unwanted values that "violence is fine" takes back: those that name what it names. Nothing is added."""
    named = named_by(words)
    return [
        StateEdit(kind=EditKind.DROP, key=key, text=value.text)
        for key, value, _ in values_of(state)
        if (value.avoid or denied(value.text)) and named & named_by(value.text)
    ]


def _of_another_fact(words: str, named: set[str], key: str, domain: Domain) -> bool:
    """Whether a value speaks of a fact of its key that was not named: "animated" when it is the length that goes."""
    facts = {
        fact: stems(f"{fact.replace('_', ' ')} {' '.join(domain.fact_words.get(fact, ()))}")
        for fact in domain.row(key).metadata
    }
    meant = {fact for fact, about in facts.items() if named & about}
    spoken = {fact for fact, about in facts.items() if stems(words) & about}
    return bool(meant and spoken) and not meant & spoken


def permitted(words: str) -> Span | None:
    """What the words merely permit ("French is fine too"), whether or not anything stands that it could change."""
    match = chinese.cue("allow", "permits").search(chinese.plain(words)) if has_han(words) else None
    match = match or cue("allow", "permits").search(words)
    return next((match.span(group) for group in match.groupdict() if match[group]), None) if match else None


def beside(
    edits: Sequence[StateEdit], text: str, state: DialogueState, domain: Domain, asked: Sequence[str] = ()
) -> list[StateEdit]:
    """Of what is merely permitted, that which joins a standing wish as its alternative: a value of a key that holds
    one value only, or one that the words put beside what was said ("too"). It is a condition where that wish is one.
    What answers our own question is a wish."""
    kept = []
    for edit in edits:
        if edit.key in asked:
            kept.append(edit)
            continue
        standing = [
            (v, hard) for key, v, hard in values_of(state) if key == edit.key and not (v.avoid or denied(v.text))
        ]
        clause = re.split(r"[.!?;,]", text[edit.span[2] :])[0] + text[: edit.span[1]].rpartition(".")[2][-12:]
        row = domain.row(edit.key)
        one_only = not row.cumulative or not EXCLUSIVE.isdisjoint(row.perspectives[:1])
        kind = row.perspectives[:1] in _KINDS
        if names_form(edit.text):  # of what length an item is says nothing of its form
            standing = [(value, hard) for value, hard in standing if names_form(value.text)]
            kind = True
        joins = kind and (bool(_BESIDE.search(clause)) or one_only)
        named = {name for value, _ in standing for name in named_by(value.text)}
        if standing and joins and not edit.avoid and not named_by(edit.text) <= named:
            hard = any(hard for _, hard in standing)
            kept.append(edit.model_copy(update={"hard": hard, "replaces": False}))
    return kept


def with_changes_of_mind(edits: Sequence[StateEdit], state: DialogueState) -> list[StateEdit]:
    """The edits with, before each, the values of the opposite polarity that it takes back. What is unwanted now is
    taken out of a longer value that names it too: of alternatives the others stay, of "scary western" the western."""
    result: list[StateEdit] = []
    for edit in edits:
        own = named_by(edit.text)
        against: list[StateEdit] = []
        for key, value, hard in values_of(state):
            if not own or (value.avoid or denied(value.text)) == edit.avoid:
                continue
            named = named_by(value.text)
            if own == named or (own < named and edit.avoid):
                against.append(StateEdit(kind=EditKind.DROP, key=key, text=value.text))
                against += _what_stays(key, value, own, hard=hard) if own != named else []
        result += against
        if not (against and _CONTRAST.match(edit.text)):  # "pizza instead of pasta" replaces, and avoids nothing
            result.append(edit)
    return result


def _what_stays(key: str, value: ConstraintValue, own: set[str], *, hard: bool) -> list[StateEdit]:
    """What a value names besides the thing taken back, in its own words and in the turn that said them; nothing where
    the thing stands in its midst ("a heist by night")."""
    if _alternatives(value.text):
        edges = [(0, 0), *(match.span() for match in _OR.finditer(value.text)), (len(value.text), len(value.text))]
        spans = [(before[1], after[0]) for before, after in pairwise(edges)]
    else:
        words = [match.span() for match in re.finditer(r"[\w'’]+(?:-[\w'’]+)*", value.text)]
        here = [place for place, span in enumerate(words) if named_by(value.text[slice(*span)]) & own]
        at_the_start, at_the_end = here == list(range(len(here))), here[-1:] == [len(words) - 1]
        spans = [(words[len(here)][0], len(value.text))] if here and at_the_start and len(here) < len(words) else []
        spans += [(0, words[here[0] - 1][1])] if here and at_the_end and not spans and here[0] else []
    turn, start, _ = value.span
    kept = [(value.text[a:b], a, b) for a, b in spans]
    return [
        StateEdit(kind=EditKind.ADD, key=key, text=words, hard=hard, span=(turn, start + a, start + b), replaces=False)
        for words, a, b in kept
        if named_by(words) and not named_by(words) & own
    ]


def _alternatives(words: str) -> bool:
    return bool(re.search(r"\bor\b|或|还是", words, re.IGNORECASE))
