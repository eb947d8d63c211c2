"""What is said of something only in case it is there: "the romance, if there is any, should stay in the background".

Such words ask for no romance (METHOD 4.2, negative wishes are qualifications): what is to be small where it is there is
wanted "not mostly", and of what is to be of some kind only the kind is wished.
"""

import re
from dataclasses import dataclass

_THING = r"(?P<thing>(?:(?!\b(?:with|and|but|about|without|has|have)\b)[^,.;:!?()]){2,40}?)"
_BE = r"(?:should|must|may|can|has to|have to|needs? to|ought to|would|shall|is to|are to)"
_STAYS = r"(?:(?:only|just|please|rather|always|really)\s+)*(?:be|stay|remain|keep|take|happen|come|feel|play)\b"
_HOW = r"(?P<how>[^.;!?]*?)(?=\s*(?:[.;!?]|,\s*(?:and|but|no|not|with|ideally|preferably)\b|\bbut\b|$))"
_IF_THERE = r"if there(?:['’]s| is| are| has to be| have to be| must be)"
IF_ANY = (
    r"(?:if (?:there(?:['’]s| is| are| has to be| have to be| must be| should be) )?"
    r"(?:any|some|one|at all)(?: of it| at all)?"
    r"|if (?:it|they)(?:['’]s|['’]re| is| are) (?:in )?(?:there|present|included|in it)|if present|if included)"
)
_START = r"(?:^|(?<=[,.;:!?(])|\b(?:and|but|with|also|has|have))\s*"
_SHALL = rf"{_BE}\s+{_STAYS}"
_PATTERNS = tuple(  # gaps are short: thousands of spaces would be tried in every way
    re.compile(pattern.replace(r"\s*", r"\s{0,3}").replace(r"\s+", r"\s{1,3}"), re.IGNORECASE)
    for pattern in (
        rf"{_START}{_THING}\s*[,(]?\s*{IF_ANY}\s*[,)]?\s*(?:then\s+)?(?:{_SHALL})?\s*{_HOW}",
        rf"\b{_IF_THERE}\s+{_THING}\s*,?\s+(?:then\s+)?(?:it|they|that|this)\s+(?:{_SHALL}|{_BE})\s*{_HOW}",
        rf"(?:^|(?<=[.;!?]))\s*{_THING},\s+(?:then\s+)?(?:it|they)\s+{_SHALL}\s*{_HOW}",
        rf"\bany (?P<thing>[^,.;:!?()]{{2,30}}?)\s+{_SHALL}\s*{_HOW}",
    )
)
_SMALL = re.compile(
    r"\b(?:background|back ?seat|sub-?plots?|side|sidelines?|margins?|minor|secondary|subtle|subdued|slight|mild"
    r"|minimal|minimum|brief|briefly|short|rare|rarely|small|little|discreet|tasteful|off[- ]?screen|offstage"
    r"|off the page|implied|hinted|understated|low[- ]key|restrained|kept (?:down|low)|not|never|n['’]t|bloodless"
    r"|harmless|light)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Conditional:
    """Half-open offsets of a thing, of how it is to be where it is there, and whether it is to be small there."""

    thing: tuple[int, int]
    how: tuple[int, int]
    small: bool


def conditionals(text: str) -> tuple[Conditional, ...]:
    """What a text says of things in case they are there, in order and apart."""
    found: list[Conditional] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            how = match["how"].strip()
            if how and not any(match.start("thing") < each.how[1] and each.thing[0] < match.end() for each in found):
                small = bool(_SMALL.search(how))
                found.append(Conditional(thing=match.span("thing"), how=match.span("how"), small=small))
    return tuple(sorted(found, key=lambda each: each.thing))
