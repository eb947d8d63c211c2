"""Wishes in numbers in Chinese: "一小时以内", "不超过200元", "适合三个人", "评分8分以上", "六岁的孩子". Pure."""

import re

from pdgf.constraints.amounts import ROUGHLY
from pdgf.constraints.columns.bounds import Ask, Bound
from pdgf.constraints.columns.parties import chinese_parties
from pdgf.constraints.columns.words import Dimension, Unit, either_of, units, words_of_header
from pdgf.glossary import folded
from pdgf.glossary.numbers import number_of

_NUMBER = r"(?:\d+(?:\.\d+)?(?:[百千万])?|半|[零一二三四五六七八九十百千万两俩]+)"
_ENTRIES = sorted((word for word in units() if len(word) < 6), key=lambda word: (-len(word), word))
_WORDS = either_of(_ENTRIES)
_UNIT = rf"(?:个(?=半?(?:小时|钟头|星期|月)))?(?P<half_in>半)?(?P<unit>{_WORDS})(?P<half>半)?"
_BEFORE = {
    Bound.AT_MOST: "不要?(?:超过|多于|大于|长于|高于)|别(?:超过|多于|高于)|至多|最多|顶多|控制在|最长|不高于"
    "|上限(?:是|为)?|只有|只能花",
    Bound.LESS: "少于|低于|小于|短于|不到|不足",
    Bound.AT_LEAST: "不(?:少于|低于|小于)|至少|最少|起码",
    Bound.MORE: "超过|多于|大于|高于|长于",
}
_AFTER = {
    Bound.AT_MOST: "以[内下里]|之[内下]|及以下|内(?!容)|封顶",
    Bound.AT_LEAST: "及?以上|起步|往上|起",
}
_LEAST_PRICE = 10  # of a number that names no unit
_ABOUT_BEFORE, _ABOUT_AFTER = "大概|大约|差不多|约", "左右|上下"


def _named(words: dict[Bound, str], tag: str) -> str:
    return "|".join(f"(?P<{bound.value}{tag}>{pattern})" for bound, pattern in words.items())


_HEADERS = either_of(
    word
    for dimension in Dimension
    for word in words_of_header(dimension)
    if not word.isascii()
)  # fmt: skip
_LIMIT = re.compile(
    rf"(?P<hint>{_HEADERS})?(?:要|得|最好|在|是|为|的)?(?:{_named(_BEFORE, '')}|(?P<about>{_ABOUT_BEFORE}))?"
    rf"(?P<number>{_NUMBER})(?:{_UNIT})?(?P<extra>\d+分钟?)?"
    rf"(?:{_named(_AFTER, '_after')}|(?P<about_after>{_ABOUT_AFTER}))?"
)
_BETWEEN = re.compile(
    rf"(?P<hint>{_HEADERS})?(?:要|在|是|为)?(?P<low>{_NUMBER})(?P<unit_low>{_WORDS})?(?:[-~到至—–－]+)"
    rf"(?P<high>{_NUMBER})(?:{_UNIT})?"
)
_PEOPLE = re.compile(
    rf"(?P<alone>单人|一个人|独自|solo)|(?P<pair>双人|两口子|情侣|俩人)|一家(?P<family>{_NUMBER})口"
    rf"|(?:适合|够|可以|能|给|供|我们)?(?P<count>{_NUMBER})(?:个人|人|位|名)(?:玩|住|用|一起|份|的|局|游戏|聚会)?"
)
_AGE = re.compile(rf"(?P<age>{_NUMBER})岁")
_STARS = re.compile(rf"(?P<stars>{_NUMBER})星(?:级)?")
_BARE = re.compile(
    rf"(?<![\d.])(?P<number>{_NUMBER})(?:{_named(_AFTER, '_after')}|(?P<about_after>{_ABOUT_AFTER}))"
    r"(?=$|[，,。;；！!？?\s的])"
)
_FREE = re.compile("免费|不要钱|不花钱")


def chinese_asks(text: str) -> list[Ask]:
    """The asks of a Chinese text."""
    said = folded(text)
    found: list[Ask] = []

    def add(group: list[Ask]) -> None:
        if group and all(group[0].span[1] <= ask.span[0] or group[0].span[0] >= ask.span[1] for ask in found):
            found.extend(group)

    for number, span in chinese_parties(said):
        ages = [age for match in _AGE.finditer(said, *span) if (age := number_of(match["age"])) is not None]
        people = Ask(dimension=Dimension.PEOPLE, bound=Bound.COVERS, number=float(number), span=span)
        add([people, *(Ask(dimension=Dimension.AGE, bound=Bound.COVERS, number=age, span=span) for age in ages)])
    for match in _AGE.finditer(said):
        age = number_of(match["age"])
        if age is not None:
            add([Ask(dimension=Dimension.AGE, bound=Bound.COVERS, number=age, span=match.span())])
    for match in _BETWEEN.finditer(said):
        add(_between(match))
    for match in _LIMIT.finditer(said):
        add(_limit(match))
    for match in _PEOPLE.finditer(said):
        add(_people(match))
    for match in _STARS.finditer(said):
        stars = number_of(match["stars"])
        if stars is not None:
            add([_ask(match, units()["星"], Bound.COVERS, stars, rough=True)])
    for match in _BARE.finditer(said):
        add(_of_money(match))
    for match in _FREE.finditer(said):
        add([Ask(dimension=Dimension.MONEY, bound=Bound.AT_MOST, number=0.0, span=match.span())])
    return found


def _between(match: re.Match[str]) -> list[Ask]:
    low, high, unit = number_of(match["low"]), number_of(match["high"]), _unit(match)
    if low is None or high is None or low > high or (unit is None and not match["hint"]):
        return []
    first = units().get(match["unit_low"] or "", unit)
    low = low * first.factor if first else low
    high = _with_half(high, match) * unit.factor if unit else high
    if unit is not None and unit.dimension is Dimension.PEOPLE:
        return [_ask(match, unit, Bound.COVERS, low), _ask(match, unit, Bound.COVERS, high)]
    return [_ask(match, unit, Bound.AT_LEAST, low), _ask(match, unit, Bound.AT_MOST, high)]


def _limit(match: re.Match[str]) -> list[Ask]:
    groups, unit, number = match.groupdict(), _unit(match), number_of(match["number"])
    bound = next((b for b in Bound if groups.get(b.value) or groups.get(f"{b.value}_after")), None)
    rough = bool(groups["about"] or groups["about_after"])
    if number is None or (bound is None and not rough) or (unit is None and not match["hint"]):
        return []
    number = _with_half(number, match) * (unit.factor if unit else 1.0)
    number += float(re.sub(r"\D", "", match["extra"] or "") or 0)
    if bound is None:
        ends = ((Bound.AT_LEAST, number * (1 - ROUGHLY)), (Bound.AT_MOST, number * (1 + ROUGHLY)))
        return [_ask(match, unit, end, round(limit, 2), rough=True) for end, limit in ends]
    if unit is not None and unit.dimension is Dimension.PEOPLE and bound in (Bound.AT_LEAST, Bound.MORE):
        return [_ask(match, unit, Bound.COVERS, number + (bound is Bound.MORE))]
    return [_ask(match, unit, bound, number)]


def _of_money(match: re.Match[str]) -> list[Ask]:
    """A limit without a unit, which is one of money where the catalogue has prices ("600以内")."""
    groups, number = match.groupdict(), number_of(match["number"])
    bound = next((b for b in Bound if groups.get(f"{b.value}_after")), None)
    if number is None or number < _LEAST_PRICE:
        return []
    money = Unit(Dimension.MONEY)
    if bound is not None:
        return [_ask(match, money, bound, number)]
    ends = ((Bound.AT_LEAST, number * (1 - ROUGHLY)), (Bound.AT_MOST, number * (1 + ROUGHLY)))
    return [_ask(match, money, end, round(limit, 2), rough=True) for end, limit in ends]


def _people(match: re.Match[str]) -> list[Ask]:
    if match["alone"]:
        number: float | None = 1.0
    elif match["pair"]:
        number = 2.0
    else:
        number = number_of(match["family"] or match["count"])
    people = units()["人"]
    return [] if not number or number > 100 else [_ask(match, people, Bound.COVERS, number)]


def _unit(match: re.Match[str]) -> Unit | None:
    word = match["unit"] or ""
    if word == "分" and match["hint"] in words_of_header(Dimension.TIME):
        return units()["分钟"]
    return units().get(word)


def _with_half(number: float, match: re.Match[str]) -> float:
    return number + (0.5 if match["half"] or (match["half_in"] and number >= 1) else 0.0)


def _ask(match: re.Match[str], unit: Unit | None, bound: Bound, number: float, *, rough: bool = False) -> Ask:
    hint = match.groupdict().get("hint") or ""
    dimension = unit.dimension if unit else None
    return Ask(
        dimension=dimension,
        bound=bound,
        number=number,
        unit=unit.name if unit else "",
        span=match.span(),
        hint=(hint,) if hint else (),
        rough=rough,
    )
