"""State edits from what the PreferenceAgent reads (METHOD 9.3): the constraints are the nodes' own words. Pure.

A value keeps the user's words with their negation ("no gore", "less noisy"). A change of mind takes back what it
contradicts: "actually not horror" drops the wish for horror and adds the new words.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dialogue.domain import Domain
from dialogue.models import DialogueState, EditKind, Mention, StateEdit
from dialogue.record import values_of
from dialogue.spans import Span, inside, overlaps
from pdgf.models import Atom, AtomKind, Node, Polarity, normalised
from pdgf.ports import Reading

_DENIED = re.compile(
    r"(?:(?:not|nothing)\b(?! (?:but|only|just|less)\b)|(?:no|never|without|less|avoid|anything but|other than|except"
    r"|hate[ds]?|dislike[ds]?|too|instead of|rather than|\w+n['’]t|cannot"
    r"|(?:can|do|did|does|would|could|is|are) not)\b)",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    r"\b(?:stand|like|bear|want|enjoy|mostly|mainly|too|very|really|overly|just|much|many|actually|rather|fan of)\b",
    re.IGNORECASE,
)
_CONTRAST = re.compile(r"(?:instead of|rather than|as opposed to)\b", re.IGNORECASE)
_SOFT = re.compile(
    r"\b(?:prefer|preferably|ideally|if possible|would be (?:nice|great|lovely)|nice to have|bonus|maybe|perhaps|might"
    r"|hopefully|not necessarily|not a must)\b",
    re.IGNORECASE,
)
_SAID_AFTER = re.compile(
    r"would be|nice to have|bonus|if possible|not a must", re.IGNORECASE
)  # softens what stands before
_HARD = re.compile(r"\b(?:must|need|needs|has to|have to|only|required)\b", re.IGNORECASE)
_INSTEAD = re.compile(r"\binstead\b|\bmake (?:it|that)\b|\bswitch to\b|\bchange (?:it|that) to\b", re.IGNORECASE)
_BESIDES = re.compile(r"\b(?:also|as well|plus|in addition|besides)\b|\btoo\b(?=\s*(?:[,.!?]|$))", re.IGNORECASE)
_COMPARED = re.compile(r"(?:more|less|fewer)\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?:not )?(?:the )?(?:\d0['’]?s|(?:1[89]|20)\d\d(?:s)?)", re.IGNORECASE)
_FILLER = frozenset(
    re.findall(
        r"\w+",
        "the a an of for in on with to and or it its any some that this is are was be have has having film films"
        " movie movies book books restaurant restaurants place places food anime wish thing things about more anymore"
        " part bit requirement ideally preferably maybe perhaps hopefully please",
    )
)


@dataclass(frozen=True, kw_only=True)
class Segment:
    """A stretch of the utterance that was read for wishes, where it stands in the text that was read, and how it was
    said."""

    span: Span
    offset: int
    mention: Mention

    def placed(self, span: Span) -> Span | None:
        """A span of the text that was read as a span of the utterance; None when it reaches out of the segment."""
        start, end = (place - self.offset + self.span[0] for place in span)
        return (start, end) if inside((start, end), self.span) else None


def joined(
    text: str, stretches: Iterable[tuple[Span, Mention]], left_out: Sequence[Span] = ()
) -> tuple[str, tuple[Segment, ...]]:
    """The stretches as one text to be read in one call, each closed by a full stop, cut at the spans left out."""
    read, segments = "", []
    for stretch, mention in stretches:
        for span in _without(text, stretch, left_out):
            read += " " if read else ""
            segments.append(Segment(span=span, offset=len(read), mention=mention))
            read += text[slice(*span)]
            read += "" if re.search(r"[.!?…。！？]\W*$", read) else "."
    return read, tuple(segments)


def additions(
    text: str, reading: Reading, segments: Sequence[Segment], *, turn: int, domain: Domain, left_out: Sequence[Span]
) -> list[StateEdit]:
    """One edit for each wish that was read. `left_out` are spans that name items of the list or years."""
    nodes: dict[str, list[Node]] = {}
    for node in reading.nodes:
        nodes.setdefault(node.atom, []).append(node)
    edits: list[StateEdit] = []
    for atom in reading.atoms:
        for segment in segments:
            found = _of_atom(atom, nodes.get(atom.id, []), segment, domain)
            edits += [
                _edit(text, span, segment, key=key, node=node, turn=turn, domain=domain)
                for span, key, node in found
                if not any(overlaps(span, other) for other in left_out)
            ]
    unique = {(edit.key, normalised(edit.text)): edit for edit in reversed(edits)}
    return [edit for edit in edits if unique[edit.key, normalised(edit.text)] is edit]


def objection(text: str, span: Span, *, turn: int, key: str, lacking: bool) -> StateEdit:
    """The wish behind "too loud" (its words are unwanted) or "not quiet enough" (they are wanted)."""
    mention = Mention.ASKED if lacking else Mention.OBJECTED
    return _plain(text, span, turn=turn, key=key, mention=mention, avoid=not lacking)


def left_open(text: str, span: Span, *, turn: int, key: str) -> StateEdit:
    """Words that leave a key open: it is known, without a wish."""
    return _plain(text, span, turn=turn, key=key, mention=Mention.INDIFFERENT)


def asked_for(text: str, span: Span, *, turn: int, key: str) -> StateEdit:
    """What a question asks for, as a soft wish."""
    return _plain(text, span, turn=turn, key=key, mention=Mention.ASKED)


def stated(text: str, span: Span, *, turn: int, key: str, hard: bool) -> StateEdit:
    """Words that are a wish as they stand."""
    return _plain(text, span, turn=turn, key=key, mention=Mention.STATED, hard=hard)


def taken_back(words: str, state: DialogueState, domain: Domain) -> list[StateEdit]:
    """The values that "forget the romance", "I no longer care about the price" takes back: those that share a word, or
    whose key is named."""
    named = _stems(words)
    drops = []
    for key, value, _ in values_of(state):
        row = domain.row(key)
        of_key = _stems(" ".join([key.replace("_", " "), *(name.replace("_", " ") for name in row.metadata)]))
        if named & (_stems(value.text) or {normalised(value.text)}) or (key != "others" and named & of_key):
            drops.append(StateEdit(kind=EditKind.DROP, key=key, text=value.text))
    return drops


def allowed(words: str, state: DialogueState) -> list[StateEdit]:
    """The unwanted values that "violence is fine" takes back: those that name what it names. Nothing is added."""
    named = _named(words)
    return [
        StateEdit(kind=EditKind.DROP, key=key, text=value.text)
        for key, value, _ in values_of(state)
        if denied(value.text) and named & _named(value.text)
    ]


def with_changes_of_mind(edits: Sequence[StateEdit], state: DialogueState) -> list[StateEdit]:
    """The edits with, before each, the values of the opposite polarity that it takes back."""
    result: list[StateEdit] = []
    for edit in edits:
        own = _named(edit.text)
        against = [
            StateEdit(kind=EditKind.DROP, key=key, text=value.text)
            for key, value, _ in values_of(state)
            if own and own == _named(value.text) and denied(value.text) != edit.avoid
        ]
        result += against
        if not (against and _CONTRAST.match(edit.text)):  # "pizza instead of pasta" replaces, and avoids nothing
            result.append(edit)
    return result


def denied(words: str) -> bool:
    """Whether a value's own words say that something is unwanted."""
    return bool(_DENIED.match(words.strip()))


def _without(text: str, stretch: Span, cuts: Sequence[Span]) -> Iterator[Span]:
    """The parts of a stretch between the cuts that hold a letter or digit, without marks at their start."""
    edges = [stretch[0], *(edge for cut in sorted(cuts) if overlaps(cut, stretch) for edge in cut), stretch[1]]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        words = re.search(r"\w.*", text[start:end], re.DOTALL)
        if words:
            yield start + words.start(), start + words.start() + len(words[0].rstrip())


def _of_atom(
    atom: Atom, nodes: Sequence[Node], segment: Segment, domain: Domain
) -> list[tuple[Span, str, Node | None]]:
    """(span, key, node) of each wish of an atom: its own words where it is one wish or unwanted, else those of each
    node. A reference item is one wish, whatever it expands to."""
    whole = segment.placed(atom.span)
    if whole is None:
        return []
    if atom.kind is not AtomKind.CRITERION:
        return [(whole, "others", nodes[0] if nodes else None)]
    if not nodes:
        return []
    if len(nodes) == 1 or nodes[0].polarity is Polarity.AVOID:
        return [(whole, domain.key_of(nodes[-1].perspective), nodes[-1])]
    return [(span, domain.key_of(node.perspective), node) for node in nodes if (span := segment.placed(node.span))]


def _edit(
    text: str, span: Span, segment: Segment, *, key: str, node: Node | None, turn: int, domain: Domain
) -> StateEdit:
    words = text[slice(*span)]
    before = re.split(r"[.!?;]", text[segment.span[0] : span[0]])[-1]
    sentence = before + re.split(r"[.!?;]", text[span[0] :])[0]
    row = domain.row(domain.key_of_words(_DENIED.sub("", words).strip()) or key)
    avoid = node is None or node.polarity is Polarity.AVOID
    stated_flatly = row.hard and not avoid and not _compared(words, domain)
    must = stated_flatly or (node is not None and node.hard)
    added = _BESIDES.search(sentence) or _compared(words, domain)
    replaces = True if _INSTEAD.search(sentence) else False if added else None
    return StateEdit(
        kind=EditKind.ADD,
        key=row.key,
        text=words,
        hard=must
        and segment.mention is Mention.STATED
        and not _softened(before, re.split(r"[,.!?;]", text[span[0] :])[0]),
        span=(turn, *span),
        mention=segment.mention,
        avoid=avoid,
        replaces=replaces,
    )


def _softened(before: str, clause: str) -> bool:
    """Whether a wish is said to be no condition: by a word before it that no "must" has ended since, or by one in its
    own clause ("ideally with parking", "parking would be nice")."""
    last = [found for found in _SOFT.finditer(before) if not _SAID_AFTER.match(found[0])]
    return bool(_SOFT.search(clause)) or bool(last and not _HARD.search(before, last[-1].end()))


def said_already(edit: StateEdit, state: DialogueState) -> bool:
    """Whether what a question asks for is a wish that stands already, in other words ("ideally with parking")."""
    same = (value for key, value, _ in values_of(state) if key == edit.key and _named(value.text) == _named(edit.text))
    return edit.mention is Mention.ASKED and any(not _DENIED.match(value.text) for value in same)


def _compared(words: str, domain: Domain) -> bool:
    """Whether the words ask for more or less of something, which refines what was said and replaces nothing."""
    names = {name for scale in domain.scales for name in (*scale.less, *scale.more)}
    return bool(_COMPARED.match(words)) or normalised(words) in names


def _plain(
    text: str, span: Span, *, turn: int, key: str, mention: Mention, hard: bool = False, avoid: bool = False
) -> StateEdit:
    words = text[slice(*span)]
    return StateEdit(
        kind=EditKind.ADD, key=key, text=words, hard=hard, span=(turn, *span), mention=mention, avoid=avoid
    )


def _stems(words: str) -> set[str]:
    """The content words without the endings of number, so that "musical" meets "musicals"."""
    found = re.findall(r"\w+", normalised(words))
    return {re.sub(r"(?:es|s)$", "", word) for word in found if word not in _FILLER and len(word) > 2}


def _named(words: str) -> set[str]:
    """What a value names, its negation and strength aside."""
    return _stems(_MEASURE.sub(" ", _DENIED.sub(" ", words)))


def is_number(words: str) -> bool:
    """Whether words are nothing but a year or a decade, which the year rule reads."""
    return bool(_NUMBER.fullmatch(words.strip()))
