"""State edits from what the PreferenceAgent reads (METHOD 9.3): the constraints are the nodes' own words. Pure.

A value keeps the user's words with their negation ("no gore", "less noisy"). A change of mind takes back what it
contradicts: "actually not horror" drops the wish for horror and adds the new words.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dialogue.domain import Domain
from dialogue.engines import key_of_wish
from dialogue.models import DialogueState, EditKind, Mention, StateEdit
from dialogue.quantities import measures
from dialogue.record import values_of
from dialogue.spans import Span, inside, overlaps
from dialogue.wish_words import DENIED, named_by
from pdgf.engines.builtin.language import without_markup
from pdgf.models import Atom, AtomKind, Node, Polarity, normalised
from pdgf.ports import Reading

_SOFT = re.compile(
    r"\b(?:prefer|preferably|ideally|if possible|would be (?:nice|great|lovely)|nice to have|bonus|maybe|perhaps|might"
    r"|hopefully|not necessarily|not a must|if at all possible|if you can(?: possibly)? (?:avoid|help)"
    r"|if (?:it|that|this) can(?: possibly)? be (?:avoided|helped))\b",
    re.IGNORECASE,
)
_SAID_AFTER = re.compile(
    r"would be|nice to have|bonus|if possible|not a must|if at all|if you|if it|if th", re.IGNORECASE
)  # softens what stands before
_HARD = re.compile(r"\b(?:must|need|needs|has to|have to|only|required)\b", re.IGNORECASE)
_INSTEAD = re.compile(
    r"\binstead\b|\bchang(?:ed|ing) my mind\b|\bon second thoughts?\b|\bscratch that\b"
    r"|\bmake (?:it|that)\b|\bswitch to\b|\bchange (?:it|that) to\b",
    re.IGNORECASE,
)
_BESIDES = re.compile(r"\b(?:also|as well|plus|in addition|besides)\b|\btoo\b(?=\s*(?:[,.!?]|$))", re.IGNORECASE)
_OR_ELSE = re.compile(r"^\W*(?:or\b|或)", re.IGNORECASE)  # "or for six": beside what was said before
_COMPARED = re.compile(r"(?:more|less|fewer)\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?:not )?(?:the )?(?:\d0['’]?s|(?:1[89]|20)\d\d(?:s)?)", re.IGNORECASE)


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
    text = without_markup(text)
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
            found = _of_atom(text, atom, nodes.get(atom.id, []), segment, domain)
            edits += [
                _edit(text, span, segment, key=key, node=node, turn=turn, domain=domain)
                for span, key, node in found
                if not any(overlaps(span, other) for other in left_out)
            ]
    edits = key_of_wish.with_places_joined(text, edits, domain)
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


def _without(text: str, stretch: Span, cuts: Sequence[Span]) -> Iterator[Span]:
    """The parts of a stretch between the cuts that hold a letter or digit, without marks at their start, but for one
    that opens a title."""
    edges = [stretch[0], *(edge for cut in sorted(cuts) if overlaps(cut, stretch) for edge in cut), stretch[1]]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        words = re.search(r"[《〈「『]?\w.*", text[start:end], re.DOTALL)
        if words:
            yield start + words.start(), start + words.start() + len(words[0].rstrip())


def _of_atom(
    text: str, atom: Atom, nodes: Sequence[Node], segment: Segment, domain: Domain
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
        return _in_pieces(text, whole, nodes[-1], domain)
    placed = ((span, node) for node in nodes if (span := segment.placed(node.span)))
    return [piece for span, node in placed for piece in _in_pieces(text, span, node, domain)]


def _in_pieces(text: str, span: Span, node: Node, domain: Domain) -> list[tuple[Span, str, Node | None]]:
    """The wishes of a node's words, each with its key."""
    key, avoid = domain.key_of(node.perspective), node.polarity is Polarity.AVOID
    found = key_of_wish.pieces(text, span, key, perspective=node.perspective, avoid=avoid, domain=domain)
    return [(piece, key, node) for piece, key in found]


def _edit(
    text: str, span: Span, segment: Segment, *, key: str, node: Node | None, turn: int, domain: Domain
) -> StateEdit:
    joining = re.match(r"(?:but|and)\s+(?=(?:no|not|without|nothing)\b)", text[slice(*span)], re.IGNORECASE)
    span = (span[0] + joining.end(), span[1]) if joining else span
    words = text[slice(*span)]
    before = re.split(r"[.!?;]", text[segment.span[0] : span[0]])[-1]
    sentence = before + re.split(r"[.!?;]", text[span[0] :])[0]
    row = domain.row(domain.key_of_words(DENIED.sub("", words).strip()) or key)
    avoid = node is None or node.polarity is Polarity.AVOID
    stated_flatly = row.hard and not avoid and not _compared(words, domain)
    must = stated_flatly or (node is not None and node.hard)
    refines = _compared(words, domain) and not measures(words)
    added = _BESIDES.search(sentence) or _OR_ELSE.search(before) or refines
    opening = re.split(r"[.!?;]", text[: segment.span[0]])[-1]
    replaces = True if _INSTEAD.search(opening + sentence) else False if added else None
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
    named = named_by(edit.text)
    same = (value for key, value, _ in values_of(state) if key == edit.key and named_by(value.text) == named)
    return edit.mention is Mention.ASKED and any(not DENIED.match(value.text) for value in same)


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


def is_number(words: str) -> bool:
    """Whether words are nothing but a year or a decade, which the year rule reads."""
    return bool(_NUMBER.fullmatch(words.strip()))
