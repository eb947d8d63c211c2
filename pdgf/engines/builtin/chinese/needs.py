"""What somebody at the table cannot do, eat or bear, said of them and not of the place, as the wish that it comes to.

走不了楼梯 asks for a place without steps, 怀孕了不能吃生的 for one without raw food. Only where items are places: of a
film such words are a story.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pdgf.engines.builtin.chinese.wishes import Piece, Wish

_STEPS = r"(?:楼梯|台阶|阶梯|楼)"
_CANNOT = r"(?:不太?方便|不便|没法|没办法|无法|不能|不好|很难|难以|走不动|不适合)"
_BADLY = r"(?:都|也|有点|有些|不太|不是很|不怎么|不|很|比较|特别|非常|最近)*"
_FEET = (
    rf"(?:(?:走|爬|上|下)不(?:了|动|去|上)(?:太多|很多|高)?的?{_STEPS}"
    rf"|{_CANNOT}(?:上下|上|下|爬|走)(?:太多|很多)?{_STEPS}"
    + rf"|(?:上下|爬|走|上){_STEPS}{_BADLY}(?:方便|便|行|困难|费劲|吃力|费力|难)"
    + rf"|(?:腿脚|腿|膝盖|脚|行动|走路|走动|行走|腰腿){_BADLY}(?:好|方便|便|利索|灵便|利落|受伤|有问题|困难|骨折|疼|痛)"
    r"(?:使)?|(?:坐|用|推|靠)着?轮椅|轮椅(?:出行|人士|使用者)|(?:拄|撑|用)着?拐杖?|残疾人?|残障人?士?"
    r"|(?:腿|脚|膝盖|髋)?(?:刚)?(?:骨折|断了|崴了|扭了)|(?:推|带)着?(?:婴儿车|童车|儿童推车|推车))"
)
_FOOD = r"(?:的?(?:东西|食物|海鲜|鱼片?|牛?肉|料理|菜))"
_RAW = (
    r"(?:不能|不可以|不可|不敢|不想|不爱|不喜欢|没法|无法|不方便|忌|别|勿|不要|少|不|避免|避开)"
    r"(?:再)?(?:吃|碰|来|有|沾|上|点)*(?:任何|太多)?"
    rf"(?P<raw>生(?:{_FOOD}|食|冷(?:的?(?:食物|东西))?|腌的?|鲜的?|的)|刺身)"
)
_RAW_AFTER = (
    rf"(?<![陌先学医人出发花落新卫野民养一服])(?P<raw>生(?:{_FOOD}|食|冷(?:的?(?:食物|东西))?|的))(?:我|都|也|一律|完全)*"
    r"(?:吃不了|不能吃|不可以吃|不敢吃|不吃|不要|不行|不碰)"
)
_MEATLESS = (
    r"(?<!鱼)(?:不能?吃|不可以吃|吃不了|不沾|不碰|忌|戒)(?:任何)?(?:肉(?:类|食)?|荤(?:腥|菜)?)(?=的|[,。;!?了啊呢、]|$)"
)
_EXPECTING = (
    r"(?:怀孕(?:[一二三四五六七八九十\d]+个?多?月)?|怀着孕"
    r"|有孕在身|有身孕|孕妇|备孕|孕[早中晚]?期|怀了?(?:宝宝|孩子|二胎)|哺乳期?|坐月子)"
)
_EATS = r"(?:也?(?:能|可以|适合)(?:吃|去)?的?)?"


@dataclass(frozen=True, kw_only=True)
class _Need:
    said: re.Pattern[str]
    words: str
    perspective: str
    avoid: bool = False


_NEEDS = (
    _Need(said=re.compile(_FEET), words="无障碍", perspective="amenity"),
    _Need(said=re.compile(_RAW), words="生食", perspective="dish", avoid=True),
    _Need(said=re.compile(_RAW_AFTER), words="生食", perspective="dish", avoid=True),
    _Need(said=re.compile(_MEATLESS), words="素食", perspective="diet"),
    _Need(said=re.compile(_EXPECTING + _EATS), words="孕妇适合", perspective="diet"),
)


def needs_in(text: str, begin: int, stop: int, offset: int) -> Iterator[tuple[tuple[int, int], Wish]]:
    """The needs that a clause of folded text tells of, each with the stretch that says it."""
    for need in _NEEDS:
        match = need.said.search(text, begin, stop)
        if match is None:
            continue
        start, end = (match.start("raw"), match.end()) if need.avoid else match.span()
        piece = Piece(start=offset + start, end=offset + end, perspective=need.perspective, text=need.words)
        said = text[match.start() : start] or "不吃"
        wish = Wish(
            pieces=[piece], said_from=offset + match.start(), avoid=need.avoid, hard=True, flat=True, strength=said
        )
        yield match.span(), wish
