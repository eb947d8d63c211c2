"""Words by which a conversation goes on in another domain ("now a book, please"), heard whatever the engine. Pure.

What makes sense there of the wishes so far stays where the words refer to them ("a book like that", "same mood").
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from dialogue import chinese_topics, first_topics, wording
from dialogue.domain import ConstraintKey, Domain
from dialogue.domain_nouns import LEAD, NO_KIND, NOUNS, WORDS
from dialogue.models import ConstraintValue, DialogueState, TurnRecord
from dialogue.record import state_of, values_of
from dialogue.spans import sentences
from pdgf.glossary import has_han

_KINDS: Final = {"anime": ("movies",)}  # domains whose nouns name a kind of item here ("a film, not a series")
_LEAVES: Final = re.compile(
    r"\b(?:talk about|switch to|instead of anime|not anime|live[- ]action|no more anime)\b", re.I
)
_KIND: Final = (
    r"(?P<kind>(?:(?!(?:about|of|with|in|on|for|from|like|than|based|the|that|a|an|my|our|your|and|or|to|it)\b)"
    r"[\w'’-]+\s+){0,3}?)"
)
_CLOSE: Final = r"(?:[,\s]+(?:instead|now|then|please|for a change|this time|too|as well|again))*[.!?]*"
_WE: Final = r"(?:let['’]?s|can we|could we|shall we|i['’]?d like to|i would like to|i want to|we could|time to|now)\s+"
_OUTRIGHT: Final = (  # @ stands for the noun with what belongs to it
    rf"{_WE}(?:talk about|discuss|switch(?: over)? to|move (?:on|over) to|change to|go over to|turn to)\s+@",
    r"(?:switch|change|move on|go over|on) to\s+@",
)
_TOLD: Final = (
    rf"{_WE}(?:go to|do|look at|try|look for|find|have|watch|read|see|eat at)\s+@",
    r"(?:and )?(?:now|next|instead|this time)(?: for)?[,:]?\s+(?:(?:i (?:want|need|would like)|i['’]d like|find|give"
    r"|show|recommend"
    r"|suggest)(?: me| us)?\s+)?@",
    r"(?:how|what) about\s+@",
    r"(?:is|are) there\s+@(?=\s+(?:like|similar|in|with|about|that)\b)",
    r"(?:any\s+|do you (?:have|know)(?: of)?\s+)@",
    r"(?:(?:can|could|would) you )?(?:please )?(?:recommend|suggest|find|give|show)(?: me| us)?\s+@",
    r"(?:i|we)(?:['’]m| am|['’]re| are)? (?:want|need|would like|looking for|in the mood for"
    r"|(?:would )?rather (?:have|read|watch))\s+@",
    r"(?:i|we)['’]d (?:like|prefer|(?:rather|sooner)(?: (?:have|read|watch|see))?)\s+@",
    r"(?:the )?same (?:mood|vein|style|spirit|tone|feeling|feel|wishes|thing)[,\s]+(?:but|and|only|now|as|in|for"
    r"|with)?\s*@",
    r"@(?=\s*(?:instead|like that|like this|this time|now|please|in the same|with the same)\b|\s*[,]\s*(?:please"
    r"|instead|now))",
)
_SAME: Final = re.compile(
    r"(?:,?\s*(?:but |and |with )?(?:(?:just |exactly |a bit |something |much )?(?:like|similar to"
    r"|along the lines of) (?:that|this|it|those|these|them"
    r"|the(?:se| ones?)?)(?: (?:one|ones|film|movie|book|anime|too|as well|please))*"
    r"|(?:in|with|of|for) the same (?:mood|vein|style|spirit|tone|feeling|feel|wishes|kind|sort|way)"
    r"|(?:the )?same (?:mood|vein|style|spirit|tone|feeling|feel"
    r"|wishes|thing|again|kind|sort)|(?:in )?that (?:vein|style|spirit|mood)|with (?:those|these|the same|my"
    r"|that) wishes|(?:the )?same))",
    re.IGNORECASE,
)


class Moved(NamedTuple):
    """The domain that is asked for, whether the wishes so far are referred to, and the words that are left to read, in
    their old places."""

    domain: str
    keeps: bool
    text: str


def asked_for(text: str, current: str, domains: Sequence[Domain], *, first: bool = False) -> Moved | None:
    """The other domain that the words go over to; None where they stay. Of a `first` message it is enough that it
    asks for the kind of another domain."""
    here = next((domain for domain in domains if domain.name == current), None) if first else None
    for domain in domains:
        a_kind = domain.name in _KINDS.get(current, ()) and not _LEAVES.search(text)
        # The items of a catalogue of one's own may be films or books too: only outright words leave it.
        outright = current not in NOUNS
        if domain.name == current or a_kind:
            continue
        match = _going_over(text, domain, outright=outright)
        if match is None and has_han(text):
            match = chinese_topics.going_over(text, domain, outright=outright)
        if match is None and first and (match := first_topics.asked_first(text, domain, here)):
            return Moved(domain.name, False, text)  # the noun is one of the new domain, and its words stay as they are
        if match is None:
            continue
        same = _SAME.search(text, match.end("noun")) or _SAME.search(text, match.start(), match.start("noun"))
        if has_han(text):
            place = match.start("noun")
            same = chinese_topics.same(text, match.start(), place) or chinese_topics.same(text, place)
        heard = _blanked(text, *same.span()) if same else text
        if match["kind"].strip():  # "a funny book": funny is a wish
            heard = _blanked(_blanked(heard, match.start(), match.start("kind")), *match.span("noun"))
        else:
            heard = _blanked(heard, *match.span())
        left = re.search(r"[^\W_]{3}|[\u4e00-\u9fff]{2}", heard)
        return Moved(domain.name, same is not None, heard if left else " " * len(text))
    return None


def _going_over(text: str, domain: Domain, *, outright: bool) -> re.Match[str] | None:
    """Where a sentence of the text begins to speak of the domain; `outright`: only in words for going over to it."""
    shapes = _shapes(domain.name, domain.items_word, outright=outright)
    found = (shape.match(text, start) for start, _ in sentences(text) for shape in shapes)
    return next((match for match in found if match), None)


@cache
def _shapes(name: str, items_word: str, *, outright: bool) -> tuple[re.Pattern[str], ...]:
    one, many = NOUNS.get(name, (re.escape(name), rf"{re.escape(name)}|(?!items\b){re.escape(items_word)}"))
    article = r"(?:(?:a|an|any|some|another|the|one)\s+)"
    noun = rf"(?P<noun>(?:(?<=\s)(?:{one})|(?:{many})){NO_KIND}|{WORDS.get(name, '(?!)')})"
    # One of a kind needs an article, or "book the first" would ask for a book.
    alone = rf"{article}{_KIND}{noun}"
    several = rf"(?:any |some |the |more |other )*{_KIND}(?P<noun>(?:{many}){NO_KIND}|{WORDS.get(name, '(?!)')})"
    return tuple(
        re.compile(rf"\W*{LEAD}{shape.replace('@', form)}{_CLOSE}", re.IGNORECASE)
        for shape in (_OUTRIGHT if outright else (*_OUTRIGHT, *_TOLD))
        for form in (alone, several)
    )


def _blanked(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]


def moved(record: TurnRecord, old: Domain | None, new: Domain, *, keeps: bool) -> tuple[TurnRecord, str]:
    """The lasting part of a record as it stands in another domain, and the sentence that says what was kept of it.

    What was accepted, turned down or seen stays known; lists and the ranking are left behind.
    """
    state = state_of(record)
    kept, dropped = _carried(state, old, new) if keeps else (DialogueState(), _wishes(state))
    after = kept.model_copy(update={"accepted_items": state.accepted_items, "rejected_items": state.rejected_items})
    texts = _wishes(kept)
    lasting: TurnRecord = {
        "domain": new.name,
        "dialogue": after.model_dump(mode="json"),
        "requests": record.get("requests", []) if texts else [],
        "shown": [],
        "focus": [],
        "asked": [],
        "recommendation": "",
    }
    return lasting, _sentence(new, texts, dropped)


def _sentence(new: Domain, kept: Sequence[str], dropped: Sequence[str]) -> str:
    said = [wording.say("topic.moved", items=wording.spoken(new).items_word)]
    if kept:
        said.append(wording.say("topic.kept", wishes=wording.wishes(kept)))
    if dropped:
        said.append(wording.say("topic.dropped", wishes=wording.wishes(dropped)))
    return wording.told(said)


def _wishes(state: DialogueState) -> list[str]:
    return [value.text for _, value, _ in values_of(state)]


def _carried(state: DialogueState, old: Domain | None, new: Domain) -> tuple[DialogueState, list[str]]:
    """The wishes under keys that mean the same in both domains, and the words of the others."""
    dropped: list[str] = []
    rows: list[dict[str, tuple[ConstraintValue, ...]]] = []
    for constraints in (state.hard_constraints, state.soft_constraints):
        rows.append({key: values for key, values in constraints.items() if _shared(key, old, new)})
        dropped += [value.text for key, values in constraints.items() if not _shared(key, old, new) for value in values]
    return DialogueState(hard_constraints=rows[0], soft_constraints=rows[1]), dropped


def _shared(key: str, old: Domain | None, new: Domain) -> bool:
    here = _row(key, old) if old else _row(key, new)
    there = _row(key, new)
    if here is None or there is None or not (here.cumulative and there.cumulative):
        return False
    return not (here.metadata and there.metadata) or bool({*here.metadata} & {*there.metadata})


def _row(key: str, domain: Domain) -> ConstraintKey | None:
    return next((row for row in domain.constraint_keys if row.key == key), None)
