"""What a clause of Chinese text wants: the members of its lists, their modifiers, how and when (METHOD 12)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pdgf.engines.builtin.chinese import cues
from pdgf.engines.builtin.chinese.meant import meant_here
from pdgf.engines.builtin.chinese.wishes import (
    Core,
    Link,
    Piece,
    Wish,
    as_it_stands,
    beside_likeness,
    core_of,
    members,
    parts_of,
    pieces_of,
    strength_of,
    unknown_wish,
)
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Aspect

FEWEST_SAID = 3  # characters of a clause before 的 that says something by itself


@dataclass(kw_only=True)
class Reader:
    """Reads the clauses of one stretch. `text` is the folded stretch with what was read blanked, position by position;
    `offset` is where it stands in the narrative."""

    narrative: str
    text: str
    offset: int
    vocabulary: Vocabulary
    wishes: list[Wish] = field(default_factory=list)
    last_head: int | None = None
    left: list[str] = field(default_factory=list)  # of which nothing was read
    denied: bool = False  # the clause before refused something

    def add(self, wish: Wish) -> int:
        """Keep a wish, its pieces as they are meant of items of this kind; its place in the list of all."""
        wish.pieces = [meant_here(piece, wish, self.narrative, self.vocabulary) for piece in wish.pieces]
        self.wishes.append(wish)
        return len(self.wishes) - 1


def read_wanted(reader: Reader, begin: int, stop: int, *, hard: bool, soft: bool) -> None:
    """Add the wishes of a stretch that refuses nothing."""
    text = reader.text
    asked = bool(cues.WANT.search(text, begin, stop) or cues.DESCRIBES.search(text[begin:stop]))
    role = cues.ROLE.search(text, begin, stop)
    if role:
        _plays_a_role(reader, role, begin, stop, asked, hard=hard, soft=soft)
        return
    when = cues.WHEN.search(text, begin, stop)
    through = None if when else cues.THROUGH.search(text, begin, stop) or cues.RELIES.search(text, begin, stop)
    if when:
        places = _listed(reader, begin, when.start(), asked, hard, soft)
        places += _listed(reader, when.end(), stop, asked, hard, soft)
        base = next((p for p in places if reader.wishes[p].can_be_qualified), reader.last_head)
        _qualified(reader, when.span("when"), base, when["cue"], Aspect.CONDITION, hard=hard, soft=soft)
        return
    if through:
        places = _listed(reader, begin, through.start(), asked, hard, soft)
        further = _listed(reader, through.end(), stop, True, hard, soft)
        heads = [p for p in (*reversed(places), *further) if reader.wishes[p].can_be_qualified]
        base = next(iter((*heads, *reversed(places), *further)), reader.last_head)
        _qualified(reader, through.span("how"), base, through["cue"], Aspect.MANNER, hard=hard, soft=soft)
        return
    _listed(reader, begin, stop, asked, hard, soft)


def _plays_a_role(
    reader: Reader, role: re.Match[str], begin: int, stop: int, asked: bool, *, hard: bool, soft: bool
) -> None:
    """以书信为线索的爱情: what something is built on, said of what follows."""
    _listed(reader, begin, role.start(), asked, hard, soft)
    kind = "setting" if role["role"] in ("舞台", "背景") else "theme"
    further = len(reader.wishes)
    own = _listed(reader, *role.span("what"), True, hard, soft, sure=True)
    for place in own:
        wish = reader.wishes[place]
        if wish.head.perspective in ("theme", "setting"):
            wish.pieces = [replace(piece, perspective=kind) for piece in wish.pieces]
    places = _listed(reader, role.end(), stop, asked, hard, soft)
    base = next((place for place in places if reader.wishes[place].can_be_qualified), None)
    for place in range(further, further + len(own)):
        wish = reader.wishes[place]
        if base is not None and wish.link is None and not wish.quantity:
            wish.link = Link(base=base, cue=f"以…{role['cue']}", aspect=Aspect.MANNER, confidence=0.8)


def _qualified(
    reader: Reader, span: tuple[int, int], base: int | None, cue: str, aspect: Aspect, *, hard: bool, soft: bool
) -> None:
    """The wishes of a stretch that says how or when, tied to their base."""
    for place in _listed(reader, *span, True, hard, soft, sure=True):
        wish = reader.wishes[place]
        if base is not None and base != place and wish.link is None and not wish.quantity:
            wish.link = Link(base=base, cue=cue, aspect=aspect, confidence=0.9)


def _listed(
    reader: Reader, begin: int, stop: int, asked: bool, hard: bool, soft: bool, *, sure: bool = False
) -> list[int]:
    """The wishes of a stretch, member by member, as their places in the list of all."""
    found: list[int] = []
    for start, end in members(reader.text, begin, stop, reader.vocabulary):
        found += _member(reader, start, end, asked=asked, hard=hard, soft=soft, sure=sure)
    return found


def _member(reader: Reader, start: int, end: int, *, asked: bool, hard: bool, soft: bool, sure: bool) -> list[int]:
    """One member of a list: modifiers before 的 and their head."""
    parts = parts_of(reader.text, start, end, reader.vocabulary)
    places: list[int] = []
    inner: list[int] = []  # wishes within which the head stands: 爱情里的对话
    cores = [core_of(reader.text, a, b, reader.vocabulary) for a, b in parts]
    last = max((number for number, core in enumerate(cores) if core is not None), default=-1)
    for number, (a, b) in enumerate(parts):
        head = number >= last
        within = cues.PART.search(reader.text[a:b]) if not head else None
        if within:
            b = a + within.start()
        between = within is not None and within[0] in ("之间", "中间")
        core = core_of(reader.text, a, b, reader.vocabulary)
        if core is None or not core.found:
            core = as_it_stands(reader.text, a, b, core, whole=sure or not head)
        liked = core and beside_likeness(core, reader.text, reader.vocabulary)
        core = liked or (core if last <= 0 else None)  # 像村上春树那样的小说: nothing else is asked for
        if core is None:
            continue
        says = not head and core.end - core.start >= FEWEST_SAID  # 一位失去听力的音乐家, whatever asks for her
        plainly = sure or says or (asked and (len(parts) > 1 or _follows_frame(core)))
        if not core.found and not unknown_wish(core, reader.text, asked=plainly):
            continue
        places.append(_wanted(reader, core, hard=hard, soft=soft))
        if within and not between:
            inner.append(places[-1])
        elif head and len(places) > 1:
            _tie_to_head(reader, places, inner)
    return places


def _follows_frame(core: Core) -> bool:
    """Whether the words stand right behind what asks for them ("想吃小龙虾")."""
    return bool(re.search(r"[想要看吃找求荐欢讲爱]|[部本家个碗份]$", core.before))


def _wanted(reader: Reader, core: Core, *, hard: bool, soft: bool) -> int:
    pieces, topic_first, either = pieces_of(core, reader.text, reader.offset, "theme")
    pieces, prominence = _without_prominence(pieces)
    strength = strength_of(core.before)
    said = pieces[0].start if pieces else reader.offset + core.start
    weighed = re.search(rf"(?:{cues.STRENGTH.pattern})$", core.before)
    if weighed and said == reader.offset + core.start:
        said -= len(weighed[0])
    wish = Wish(
        pieces=pieces or ([prominence] if prominence else []),
        said_from=said,
        hard=hard,
        soft=soft,
        strength=strength,
        either=either,
        topic_first=topic_first and len(pieces) > 1,
    )
    place = reader.add(wish)
    if prominence is not None and pieces:
        cue = _between(reader, pieces[-1].end, prominence.start)
        link = Link(base=place, cue=cue, confidence=0.9)
        reader.add(Wish(pieces=[prominence], said_from=prominence.start, hard=hard, soft=soft, link=link))
    return place


def _without_prominence(pieces: list[Piece]) -> tuple[list[Piece], Piece | None]:
    """爱情只是副线: the part that something plays is a wish about it."""
    if pieces and pieces[-1].perspective == "prominence":
        return pieces[:-1], pieces[-1]
    return pieces, None


def _between(reader: Reader, start: int, end: int) -> str:
    return reader.narrative[start:end].strip() or "是"


def _tie_to_head(reader: Reader, places: Sequence[int], inner: Sequence[int]) -> None:
    head = reader.wishes[places[-1]]
    for place in places[:-1]:
        wish = reader.wishes[place]
        if place in inner:
            if head.link is None and wish.can_be_qualified:
                head.link = Link(base=place, cue="里的", confidence=0.8)
        elif wish.link is None and head.can_be_qualified and wish.can_qualify(head):
            wish.link = Link(base=places[-1], cue="的", aspect=Aspect.MANNER)
