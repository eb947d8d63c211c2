"""What the metadata of a place says about a wish, all its lines together: yes and no outweigh what single guests say.

A wish of alternatives is met by any of them, an alternative of several things ("Thai with a terrace") by all.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pdgf.constraints.nations import countries_of
from pdgf.constraints.opening import opening_asked
from pdgf.constraints.place_keys import KINDS_OF_PLACES, TOWNS, WHERE
from pdgf.constraints.places import Held, PlaceMention, place_mentions, squeezed
from pdgf.constraints.words import FILLERS, either, without
from pdgf.engines.builtin.features import FeatureReading
from pdgf.engines.builtin.findings import Finding, content_words
from pdgf.engines.builtin.lexicon import cues
from pdgf.engines.builtin.polarity import stem

Lines = Mapping[str, tuple[str, str]]  # a line of metadata -> its key and value

_SAYS_NO_MORE = FILLERS | either(
    "vibe|vibes|related|style|both|deals|hours|love|dining|reviews|would|work|not|without|traditional"
)
_PARTS_OF_WORDS = re.compile(r"[\s-]+")


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """What metadata says in all. `settled` means that nothing else counts; otherwise `at_most` is what notes can add:
    a place that is listed as something else may have a little of what is wished. With `together` no line counts alone.
    """

    finding: Finding | None
    quote: str = ""
    settled: bool = False
    at_most: Finding = Finding.FOR
    together: bool = False


_SILENT = Ruling(finding=None)


def place_ruling(reading: FeatureReading, lines: Lines) -> Ruling:
    """The ruling of an item's lines of metadata on a wish; one without a finding where they do not speak of it."""
    if reading.tolerant or not lines:
        return _SILENT
    if reading.perspective == "location":
        return _SILENT if reading.avoid else _located(reading.focus, lines)
    if len(reading.alternatives) > 1:
        return _SILENT if reading.avoid else _of_alternatives(reading.alternatives, lines)
    if reading.focus.casefold() in cues().nations or countries_of(reading.focus):
        return _of_nation(reading, lines)
    found = _of_words(reading.focus, lines)
    if reading.avoid and found.finding is not None:
        opposite = {Finding.FOR: Finding.AGAINST, Finding.AGAINST: Finding.FOR}.get(found.finding, Finding.PARTLY)
        return Ruling(finding=opposite, quote=found.quote, settled=found.settled)
    return _SILENT if reading.avoid else found


def _of_words(words: str, lines: Lines) -> Ruling:
    """The ruling on what one wish names; what it names besides leaves it open."""
    opening = opening_asked(words)
    if opening is not None:
        return _open(words, lines)
    mentions = place_mentions(words)
    read = [_of_mention(mention, lines) for mention in mentions]
    known = [ruling for ruling in read if ruling.finding is not None]
    if not known:
        return Ruling(finding=None, at_most=min((ruling.at_most for ruling in read), default=Finding.FOR))
    worst = min(known, key=lambda ruling: ruling.finding or Finding.AGAINST)
    whole = len(known) == len(read) and not _rest(words, mentions)
    if worst.finding is Finding.FOR and not whole:
        return Ruling(finding=Finding.PARTLY, quote=worst.quote)
    return Ruling(finding=worst.finding, quote=worst.quote, settled=worst.finding is not Finding.PARTLY)


def _of_mention(mention: PlaceMention, lines: Lines) -> Ruling:
    at_most = Finding.FOR
    for line, (key, value) in lines.items():
        if squeezed(key) not in mention.fact.keys:
            continue
        held = mention.fact.read(value)
        if held is None:
            if mention.fact.listed:
                at_most = Finding.PARTLY
                if not mention.wanted:
                    return Ruling(finding=Finding.FOR, quote=line)
            continue
        finding = Finding(held if mention.wanted else Held.YES - held)
        if mention.needless and finding is Finding.AGAINST:
            finding = Finding.PARTLY
        if not mention.implied:
            return Ruling(finding=finding, quote=line)
        if finding is Finding.FOR:
            return Ruling(finding=Finding.PARTLY, quote=line)
    return Ruling(finding=None, at_most=at_most)


def _of_alternatives(parts: tuple[str, ...], lines: Lines) -> Ruling:
    """The best of the alternatives; where none holds by metadata, notes can add a part."""
    read = [_whole_part(part, lines) for part in parts]
    known = [ruling for ruling in read if ruling.finding is not None]
    best = max(known, key=lambda ruling: ruling.finding or Finding.AGAINST, default=_SILENT)
    if best.finding is Finding.FOR:
        return Ruling(finding=Finding.FOR, quote=best.quote, settled=True)
    if best.finding is Finding.AGAINST and len(known) == len(read):
        return Ruling(finding=Finding.AGAINST, quote=best.quote, settled=True)
    stated = bool(known) or any(ruling.at_most is Finding.PARTLY for ruling in read)
    return Ruling(
        finding=best.finding if best.finding is Finding.PARTLY else None,
        quote=best.quote,
        at_most=Finding.PARTLY if stated else Finding.FOR,
        together=any(place_mentions(part) for part in parts),
    )


def _whole_part(part: str, lines: Lines) -> Ruling:
    """The ruling on one alternative, of which everything must hold: what it names, and what kind of place it is."""
    mentions = place_mentions(part)
    read = [_of_mention(mention, lines) for mention in mentions]
    rest = _rest(part, mentions)
    if rest:
        read.append(_of_kind(rest, lines))
    known = [ruling for ruling in read if ruling.finding is not None]
    if not known:
        return Ruling(finding=None, at_most=min((ruling.at_most for ruling in read), default=Finding.FOR))
    worst = min(known, key=lambda ruling: ruling.finding or Finding.AGAINST)
    if worst.finding is Finding.FOR and len(known) < len(read):
        return Ruling(finding=Finding.PARTLY, quote=worst.quote)
    return worst


def _of_kind(words: tuple[str, ...], lines: Lines) -> Ruling:
    """Whether the place is listed as what the words name."""
    for line, (key, value) in lines.items():
        if squeezed(key) in KINDS_OF_PLACES and _holds(value, words):
            return Ruling(finding=Finding.FOR, quote=line)
    return Ruling(finding=None)


def _of_nation(reading: FeatureReading, lines: Lines) -> Ruling:
    """Whether a cuisine is among those a place is listed under; under others it has at most something of it."""
    words = content_words(reading.focus)
    found = _of_kind(words, lines)
    if found.finding is Finding.FOR:
        return Ruling(finding=Finding.AGAINST if reading.avoid else Finding.FOR, quote=found.quote, settled=True)
    listed = any(squeezed(key) in KINDS_OF_PLACES for key, _ in lines.values())
    return Ruling(finding=None, at_most=Finding.PARTLY if listed else Finding.FOR)


def _located(focus: str, lines: Lines) -> Ruling:
    """Whether a place lies where it is wished: the whole of it in one line, or the town in one and the rest in another.

    The right town with a district that no line states is a part of it, which notes can complete.
    """
    here = {line: value for line, (key, value) in lines.items() if squeezed(key) in WHERE}
    for line, value in here.items():
        if _stands_in(focus, value):
            return Ruling(finding=Finding.FOR, quote=line, settled=True)
    for line, (key, value) in lines.items():
        if squeezed(key) not in TOWNS or not _stands_in(value, focus):
            continue
        rest = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", " ", focus, flags=re.IGNORECASE).strip(" ,")
        whole = next((other for other, said in here.items() if rest and _stands_in(rest, said)), None)
        if whole is not None:
            return Ruling(finding=Finding.FOR, quote=whole, settled=True)
        return Ruling(finding=Finding.PARTLY, quote=line)
    return _SILENT


def _open(words: str, lines: Lines) -> Ruling:
    asked = opening_asked(words)
    verdicts = [
        (verdict, line)
        for line, (key, value) in lines.items()
        if asked is not None and (verdict := asked.met_by(key, value)) is not None
    ]
    if not verdicts:
        return _SILENT
    if asked is not None and not asked.days:  # "open late" without a day: on most days
        met = [line for verdict, line in verdicts if verdict]
        enough = 2 * len(met) >= len(verdicts)
        return Ruling(
            finding=Finding.FOR if enough else Finding.AGAINST, quote=(met or [verdicts[0][1]])[0], settled=True
        )
    failed = next((line for verdict, line in verdicts if not verdict), None)
    finding = Finding.FOR if failed is None else Finding.AGAINST
    return Ruling(finding=finding, quote=failed or verdicts[0][1], settled=True)


def _rest(words: str, mentions: tuple[PlaceMention, ...]) -> tuple[str, ...]:
    """The content words beside what is named."""
    left = without(words, [(mention.start, mention.end) for mention in mentions])
    parts = _PARTS_OF_WORDS.sub(" ", left)
    return tuple(word for word in content_words(parts) if word not in _SAYS_NO_MORE)


def _holds(value: str, words: tuple[str, ...]) -> bool:
    return all(re.search(rf"(?<!\w){re.escape(stem(word))}", value, re.IGNORECASE) for word in words)


def _stands_in(words: str, text: str) -> bool:
    return bool(words) and bool(re.search(rf"(?<!\w){re.escape(words.casefold())}(?!\w)", text.casefold()))
