"""The wordings of METHOD 7.6 that constrain the year of release, in English and Chinese.

A rule is a pattern and the bounds it stands for. Rules are tried in order and never overlap, so that "before the
80s" is read once. What a wording means is then checked against the words around it: the period of a story, the life
of the user, an age or a negation. In doubt there is no constraint, for a wrong one hides good items.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from pdgf.corrections import without_answer
from pdgf.numerals import counted

RECENT_YEARS = 5  # "recent", "lately", 最近 (METHOD 7.6)


class Wording(NamedTuple):
    """Inclusive bounds, the characters that set them, and whether they name a period rather than a limit."""

    low: int | None
    high: int | None
    start: int
    end: int
    period: bool


Bounds = tuple[int | None, int | None, bool]  # low, high, period
Rule = tuple[re.Pattern[str], Callable[[re.Match[str], int], Bounds]]

# ------------------------------------------------------------------------------- points in time and numbers of years

_COUNTS = {
    **counted("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen", 1),
    **{"twenty": 20, "thirty": 30, "couple of": RECENT_YEARS, "few": RECENT_YEARS, "several": RECENT_YEARS},
    **counted("一 二 三 四 五 六 七 八 九 十", 1),
    **{"两": 2, "十五": 15, "二十": 20, "几": RECENT_YEARS},
}
_NAMED_DECADES = counted("twenties thirties forties fifties sixties seventies eighties nineties", 1920, 10)

COUNT = rf"(\d{{1,3}}|{'|'.join(sorted(_COUNTS, key=len, reverse=True))})"
YEAR = r"(?<!\d)(?:1[6-9]|20)\d\d(?!\d)(?: ?年)?"
DECADE = (
    r"(?:(?<!\d)(?:1[6-9]|20)\d0['’]?s\b"
    r"|(?<!\d)['’]?[3-9]0['’]?s\b"
    rf"|\b(?:{'|'.join(_NAMED_DECADES)})\b"
    r"|(?:上个?世纪|二十世纪|20世纪)?(?<!\d)(?:[3-9]0|[三四五六七八九]十) ?年代"
    r"|(?<!\d)(?:1[6-9]|20)\d0 ?年代)"
)
POINT = rf"(?:the\s+)?(?:year\s+)?(?:(?:early|mid|late)[\s-]+)?({DECADE}|{YEAR})"
TO = r"\s*(?:-|–|—|~|～|到|至|\bto\b|\buntil\b|\btill\b|\bthrough\b)\s*"


def _first(point: str) -> int:
    """The first year of a decade or century, or the year itself."""
    if point in _NAMED_DECADES:
        return _NAMED_DECADES[point]
    digits = re.sub(r"上个?世纪|二十世纪|20世纪|\D", "", point)
    if not digits:  # 八十年代
        return 1900 + 10 * _COUNTS[point.removesuffix("十年代")[-1]]
    return int(digits) + (1900 if len(digits) == 2 else 0)


def _last(point: str) -> int:
    """The last year: "1800s" is the century, "1980s" the decade."""
    if re.fullmatch(YEAR, point):
        return _first(point)
    return _first(point) + (99 if re.fullmatch(r"1[6-9]00['’]?s", point) else 9)


def _years(count: str) -> int:
    return int(count) if count.isdecimal() else _COUNTS[count.lower()]


# ------------------------------------------------------------------------------------------------------------- rules


def _point(found: re.Match[str]) -> str:
    return next(group for group in found.groups() if group).lower()


def _this_century(found: re.Match[str], now: int) -> Bounds:
    return now // 100 * 100, None, False


def _century(found: re.Match[str], now: int) -> Bounds:
    first = 100 * (int(found[1]) - 1) if found[1] else now // 100 * 100 - 100
    return first, first + 99, True


def _in_future(found: re.Match[str], now: int) -> Bounds:
    return int(found[1]), int(found[1]), True


def _rule(pattern: str, bounds: Callable[[re.Match[str], int], Bounds]) -> Rule:
    return re.compile(pattern, re.IGNORECASE), bounds


def _range(found: re.Match[str], now: int) -> Bounds:
    one, other = found[1].lower(), found[2].lower()
    return min(_first(one), _first(other)), max(_last(one), _last(other)), True


def _short_range(found: re.Match[str], now: int) -> Bounds:
    first = int(found[1])
    return first, first // 100 * 100 + int(found[2]), True


def _before(found: re.Match[str], now: int) -> Bounds:
    return None, _first(_point(found)) - 1, False


def _until(found: re.Match[str], now: int) -> Bounds:
    return None, _last(_point(found)), False


def _after(found: re.Match[str], now: int) -> Bounds:
    return _last(_point(found)) + 1, None, False


def _since(found: re.Match[str], now: int) -> Bounds:
    return _first(_point(found)), None, False


def _decade(found: re.Match[str], now: int) -> Bounds:
    return _first(_point(found)), _last(_point(found)), True


def _within(found: re.Match[str], now: int) -> Bounds:
    return now - _years(found[1]), None, False


def _within_decades(found: re.Match[str], now: int) -> Bounds:
    return now - 10 * _years(found[1] or "1"), None, False


def _recent(found: re.Match[str], now: int) -> Bounds:
    return now - RECENT_YEARS, None, False


AGO = r"(?:years?|yrs?)(?:\s+(?:old|ago))?"
OUT = r"(?:released|made|published|aired|premiered|filmed|came\s+out)"
NOTHING = r"\b(?:not|no|nothing|none|never)\s+(?:be\s+)?"
RULES: tuple[Rule, ...] = (
    _rule(r"\bth(?:is|e\s+(?:current|present))\s+century\b|本世纪|这个世纪", _this_century),
    _rule(r"\bthe\s+(?:(1[5-9]|20|21)(?:st|th)|last|previous)\s+century\b", _century),
    _rule(rf"\b(?:from|in|of|{OUT}\s+in)\s+the\s+year\s+(2[1-9]\d\d|[3-9]\d\d\d)(?!\d)", _in_future),
    _rule(rf"\bbetween\s+{POINT}\s*(?:and|to|-|–|—)\s*{POINT}", _range),
    _rule(rf"(?:\bfrom\s+|从)?{POINT}{TO}{POINT}(?:之间)?", _range),
    _rule(r"(?<!\d)((?:1[6-9]|20)\d\d)[-–](\d\d)(?!\d)", _short_range),
    _rule(rf"{NOTHING}older\s+than\s+(?:the\s+last\s+)?{COUNT}\s+{AGO}", _within),
    _rule(rf"\bat\s+most\s+{COUNT}\s+years?\s+old", _within),
    _rule(rf"{NOTHING}(?:older|earlier)\s+than\s+{POINT}|\b(?:not|nothing)\s+before\s+{POINT}", _since),
    _rule(rf"{NOTHING}(?:newer|later|more\s+recent)\s+than\s+{POINT}", _until),
    _rule(rf"\b(?:last|past)\s+{COUNT}\s+(?:years?|yrs?)\b", _within),
    _rule(rf"\b(?:last|past)\s+(?:{COUNT}\s+)?decades?\b", _within_decades),
    _rule(rf"不(?:要)?(?:超过|早于)\s*{COUNT}\s*年(?!代)", _within),
    _rule(rf"(?:最近|近|过去)的?\s*{COUNT}\s*年(?!代)(?:以内|之内|内|来)?", _within),
    _rule(rf"\b(?:before|prior\s+to|earlier\s+than|older\s+than)\s+{POINT}|\bpre[-\s]?{POINT}", _before),
    _rule(rf"{POINT}(?:以前|之前|前(?!后))|早于{POINT}", _before),
    _rule(rf"\b(?:until|till|up\s+to)\s+{POINT}|(?:直到|截至|截止到?){POINT}", _until),
    _rule(rf"{POINT}\s+(?:or|and)\s+(?:earlier|older|before)\b|{POINT}(?:及|或)(?:以前|之前|更早)", _until),
    _rule(rf"\b(?:after|later\s+than|newer\s+than|more\s+recent\s+than)\s+{POINT}|\bpost[-\s]?{POINT}", _after),
    _rule(rf"晚于{POINT}", _after),
    _rule(rf"\b(?:since|starting\s+(?:in|from))\s+{POINT}|\bfrom\s+(?:the\s+year\s+)?({YEAR})", _since),
    _rule(rf"{POINT}\s+(?:onwards?\b|on\b|and\s+up\b|(?:or|and)\s+(?:later|newer|after)\b)|{POINT}\+", _since),
    _rule(rf"(?:从|自)?{POINT}(?:及|或)?(?:以后|之后|后|以来|开始|起|至今)|(?:从|自){POINT}", _since),
    _rule(rf"(?:the\s+)?(?:(?:early|mid|late)[\s-]+)?({DECADE})", _decade),
    _rule(rf"\b{OUT}\s+(?:lately|recently)\b|\brecently\s+{OUT}\b", _recent),
    _rule(r"\brecent(?:\s+years)?\b|\blately\b|最近|近期|近年来?", _recent),
)

_OF_POINTS = frozenset(pattern for pattern, _ in RULES if DECADE in pattern.pattern or YEAR in pattern.pattern)
# Of every decade and every year some of this: most texts have none and need not be gone through rule by rule
_DATED = re.compile(r"\d0['’]?s|\d0 ?年|十 ?年代|(?:1[6-9]|20)\d\d|ties\b", re.IGNORECASE)

# ------------------------------------------------------------------------------------------------- the words around

CONTEXT = 120  # characters on either side in which a cue can stand
_RELATIVE = re.compile(r"recent|recent\s+years|lately|最近|近期|近年来?", re.I)
_CLAUSE = r"[^,.;:!?\n，。；：！？]"
_RELEASE = re.compile(rf"\b(?:{OUT}|films?|movies?|books?|novels?|anime|shows?|series)\b", re.I)
_STORY_BEFORE = re.compile(
    rf"(?:\b(?:set(?!\s+of)|takes?\s+place|taking\s+place|happen(?:s|ing)|unfold(?:s|ing)|life|lives|growing\s+up|placed"
    rf"|depict\w*|captur\w+|evok\w+|reminiscent|feels?\s+like|looks?\s+like|nostalg\w+|homage|love\s+letter)\b"
    rf"(?P<gap>{_CLAUSE}{{0,40}}(?:,\s*(?:in|during|around)\s*(?:the\s+)?)?)"
    rf"|\babout\b(?P<about>{_CLAUSE}{{0,40}}\b(?:in|during|of|around)|)\s+(?:the\s+)?"
    rf"|(?:背景|设定|发生|讲述?|描写|反映|关于|以){_CLAUSE}{{0,10}})$",
    re.I,
)
_STORY_AFTER = re.compile(
    r"\s*[-–]?\s*(?:set\b|setting|backdrop|nostalgia|aesthetics?|vibes?|style|styled|feel\b|feeling|look\b|inspired|themed"
    r"|atmosphere|period\s+piece|childhood|music|soundtrack|fashion|pop\s+culture)|的?[^，。；！？]{0,6}(?:背景|风格|设定|氛围|怀旧|题材|故事)",
    re.I,
)
_PLACE_BEFORE, _PLACE_AFTER = re.compile(r"\bin\s+(?:the\s+)?$", re.I), re.compile(r"\s+[A-Z][a-z]")
_AND = re.compile(r"\s*(?:,|/|&|-|–|\band\b|\bor\b|\bto\b|和|或|到)\s*(?:(?:in\s+)?the\s+)?", re.I)
_LIFE_BEFORE = re.compile(
    rf"(?:\b(?:been|born|married|living|lived|worked|known|watched|saw|seen|read|grew|raised|loved|liked|enjoyed|hated"
    rf"|remember|miss|started|childhood|watching|reading|kid|kids|child|children|teenager|young|fan|spent)\b"
    rf"(?!\s+(?:movies|films|books|shows)\b){_CLAUSE}{{0,40}}|(?:(?<![给帮])我|孩子|小时候){_CLAUSE}{{0,8}})$",
    re.I,
)
_AGE_BEFORE = re.compile(
    r"\b(?:his|her|their|my|your|our|its|someone's|aged?)\s+(?:(?:early|mid|late)[\s-]+)?$|\b(?:people|men|women|adults|"
    r"man|woman|person|couple|protagonist|character|characters|heroine|hero)\s+in\s+(?:the\s+)?$",
    re.I,
)
_MINE_BEFORE = re.compile(r"\b(?:my|our|his|her|their|since|after|following|during|due\s+to)\s+(?:\w+\s+)?$", re.I)
_EVENT_AFTER = re.compile(
    r"\s+(?:\w+\s+)?(?:break-?ups?|loss|death|divorce|trip|move|events?|memory|conversations?|experience|favou?rites?|watch"
    r"|reads?|obsession|binge|surgery|job|birth|illness|diagnosis|holiday|vacation|marriage|history|past|days|weeks|months|reviews?|activity)\b",
    re.I,
)
_SELF_BEFORE = re.compile(
    r"(?:\b(?:i|we|me|us|been|feeling|mood|i['’]?(?:ve|m)|we['’]?(?:ve|re))\b[^.;!?]{0,60}|我们?)$", re.I
)
_SELF_AFTER = re.compile(
    r"[\s,，]*(?:(?:i|we|i['’]\w+|we['’]\w+|my)\b|[我刚看读在想很迷追玩总老都听补爱]|心情|压力|工作|失恋|比较|特别|越来越|开始|重温|喜欢)",
    re.I,
)
_NEGATION = re.compile(
    r"(?:\b(?:no|not|nothing|none|never|without|avoid(?:ing)?|except|excluding|anything\s+but|(?:do|is|are|was|were)n['’]?t"
    r"|instead\s+of|rather\s+than)\b(?:\s+(?!but\b|and\b)[\w'’-]+){0,2}\s*|(?:不要|别|不想看|除了|不看|不是|不)\s*)$",
    re.I,
)
_DENIED_AFTER = re.compile(
    r"\s*的?(?:电影|影片|片子|片|书|小说|番|动画|作品|剧)?(?:我|也|都|就|更|全)*(?:不要|不看|不想|不行|不考虑|别|免谈|除外|算了|排除)"
)
_OF_ITEMS_AFTER = re.compile(r"\s*(?:$|的|上映|出|新|几|播|发行|拍|流行|大?热|很?火|有(?:什么|啥|没有|哪))")


def wordings(text: str, current_year: int) -> list[Wording]:
    """What the text says about the year of release, in order of appearance."""
    text = without_answer(text)
    found: list[tuple[re.Match[str], Wording]] = []
    taken = bytearray(len(text))
    dated = _DATED.search(text) is not None
    for pattern, bounds in RULES:
        if pattern in _OF_POINTS and not dated:
            continue
        for match in pattern.finditer(text):
            start, end = match.span()
            if not any(taken[start:end]):
                low, high, period = bounds(match, current_year)
                found.append((match, Wording(low, high, start, end, period)))
                taken[start:end] = b"\1" * (end - start)
    found.sort(key=lambda pair: pair[1].start)
    kept: list[Wording] = []
    story_end: int | None = None  # where the last period of a story ended, for "set in the 60s and 70s"
    for match, wording in found:
        joined = story_end is not None and _AND.fullmatch(text, story_end, wording.start)
        if joined or _is_of_the_story(text, wording):
            story_end = wording.end
        elif not _is_of_a_life(text, match[0], wording):
            kept += _unless_negated(text, wording)
    return kept


def _around(text: str, wording: Wording) -> tuple[str, str]:
    """What stands before and after a wording, as far as it can matter."""
    return text[max(0, wording.start - CONTEXT) : wording.start], text[wording.end : wording.end + CONTEXT]


def _is_of_the_story(text: str, wording: Wording) -> bool:
    """Whether a period or limit says when the story happens."""
    before, after = _around(text, wording)
    cue = _STORY_BEFORE.search(before)
    if cue and not _RELEASE.search(cue["gap"] or cue["about"] or "") and not re.search(r"\b(?:and|but)\b", cue[0]):
        return True
    placed = wording.period and _PLACE_BEFORE.search(before) and _PLACE_AFTER.match(after)
    return bool(placed or _STORY_AFTER.match(after))


def _is_of_a_life(text: str, words: str, wording: Wording) -> bool:
    """Whether the words date the user's life or give somebody's age."""
    before, after = _around(text, wording)
    if _RELATIVE.fullmatch(words):
        if _MINE_BEFORE.search(before) or _EVENT_AFTER.match(after):
            return True
        if words.lower() == "recent":
            return False
        if words == "最近" and not _OF_ITEMS_AFTER.match(after):
            return True  # 最近加班太多
        clause = re.split(r"[.;!?\n。；！？]", before)[-1]
        return bool(_SELF_AFTER.match(after) or (_SELF_BEFORE.search(clause) and not _RELEASE.search(clause)))
    return bool(_LIFE_BEFORE.search(before) or (wording.period and _AGE_BEFORE.search(before)))


def _unless_negated(text: str, wording: Wording) -> list[Wording]:
    """A limit that is denied is the opposite limit ("nothing before 1990"); a period that is denied says nothing."""
    words = text[wording.start : wording.end]
    before, after = _around(text, wording)
    if not (_NEGATION.search(before) or _DENIED_AFTER.match(after)) or re.match(
        r"not?\b|nothing|none|never|不", words, re.I
    ):
        return [wording]
    if wording.period or _RELATIVE.fullmatch(words):
        return []
    low = None if wording.high is None else wording.high + 1
    high = None if wording.low is None else wording.low - 1
    return [wording._replace(low=low, high=high)]
