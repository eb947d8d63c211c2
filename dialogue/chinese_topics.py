"""Chinese words by which a conversation goes on in another domain (换成找书吧, 推荐一本小说, 聊聊餐厅). Pure."""

import re
from functools import cache
from typing import Final

from dialogue.domain import Domain
from dialogue.spans import clauses
from pdgf.glossary import folded

_LEAD: Final = (
    r"(?:(?:好的?|行|嗯+|那么?|谢谢(?:你|啦)?|现在|接下来|其实|对了|这次|另外|然后|不如|干脆|再|也|请|麻烦|帮我|ok)"
    r"[,，。\s]*)*"
)
_MEASURE: Final = r"(?:一|几|两|点|些|个|部|本|家|套)*"
_KIND: Final = r"(?P<kind>(?:(?!讲|关于|改编|里|像|类似|适合看|不要|别)[^,，。.!！?？《》\s]){0,10}?)"
_LIKE: Final = r"(?:(?:跟|和|与|像)?(?:这些?|那些?|它|刚才的?)?(?:类似|差不多|一样|同样风格)的?)?"
_CLOSE: Final = r"(?:吧|了|啊|呀|呢|吗|怎么样|行吗|好吗|推荐|可以吗|看看|[?？。.!！\s])*"
_NO_NOUN_AFTER: Final = r"(?!的(?!吧|吗|呢|$)|店|馆里|里|中|改编|原著|版|作者|城|迷|院|节|音乐|文化|主题)"
# Before a noun that is part of another word, or of what somebody does: 照片, 秘书, 找个地方看书, 两个人开餐厅
_PART: Final = re.compile(r"(?:[照图名卡唱薯相底切药芯刀秘证遗情念教写讲演拍开]|(?<![好耐])[看读])$")
_OUTRIGHT: Final = (
    r"(?:我们|咱们?|还是)?(?:换成|换到|改成|改为|转到|切换到?|换个话题|换|改)(?:去)?(?:找|看|聊|推荐|说)?@",
    r"(?:我们|咱们?)?(?:来)?(?:聊聊|聊一?下|说说|谈谈|聊|看看|说一?下)@",
)
_TOLD: Final = (
    r"(?:我|我们)?(?:还)?(?:想|要|想要|需要|打算)(?:再)?(?:找|看|读|去|吃|订)?@",
    r"(?:能不能|能|可以|可不可以)?(?:给我|帮我|替我)?(?:推荐|介绍|找|来|求)(?:我)?@",
    r"(?:有没有|有什么|有)@",
    r"@(?=(?:有没有|有什么|呢|怎么样|推荐))",
)
_SAME: Final = re.compile(
    r"(?:(?:跟|和|与|像)?(?:这些?|那些?|它们?|刚才的?|上面的?)?(?:类似|差不多|一样|同样|同类)的?(?:风格|心情|感觉|类型|要求|题材)?(?:的)?"
    r"|(?:这样|那样|这种|那种)的?|要求(?:不变|一样|照旧))"
)


def going_over(text: str, domain: Domain, *, outright: bool) -> re.Match[str] | None:
    """Where a clause of the text goes over to a domain, with its groups `kind` and `noun`; `outright`: only in words
    for going over to it."""
    if domain.chinese is None or not domain.chinese.nouns:
        return None
    words = folded(text)
    shapes = _shapes(domain.chinese.nouns, outright=outright)
    found = (shape.match(words, start) for start, _ in clauses(words) for shape in shapes)
    return next((match for match in found if match and names_a_kind(match)), None)


def names_a_kind(match: re.Match[str]) -> bool:
    """Whether the noun of a match stands for itself, not for part of the word or the act before it."""
    return not _PART.search(match["kind"])


def same(text: str, start: int, end: int | None = None) -> re.Match[str] | None:
    """Words that refer to the wishes so far (类似的书)."""
    return _SAME.search(text, start, len(text) if end is None else end)


@cache
def _shapes(nouns: str, *, outright: bool) -> tuple[re.Pattern[str], ...]:
    form = rf"{_MEASURE}{_LIKE}{_KIND}(?:的)?(?P<noun>{nouns}){_NO_NOUN_AFTER}"
    return tuple(
        re.compile(rf"\W*{_LEAD}{shape.replace('@', form)}{_CLOSE}", re.IGNORECASE)
        for shape in (_OUTRIGHT if outright else (*_OUTRIGHT, *_TOLD))
    )
