"""A party told by its parts, which are summed: "two adults and a child of seven", 两大一小. Pure."""

import re
from collections.abc import Iterator

from pdgf.constraints.amounts import number_said
from pdgf.glossary.numbers import number_of

Party = tuple[int, tuple[int, int]]  # how many, and the half-open offsets of the words

_NUMBER = r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_MANY = (
    r"(?:players|people|persons|guests|adults|grown-?ups|friends|kids|children|toddlers|babies|teenagers|teens|boys|girls"
    r"|sons|daughters|students|seniors|colleagues|parents|grandparents|others|more)"
)
_SINGLE = (
    r"(?:adult|grown-?up|child|kid|toddler|baby|teenager|teen|boy|girl|friend|wife|husband|partner|girlfriend|boyfriend|son"
    r"|daughter|brother|sister|mother|mum|mom|father|dad|niece|nephew|cousin|uncle|aunt|grandmother|grandma|granny"
    r"|grandfather|grandpa|grandad|guest|player|colleague|flatmate|roommate|student|neighbou?r)"
)
_OLD = rf"{_NUMBER}[\s-]years?[\s-]olds?"
_NO_PART = rf"(?!\s+(?:of us|(?:[a-z'-]+\s+)?{_MANY}|years?[\s-]olds?))"
_AGED = (
    rf"(?:\s*[(,]?\s*(?:of|aged?|who is|\()\s*{_NUMBER}(?:\s*(?:,|and|&)\s*{_NUMBER}{_NO_PART})*"
    r"(?:\s+years?(?:\s+old)?)?\b\)?)?"
)
_WORD = r"(?:(?!and\b|with\b|or\b|of\b|for\b)[a-z'-]+\s+)"
_PART = (
    rf"(?:(?:the\s+)?{_NUMBER}\s+of\s+us\b|(?:(?:my|our|the)\s+)?{_NUMBER}\s+{_WORD}?{_MANY}\b{_AGED}|{_NUMBER}\s+{_OLD}\b"
    rf"|(?:one|an?|my|our|another)\s+(?:{_OLD}\b(?:\s+{_SINGLE}\b)?|{_WORD}?{_SINGLE}\b{_AGED})"
    r"|(?:my|our)\s+(?:grand)?parents\b|a\s+couple\b(?!\s+of)|me\b|i\b|myself\b)"
)
_AND = r"\s*(?:,\s*and|,|and|&|\+|plus|with)\s*"
_TOLD = re.compile(
    rf"(?<![\w$€£.-])(?P<told>(?:for|just|only|we\s+are|we're|there\s+are|there's|of)\s+)?{_PART}(?:{_AND}{_PART})+"
)
_COUNTED = re.compile(
    rf"(?<![\w-])(?P<us>{_NUMBER})\s+of\s+us\b|(?<![\w-])(?P<many>{_NUMBER})\s+(?={_WORD}?{_MANY}|{_OLD})"
    rf"|(?<![\w-])one\s+(?={_SINGLE}\b)"
)
_EACH_PART = re.compile(_PART)

_ZH_NUMBER = r"(?:\d{1,2}|[一二两俩三四五六七八九十]+)"
_ZH_WHO = r"(?:大人|成年人|成人|孩子|小孩|小朋友|宝宝|儿子|女儿|朋友|同事|同学|老人|客人|玩家|室友)"
_ZH_PART = (
    rf"(?:(?P<n>{_ZH_NUMBER})[个位名](?:{_ZH_NUMBER}岁(?:大|左右)?的?)?{_ZH_WHO}(?:[（(]?{_ZH_NUMBER}岁[)）]?)?"
    r"|(?P<two>我们俩|我俩|夫妻俩|夫妻二人|两口子)|(?P<me>我(?:自己)?))"
)
_ZH_NO_NAMES = re.sub(r"\?P<\w+>", "?:", _ZH_PART)
_ZH_TOLD = re.compile(rf"{_ZH_NO_NAMES}(?:\s*(?:和|跟|与|加上?|带着?|外加|再加|还有|、|，|,)?\s*{_ZH_NO_NAMES})+")
_ZH_EACH_PART = re.compile(_ZH_PART)
_ZH_LARGE_AND_SMALL = re.compile(rf"(?P<large>{_ZH_NUMBER})大(?P<small>{_ZH_NUMBER})小")


def parties(said: str) -> Iterator[Party]:
    """The parties of an English text in lower case that are told by their parts. One of single persons counts only
    where words say that something is for them: "my brother and I grew up with it" seats nobody."""
    for match in _TOLD.finditer(said):
        if match["told"] or _COUNTED.search(match[0]):
            parts = _EACH_PART.finditer(said, match.end("told") if match["told"] else match.start(), match.end())
            yield sum(_size(part[0]) for part in parts), match.span()


def chinese_parties(said: str) -> Iterator[Party]:
    """The same of a Chinese text."""
    for match in _ZH_LARGE_AND_SMALL.finditer(said):
        numbers = number_of(match["large"]), number_of(match["small"])
        yield sum(int(number or 0) for number in numbers), match.span()
    for match in _ZH_TOLD.finditer(said):
        parts = list(_ZH_EACH_PART.finditer(match[0]))
        if any(part["n"] for part in parts):
            yield sum(2 if part["two"] else int(number_of(part["n"] or "一") or 0) for part in parts), match.span()


def _size(part: str) -> int:
    counted = _COUNTED.search(part)
    if counted:
        return int(number_said(counted["us"] or counted["many"] or "one"))
    return 2 if re.search(r"parents$|^a\s+couple", part) else 1
