"""A Chinese wish as it is read from a clause, and the words of a clause that are one."""

import re
from dataclasses import dataclass, replace

from pdgf.engines.builtin.chinese import cues
from pdgf.engines.builtin.chinese.mentions import Mention, mentions
from pdgf.engines.builtin.instantiations import ITEM_FACETS
from pdgf.engines.builtin.mentions import Reference
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.glossary import entries
from pdgf.glossary.entries import MAKER, WORDS
from pdgf.glossary.segmentation import words
from pdgf.models import Aspect

# What others qualify ("慢热的爱情"), and what qualifies it; wishes about the item as a whole are neither.
HEADS = frozenset({"genre", "theme", "relationship", "character", "setting"})
QUALIFIERS = frozenset({"pace", "tone", "manner", "prominence", "content", "quality", "era"})
LONGEST_UNKNOWN = 16  # characters of a wish that the word list does not know
FEWEST_WHOLE = 2  # characters of a clause of unknown words
_POINTS = re.compile(r"[那这]样|以外|之外|同类|类似|一样|最[近新]|其他|国内")
FEWEST_TOLD = 4  # characters of what is named to the user as not understood
_TELLS_WHAT = re.compile(r"讲|关于|有关|描写|描述|主打|充满|有(?!点|些|一)|带")
_SMALL = re.compile(r"[要很得更是较也都能有的]|比较|一定|必须")
# Unknown words that belong to a known one: 硬 in 硬科幻, 精彩 in 对话精彩
_MODIFIES = re.compile(r"[^人把改换有要在讲喝吃那种这是能会可想看订杯一条其附主越靠近离同样的了和\W]{1,3}")
_COMMENTS = re.compile(
    r"(?:之间)?(?:让人|令人|使人|互相|彼此)\w{2,8}"
    r"|[要很得更是都]*[^有在讲喝吃那种这是能会可想看一的了和又也越\W]{2,4}"
)
_NO_NAME = re.compile(r"[人友家员者生手星师像ai]$")  # 新人, 女作家, 明星
_NO_WISH = re.compile(
    r"[\W\d_]*|(?!让|使|令).*(?:推荐|我|你|类似|什么|怎么|为什么|哪|谁|感觉|时间|东西|样子|意思|可以|知道|觉得|应该|一直|已经|看过).*"
)


@dataclass(frozen=True, kw_only=True)
class Piece:
    """One instantiation at half-open offsets of the narrative; `text` where it is not just what stands there."""

    start: int
    end: int
    perspective: str
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class Link:
    """That a wish qualifies another, given by its place in the list of wishes, and the words that say so."""

    base: int
    cue: str
    aspect: Aspect = Aspect.TARGET
    confidence: float = 0.7


@dataclass(kw_only=True)
class Wish:
    """One wish: its pieces, the last one its head, and what the words say about it. `said_from` to the end of the last
    piece is its atom."""

    pieces: list[Piece]
    said_from: int
    avoid: bool = False
    hard: bool = False
    soft: bool = False
    flat: bool = False  # refused as such, not too much of it
    strength: str = ""
    either: bool = False
    topic_first: bool = False  # 爱情慢热: the head is the first piece
    reference: Reference | None = None
    quantity: bool = False
    link: Link | None = None

    @property
    def head(self) -> Piece:
        return self.pieces[0] if self.topic_first else self.pieces[-1]

    @property
    def start(self) -> int:
        return self.pieces[0].start

    @property
    def end(self) -> int:
        return self.pieces[-1].end

    @property
    def can_be_qualified(self) -> bool:
        return self.reference is None and not self.quantity and not self.avoid and self.head.perspective in HEADS

    def can_qualify(self, base: "Wish") -> bool:
        perspective = self.head.perspective
        if self.reference is not None or self.quantity or perspective in ITEM_FACETS:
            return False
        return perspective != base.head.perspective or perspective in ("theme", "relationship")


@dataclass(frozen=True, kw_only=True)
class Core:
    """The words of a stretch that are the wish, offsets within the text it was cut from; what was cut before it."""

    start: int
    end: int
    before: str
    found: tuple[Mention, ...]  # offsets within the core


def core_of(text: str, start: int, end: int, vocabulary: Vocabulary) -> Core | None:
    """A stretch of folded text without the frame before it and the general noun after it; None where nothing is left.

    Neither cuts into a thing that the word list knows: 适合带孩子, 爱情片.
    """
    found = mentions(text[start:end], vocabulary)
    first = start + found[0].start if found else end
    last = start + found[-1].end if found else start
    begin, stop = start, end
    frame = cues.FRAME.match(text[start:end])
    if frame:
        begin = min(start + frame.end(), first)
    noun = cues.NOUN.search(text[begin:stop])
    if noun and not (found and known_as_a_whole(text[begin:stop])):
        stop = max(begin + noun.start(), last)
    while begin < stop and not text[begin].isalnum():
        begin += 1
    while begin < stop and not text[stop - 1].isalnum():
        stop -= 1
    stop = max(last, stop - len(text[last:stop]) if found and not _SMALL.sub("", text[last:stop]) else stop)
    if begin >= stop:
        return None
    return Core(start=begin, end=stop, before=text[start:begin], found=mentions(text[begin:stop], vocabulary))


def maker_ends(core: Core, text: str) -> int | None:
    """Where the name of whoever made an item ends in a core that says no more (王晶拍的); None where it says more."""
    match = cues.MADE.fullmatch(text, core.start, core.end)
    if match is None:
        return None
    known = [one for one in core.found if one.perspective == MAKER and core.start + one.end == match.end("who")]
    return match.end("who") if known or (not core.found and not _NO_NAME.search(match["who"])) else None


def beside_likeness(core: Core, text: str, vocabulary: Vocabulary) -> Core | None:
    """A core without the maker whom what is wanted is to be like (宫崎骏那种画面唯美的): it asks for none of theirs."""
    if not core.found or core.found[0].perspective != MAKER:
        return core
    like = cues.MADE_LIKE.match(text, core.start + core.found[0].end)
    if like is None and not cues.SIMILAR.search(text[: core.start + core.found[0].start]):
        return core
    begin = like.end() if like else core.start + core.found[0].end
    if begin >= core.end:
        return None
    return Core(start=begin, end=core.end, before="", found=mentions(text[begin : core.end], vocabulary))


def as_it_stands(text: str, start: int, end: int, core: Core | None, *, whole: bool) -> Core | None:
    """Unknown words that are a clause of their own, without what asks before them and no more: 两个多年没有联系 is cut
    neither at 多 nor at 系."""
    if not whole:
        return core
    asks = cues.ASKS.match(text[start:end])
    begin = start + (asks.end() if asks else 0)
    said = text[begin:end]
    if len(said) < FEWEST_WHOLE or not said.isalnum() or _POINTS.fullmatch(said):
        return core
    return Core(start=begin, end=end, before=text[start:begin], found=())


def known_as_a_whole(said: str) -> str | None:
    """The form of the word list that a stretch is once its small words are out: 画风要好看 -> 画风好看."""
    compact = _SMALL.sub("", said)
    return compact if compact in entries() and entries()[compact].perspective != WORDS else None


def unknown_wish(core: Core, text: str, *, asked: bool) -> bool:
    """Whether words that nothing knows are a wish all the same: after "about", after a negation, after "I want"."""
    said = text[core.start : core.end]
    if not 2 <= len(said) <= LONGEST_UNKNOWN or _NO_WISH.fullmatch(said) or cues.BLANK in said:
        return False
    return asked or bool(_TELLS_WHAT.search(core.before))


def says_something(core: Core, text: str) -> bool:
    """Whether words of which nothing was read may ask for something all the same, so that the user is told."""
    said = text[core.start : core.end]
    return len(said) >= FEWEST_TOLD and not core.found and not _NO_WISH.fullmatch(said) and cues.BLANK not in said


def pieces_of(core: Core, text: str, offset: int, perspective: str) -> tuple[list[Piece], bool, bool]:
    """The instantiations of a core, whether its first one is the head, and whether they are alternatives.

    A modifier of another perspective is one of its own (慢热爱情片), a comment on a topic too (爱情慢热).
    """
    said = text[core.start : core.end]
    start = offset + core.start
    if not core.found:
        return [Piece(start=start, end=offset + core.end, perspective=perspective)], False, False
    compact = known_as_a_whole(said)
    if compact is not None and compact != said:
        piece = Piece(start=start, end=offset + core.end, perspective=entries()[compact].perspective, text=compact)
        return [piece], False, False
    if _either(said):
        return [_piece(start, 0, len(said), core.found[0])], False, True
    topic_first = False
    cuts: list[int] = []
    for place, (one, other) in enumerate(zip(core.found, core.found[1:], strict=False)):
        comment = one.perspective in HEADS and other.perspective in QUALIFIERS
        modifier = one.perspective not in HEADS and one.perspective != other.perspective
        topic_first = topic_first or comment
        if comment or modifier:
            cuts.append(place)
    groups: list[list[Mention]] = [[]]
    for place, mention in enumerate(core.found):
        groups[-1].append(mention)
        if place in cuts:
            groups.append([])
    pieces = [_piece(start, group[0].start, group[-1].end, group[-1]) for group in groups]
    of_somebody = core.found[0].perspective == "diet"  # 妹妹 in 妹妹乳糖不耐受 modifies nothing
    if not of_somebody and _MODIFIES.fullmatch(said[: core.found[0].start]):
        pieces[0] = replace(pieces[0], start=start)
    if _COMMENTS.fullmatch(said[core.found[-1].end :]):
        pieces[-1] = replace(pieces[-1], end=offset + core.end)
    return pieces, topic_first and len(pieces) > 1, False


def _piece(offset: int, start: int, end: int, mention: Mention) -> Piece:
    return Piece(start=offset + start, end=offset + end, perspective=mention.perspective)


def _either(said: str) -> bool:
    return not cues.EITHER.isdisjoint(words(said))


def members(text: str, start: int, end: int, vocabulary: Vocabulary) -> list[tuple[int, int]]:
    """The members of a list in a stretch of folded text, split at its small words; 或 joins, it does not split."""
    found: list[tuple[int, int]] = []
    for chunk in re.finditer(rf"[^{cues.BLANK}]+", text[start:end]):
        begin = start + chunk.start()
        inside = [(begin + m.start, begin + m.end) for m in mentions(chunk[0], vocabulary)]
        place = begin
        for word in words(chunk[0]):
            stop = place + len(word)
            splits = word in cues.LISTED or (len(word) == 1 and not word.isalnum())
            if splits and not any(a <= place < b for a, b in inside):
                found.append((begin, place))
                begin = stop
            place = stop
        found.append((begin, place))
    return [(a, b) for a, b in found if text[a:b].strip()]


def parts_of(text: str, start: int, end: int, vocabulary: Vocabulary) -> list[tuple[int, int]]:
    """A member split at 的: modifiers, then the head. 的 inside a known form does not split."""
    inside = [(start + m.start, start + m.end) for m in mentions(text[start:end], vocabulary)]
    found: list[tuple[int, int]] = []
    begin = place = start
    for word in words(text[start:end]):
        stop = place + len(word)
        if word == "的" and not any(a <= place < b for a, b in inside):
            found.append((begin, place))
            begin = stop
        place = stop
    return [*found, (begin, end)]


def strength_of(before: str) -> str:
    """The words of a frame that weigh the wish behind it."""
    return " ".join(match[0] for match in cues.STRENGTH.finditer(before))
