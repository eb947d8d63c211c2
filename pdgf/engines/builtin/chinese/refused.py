"""What a clause of Chinese text refuses: by a negation before or behind it, or as the one exception (METHOD 12)."""

import re
from dataclasses import replace

from pdgf.engines.builtin.chinese import cues
from pdgf.engines.builtin.chinese.bare_words import foods_in_one, refused_bare
from pdgf.engines.builtin.chinese.mentions import mentions
from pdgf.engines.builtin.chinese.wanted import Reader, read_wanted
from pdgf.engines.builtin.chinese.wishes import (
    Core,
    Piece,
    Wish,
    core_of,
    maker_ends,
    members,
    parts_of,
    pieces_of,
    strength_of,
    unknown_wish,
)
from pdgf.glossary import entries
from pdgf.glossary.entries import MAKER

# What names a kind of item says how it is behind a word of degree: 别太恐怖
_HOW = {"恐怖": "吓人", "惊悚": "吓人"}
_EACH_OTHER = ("互相", "彼此", "相互")
_DEGREE_BEFORE = re.compile(r"太|过于|过分|那么|这么")
_DESCRIBES = re.compile(r"没有|没|无|不含|不带|不是|不|不太|不怎么|不那么|少(?:一点|一些|点|些)")


_HAVE_NOT = frozenset({"不要", "不要有", "不想要", "不需要"})
_KINDS = frozenset({"genre", "cuisine"})
_ORIGINS = frozenset({"country", "language", "creator", "era", "location"})
_TURNED = re.compile(r"[但却而又]是?$")
SHORT = 4  # characters of what is refused after a "but" though nothing knows it: 幽默但不低俗


def in_case(reader: Reader, begin: int, stop: int) -> None:
    """ "爱情线如果有的话，放在背景里就好": not much of what is no wish of its own."""
    for match in cues.IN_CASE.finditer(reader.text, begin, stop):
        name = "what" if match["what"] else "what2"
        _avoided(reader, *match.span(name), said_from=match.start(), strength="以…为主", hard=False, soft=True)
        reader.text = cues.blanked(reader.text, [match.span()])


def excepted(reader: Reader, begin: int, stop: int) -> None:
    """ "除了恐怖片都行": refused flatly, whatever else is fine."""
    for match in cues.EXCEPT.finditer(reader.text, begin, stop):
        name = next(name for name in ("what", "what2", "what3", "what4", "what5") if match[name])
        before = len(reader.wishes)
        start = match.start(name) if name == "what2" else match.start()
        _avoided(reader, *match.span(name), said_from=start, strength="除了", hard=False, soft=False)
        for wish in reader.wishes[before:]:
            wish.flat = True
        reader.text = cues.blanked(reader.text, [match.span()])
    for match in cues.BESIDES.finditer(reader.text, begin, stop):
        reader.text = cues.blanked(reader.text, [(match.start(), match.start("what"))])


def compared(reader: Reader, begin: int, stop: int) -> None:
    """比起打斗更想看对话: less of the one than of the other."""
    for match in cues.COMPARED.finditer(reader.text, begin, stop):
        span = match.span("less" if match["less"] else "less2")
        _avoided(reader, *span, said_from=match.start(), strength="少", hard=False, soft=False)
        reader.text = cues.blanked(reader.text, [match.span()])


def read_denials(reader: Reader, begin: int, stop: int, *, hard: bool, soft: bool) -> int | None:
    """Read what a clause refuses; where the refusal begins, or None where there is none."""
    text = reader.text
    for match in cues.NO_INTEREST.finditer(text, begin, stop):
        if match[0] in entries():  # 对花生过敏 asks for a diet
            continue
        _avoided(reader, *match.span("what"), said_from=match.start(), strength=match["cue"], hard=hard, soft=soft)
        reader.text = cues.blanked(reader.text, [match.span()])
        return match.start()
    for match in cues.PHOBIA.finditer(text, begin, stop):
        _avoided(reader, *match.span("what"), said_from=match.start(), strength="怕", hard=True, soft=soft)
        reader.text = cues.blanked(reader.text, [match.span()])
        return match.start()
    nobody = _by_nobody(reader, begin, stop, soft=soft)
    if nobody is not None:
        return nobody
    not_eaten = _not_eaten(reader, begin, stop, soft=soft)
    if not_eaten is not None:
        return not_eaten
    less = _less_of(reader, begin, stop, hard=hard, soft=soft)
    if less is not None:
        return less
    spared = [match.span() for match in cues.NO_AVOID.finditer(text, begin, stop)]
    spared += [(m.start("cue"), m.end()) for m in cues.DESCRIBED.finditer(text, begin, stop)]
    spared = [(a, b + 1) if text[a:b].startswith(_EACH_OTHER) else (a, b) for a, b in spared]
    spared += [(begin + m.start, begin + m.end) for m in mentions(text[begin:stop], reader.vocabulary)]
    for match in cues.AVOID.finditer(text, begin, stop):
        at = match.start("cue")
        if any(a <= at < b for a, b in spared):
            continue
        return _refused(reader, match, begin, stop, hard=hard, soft=soft)
    for match in cues.BARE_NO.finditer(text, begin, stop):
        if any(a <= match.start() < b for a, b in spared):
            continue
        named = any(m.start == 0 for m in mentions(text[match.end() : stop], reader.vocabulary))
        if named or (_TURNED.search(text, 0, begin) and match.start() == begin and 1 < stop - match.end() <= SHORT):
            return _refused(reader, match, begin, stop, hard=hard, soft=soft)
    follows = cues.ALSO_AVOID.match(text[begin:stop]) if reader.denied else None
    if follows is not None:
        strength = follows["cue"]
        _avoided(reader, begin + follows.end(), stop, said_from=begin, strength=f"不要{strength}", hard=hard, soft=soft)
        return begin
    return None


def _by_nobody(reader: Reader, begin: int, stop: int, *, soft: bool) -> int | None:
    """没有人死的电影: what nobody is to suffer, and what is wanted behind it."""
    match = cues.NOBODY.search(reader.text, begin, stop)
    if match is None:
        return None
    before = len(reader.wishes)
    _avoided(reader, *match.span("what"), said_from=match.start(), strength=match["cue"], hard=not soft, soft=soft)
    if len(reader.wishes) == before:
        return None
    if match.end() < stop:
        read_wanted(reader, match.end(), stop, hard=False, soft=soft)
    return match.start()


def _not_eaten(reader: Reader, begin: int, stop: int, *, soft: bool) -> int | None:
    """海鲜过敏: what is named right before, where the two are no diet of their own."""
    named = [(begin + m.start, begin + m.end) for m in mentions(reader.text[begin:stop], reader.vocabulary)]
    for match in cues.CANNOT_EAT.finditer(reader.text, begin, stop):
        food = next((span for span in named if span[1] == match.start()), None)
        if food is not None:
            before = len(reader.wishes)
            _avoided(reader, *food, said_from=food[0], strength=match[0], hard=True, soft=soft)
            _said_to_the_end(reader, before, match.end())
            reader.text = cues.blanked(reader.text, [(food[0], match.end())])
            return food[0]
    return None


def _said_to_the_end(reader: Reader, first: int, end: int) -> None:
    """Keep the words behind a food that refuse it with it: 海鲜 alone would ask for seafood."""
    for wish in reader.wishes[first:]:
        last = wish.pieces[-1]
        said = last.text or reader.narrative[last.start : last.end]
        wish.pieces[-1] = replace(last, end=reader.offset + end, text=said)


def _less_of(reader: Reader, begin: int, stop: int, *, hard: bool, soft: bool) -> int | None:
    """打斗越少越好: less of what stands before, of the last thing where a wish leads into it."""
    match = cues.LESS.search(reader.text, begin, stop)
    if match is None:
        return None
    named = [(begin + m.start, begin + m.end) for m in mentions(reader.text[begin : match.start()], reader.vocabulary)]
    if any(a <= match.start("cue") < b for a, b in named):
        return None
    asked = cues.WANT.search(reader.text, begin, match.start())
    start = named[-1][0] if named and asked else begin
    before = len(reader.wishes)
    _avoided(reader, start, match.start(), said_from=start, strength=match["cue"], hard=hard, soft=False)
    if len(reader.wishes) == before:
        return None
    if match.end() < stop:
        read_wanted(reader, match.end(), stop, hard=False, soft=soft)
    return start


def _refused(reader: Reader, match: re.Match[str], begin: int, stop: int, *, hard: bool, soft: bool) -> int:
    """What follows a refusal in its clause, or stands before it where nothing follows (恐怖片不要)."""
    text = reader.text
    lead = match.start("lead") if "lead" in match.groupdict() else match.start("cue")
    strength = text[lead : match.end()]
    end = stop
    if _DESCRIBES.fullmatch(match["cue"]):  # 没有爱情线的科幻片, 不太辣的川菜: what comes after 的 is wanted
        parts = parts_of(text, match.end(), stop, reader.vocabulary)
        end = parts[0][1]
    elif _DEGREE_BEFORE.search(strength) or match["cue"] in _HAVE_NOT:  # 不要太恐怖的恐怖片 is a horror film
        parts = parts_of(text, match.end(), stop, reader.vocabulary)
        if len(parts) == 2 and _names_a_kind(reader, parts[-1]):
            plain = not _DEGREE_BEFORE.search(strength)
            end = stop if plain and _refuses_the_kind(reader, match.start(), parts) else parts[0][1]
    turn = re.compile(
        r"(?<![不需想只主重没也])要(?!求|么|是|素|塞|命|[^,。]{0,6}的不要)|希望|最好|(?<![不没需我])想(?=笑|哭|要|看|吃|读|找|去|听)"
    ).search(text, match.end() + 1, end)
    if turn:
        end = turn.start()
    before = len(reader.wishes)
    if cues.MOSTLY.search(text, match.end(), end):
        strength += "…为主"
    _avoided(reader, match.end(), end, said_from=lead, strength=strength, hard=hard, soft=soft)
    if len(reader.wishes) == before and not cues.SOMEBODY.fullmatch(text, begin, lead):
        _avoided(reader, begin, lead, said_from=begin, strength=strength, hard=hard, soft=soft)
        if len(reader.wishes) > before:
            return begin
    if end < stop:
        read_wanted(reader, end, stop, hard=hard and bool(turn), soft=soft)
    topic = text[begin:lead].strip(cues.BLANK + " ")
    if topic and _is_more_with(reader, before, topic):  # 狗别死
        _joined_with_topic(reader, before, begin, topic)
        return begin
    of_item = re.fullmatch(rf"(?:{cues.FRAME.pattern}|只要)?(?P<topic>{cues.TOPIC.pattern})", topic)
    if of_item:
        topic = of_item["topic"]
        _joined_with_topic(reader, before, begin, topic)
        return begin
    return lead


def _names_a_kind(reader: Reader, span: tuple[int, int]) -> bool:
    return any(m.perspective in _KINDS for m in mentions(reader.text[slice(*span)], reader.vocabulary))


def _refuses_the_kind(reader: Reader, begin: int, parts: list[tuple[int, int]]) -> bool:
    """Whether 不要血腥的恐怖片 refuses such films and does not ask for any: another kind is named too, or where they
    come from is what is refused."""
    before, after = (begin, parts[0][1]), parts[-1]
    beside = _names_a_kind(reader, (0, begin)) or _names_a_kind(reader, (after[1], len(reader.text)))
    origin = any(m.perspective in _ORIGINS for m in mentions(reader.text[slice(*before)], reader.vocabulary))
    return beside or origin


def _as_refused(reader: Reader, core: Core, pieces: list[Piece], *, how: bool) -> list[Piece]:
    """What is refused with the unknown words that narrow it, and as a quality behind a word of degree."""
    at = reader.offset
    first = pieces[0]
    if core.found and reader.text[core.start : first.start - at].endswith("的"):
        return [replace(first, start=at + core.start)]
    said = reader.text[first.start - at : first.end - at]
    if how and said in _HOW:
        return [replace(first, perspective="content", text=_HOW[said])]
    return pieces


def _is_more_with(reader: Reader, first: int, topic: str) -> bool:
    """Whether the one thing that is refused is of the word list together with the topic before it."""
    if len(reader.wishes) != first + 1:
        return False
    piece = reader.wishes[first].pieces[-1]
    return f"{topic}{reader.text[piece.start - reader.offset : piece.end - reader.offset]}" in entries()


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
        name_ends = maker_ends(core, reader.text) if core is not None else None
        if core is not None and name_ends is not None:
            core = replace(core, end=name_ends)
        if core is None or not (core.found or unknown_wish(core, reader.text, asked=True)):
            bare = refused_bare(reader.text[start:end], reader.offset + start, strength, reader.vocabulary)
            if bare is not None:
                at = reader.offset + said_from if start == begin else bare.start
                reader.add(Wish(pieces=[bare], said_from=at, avoid=True, hard=hard, soft=soft, strength=strength))
            continue
        degree = strength_of(core.before)
        eaten = reader.vocabulary.places and bool(re.search("[吃喝]", strength))
        unknown = MAKER if name_ends is not None else "dish" if eaten else "content"
        pieces, _, either = pieces_of(core, reader.text, reader.offset, unknown)
        if len(pieces) > 1:
            head = pieces[-1]
            pieces = [Piece(start=pieces[0].start, end=head.end, perspective=pieces[0].perspective)]
        pieces = _as_refused(reader, core, pieces, how=bool(degree or _DEGREE_BEFORE.search(strength)))
        with_cue = start == begin and said_from <= core.start
        said = reader.text[pieces[0].start - reader.offset : pieces[-1].end - reader.offset]
        for each in foods_in_one(pieces[0], said) if len(pieces) == 1 else [None]:
            wish = Wish(
                pieces=pieces if each is None else [each],
                said_from=reader.offset + said_from if with_cue else pieces[0].start,
                avoid=True,
                hard=hard,
                soft=soft,
                flat=flat and not degree,
                strength=" ".join(filter(None, (strength, degree))),
                either=either,
            )
            reader.add(wish)
