"""For how many people something shall be: "for two", "a 4-player game", "three to five of us", "solo". Pure."""

import re
from collections.abc import Iterator

from pdgf.constraints.amounts import number_said
from pdgf.constraints.columns.bounds import Ask, Bound
from pdgf.constraints.columns.words import Dimension

_COUNT = r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty)"
_WHO = (
    r"(?:players?|people|persons?|guests?|adults?|participants?|friends|of us|students|kids|children|grown-?ups|heads)"
)
_RANGE = rf"(?P<low>{_COUNT})\s*(?:-|to|or)\s*(?P<high>{_COUNT})"
_GOES_ON = (
    r"(?=\s*(?:$|[,.;:!?)]|(?:and|but|that|which|with|in|on|under|at|who|to|please|or|from|by|near|around|instead|then"
    r"|now|tonight|today|because|so|plus|not|only|rather)\b))"
)
_FROM_TO = re.compile(
    rf"(?<![\w$€£.]){_RANGE}[\s-]*{_WHO}\b|\bfor\s+(?P<low2>{_COUNT})\s*(?:-|to|or)\s*(?P<high2>{_COUNT}){_GOES_ON}"
)
_LIMIT = re.compile(
    rf"\b(?:(?P<least>at least|a minimum of|minimum|more than|over)|(?P<upto>up to)"
    rf"|(?P<most>at (?:the )?most|no more than|not more than|fewer than|less than|under|a maximum of|max(?:imum)?))\s+"
    rf"(?P<number>{_COUNT})\s+{_WHO}\b"
)
_OR_MORE = re.compile(rf"(?<![\w$€£.])(?P<number>{_COUNT})(?:\s*\+|\s+or more)\s*{_WHO}\b")
_EXACT = re.compile(
    rf"\bfor\s+(?:just\s+|only\s+|exactly\s+|the\s+)*(?P<for>{_COUNT}){_GOES_ON}"
    rf"|\b(?:sleeps?|sleeping|seats?|seating|accommodates?|fits?|(?:room|space|enough) for)\s+(?P<room>{_COUNT})\b"
    rf"|\b(?:plays?|works?|good|great|best|fun)\s+(?:\w+\s+){{0,2}}?(?:with|for|at)\s+(?P<with>{_COUNT}){_GOES_ON}"
    rf"|(?<![\w$€£.-])(?P<who>{_COUNT})[\s-]+{_WHO}\b"
    rf"|\b(?:group|party|family|team)\s+of\s+(?P<group>{_COUNT})\b"
    rf"|\bwe(?:'re| are)\s+(?:a\s+(?:group|party|family)\s+of\s+)?(?P<we>{_COUNT}){_GOES_ON}"
)
_ALONE = re.compile(
    r"\b(?:solo(?:\s+(?:play|mode|game|gaming|hiker|traveller|traveler))?|by myself|on my own|just me|for one person"
    r"|single[\s-]player)\b"
)
_COUPLE = re.compile(rf"\bfor\s+(?:a\s+couple|couples|a\s+pair|the\s+two\s+of\s+us|my\s+\w+\s+and\s+me){_GOES_ON}")


def people_asks(said: str) -> Iterator[list[Ask]]:
    """The asks of lower-case words; more words for the same number are passed over by whoever collects them."""
    for match in _FROM_TO.finditer(said):
        ends = [match.group(name) or match.group(f"{name}2") for name in ("low", "high")]
        yield [_covers(number_said(end), match) for end in ends]
    for match in _LIMIT.finditer(said):
        number = number_said(match["number"])
        if match["most"]:
            strict = match["most"] in ("fewer than", "less than", "under")
            yield [_ask(Bound.LESS if strict else Bound.AT_MOST, number, match)]
        else:
            yield [_covers(number + (match["least"] in ("more than", "over")), match)]
    for match in _OR_MORE.finditer(said):
        yield [_covers(number_said(match["number"]), match)]
    for match in _EXACT.finditer(said):
        told = next(found for name in ("for", "room", "with", "who", "group", "we") if (found := match.group(name)))
        yield [_covers(number_said(told), match)]
    for match in _ALONE.finditer(said):
        yield [_covers(1.0, match)]
    for match in _COUPLE.finditer(said):
        yield [_covers(2.0, match)]


def _covers(number: float, match: re.Match[str]) -> Ask:
    return _ask(Bound.COVERS, number, match)


def _ask(bound: Bound, number: float, match: re.Match[str]) -> Ask:
    return Ask(dimension=Dimension.PEOPLE, bound=bound, number=number, span=match.span())
