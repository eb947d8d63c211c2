"""From the clauses of Chinese text to wishes: what is wanted, refused, limited, and what qualifies what (METHOD 12)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pdgf.engines.builtin.chinese import cues
from pdgf.engines.builtin.chinese.diet_owners import diets_told
from pdgf.engines.builtin.chinese.mentions import mentions, references
from pdgf.engines.builtin.chinese.needs import needs_in
from pdgf.engines.builtin.chinese.refused import compared, excepted, in_case, read_denials
from pdgf.engines.builtin.chinese.wanted import Reader, read_wanted
from pdgf.engines.builtin.chinese.wishes import Link, Piece, Wish, core_of, says_something
from pdgf.engines.builtin.column_mentions import column_limits, item_noun_spans
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.glossary import Limit, folded, limits
from pdgf.temporal_grammar import wordings

_SENTENCE = re.compile(r"[^。！？!?；;\n]+")
_COMMA = re.compile(r"[,，:：—]|\.(?=\s|$)|\s{2,}")
# 两个陌生人|聊一整夜: what people of a story do, behind how many they are
_SOME_PEOPLE = re.compile(r"(?:[一二两三四五六七八九十几]|\d{1,2})[个位名对群]")
_DO = re.compile(r"(?!的|之间|和|与|或|以及|都行|都可以|也行|也可以|就行|就好)[\u4e00-\u9fff]{3,12}$")
_TOLD = frozenset({"diet", "audience"})  # what somebody says of themselves and asks of the item by it


def wishes_of(narrative: str, start: int, end: int, vocabulary: Vocabulary) -> tuple[list[Wish], tuple[str, ...]]:
    """The wishes of narrative[start:end], in order of first mention, and the clauses of which nothing was read although
    they may ask for something."""
    plain = folded(narrative)[start:end]
    reader = Reader(narrative=narrative, text=plain, offset=start, vocabulary=vocabulary)
    named = references(narrative[start:end], plain, vocabulary)
    eras = [(found.start, found.end) for found in wordings(plain, 2000)]
    settings = [(m.span(), m.span("when" if m["when"] else "when2")) for m in cues.SET_IN.finditer(plain)]
    reader.text = cues.blanked(plain, [(reference.start, reference.end) for reference in named])
    reader.text = cues.blanked(reader.text, eras)
    reader.text = cues.blanked(reader.text, item_noun_spans(plain, vocabulary))
    for sentence in _SENTENCE.finditer(plain):
        begin, stop = sentence.span()
        for reference in named:
            if begin <= reference.start < stop:
                at = start + reference.start
                piece = Piece(start=at, end=start + reference.end, perspective="title")
                reader.add(Wish(pieces=[piece], said_from=at, reference=reference))
        for whole, (at, to) in settings:
            if begin <= at < stop and all(to <= a or at >= b for a, b in eras):
                piece = Piece(start=start + at, end=start + to, perspective="setting")
                reader.add(Wish(pieces=[piece], said_from=piece.start))
                reader.text = cues.blanked(reader.text, [whole])
        reader.denied = False
        reader.last_head = None
        excepted(reader, begin, stop)
        in_case(reader, begin, stop)
        first = len(reader.wishes)
        for clause in _clauses(reader.text, begin, stop):
            _read_clause(reader, *clause)
        _forget_what_is_measured(reader, first)
    return _in_order(_with_bases(reader.wishes)), tuple(reader.left)


def _with_bases(found: Sequence[Wish]) -> list[Wish]:
    """The wishes, none where all are parts of nothing: 不是重点 alone says of no theme that it is a small part."""
    parts = [w for w in found if w.link is None and {p.perspective for p in w.pieces} == {"prominence"}]
    return list(found) if len(parts) < len(found) else []


def _in_order(found: Sequence[Wish]) -> list[Wish]:
    """The wishes in order of mention, links renumbered."""
    order = sorted(range(len(found)), key=lambda place: (found[place].start, place))
    at = {old: new for new, old in enumerate(order)}
    ordered = [found[old] for old in order]
    for wish in ordered:
        if wish.link is not None:
            wish.link = replace(wish.link, base=at[wish.link.base])
    return ordered


def _clauses(text: str, begin: int, stop: int) -> list[tuple[int, int, bool]]:
    """The clauses of a sentence, and whether a "but" leads into each."""
    found: list[tuple[int, int, bool]] = []
    place = begin
    for comma in [*_COMMA.finditer(text, begin, stop), None]:
        end = comma.start() if comma else stop
        at, turned = place, False
        for turn in sorted(_turns(text, place, end), key=lambda match: match.start()):
            if text[at : turn.start()].strip(cues.BLANK + " "):
                found.append((at, turn.start(), turned))
            at, turned = turn.end(), turn.re is cues.TURN
        found.append((at, end, turned))
        place = comma.end() if comma else stop
    return found


def _turns(text: str, place: int, end: int) -> Iterator[re.Match[str]]:
    yield from cues.TURN.finditer(text, place, end)
    for match in cues.AND_NOT.finditer(text, place, end):
        if re.search("[不别没]", text[place : match.start()]):  # 一点也不要 is one refusal
            yield match


def _read_clause(reader: Reader, begin: int, stop: int, turned: bool) -> None:
    said = reader.text[begin:stop]
    if not said.strip(cues.BLANK + " "):
        return
    told = bool(cues.TELLER.match(said) or cues.TOLD.search(said)) and not cues.WANT.search(said)
    _needed(reader, begin, stop)
    if cues.THAT_THEME.search(said):
        _turned_down(reader, begin, stop)
        return
    first = len(reader.wishes)
    hard, soft = bool(cues.HARD.search(said)), bool(cues.SOFT.search(said))
    for limit in (*column_limits(said, reader.vocabulary), *limits(said)):
        _limited(reader, limit, begin, hard=hard, soft=soft)
    _permitted(reader, begin, stop)
    for pattern in (cues.NOISE, cues.INDIFFERENT):
        spans = [match.span() for match in pattern.finditer(reader.text, begin, stop)]
        reader.text = cues.blanked(reader.text, spans)
    compared(reader, begin, stop)
    denied = read_denials(reader, begin, stop, hard=hard, soft=soft)
    end = denied if denied is not None else stop
    hard = hard and bool(cues.HARD.search(said[: end - begin]))
    read_wanted(reader, begin, end, hard=hard, soft=soft)
    reader.denied = denied is not None
    _what_they_do(reader, first, begin, end)
    if told:
        _forget_what_is_told(reader, first)
    elif len(reader.wishes) == first:
        _tell_what_is_left(reader, begin, stop)
    _tie(reader, first, said, turned=turned)
    heads = [place for place in range(first, len(reader.wishes)) if reader.wishes[place].can_be_qualified]
    if heads:
        reader.last_head = heads[-1]


def _turned_down(reader: Reader, begin: int, stop: int) -> None:
    """刚失恋，别碰这个题材: what the clause before tells of is not to be touched."""
    before = re.split(r"[^,，:：]*$", reader.narrative[: reader.offset + begin])[0]
    start = max((before.rstrip(",，:： ").rfind(mark) for mark in ",，。！？!?；;\n"), default=-1) + 1
    end = len(before.rstrip(",，:： "))
    told = folded(reader.narrative[start:end])
    spoken = [place for place, wish in enumerate(reader.wishes) if start <= wish.start < end]
    for place in spoken:
        reader.wishes[place].avoid = True
    for found in mentions(told, reader.vocabulary) if not spoken else ():
        piece = Piece(start=start + found.start, end=reader.offset + stop, perspective=found.perspective)
        piece = replace(piece, text=told[found.start : found.end])
        reader.add(Wish(pieces=[piece], said_from=piece.start, avoid=True, strength="别碰", hard=True))
    reader.text = cues.blanked(reader.text, [(begin, stop)])


def _needed(reader: Reader, begin: int, stop: int) -> None:
    """走不了楼梯, 怀孕了不能吃生的: what somebody cannot do, where items are places that they go to."""
    if not reader.vocabulary.places:
        return
    told = diets_told(reader.text, begin, stop, reader.offset, reader.vocabulary)
    if told is not None:
        span, diet = told
        if diet is not None:
            reader.add(diet)
        reader.text = cues.blanked(reader.text, [span])
    for span, wish in needs_in(reader.text, begin, stop, reader.offset):
        reader.add(wish)
        reader.text = cues.blanked(reader.text, [span])


def _tell_what_is_left(reader: Reader, begin: int, stop: int) -> None:
    """Note a clause of which nothing was read, in the user's words."""
    core = core_of(reader.text, begin, stop, reader.vocabulary)
    if core is not None and says_something(core, reader.text):
        reader.left.append(reader.narrative[reader.offset + core.start : reader.offset + core.end])


def _permitted(reader: Reader, begin: int, stop: int) -> None:
    """法国菜也可以, beside 意大利菜: an alternative of the wish of its kind that stands, and no wish of its own."""
    match = cues.PERMITTED.search(reader.text, begin, stop)
    if match is None:
        return
    start = match.start("what")
    for found in mentions(match["what"], reader.vocabulary):
        said = reader.narrative[reader.offset + start + found.start : reader.offset + start + found.end]
        for wish in reader.wishes:
            head = wish.head
            standing = head.text or reader.narrative[head.start : head.end]
            if wish.avoid or wish.reference or head.perspective != found.perspective or said in standing:
                continue
            wish.pieces = [replace(p, text=f"{standing}或{said}") if p is head else p for p in wish.pieces]
            wish.either = True
            break


def _forget_what_is_told(reader: Reader, first: int) -> None:
    """Of a clause about the life of whoever writes only what an item can be asked for by it stays."""
    kept = [w for w in reader.wishes[first:] if w.avoid or w.quantity or w.head.perspective in _TOLD]
    for wish in kept:
        wish.link = None
    reader.wishes[first:] = kept


def _what_they_do(reader: Reader, first: int, begin: int, stop: int) -> None:
    """两个陌生人聊一整夜: what the people of a story do narrows the wish for them."""
    if len(reader.wishes) != first + 1 or not _SOME_PEOPLE.search(reader.text, begin, stop):
        return
    wish, at = reader.wishes[first], reader.offset
    does = _DO.match(reader.narrative[wish.end : at + stop].rstrip())
    if wish.avoid or wish.head.perspective not in ("character", "relationship") or does is None:
        return
    piece = Piece(start=wish.end, end=wish.end + does.end(), perspective="theme")
    reader.add(Wish(pieces=[piece], said_from=piece.start, link=Link(base=first, cue="", confidence=0.6)))


def _forget_what_is_measured(reader: Reader, first: int) -> None:
    """不要太长，最好两小时以内: what is not to be too much of is said by the limit beside it."""
    here = reader.wishes[first:]
    measured = {wish.head.perspective for wish in here if wish.quantity and not wish.avoid}
    bases = {wish.link.base for wish in here if wish.link is not None}
    for place in reversed(range(first, len(reader.wishes))):
        wish = reader.wishes[place]
        vague = wish.avoid and not wish.quantity and not wish.flat and wish.head.perspective in measured
        if vague and not any(base > place for base in bases):
            reader.wishes.pop(place)


def _limited(reader: Reader, limit: Limit, begin: int, *, hard: bool, soft: bool) -> None:
    start, end = begin + limit.start, begin + limit.end
    if cues.BLANK in reader.text[start:end]:
        return
    at = reader.offset
    piece = Piece(start=at + start, end=at + end, perspective=limit.perspective)
    company = limit.english.endswith("people")  # how many they are is told, not demanded
    condition = hard if company else not limit.rough
    reader.add(Wish(pieces=[piece], said_from=piece.start, quantity=True, hard=condition, soft=soft))
    reader.text = cues.blanked(reader.text, [(start, end)])


def _tie(reader: Reader, first: int, said: str, *, turned: bool) -> None:
    """Tie the wishes of a clause to the head before it: after 其中, and after a "but"."""
    among = cues.AMONG.match(said.lstrip(cues.BLANK + " "))
    _tie_prominence(reader, first)
    base = reader.last_head
    if base is None or base >= first or not (among or turned):
        return
    for wish in reader.wishes[first:]:
        if wish.link is None and wish.can_qualify(reader.wishes[base]):
            cue = among[0][:2] if among else "但"
            wish.link = Link(base=base, cue=cue, confidence=0.8 if among else 0.6)


def _tie_prominence(reader: Reader, first: int) -> None:
    """爱情要有, 作为点缀: a part that is named alone is that of the theme before it."""
    for place in range(first, len(reader.wishes)):
        wish = reader.wishes[place]
        bases = [p for p, w in enumerate(reader.wishes) if w.can_be_qualified and w.start < wish.start]
        if wish.link is None and bases and wish.head.perspective == "prominence":
            wish.link = Link(base=bases[-1], cue="作为", confidence=0.6)
