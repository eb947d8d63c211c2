"""From the reply of a language model to the Understanding of a turn: numbers become items, words become spans, and what
the intents and the rest of a reply say is brought together, as the loop needs it. Pure.

Where a reply says too little, nothing is added that the rules of its prompt do not settle.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from dialogue.domain import Domain
from dialogue.engines.llm_replies import SeenRow, TakenBackRow, UnderstandReply, WishRow
from dialogue.models import DialogueState, EditKind, Intent, ItemRef, Mention, StateEdit, Understanding
from dialogue.ports import Utterance
from dialogue.record import values_of
from dialogue.spans import Span, inside
from pdgf.engines.builtin.function_words import only_function_words
from pdgf.errors import ReplyUnusable
from pdgf.identity import name_key
from pdgf.models import normalised
from pdgf.quotes import place_of, places_of

EARLIER = 12  # items of earlier lists that an utterance may point back to

# Words before an unwanted thing that belong to the wish: without them a dislike would be kept as a like.
_DENIAL = re.compile(
    r"(?:\b(?:not|no|nothing|never|without|avoid|less|hate[ds]?|dislike[ds]?|cannot stand|can not stand|anything but"
    r"|too|\w+n['’]t(?: (?:want|like|need|stand|enjoy|bear|care for))?)"
    r"(?:\s+(?:any|a|an|the|so|too|more|much|really))*\s+"
    r"|(?:不要|不想|不喜欢|讨厌|没有|不是|别|不|没|无)\s*)$",
    re.IGNORECASE,
)
FEEDBACK = frozenset((Intent.ACCEPT, Intent.REJECT, Intent.CONTINUE))


def items_of(utterance: Utterance) -> tuple[ItemRef, ...]:
    """What the utterance can point at, in the order of its numbers: the last list, then earlier items, newest first."""
    listed = {item.id for item in utterance.shown}
    earlier = [item for item in reversed(utterance.state.recommended_items) if item.id not in listed]
    return (*utterance.shown, *earlier[:EARLIER])


def grounded(reply: UnderstandReply, text: str) -> UnderstandReply:
    """The reply. Raises ReplyUnusable where it has wishes of which none is in the user's own words."""
    if reply.wishes and not any(place_of(row.text, text) for row in reply.wishes):
        raise ReplyUnusable("no wish is copied from the utterance; copy its words character by character")
    return reply


def understanding_of(reply: UnderstandReply, utterance: Utterance, items: Sequence[ItemRef]) -> Understanding:
    """The reply in the terms of the dialogue; its numbers count the items. The order of edits is that of the built-in
    engine: what is taken back comes first. A fresh start takes nothing of what it forgets along."""
    reply = reply.model_copy(update={"questions": _said_once(reply.questions)})
    added = _added(reply.wishes, utterance)
    afresh = Intent.START_OVER in reply.intents
    drops = () if afresh else tuple(_dropped(reply.taken_back, utterance.state))
    edits = (*drops, *added)
    intents = _intents(reply, edits, items, shown=bool(utterance.shown))
    rejected = _rejected(reply, intents, added, utterance, items)
    unresolved = [words for words in reply.unresolved if place_of(words, utterance.text)]
    missed = (str(n) for n in (*reply.about, *reply.accepted, *reply.rejected) if not 1 <= n <= len(items))
    liked, disliked, seen = (_known(rows, items) for rows in (reply.liked, reply.disliked, reply.seen))
    about = () if afresh else _numbered(reply.about, items)
    verdict = not about and Intent.INQUIRE in intents and bool(FEEDBACK & intents)
    unclear = [words for words in unresolved if verdict and not any(words in question for question in reply.questions)]
    missing = dict.fromkeys([*(words for words in unresolved if words not in unclear), *(missed if items else ())])
    return Understanding(
        intents=tuple(intent for intent in Intent if intent in intents),
        edits=edits,
        about=about,
        accepted=() if afresh else _accepted(reply, intents, utterance, items),
        rejected=() if afresh else tuple(item for item in rejected if item not in liked),
        implied=() if reply.rejected else rejected,
        interest=() if afresh else _numbered(reply.interest, items),
        liked=liked,
        disliked=disliked,
        seen=seen,
        questions=reply.questions if Intent.INQUIRE in intents else (),
        unresolved=() if afresh else tuple(missing),
        unclear=() if afresh else tuple(unclear),
        candidates=() if afresh else _numbered(reply.candidates, items),
        new_topic=afresh and reply.new_topic,
        domain=_domain(reply.domain, utterance),
        keeps_wishes=reply.keeps_wishes,
        about_state=reply.about_state,
        greeting=not intents and not edits and (reply.greeting or _only_hello(reply)),
        hello=reply.hello,
        about_system=reply.about_system,
        about_accepted=reply.about_accepted,
    )


def _intents(
    reply: UnderstandReply, edits: Sequence[StateEdit], items: Sequence[ItemRef], *, shown: bool
) -> frozenset[Intent]:
    """The intents that hold, with those that the rest of the reply implies and without those it leaves no room for.

    A wish provides a preference and a complaint about a list rejects; feedback needs items; something else follows a
    rejection anyway; a fresh start is no verdict.
    """
    found = set(reply.intents) - {Intent.INQUIRE}
    if edits:
        found.add(Intent.PROVIDE_PREFERENCE)
    if _numbered((*reply.accepted, *reply.interest), items):
        found.add(Intent.ACCEPT)
    if _numbered(reply.rejected, items) or any(shown and edit.mention is Mention.OBJECTED for edit in edits):
        found.add(Intent.REJECT)
    if _inquires(reply, edits):
        found.add(Intent.INQUIRE)
    if Intent.START_OVER in found or not items:
        found -= FEEDBACK
    if Intent.START_OVER in found:
        found -= {Intent.INQUIRE}
    if Intent.REJECT in found:
        found -= {Intent.CONTINUE}
    return frozenset(found)


def _inquires(reply: UnderstandReply, edits: Sequence[StateEdit]) -> bool:
    """Whether something is asked about items. A request in the form of a question is none, nor is a question about the
    system or about what was accepted; a wish inside a question is a sign of one."""
    if reply.about or any(edit.mention is Mention.ASKED for edit in edits):
        return Intent.INQUIRE in reply.intents or bool(reply.questions)
    wishes = any(edit.mention in (Mention.STATED, Mention.OBJECTED) for edit in edits)
    if Intent.INQUIRE in reply.intents:
        return bool(reply.questions) or not (wishes or _asks_elsewhere(reply))
    return bool(reply.questions) and not (wishes or reply.intents or _asks_elsewhere(reply))


def _asks_elsewhere(reply: UnderstandReply) -> bool:
    """Whether something is asked that is no question about items: about the system, or about what was noted."""
    return reply.about_system or reply.about_accepted or bool(reply.about_state)


def _accepted(
    reply: UnderstandReply, intents: frozenset[Intent], utterance: Utterance, items: Sequence[ItemRef]
) -> tuple[ItemRef, ...]:
    """The items taken; where none is pointed at, the one item in focus or the only one shown."""
    if reply.accepted or reply.interest or reply.unresolved or Intent.ACCEPT not in intents:
        return _numbered(reply.accepted, items)
    groups = (utterance.focus, utterance.shown)
    return next((tuple(group) for group in groups if len(group) == 1), ())


def _rejected(
    reply: UnderstandReply,
    intents: frozenset[Intent],
    added: Sequence[StateEdit],
    utterance: Utterance,
    items: Sequence[ItemRef],
) -> tuple[ItemRef, ...]:
    """The items turned down; where none is pointed at and no kind of item is named, those in focus or all shown."""
    names_kind = any(edit.mention is Mention.STATED for edit in added)
    if reply.rejected or reply.unresolved or names_kind or Intent.REJECT not in intents:
        return _numbered(reply.rejected, items)
    return utterance.focus or utterance.shown


def _added(rows: Iterable[WishRow], utterance: Utterance) -> tuple[StateEdit, ...]:
    """An addition for each wish in the user's own words, in the order said; each stretch of words is one wish."""
    edits: dict[Span, StateEdit] = {}
    for row in rows:
        span = _place(row.text, utterance.text, taken=list(edits))
        if span is None or (row.mention is Mention.STATED and only_function_words(row.text)):
            continue
        objected = row.mention is Mention.OBJECTED
        if row.avoid and not objected:
            span = _with_denial(utterance.text, span, taken=list(edits))
        edits.setdefault(
            span,
            StateEdit(
                kind=EditKind.ADD,
                key=_key(row.key, utterance.domain),
                text=utterance.text[slice(*span)],
                hard=row.hard and row.mention is Mention.STATED,
                span=(utterance.turn, *span),
                mention=row.mention,
                avoid=row.avoid or objected,
                replaces=row.replaces,
            ),
        )
    return tuple(edits.values())


def _place(words: str, text: str, *, taken: Sequence[Span]) -> Span | None:
    """Where the words of a wish stand, and no other wish yet; of several places the first one behind the last wish,
    since wishes come in the order said."""
    places = places_of(words, text)
    free = [span for span in places if not any(inside(span, other) for other in taken)]
    last = taken[-1][0] if taken else 0
    return next((span for span in free if span[0] >= last), next(iter([*free, *places]), None))


def _with_denial(text: str, span: Span, *, taken: Sequence[Span]) -> Span:
    """The span of something unwanted with the words before it that say so, unless another wish holds them."""
    found = _DENIAL.search(text, 0, span[0])
    if found is None or any(start < span[0] and found.start() < end for start, end in taken):
        return span
    return found.start(), span[1]


def _dropped(rows: Iterable[TakenBackRow], state: DialogueState) -> Iterator[StateEdit]:
    """The wishes of the state that are taken back; a row that names none of them takes nothing back. Where the text is
    not exactly that of the state, it may be a part of the only such value of its key, or the other way round."""
    held = [(key, value.text) for key, value, _ in values_of(state)]
    for row in rows:
        wanted = normalised(row.text)
        exact = [(key, text) for key, text in held if normalised(text) == wanted]
        named = [place for place in exact if place[0] == row.key] or exact
        alike = [(k, t) for k, t in held if k == row.key and wanted and (_part(wanted, t) or _part(t, wanted))]
        for key, text in named or (alike if len(alike) == 1 else ()):
            yield StateEdit(kind=EditKind.DROP, key=key, text=text)


def _part(words: str, text: str) -> bool:
    return place_of(words, text) is not None


def _key(key: str, domain: Domain) -> str:
    """The key of the domain that is meant; `others` where none is."""
    folded = key.strip().casefold().replace(" ", "_").replace("-", "_")
    return next((row.key for row in domain.constraint_keys if row.key.casefold() == folded), "others")


def _numbered(numbers: Iterable[int], items: Sequence[ItemRef]) -> tuple[ItemRef, ...]:
    return tuple(dict.fromkeys(items[number - 1] for number in numbers if 1 <= number <= len(items)))


def _seen(title: str, year: int | None, items: Sequence[ItemRef]) -> ItemRef:
    """A known item: one that was shown, or its title alone."""
    same = (item for item in items if name_key(item.title) == name_key(title) and year in (None, item.year))
    return next(same, ItemRef(id="", title=" ".join(title.split()), year=year))


def _known(rows: Iterable[SeenRow], items: Sequence[ItemRef]) -> tuple[ItemRef, ...]:
    return tuple(dict.fromkeys(_seen(row.title, row.year, items) for row in rows if row.title.strip()))


def _domain(name: str, utterance: Utterance) -> str | None:
    """The other domain that is asked for, by its name; None for any other words."""
    wanted = normalised(name)
    return next((other.name for other in utterance.domains if normalised(other.name) == wanted), None)


def _said_once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple({normalised(text): text for text in reversed([*texts]) if text.strip()}.values())[::-1]


def _only_hello(reply: UnderstandReply) -> bool:
    return reply.hello and not (_asks_elsewhere(reply) or reply.seen or reply.liked or reply.disliked)
