"""What an utterance says about items: taken, turned down, known already, asked about (METHOD 9.2, 9.6). Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from dialogue.engines.cues import Act, Part
from dialogue.engines.references import References, Shown, resolve
from dialogue.models import ItemRef
from dialogue.spans import Span

_FILLING = re.compile(
    r"\b(?:please|thanks|thank you|one|ok|okay|then|yes|just|i|choose|mean|meant|accept|take|pick|go (?:with|for)|book"
    r"|order|reserve|let['’]?s|we|i['’]?ll|will)\b|[\W_]+",
    re.IGNORECASE,
)
_SECOND_QUESTION = re.compile(
    r",?\s+and\s+(?=(?:also )?(?:how|what|when|where|who|which|why|is|are|do|does|can|has|have)\b)", re.IGNORECASE
)
_TITLE = re.compile(r"[A-Z0-9][\w'’&:.-]*(?:\s+(?:(?:of|the|and|in|a|an|to|for|on)\s+)*[A-Z0-9][\w'’&:.-]*)*")
_OPENING = re.compile(r"^(?:(?:I|I['’]ve|We|We['’]ve|Seen|Saw|Read|Watched|Been|Already|Yes|Yeah|And)(?:\s+|$))+")


@dataclass
class Feedback:
    """What was read, in the order it was said. `spans` name items and hold no wish."""

    accepted: list[ItemRef] = field(default_factory=list)
    rejected: list[ItemRef] = field(default_factory=list)
    seen: list[ItemRef] = field(default_factory=list)
    about: list[ItemRef] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    unresolved: list[str] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    acts: set[Act] = field(default_factory=set)


def read_feedback(text: str, parts: Sequence[Part], shown: Shown, *, wished: Sequence[Span]) -> Feedback:
    """Bind every part to the items it speaks of. `wished` are the spans that were read as wishes: a rejection that
    gives one without naming an item turns down the kind, not every item shown."""
    feedback = Feedback()
    for part in _with_their_items(text, parts, shown):
        words = text[slice(*part.span)]
        found = resolve(words, shown)
        if found.items and not found.vague:
            shown = replace(shown, focus=found.items)  # "maybe the last one, but does it have wifi?"
        acts = set(part.acts)
        if acts == {Act.WISH} and _only_points(words, found):
            acts = {Act.ACCEPT} if found.items else acts
            feedback.unresolved += found.unresolved
        feedback.acts |= acts
        if Act.QUESTION in acts:
            feedback.questions += [question.strip() for question in _SECOND_QUESTION.split(words)]
            feedback.about += found.items
            feedback.unresolved += found.unresolved
        elif acts & {Act.REJECT, Act.OBJECT}:
            gives_reason = any(part.span[0] <= start < part.span[1] for start, _ in wished) and Act.OBJECT not in acts
            _add(feedback.rejected, found, feedback, () if gives_reason else tuple(shown.focus or shown.items))
        elif Act.SEEN in acts:
            _read_seen(words, found, shown, feedback)
        elif Act.ACCEPT in acts:
            named = References(unresolved=found.unresolved) if found.vague else found
            _add(feedback.accepted, named, feedback, _only(shown))
    return feedback


def taken_by_name(text: str, parts: Sequence[Part], shown: Shown) -> list[Part]:
    """The parts with those as acceptances that do nothing but name an item ("take the second, please")."""
    return [
        replace(part, acts=frozenset({Act.ACCEPT}))
        if part.acts == {Act.WISH}
        and (found := resolve(text[slice(*part.span)], shown)).items
        and _only_points(text[slice(*part.span)], found)
        else part
        for part in _with_their_items(text, parts, shown)
    ]


def _with_their_items(text: str, parts: Sequence[Part], shown: Shown) -> list[Part]:
    """Join a verdict to the item that follows it by itself: "Not for me: Dune", "Seen it - the second one"."""
    joined: list[Part] = []
    for part in parts:
        words = text[slice(*part.span)]
        before = joined[-1] if joined else None
        names_only = part.acts == {Act.WISH} and _only_points(words, resolve(words, shown))
        if before is not None and names_only and _judges_nothing_named(before, text, shown):
            joined[-1] = replace(before, span=(before.span[0], part.span[1]))
        else:
            joined.append(part)
    return joined


def _judges_nothing_named(part: Part, text: str, shown: Shown) -> bool:
    return bool(part.acts & {Act.REJECT, Act.SEEN, Act.ACCEPT}) and not resolve(text[slice(*part.span)], shown).spans


def pointing_spans(text: str, parts: Sequence[Part], shown: Shown) -> list[Span]:
    """Where the words of an utterance name an item or point at one."""
    return [
        (part.span[0] + start, part.span[0] + end)
        for part in parts
        for start, end in resolve(text[slice(*part.span)], shown).spans
    ]


def _add(into: list[ItemRef], found: References, feedback: Feedback, otherwise: Sequence[ItemRef]) -> None:
    """The items named; where none is named or missed, those that are meant without a word."""
    feedback.unresolved += found.unresolved
    into += found.items or (() if found.unresolved else otherwise)


def _read_seen(words: str, found: References, shown: Shown, feedback: Feedback) -> None:
    known = list(found.items) or _titles(words) or list(_only(shown))
    feedback.seen += known
    feedback.unresolved += found.unresolved
    if not known and found.vague:
        feedback.unresolved += [words[slice(*span)] for span in found.spans]


def _only(shown: Shown) -> tuple[ItemRef, ...]:
    """The one item that can be meant when nothing names one."""
    return next((tuple(group) for group in (shown.focus, shown.items) if len(group) == 1), ())


def _only_points(words: str, found: References) -> bool:
    """Whether the words do nothing but name or point at items ("the second one please")."""
    rest = "".join(" " if any(a <= i < b for a, b in found.spans) else letter for i, letter in enumerate(words))
    return bool(found.spans) and not found.vague and not _FILLING.sub("", rest)


def _titles(words: str) -> list[ItemRef]:
    """Capitalised runs that may be titles, without the words that only begin the sentence; their items are found
    later, by title."""
    runs = (run[0] for run in _TITLE.finditer(words))
    bare = (_OPENING.sub("", run) for run in runs)
    return [ItemRef(id="", title=run) for run in bare if run]
