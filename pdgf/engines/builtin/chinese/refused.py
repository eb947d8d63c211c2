"""What a clause of Chinese text refuses: by a negation before or behind it, or as the one exception (METHOD 12)."""

import re
from dataclasses import replace

from pdgf.engines.builtin.chinese import cues
from pdgf.engines.builtin.chinese.mentions import mentions
from pdgf.engines.builtin.chinese.wanted import Reader, read_wanted
from pdgf.engines.builtin.chinese.wishes import (
    Piece,
    Wish,
    core_of,
    members,
    parts_of,
    pieces_of,
    strength_of,
    unknown_wish,
)
from pdgf.glossary import entries

_DESCRIBES = re.compile(r"没有|没|无|不含|不带|不是|不|不太|不怎么|不那么")


def excepted(reader: Reader, begin: int, stop: int) -> None:
    """ "除了恐怖片都行": refused flatly, whatever else is fine."""
    for match in cues.EXCEPT.finditer(reader.text, begin, stop):
        name = next(name for name in ("what", "what2", "what3", "what4") if match[name])
        before = len(reader.wishes)
        start = match.start(name) if name == "what2" else match.start()
        _avoided(reader, *match.span(name), said_from=start, strength="除了", hard=False, soft=False)
        for wish in reader.wishes[before:]:
            wish.flat = True
        reader.text = cues.blanked(reader.text, [match.span()])
    for match in cues.BESIDES.finditer(reader.text, begin, stop):
        reader.text = cues.blanked(reader.text, [(match.start(), match.start("what"))])


def read_denials(reader: Reader, begin: int, stop: int, *, hard: bool, soft: bool) -> int | None:
    """Read what a clause refuses; where the refusal begins, or None where there is none."""
    text = reader.text
    for match in cues.NO_INTEREST.finditer(text, begin, stop):
        if match[0] in entries():  # 对花生过敏 asks for a diet
            continue
        _avoided(reader, *match.span("what"), said_from=match.start(), strength=match["cue"], hard=hard, soft=soft)
        reader.text = cues.blanked(reader.text, [match.span()])
        return match.start()
    spared = [match.span() for match in cues.NO_AVOID.finditer(text, begin, stop)]
    spared += [(begin + m.start, begin + m.end) for m in mentions(text[begin:stop], reader.vocabulary)]
    for match in cues.AVOID.finditer(text, begin, stop):
        at = match.start("cue")
        if any(a <= at < b for a, b in spared):
            continue
        return _refused(reader, match, begin, stop, hard=hard, soft=soft)
    for match in cues.BARE_NO.finditer(text, begin, stop):
        if any(a <= match.start() < b for a, b in spared):
            continue
        if any(m.start == 0 for m in mentions(text[match.end() : stop], reader.vocabulary)):
            return _refused(reader, match, begin, stop, hard=hard, soft=soft)
    follows = cues.ALSO_AVOID.match(text[begin:stop]) if reader.denied else None
    if follows is not None:
        strength = follows["cue"]
        _avoided(reader, begin + follows.end(), stop, said_from=begin, strength=f"不要{strength}", hard=hard, soft=soft)
        return begin
    return None


def _refused(reader: Reader, match: re.Match[str], begin: int, stop: int, *, hard: bool, soft: bool) -> int:
    """What follows a refusal in its clause, or stands before it where nothing follows (恐怖片不要)."""
    text = reader.text
    lead = match.start("lead") if "lead" in match.groupdict() else match.start("cue")
    strength = text[lead : match.end()]
    end = stop
    if _DESCRIBES.fullmatch(match["cue"]):  # 没有爱情线的科幻片, 不太辣的川菜: what comes after 的 is wanted
        parts = parts_of(text, match.end(), stop, reader.vocabulary)
        end = parts[0][1]
    turn = re.compile(r"(?<![不需想只主重没也])要(?!求|么|是|素|塞|命|[^,。]{0,6}的不要)|希望|最好").search(
        text, match.end() + 1, end
    )
    if turn:
        end = turn.start()
    before = len(reader.wishes)
    if cues.MOSTLY.search(text, match.end(), end):
        strength += "…为主"
    _avoided(reader, match.end(), end, said_from=lead, strength=strength, hard=hard, soft=soft)
    if len(reader.wishes) == before:
        _avoided(reader, begin, lead, said_from=begin, strength=strength, hard=hard, soft=soft)
        if len(reader.wishes) > before:
            return begin
    if end < stop:
        read_wanted(reader, end, stop, hard=hard and bool(turn), soft=soft)
    topic = text[begin:lead].strip(cues.BLANK + " ")
    if cues.TOPIC.fullmatch(topic):
        _joined_with_topic(reader, before, begin, topic)
        return begin
    return lead


def _joined_with_topic(reader: Reader, first: int, begin: int, topic: str) -> None:
    """ "节奏不要太慢" refuses 节奏慢, where the word list knows the two together."""
    for wish in reader.wishes[first:]:
        piece = wish.pieces[-1]
        said = reader.text[piece.start - reader.offset : piece.end - reader.offset]
        whole = entries().get(f"{topic}{said}")
        if whole is not None:
            wish.pieces = [replace(piece, perspective=whole.perspective, text=f"{topic}{said}")]
            wish.said_from = min(wish.said_from, reader.offset + begin)


def _avoided(reader: Reader, begin: int, stop: int, *, said_from: int, strength: str, hard: bool, soft: bool) -> None:
    """Every member of a list behind one refusal; a modifier and its noun are one thing that is refused."""
    flat = bool(cues.FLAT.fullmatch(strength))
    for start, end in members(reader.text, begin, stop, reader.vocabulary):
        core = core_of(reader.text, start, end, reader.vocabulary)
        if core is None or not (core.found or unknown_wish(core, reader.text, asked=True)):
            continue
        degree = strength_of(core.before)
        pieces, _, either = pieces_of(core, reader.text, reader.offset, "content")
        if len(pieces) > 1:
            head = pieces[-1]
            pieces = [Piece(start=pieces[0].start, end=head.end, perspective=pieces[0].perspective)]
        with_cue = start == begin and said_from <= core.start
        wish = Wish(
            pieces=pieces,
            said_from=reader.offset + said_from if with_cue else pieces[0].start,
            avoid=True,
            hard=hard,
            soft=soft,
            flat=flat and not degree,
            strength=" ".join(filter(None, (strength, degree))),
            either=either,
        )
        reader.add(wish)
