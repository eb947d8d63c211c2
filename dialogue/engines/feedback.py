"""What an utterance says about items: taken, praised, turned down, known, asked about (METHOD 9.2, 9.6). Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from dialogue.engines.cues import Act, Part, cue
from dialogue.engines.references import References, Shown, resolve
from dialogue.engines.seen_titles import LISTED, in_small_letters, titles
from dialogue.engines.tastes import Taste, told_of
from dialogue.models import ItemRef
from dialogue.spans import Span, inside, overlaps

_FILLING = re.compile(
    r"\b(?:please|pls|plz|thanks|thank you|one|ok|okay|then|yes|just|i|choose|mean|meant|accept|take|pick"
    r"|go (?:with|for)|book|order|reserve|let['’]?s|we|i['’]?ll|will|perfect|great|the|that|and)\b|[\W_]+",
    re.IGNORECASE,
)
_SECOND_QUESTION = re.compile(
    r",?\s+and\s+(?=(?:also )?(?:how|what|when|where|who|which|why|is|are|do|does|can|has|have)\b)", re.IGNORECASE
)
_COMPARES = re.compile(r"\b(?:which|who|compare|better|\w+er)\b", re.IGNORECASE)
_DENIES = re.compile(r"\b(?:not|never|no|\w+n['’]?t)\b", re.IGNORECASE)
JUDGES = frozenset({Act.REJECT, Act.OBJECT})


@dataclass
class Feedback:
    """What was read, in the order it was said. `unclear` are words of a verdict beside a question; `candidates` are
    what unresolved words may mean."""

    accepted: list[ItemRef] = field(default_factory=list)
    rejected: list[ItemRef] = field(default_factory=list)
    implied: list[ItemRef] = field(default_factory=list)
    interest: list[ItemRef] = field(default_factory=list)
    seen: list[ItemRef] = field(default_factory=list)
    liked: list[ItemRef] = field(default_factory=list)
    disliked: list[ItemRef] = field(default_factory=list)
    about: list[ItemRef] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    unresolved: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    candidates: list[ItemRef] = field(default_factory=list)
    acts: set[Act] = field(default_factory=set)


def read_feedback(
    text: str, parts: Sequence[Part], shown: Shown, *, wished: Sequence[Span], told: Sequence[Taste] | None = None
) -> Feedback:
    """Bind every part to the items it speaks of. `wished` are the spans that were read as wishes: a rejection that
    gives one without naming an item turns down the kind, not every item shown. `told` are the likes and dislikes that
    the parts tell of, where they are known already."""
    feedback = Feedback()
    told = told_of(text, parts, shown) if told is None else told
    parts = judged(text, parts, shown, told)
    bound = list(_bound(text, parts, shown))
    topic: tuple[ItemRef, ...] = ()
    asks = any(part.acts & {Act.QUESTION, Act.CONTINUE} for part in parts)
    named = [found.items for part, found, _ in bound if found.items and not found.vague and part.acts - {Act.WISH}]
    for part, found, at in bound:
        words, acts = text[slice(*part.span)], set(part.acts)
        if acts == {Act.REJECT} and part.bare and named and not found.spans:
            continue  # "No, the first is too sad" turns down the first alone
        if acts == {Act.REJECT} and told and found.vague and not found.items:
            continue  # "my wife loved Heat, I hated it": no item of the list is meant
        feedback.acts |= acts
        if Act.QUESTION in acts:
            feedback.questions += [question.strip() for question in _SECOND_QUESTION.split(words)]
            before = topic or _compared_before(words, feedback)
            feedback.about += found.items or (before if not found.unresolved else ())
            feedback.unresolved += found.unresolved
            feedback.candidates += found.candidates
        elif acts & JUDGES:
            gives_reason = any(inside(wish, part.span) for wish in wished) and Act.OBJECT not in acts
            _turn_down(words, part, found, feedback, () if gives_reason else tuple(at.focus or at.items))
        elif Act.SEEN in acts:
            _read_seen(words, found, at, feedback)
        elif Act.ACCEPT in acts:
            _take(words, found, feedback, _only(at), decides=not asks)
        elif acts == {Act.WISH} and found.spans and _only_points(words, found):
            _point(found, feedback, asks=asks)
        topic = found.items if acts == {Act.WISH} and found.spans else ()
    _settle(feedback, told, shown)
    pointed = {item for _, found, _ in bound for item in found.items}  # "not Dune, too long" names it after all
    feedback.implied = [item for item in feedback.implied if item not in pointed]
    return feedback


def judged(text: str, parts: Sequence[Part], shown: Shown, told: Sequence[Taste]) -> list[Part]:
    """The parts with what only their items tell: one that does nothing but name an item, or that means to have one it
    names, takes it; one that has `told` of likes and dislikes is no verdict on the list. A question stays one, and
    nothing else becomes one, so that what was told stays the same."""
    joined = _with_their_items(text, parts, shown)
    return [
        part if _is_topic(text, part, after) else _judged(text, part, shown, told)
        for part, after in zip_longest(joined, joined[1:])
    ]


def _is_topic(text: str, part: Part, after: Part | None) -> bool:
    """Whether a part only leads up to the question after it in the same sentence ("the cheaper one - can we book?")."""
    if after is None or Act.QUESTION not in after.acts or part.acts != {Act.WISH}:
        return False
    return not re.search(r"[.!?;\n]", text[part.span[0] : after.span[0]])


def pointing_spans(text: str, parts: Sequence[Part], shown: Shown, told: Sequence[Taste] | None = None) -> list[Span]:
    """Where the words of an utterance name an item or point at one, the references that it `told` of aside."""
    told = told_of(text, parts, shown) if told is None else told
    kept = [taste.span for taste in told if taste.item not in shown.items or taste.liked]
    spans = [
        (part.span[0] + start, part.span[0] + end)
        for part in parts
        for start, end in resolve(text[slice(*part.span)], shown).spans
    ]
    return [span for span in spans if not any(overlaps(span, other) for other in kept)]


def _judged(text: str, part: Part, shown: Shown, told: Sequence[Taste]) -> Part:
    words = text[slice(*part.span)]
    own = [taste for taste in told if overlaps(taste.said, part.span)]
    if own and Act.QUESTION not in part.acts:
        turned_down = any(taste.item in shown.items and not taste.liked for taste in own)
        acts = (part.acts & JUDGES) | {Act.REJECT} if turned_down else frozenset({Act.WISH})
        return replace(part, acts=frozenset(acts), bare=False)
    if not part.acts <= {Act.WISH, Act.REMARK, Act.CONTINUE, Act.FORGET}:
        return part
    found = resolve(words, shown)
    if Act.FORGET in part.acts and not found.by_name:  # what is to be forgotten is a wish
        return part
    names_only = part.acts == {Act.WISH} and _only_points(words, found) and not found.earlier
    if names_only and (found.items or found.vague):
        return replace(part, acts=frozenset({Act.ACCEPT}))
    away = cue("turn_away").match(words)
    if (
        away
        and (found.items or found.unresolved)
        and _only_points(words[away.end() :], resolve(words[away.end() :], shown))
    ):
        return replace(part, acts=frozenset({Act.REJECT}), focus=(0, 0), bare=Act.FORGET in part.acts)
    taken = (
        Act.FORGET not in part.acts
        and cue("take_up").search(words)
        and not cue("something_else").search(words)
        and not _DENIES.search(_without(words, found.spans))
        and (found.items or found.unresolved)
        and not found.vague
        and not any(cue("compared").search(words, 0, start) for start, _ in found.spans)
    )
    return replace(part, acts=frozenset({Act.ACCEPT}), bare=False) if taken else part


def _bound(text: str, parts: Sequence[Part], shown: Shown) -> Iterator[tuple[Part, References, Shown]]:
    """Every part with what it points at, and the list as it is spoken of there: an item that was named before is what
    "it" means after ("maybe the last one, but does it have wifi?")."""
    for part in parts:
        found = resolve(text[slice(*part.span)], shown)
        if found.items and not found.vague:
            shown = replace(shown, focus=found.items)
        yield part, found, shown


def _with_their_items(text: str, parts: Sequence[Part], shown: Shown) -> list[Part]:
    """Join a verdict to the item that follows it by itself: "Not for me: Dune", "Seen it - the second one"."""
    joined: list[Part] = []
    for part in parts:
        words = text[slice(*part.span)]
        before = joined[-1] if joined else None
        names_only = part.acts == {Act.WISH} and _only_points(words, resolve(words, shown))
        if before is not None and before.acts == {Act.SEEN} and _goes_on(text, before, part, shown):
            joined[-1] = replace(before, span=(before.span[0], part.span[1]))  # "I have seen Kes, Heat and Alien"
        elif before is not None and names_only and _judges_nothing_named(before, text, shown):
            joined[-1] = replace(before, span=(before.span[0], part.span[1]))
        else:
            joined.append(part)
    return joined


def _goes_on(text: str, before: Part, part: Part, shown: Shown) -> bool:
    """Whether a part goes on with a list of titles: it is nothing but such, in the same sentence."""
    if part.acts != {Act.WISH} or re.search(r"[.!?;\n]", text[before.span[1] : part.span[0]]):
        return False
    names = [name for name in LISTED.split(text[slice(*part.span)].strip(" .!,")) if name]
    return bool(names) and all(shown.knows(name) for name in names)


def _judges_nothing_named(part: Part, text: str, shown: Shown) -> bool:
    return bool(part.acts & {Act.REJECT, Act.SEEN, Act.ACCEPT}) and not resolve(text[slice(*part.span)], shown).spans


def _turn_down(words: str, part: Part, found: References, feedback: Feedback, otherwise: Sequence[ItemRef]) -> None:
    """The items named; without a name those that are meant, which are `implied`. "I don't like it" after several means
    none of them yet."""
    feedback.unresolved += found.unresolved
    feedback.candidates += found.candidates
    nobody = found.vague and not found.items and len(otherwise) > 1
    if nobody and Act.OBJECT not in part.acts:  # an objection is a wish, and is heeded whichever is meant
        feedback.unresolved += [words[slice(*span)] for span in found.spans]
    items = found.items or (() if found.unresolved or nobody else tuple(otherwise))
    feedback.rejected += items
    feedback.implied += () if found.items else items
    if Act.SEEN in part.acts:
        feedback.seen += items


def _take(words: str, found: References, feedback: Feedback, otherwise: Sequence[ItemRef], *, decides: bool) -> None:
    """What is taken, or only praised: praise that names an item turns to it and decides nothing, nor does praise beside
    a question."""
    feedback.unresolved += found.unresolved
    feedback.candidates += found.candidates
    rest = cue("interest").sub(" ", words)
    praised = rest != words and not cue("accept").search(rest) and not cue("take_up").search(rest)
    items = () if found.vague else found.items
    if praised and (items or not decides):
        feedback.interest += items or (() if found.unresolved else tuple(otherwise))
    else:
        feedback.accepted += items or (() if found.unresolved else tuple(otherwise))


def _point(found: References, feedback: Feedback, *, asks: bool) -> None:
    """Words that only point back, or at nothing: what is said of an item of an earlier list is a question about it."""
    feedback.unresolved += found.unresolved
    feedback.candidates += found.candidates
    if found.items and found.earlier and not asks:
        feedback.acts.add(Act.QUESTION)
        feedback.questions += [f"what about {item.title}?" for item in found.items]
        feedback.about += found.items


def _read_seen(words: str, found: References, shown: Shown, feedback: Feedback) -> None:
    small = [ItemRef(id="", title=words[slice(*span)]) for span in in_small_letters(words, shown)]
    named = titles(words) or small
    others = [item for item in named if shown.knows(item.title) and all(item.title != ref.title for ref in found.items)]
    known = [*found.items, *others] if found.items else named or list(_only(shown))
    feedback.seen += known
    feedback.unresolved += found.unresolved
    feedback.candidates += found.candidates
    if not known and not found.unresolved and (found.vague or not found.spans):
        feedback.unresolved += [words[slice(*span)] for span in found.spans] or [words.strip(" .!")]


def _compared_before(question: str, feedback: Feedback) -> Sequence[ItemRef]:
    """What a comparison that names nothing is between: the items praised beside it, where there are several."""
    return feedback.interest if len(feedback.interest) > 1 and _COMPARES.search(question) else ()


def _settle(feedback: Feedback, told: Sequence[Taste], shown: Shown) -> None:
    """What the parts come to together. An item that was taken is not turned down, one that is asked about beside praise
    is not taken; words that leave a verdict open do not stand in the way of a question."""
    for taste in told:
        (feedback.liked if taste.liked else feedback.disliked).append(taste.item)
        if taste.item in shown.items:
            feedback.seen.append(taste.item)
    feedback.rejected += [
        t.item for t in told if not t.liked and t.item in shown.items and t.item not in feedback.rejected
    ]
    liked = [taste.item for taste in told if taste.liked]
    feedback.interest = [item for item in feedback.interest if item not in feedback.accepted]
    feedback.rejected = [item for item in feedback.rejected if item not in liked]
    if feedback.interest and set(feedback.interest) <= set(feedback.rejected):  # "I like it, but it's too long"
        feedback.acts.discard(Act.ACCEPT)
    feedback.interest = [item for item in feedback.interest if item not in feedback.rejected]
    feedback.unresolved = list(dict.fromkeys(feedback.unresolved))
    if feedback.questions and not feedback.about and feedback.acts & {Act.ACCEPT, Act.REJECT, Act.SEEN}:
        asked = " ".join(feedback.questions)
        feedback.unclear = [words for words in feedback.unresolved if words not in asked]
        feedback.unresolved = [words for words in feedback.unresolved if words in asked]


def _only(shown: Shown) -> tuple[ItemRef, ...]:
    """The one item that can be meant when nothing names one."""
    return next((tuple(group) for group in (shown.focus, shown.items) if len(group) == 1), ())


def _only_points(words: str, found: References) -> bool:
    """Whether the words do nothing but name or point at items ("the second one please")."""
    return bool(found.spans) and not _FILLING.sub("", _without(words, found.spans))


def _without(words: str, spans: Sequence[Span]) -> str:
    return "".join(" " if any(a <= i < b for a, b in spans) else letter for i, letter in enumerate(words))
