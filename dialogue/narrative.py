"""The narrative of a turn: what the user asked for, rendered from the utterances and edited by the state (METHOD 10).

Deterministic, so that turns which leave the state alone leave q, the graph and every label alone. A sentence whose
wishes all stand is told in the user's own words. A wish that was dropped is cut out by its span, and with it the
clause or sentence when nothing else stands in it. A wish from a question becomes "I want <value>.", one from
an objection "Not <value>."; after "I would like" a reader may take a capitalised value for a title. Words that only
win time ("no wait,") are left out.
"""

import re
from collections.abc import Iterator, Sequence

from dialogue import softeners
from dialogue.models import DialogueState, KeptUtterance, Mention
from dialogue.record import values_of
from dialogue.spans import Span, clauses, hesitation_left, inside, overlaps, sentences
from pdgf.glossary import has_han
from pdgf.models import Value, normalised

LIMIT = 20_000  # characters, as for one message: a long chat must not outgrow what one request may be

Piece = tuple[str, int | None]  # text, and where it stands in its utterance; None for words of ours
Line = list[Piece]

_LEAD = re.compile(
    r"(?:(?:\b(?:and|or|but|with|without|in|from|of|about|for|on|at|set in|as|a|an|the|some|also|plus"
    r"|(?:\w+(?:ed|wn|ld|en)\s+)?(?:through|by|via))|,)\s+)+$"
    r"|(?:[、和与或跟及]|以及|或者|最好(?:有|是|带)?|有点儿?|想要|还要|带点|想看|要有?)+$",
    re.IGNORECASE,
)
_JOINED_AFTER = re.compile(
    r"\s*(?:,(?:\s*(?:and|or)\b)?|\b(?:and|or)\b)\s+|(?:以及|或者|[、和与或跟及])", re.IGNORECASE
)
_CLOSES = re.compile(
    r"\s*(?:$|[.,;:!?)，。；：！？、）]|(?:but|which|that|who|where|because|with|without|in|of|for|about|near|at|on|as|set|from|between|by)\b)",
    re.IGNORECASE,
)
_JOINT = re.compile(r"\s*(?:,|\bor\b|,\s*or\b)\s+(?:(?:an?|some|the)\s+)?$", re.IGNORECASE)
_TOO_MUCH = re.compile(r"(?:有点儿?|有些|偏|略|稍微有点)(?=.)")  # 有点长: what is told is 不要太长
_DENIED = re.compile(r"(?:不|别|没|无)|(?:not|no|nothing|never|without|less)\b", re.IGNORECASE)
_QUESTION = re.compile(r"[?？][\"'”’)\]]*$")
_STOPPED = re.compile(r"[.!?…。！？][\"'”’)\]]*\s*$")


class Narrative(Value):
    """q and the half-open spans of q at which a hard constraint is named.

    `places` tells of each piece of q in the user's words: the turn, where it begins in that utterance and in q, and how
    long it is.
    """

    text: str
    hard_spans: tuple[Span, ...] = ()
    places: tuple[tuple[int, int, int, int], ...] = ()

    def said(self, span: Span) -> tuple[int, int, int] | None:
        """Where words of q were said, as turn, start and end; None for words of ours. Cut off where q goes on with
        other words."""
        for turn, start, at, length in self.places:
            if span[0] < span[1] and at <= span[0] < at + length:
                return turn, start + span[0] - at, start + min(span[1] - at, length)
        return None

    def place_of(self, said: tuple[int, int, int]) -> Span | None:
        """Where words of an utterance stand in q; None where they are no part of it as they were said."""
        for turn, start, at, length in self.places:
            if turn == said[0] and start <= said[1] and said[2] <= start + length:
                return at + said[1] - start, at + said[2] - start
        return None


def render(requests: Sequence[KeptUtterance], state: DialogueState, limit: int = LIMIT) -> Narrative:
    """Tell the requests as the state has them now. Beyond `limit` characters the oldest without hard wishes go."""
    values = values_of(state)
    standing = {normalised(value.text) for _, value, _ in values}
    hard = [value.span for _, value, is_hard in values if is_hard]
    told = [(request["turn"], [_plainly(line) for line in _lines(request, standing)]) for request in requests]
    return _assembled(_within(told, {turn for turn, _, _ in hard}, limit), hard)


def _lines(request: KeptUtterance, standing: set[str]) -> Iterator[Line]:
    text = request["text"]
    values = sorted(((start, end), Mention(mention)) for start, end, mention in request["values"])
    live = [(span, mention) for span, mention in values if _stands(text[slice(*span)], mention, standing)]
    gone_whole = [span for span, mention in values if not _stands(text[slice(*span)], mention, standing)]
    dead = [part for span in gone_whole for part in _besides(text, span, [kept for kept, _ in live])]
    whole = (hesitation_left(text, sentence) for sentence in sentences(text))
    for sentence in (span for span in whole if span != (0, 0)):
        here = [(span, mention) for span, mention in live if inside(span, sentence)]
        gone = [span for span in dead if inside(span, sentence)]
        beside = request["plain"] and bool(live) and not _QUESTION.search(text[slice(*sentence)])
        if not gone and (all(mention is Mention.STATED for _, mention in here) if here else beside):
            yield [(text[slice(*sentence)], sentence[0])]
        elif here:
            yield from _retold(text, sentence, here, gone)


def _plainly(line: Line) -> Line:
    """The line without words that only soften a wish, which a reader may take for one."""
    pieces: Line = []
    for piece, start in line:
        at = 0
        for first, last in softeners.spans(piece):
            pieces.append((piece[at:first], None if start is None else start + at))
            at = last
        pieces.append((piece[at:], None if start is None else start + at))
    return [(piece, start) for piece, start in pieces if piece]


def _besides(text: str, gone: Span, live: Sequence[Span]) -> Iterator[Span]:
    """What of a dropped wish is to be cut, where alternatives of it stand ("France, Italy or Spain" without Italy)."""
    start = gone[0]
    kept = sorted(span for span in live if inside(span, gone) and span != gone)
    for first, last in kept:
        joint = _JOINT.search(text, start, first) if start > gone[0] else None
        end = joint.start() if joint else first
        if start < end:
            yield start, end
        start = last
    if start < gone[1]:
        yield start, gone[1]


def _stands(words: str, mention: Mention, standing: set[str]) -> bool:
    """Whether words are a wish that still holds; words that leave a key open are none."""
    return mention is not Mention.INDIFFERENT and normalised(words) in standing


def _retold(text: str, sentence: Span, live: list[tuple[Span, Mention]], dead: list[Span]) -> Iterator[Line]:
    """One sentence clause by clause: stated wishes in the user's words, the others in ours, dropped ones not at all."""
    stated = [span for span, mention in live if mention is Mention.STATED]
    cuts = sorted([*dead, *(span for span, mention in live if mention is not Mention.STATED)])
    kept = [
        clause
        for clause in clauses(text, sentence)
        if any(overlaps(span, clause) for span in stated) or not any(overlaps(span, clause) for span in cuts)
    ]
    if any(overlaps(span, clause) for span in stated for clause in kept):
        yield from (_without(text, run, cuts, stated) for run in _runs(text, kept))
    for span, mention in live:
        words = text[slice(*span)]
        if has_han(words) and mention in (Mention.ASKED, Mention.OBJECTED):
            yield _told_in_chinese(words, span[0], mention)
        elif mention is Mention.ASKED:
            yield [("I want ", None), (words, span[0]), (".", None)]
        elif mention is Mention.OBJECTED:
            lead = "" if _DENIED.match(words) else "Not "
            yield [(lead, None), (words[:1].lower() + words[1:], span[0]), (".", None)]


def _told_in_chinese(words: str, start: int, mention: Mention) -> Line:
    """What a question or an objection asks for, as a Chinese sentence of its own."""
    if mention is Mention.ASKED:
        return [("想要", None), (words, start), ("。", None)]
    bare = _TOO_MUCH.sub("", words)
    own = re.search(r"太|过于|了一?[点些]", words) is not None
    lead = "" if _DENIED.match(words) else "不要" if own else "不要太"
    return [(lead, None), (bare, start + len(words) - len(bare)), ("。", None)]


def _runs(text: str, spans: list[Span]) -> list[Span]:
    """Neighbouring clauses as one span, so that the marks between them stay."""
    runs: list[Span] = []
    for start, end in spans:
        if runs and not re.search(r"\w", text[runs[-1][1] : start]):
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((start, end))
    return runs


def _without(text: str, run: Span, cuts: list[Span], wishes: list[Span]) -> Line:
    """A run of clauses without the cut spans and the words they would leave hanging, closed by a full stop."""
    line: Line = []
    position = run[0]
    for cut in (span for span in cuts if overlaps(span, run)):
        first, last = _widened(text, cut, (position, run[1]), wishes)
        line.append((text[position:first], position))
        position = max(position, last)
    line.append((text[position : run[1]], position))
    return line if _STOPPED.search("".join(piece for piece, _ in line)) else [*line, (".", None)]


def _widened(text: str, cut: Span, within: Span, wishes: list[Span]) -> Span:
    """The cut with the joining word after it where the list goes on, or else with the small words before it where it
    closes its clause. `wishes` are those that stay: a cut right behind one leaves the mark that follows."""
    start, end = max(cut[0], within[0]), min(cut[1], within[1])
    before = text[within[0] : start]
    bare = within[0] + len(before.rstrip())
    lead = _LEAD.search(before)
    joined = _JOINED_AFTER.match(text, end, within[1])
    if joined and lead is None and any(wish[1] == bare for wish in wishes):
        return bare, end
    goes_on = joined and any(0 <= wish[0] - joined.end() <= len("the ") for wish in wishes)
    turns = joined and bool(_DENIED.match(text, joined.end())) and not _DENIED.match(text, start)
    if joined and (lead is None or (goes_on and not turns)):  # "with banter, not sex" is no list that "with" opens
        return start, joined.end()
    if joined or _CLOSES.match(text[end : within[1]]):
        return (within[0] + len(before[: lead.start()].rstrip()) if lead else bare), end
    return start, end + 1 if text[end : end + 1] == " " else end


def _within(told: list[tuple[int, list[Line]]], hard_turns: set[int], limit: int) -> list[tuple[int, list[Line]]]:
    """Leave out the oldest requests, those without a hard wish first, until the rest fits; the newest always stays."""
    sizes = [sum(len(piece) for line in lines for piece, _ in line) + len(lines) for _, lines in told]
    order = sorted(range(len(told) - 1), key=lambda place: (told[place][0] in hard_turns, place))
    left_out: set[int] = set()
    room = limit - sum(sizes)
    for place in order:
        if room >= 0:
            break
        left_out.add(place)
        room += sizes[place]
    return [entry for place, entry in enumerate(told) if place not in left_out]


def _stripped(line: Line) -> Line:
    """The line without white space before its first words."""
    for place, (piece, start) in enumerate(line):
        if piece.strip():
            blank = len(piece) - len(piece.lstrip())
            return [(piece[blank:], None if start is None else start + blank), *line[place + 1 :]]
    return []


def _assembled(told: list[tuple[int, list[Line]]], hard: Sequence[tuple[int, int, int]]) -> Narrative:
    text = ""
    spans: list[Span] = []
    places: list[tuple[int, int, int, int]] = []
    for turn, line in ((turn, line) for turn, lines in told for line in lines):
        text += "" if not text else " " if _STOPPED.search(text) else ". "
        for piece, start in _stripped(line):
            if start is not None:
                places.append((turn, start, len(text), len(piece)))
                here = (s for s in hard if s[0] == turn and start <= s[1] and s[2] <= start + len(piece))
                spans += [(first - start + len(text), last - start + len(text)) for _, first, last in here]
            text += piece
    return Narrative(text=text, hard_spans=tuple(sorted(spans)), places=tuple(places))
