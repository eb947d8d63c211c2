"""Limits and ages in Chinese ("不超过13集", "两小时以内", "十岁的孩子") with the English words for them. Pure."""

import re
from dataclasses import dataclass
from functools import lru_cache

from pdgf.glossary.script import folded

_DIGITS = {**dict(zip("零一二三四五六七八九", range(10), strict=True)), "两": 2, "〇": 0, "俩": 2}
_SCALES = {"十": 10, "百": 100, "千": 1_000, "万": 10_000}
_NUMBER = r"(?:\d+(?:\.\d+)?(?:[百千万])?|半|[零一二三四五六七八九十百千万两]+)"
_MONEY = r"元|块钱?|刀|美元|美金|人民币|rmb|欧元?|英镑"
_UNIT = (
    r"(?P<unit>个?半?小时|个?钟头?|分钟|集|话|页|个?字|" + _MONEY + r"|人|个人|位|个朋友|卷|册|季|部|章)"
    r"(?P<half>半)?(?:(?P<extra>\d+|[一二三四五六七八九十]+)分钟?)?"
)
_ENGLISH_UNIT = {"集": "episodes", "话": "episodes", "页": "pages", "分钟": "minutes", "卷": "volumes", "册": "volumes",
                 "季": "seasons", "章": "chapters", "部": "parts"}  # fmt: skip
_BEFORE = (
    (
        r"不要?(?:超过|多于|大于|长于|高于)|别(?:超过|多于)|至多|最多|顶多|控制在|最长|不高于|上限(?:是|为)?",
        "at most",
    ),
    (r"少于|低于|小于|短于|不到|不足", "under"),
    (r"不(?:少于|低于|小于)|至少|最少|起码", "at least"),
    (r"超过|多于|大于|高于|长于", "more than"),
    (r"大概|大约|差不多|约", "around"),
)
_AFTER = (
    (r"以[内下]|之内|及以下|之下|内(?!容)|封顶|左右以内|以里", "at most"),
    (r"以上|及以上|起步|往上", "at least"),
    (r"左右|上下|的?样子", "around"),
)
_HEAD = r"(?P<head>(?:人均|每人|均价|预算|每位|一个人|一顿)(?:消费|价格|最好)?(?:在|是|为)?)?"
_LIMIT = re.compile(
    rf"{_HEAD}(?P<before>{'|'.join(pattern for pattern, _ in _BEFORE)})?(?P<head2>人均|每人)?(?P<number>{_NUMBER})"
    rf"(?:{_UNIT})?(?:钱)?(?P<after>{'|'.join(pattern for pattern, _ in _AFTER)})?"
)
_BETWEEN = re.compile(
    rf"{_HEAD}(?P<low>{_NUMBER})(?:个?(?P<low_unit>小时|钟头|分钟))?(?P<low_half>半)?(?:[-~到至]|－|—)"
    rf"(?P<high>{_NUMBER})(?:{_UNIT})?(?:之间)?"
)
_AGE = re.compile(
    rf"(?P<age>{_NUMBER})岁(?:左右|多|大)?的?(?P<child>孩子|小孩|儿子|女儿|小朋友|娃|男孩|女孩|宝宝|侄子|外甥|孙子|孙女|弟弟|妹妹)?"
)
_OPEN = re.compile(
    rf"(?:营业|开门?)[到至](?:晚上|夜里|晚|半夜)?(?P<until>{_NUMBER})点(?P<until_half>半)?(?:以后|之后|后)?"
    rf"|(?:晚上|夜里|晚)?(?P<after>{_NUMBER})点(?P<after_half>半)?(?:以后|之后|后)?(?:也|都)?(?:还|仍)(?:能|在)?(?:开|营业)(?:着|门)?"
)
_CHILD_BEFORE = re.compile(r"(?:孩子|小孩|儿子|女儿|小朋友|娃|宝宝|侄子|外甥|孙子|孙女|弟弟|妹妹)(?:今年|才|刚)?$")
OLDEST_CHILD = 17
_MANY = 5  # people, from which a place must have room for them


@dataclass(frozen=True, kw_only=True)
class Limit:
    """A limit or an age at half-open offsets of a text, in English words that `pdgf.constraints` reads."""

    start: int
    end: int
    english: str
    perspective: str
    rough: bool = False


@lru_cache(maxsize=16_384)
def limits(text: str) -> tuple[Limit, ...]:
    """The limits that a text states, in order, without overlap. A number without a comparison is none."""
    plain = folded(text)
    found: list[Limit] = []

    def add(limit: Limit | None) -> None:
        if limit is not None and all(limit.end <= other.start or limit.start >= other.end for other in found):
            found.append(limit)

    for match in _AGE.finditer(plain):
        add(_age(plain, match))
    for match in _OPEN.finditer(plain):
        add(_open(match))
    for match in _BETWEEN.finditer(plain):
        add(_between(match))
    for match in _LIMIT.finditer(plain):
        add(_limit(match))
    return tuple(sorted(found, key=lambda limit: limit.start))


def _age(plain: str, match: re.Match[str]) -> Limit | None:
    age = number_of(match["age"])
    child = match["child"] or _CHILD_BEFORE.search(plain, 0, match.start())
    if age is None or not child or not 0 < age <= OLDEST_CHILD:
        return None
    return Limit(
        start=match.start(), end=match.end(), english=f"for a {int(age)}-year-old child", perspective="audience"
    )


def _open(match: re.Match[str]) -> Limit | None:
    """十点以后还开: open until then; an hour up to eleven is one of the evening."""
    hour = number_of(match["until"] or match["after"])
    if hour is None or not 1 <= hour <= 23:
        return None
    minutes = "30" if match["until_half"] or match["after_half"] else "00"
    said = "midnight" if hour == 12 else f"{int(hour) + (12 if hour < 12 else 0)}:{minutes}"
    return Limit(start=match.start(), end=match.end(), english=f"open until {said}", perspective="hours", rough=True)


def _between(match: re.Match[str]) -> Limit | None:
    low, high = number_of(match["low"]), number_of(match["high"])
    unit = _unit(match)
    if low is None or high is None or unit is None:
        return None
    factor, words, perspective = unit
    if perspective == "audience":
        return None
    low *= 1 if match["low_unit"] == "分钟" else factor
    high *= factor
    if words == "minutes":
        low += 30 if match["low_half"] else 0
        high += 30 if match["half"] or "半小时" in (match["unit"] or "") else 0
    if low > high:
        return None
    english = f"between {low:g} and {high:g} {words}"
    return Limit(start=match.start(), end=match.end(), english=english, perspective=perspective)


def _limit(match: re.Match[str]) -> Limit | None:
    number = number_of(match["number"])
    unit = _unit(match)
    if number is None or unit is None:
        return None
    factor, words, perspective = unit
    number = number * factor
    if words == "minutes":
        half = match["half"] or ("半" in match["unit"] and match["number"] != "半")
        number += (30 if half else 0) + (number_of(match["extra"] or "") or 0)
    said = _said(match["before"], _BEFORE) or _said(match["after"], _AFTER)
    if perspective == "audience":
        if number < _MANY or said is not None:
            return None
        return Limit(start=match.start(), end=match.end(), english=f"{number:g} people", perspective="audience")
    if said is None and (match["head"] or match["head2"]) and perspective == "price":
        said = "around"
    if said is None:
        return None
    return Limit(
        start=match.start(),
        end=match.end(),
        english=f"{said} {number:g} {words}",
        perspective=perspective,
        rough=said == "around",
    )


def _said(words: str | None, table: tuple[tuple[str, str], ...]) -> str | None:
    return next((english for pattern, english in table if words and re.fullmatch(pattern, words)), None)


def _unit(match: re.Match[str]) -> tuple[float, str, str] | None:
    """The factor of a unit, its English words, and the perspective of a limit in it."""
    unit = match["unit"] or ""
    head = match.groupdict().get("head") or match.groupdict().get("head2")
    if not unit:
        return (1, "dollars", "price") if head else None
    if "小时" in unit or "钟头" in unit or unit in ("钟", "个钟"):
        return 60, "minutes", "length"
    if unit in ("人", "个人", "位", "个朋友"):
        return 1, "people", "audience"
    if re.fullmatch(_MONEY, unit):
        return 1, "dollars", "price"
    words = _ENGLISH_UNIT.get(unit)
    return (1, words, "length") if words else None


def number_of(said: str) -> float | None:
    """A number in digits or characters: 13, 十三, 一百二十, 两, 半; None for what is none."""
    if not said:
        return None
    if said == "半":
        return 0.5
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([百千万])?", said)
    if match:
        return float(match[1]) * _SCALES.get(match[2] or "", 1)
    total, digit = 0.0, 0.0
    for character in said:
        if character in _SCALES:
            total += (digit or (1 if not total else 0)) * _SCALES[character]
            digit = 0.0
        elif character in _DIGITS:
            digit = digit * 10 + _DIGITS[character] if digit else _DIGITS[character]
        else:
            return None
    return total + digit
