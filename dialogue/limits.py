"""What "too long" says of an item whose length is known: a limit, "shorter than 127 minutes" (METHOD 9.2, 9.3). Pure.

An objection that a column of numbers can measure becomes the limit that the item in question breaks; of several items
that are named the one that all of them break. Said of a list as a whole it is measured against the middle one of it,
and is a wish and no condition: nobody who finds a list too long asks for less than its shortest. It is said in words of
ours behind the user's own, so that it is read as any other wish and a newer limit takes its place; a tighter one that
stands stays. Where no number is known the objection stays as it was said.

"Something shorter" as a whole message says the same of the list as "too long".
"""

import re
from collections.abc import Mapping, Sequence
from statistics import median_high, median_low
from typing import Final, NamedTuple

from dialogue import facts, wording
from dialogue.domain import Domain, Scale
from dialogue.models import DialogueState, EditKind, ItemRef, Mention, StateEdit, Understanding
from dialogue.record import values_of
from pdgf.constraints.columns import Bound, asks_in
from pdgf.glossary import has_han
from pdgf.models import Metadata, normalised

_IRREGULAR: Final = {"far": ("farther", "further")}
_TOO_MUCH: Final = ("太过", "太", "过于", "有点儿", "有点", "有些", "偏", "略", "稍微有点")
# A message of nothing but a comparison: "Something a bit shorter, please", 短一点的
_ALONE: Final = re.compile(
    r"(?:(?:ok|okay|hmm+|well|maybe|perhaps|please|no|but|and|then|now|actually|rather)[,.]?\s+)*"
    r"(?:(?:can|could) (?:you|we|i) )?(?:(?:show|give|find|get|recommend|suggest)(?: (?:me|us))? "
    r"|(?:have|see|try) "
    r"|(?:i|we)(?:['’]d| would)? (?:rather )?(?:like|want|prefer|need|have) "
    r"|(?:do you have|is there|are there|got|(?:how|what) about) )?"
    r"(?:(?:a bit|a little|a lot|much|far|slightly|even|way|rather|something|anything|somewhere|some|one|ones|it|an?"
    r"|any|to be)\s+)*"
    r"(?P<word>[\w -]+?)"
    r"(?:,?\s+(?:one|ones|films?|movies?|books?|novels?|series|shows?|anime|places?|restaurants?|items?|please|instead|though"
    r"|then|than (?:that|this|these|those|them)))*\W*",
    re.IGNORECASE,
)
_ALONE_IN_CHINESE: Final = re.compile(
    r"(?:那|嗯|有没有|有|能不能|可以|来|换|换成|要|想要|想看|想吃|想读|给我|推荐|找|[一几]?[部本家个些])*(?P<more>更|再|稍微|略)?(?P<word>\w{1,6}?)"
    r"(?P<bit>一点儿?|一些|些|点)?(?:的)?(?:电影|片子|书|小说|动画|番|餐厅|店)?(?:吗|吧|呢|就好|嘛)?\W*"
)
LONGEST: Final = 80  # characters of such a message
_FURTHEST: Final = re.compile(r"(?:est|latest)$|^(?:least|most)\b")
_MOST: Final = frozenset((Bound.LESS, Bound.AT_MOST))
_LEAST: Final = frozenset((Bound.MORE, Bound.AT_LEAST))


class Heard(NamedTuple):
    """A reading with its objections as limits, the words that it was read from with those limits behind them, what each
    objection was taken for, and which tighter limit stands already in place of what it would be taken for."""

    reading: Understanding
    text: str
    taken: tuple[tuple[str, str], ...] = ()
    kept: tuple[tuple[str, str], ...] = ()


def measured(
    reading: Understanding,
    text: str,
    state: DialogueState,
    known: Mapping[ItemRef, Metadata],
    domain: Domain,
    *,
    whole: bool = False,
) -> Heard:
    """The reading with a limit for each objection that the numbers of the items `known` to be meant can measure; one
    that a stricter limit of the state goes beyond adds nothing. `whole`: they are a list, and none of them was pointed
    at. An earlier objection of the same words goes."""
    edits, taken, kept = list[StateEdit](), list[tuple[str, str]](), list[tuple[str, str]]()
    further = compared(text, domain)
    for edit in reading.edits:
        adds = edit.kind is EditKind.ADD
        objected = adds and edit.mention is Mention.OBJECTED and edit.avoid
        found = _limit(edit.text, known, domain, whole=whole) if objected else None
        if further is not None and adds and not edit.avoid and normalised(further[0]) in normalised(edit.text):
            whole = True
            found = _limit_on(further[1], known, domain, much=further[2], whole=True)
        if found is None:
            edits.append(edit)
            continue
        scale, words, number, most = found
        key = domain.key_of_fact(scale.metadata) or edit.key
        limits = _standing(state, key, words, domain, most=most)
        stricter = {said: number - at if most else at - number for said, at, _ in limits}
        tighter = next((said for said, by in stricter.items() if by > 0 or (whole and by == 0)), None)
        if tighter is not None:
            kept.append((edit.text, tighter))
            continue
        stop = "。" if has_han(text) else ". "
        # Beside the limit a bare comparison says nothing
        before = "" if edit.mention is not Mention.OBJECTED else text.rstrip(" .!。！") + stop
        text = before + words + stop.strip()
        span = edit.span[0], len(before), len(before) + len(words)
        edits += [
            StateEdit(kind=EditKind.DROP, key=at, text=value.text)
            for at, value, _ in values_of(state)
            if normalised(value.text) == normalised(edit.text)
        ]
        beside = False if whole and any(hard for _, _, hard in limits) else None  # a wish replaces no condition
        edits.append(StateEdit(kind=EditKind.ADD, key=key, text=words, hard=not whole, span=span, replaces=beside))
        taken.append((edit.text, words))
    return Heard(reading.model_copy(update={"edits": tuple(edits)}), text, tuple(taken), tuple(kept))


def _limit(
    said: str, known: Mapping[ItemRef, Metadata], domain: Domain, *, whole: bool
) -> tuple[Scale, str, float, bool] | None:
    """The scale that an objection speaks of, the limit in words, its number, and whether it is the most there may be;
    None where no scale of numbers does, or the number of no item is known."""
    for scale in domain.scales:
        much = speaks_of(said, scale, domain, much=True)
        if scale.order or not (much or speaks_of(said, scale, domain, much=False)):
            continue
        if (found := _limit_on((scale,), known, domain, much=much, whole=whole)) is not None:
            return found
    return None


def _limit_on(
    scales: Sequence[Scale], known: Mapping[ItemRef, Metadata], domain: Domain, *, much: bool, whole: bool
) -> tuple[Scale, str, float, bool] | None:
    """The limit on the first of some scales that places one of the items, for who finds them `much` too far up it."""
    for scale in scales:
        places = (facts.place_on(scale, metadata, item.year) for item, metadata in known.items())
        numbers = [place for place in places if place is not None]
        if numbers:
            middle, extreme = (median_high, min) if much else (median_low, max)
            number = (middle if whole else extreme)(numbers)
            return scale, _in_words(scale, number, domain, most=much), number, much
    return None


def compared(text: str, domain: Domain) -> tuple[str, tuple[Scale, ...], bool] | None:
    """Of a message that asks for more or less of what scales of numbers measure, and for nothing else: its word, the
    scales, and whether the list has too much of it; None of every other."""
    if len(text) > LONGEST:
        return None
    chinese = has_han(text)
    match = (_ALONE_IN_CHINESE if chinese else _ALONE).fullmatch(text.strip())
    if match is None or (chinese and not (match["more"] or match["bit"])):
        return None
    word = normalised(match["word"])
    found: dict[bool, list[Scale]] = {True: [], False: []}
    for scale in domain.scales:
        own = domain.chinese.scales.get(scale.metadata) if chinese and domain.chinese else None
        less, more = (own.less, own.more) if own is not None else ((), ()) if chinese else (scale.less, scale.more)
        if not scale.order and not _FURTHEST.search(word) and word in (*less, *more):
            found[word in less].append(scale)
    much = bool(found[True])
    return (match["word"], tuple(found[much]), much) if found[much] else None


def speaks_of(said: str, scale: Scale, domain: Domain, *, much: bool) -> bool:
    """Whether "too long" is too much, or too little, of what a scale measures."""
    names = scale.more if much else scale.less
    words = normalised(said)
    if has_han(said):
        lead = next((lead for lead in _TOO_MUCH if words.startswith(lead)), "")
        own = domain.chinese.scales.get(scale.metadata) if domain.chinese else None
        return own is not None and words.removeprefix(lead) in (own.more if much else own.less)
    word = words.removeprefix("too ")
    first, _, rest = word.partition(" ")
    forms = {f"{word}er", f"{word}r", f"{word}{word[-1:]}er", f"{word[:-1]}ier", f"more {word}"}
    forms |= {f"more {rest}" if first in ("many", "much") else "", f"fewer {rest}" if first == "few" else ""}
    return not forms.union(_IRREGULAR.get(word, ())).isdisjoint(names)


def _in_words(scale: Scale, number: float, domain: Domain, *, most: bool) -> str:
    """A limit as a user may say it, in the language that is spoken."""
    cut = number if scale.metadata != "year" or most else number + 1
    own = (
        domain.chinese.scales.get(scale.metadata) if wording.language() == wording.CHINESE and domain.chinese else None
    )
    said = (own.below if most else own.above) if own is not None else (scale.below if most else scale.above)
    if said:
        return said.format(cut=f"{cut:g}" if scale.metadata != "year" else str(int(cut)))
    return wording.say("limit.below" if most else "limit.above", name=facts.name_of(scale.metadata), cut=f"{cut:g}")


def _standing(
    state: DialogueState, key: str, words: str, domain: Domain, *, most: bool
) -> list[tuple[str, float, bool]]:
    """The limits of the same side that stand under a key and measure the same as some words: each in the user's words,
    with its number, and whether it is a condition."""
    bounds, measured_by = _MOST if most else _LEAST, {None, *(ask.dimension for ask in asks_in(words))}
    one_column = len(domain.row(key).metadata) == 1
    return [
        (value.text, ask.number, hard)
        for at, value, hard in values_of(state)
        if at == key
        for ask in asks_in(value.text)
        if ask.bound in bounds and (one_column or ask.dimension in measured_by)
    ]
