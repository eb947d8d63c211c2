"""Words that bid a turn keep to the catalogue ("only my catalogue, please"), heard whatever the engine. Pure."""

import re
from typing import Final, NamedTuple

_OWN: Final = r"(?:my|our|the|your)(?: own)? (?:catalog(?:ue)?|collection|library|data(?:base)?|items|notes)"
_WEB: Final = r"the (?:open )?(?:web|internet)(?: search)?"
_LOOK: Final = r"(?:(?:use|search|look in|look at|ask|from|in|with|stick to|keep to) )?"
_SEARCH: Final = r"(?:(?:searching|using|asking|search|looking on|look on|from) )?"
_ENGLISH: Final = (
    rf"(?:just |only )+{_LOOK}{_OWN}(?: only)?",
    rf"{_LOOK}{_OWN} (?:only|alone)",
    rf"(?:stick|keep) to {_OWN}",
    rf"(?:without|no|not|skip|leave out) {_SEARCH}{_WEB}",
    rf"(?:do not|don['’]?t) (?:search|use|ask|look on|look at|look in|go to|go on) {_WEB}",
    r"(?:without|no|skip the) web search",
    r"offline only",
)
_CHINESE: Final = (
    r"(?:请)?(?:只|仅|就)(?:用|看|查|从|在|搜)?(?:我的|自己的|本地的?|你的)?(?:目录|片库|书库|资料库|收藏|数据)"
    r"(?:里|中)?(?:的|找|推荐|搜)?(?:就行|就好|就可以)?",
    r"(?:请)?(?:不要|别|不用|无需)(?:再)?(?:上网|联网|搜网|查网|搜索网络|网络搜索)(?:了|搜索|查)?",
)
_ASKED: Final = re.compile(
    rf"(?:\b(?:and |but |please,? |this time,? )*(?:{'|'.join(_ENGLISH)})\b(?:,? (?:please|this time|for now|now))*"
    rf"|{'|'.join(_CHINESE)})[，。,.!！;；]?",
    re.IGNORECASE,
)


class Heard(NamedTuple):
    """What is left of an utterance, in its old places, and whether it keeps to the user's own catalogue."""

    text: str
    own_only: bool


def heard(utterance: str) -> Heard:
    """The utterance with such words blanked out: they are said to the system and are no wish."""
    text, found = _ASKED.subn(lambda match: " " * len(match.group()), utterance)
    return Heard(text, bool(found))
