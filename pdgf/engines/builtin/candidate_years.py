"""The year of an item from its own places only: brackets after it, "a 1999 film", a label, a cell (METHOD 6.1)."""

import re
from dataclasses import dataclass

from pdgf.engines.builtin.candidate_cues import KindCues, cue, is_line
from pdgf.engines.builtin.candidate_shapes import YEAR, has_cjk, is_capital

LIFETIME = 30  # years between two years in brackets from which they are of a person or an age, not of a work

BRACKET = re.compile(r"[(\[（【]\s?(?P<inside>[^()\[\]（）【】\n]{2,60}?)\s?[)\]）】]")
_YEAR_FIRST = re.compile(
    rf"({YEAR})年?(?:\s?[-–—~～/]\s?({YEAR}|\d\d|present|now|至今|今)?年?)?(?P<rest>[,，;；/、·\s].{{1,50}})?",
    re.IGNORECASE,
)
_YEAR_LAST = re.compile(rf"(?P<before>.{{1,50}}?)[,，;；/、]?\s?(?<!\d)({YEAR})年?")
_LABELLED = re.compile(rf"(?P<label>[^:：\d]{{1,24}}[:：]?)\s?(?P<value>.{{0,30}}?)(?<!\d)({YEAR})(?!\d)")
_CELL = re.compile(rf"(?:c\.\s?)?({YEAR})年?(?:\s?[-–—]\s?(?:{YEAR}|\d\d|present|now)?)?")
_ANY = re.compile(rf"(?<!\d)({YEAR})(?!\d)")
_AFTER = re.compile(
    rf",?\s(?:(?:which\s)?(?:was\s|first\s){{0,2}}(?:released|published|aired|came\sout|appeared)\s(?:in\s)?(?:[A-Z]\w{{2,8}}\s)?|from\s)({YEAR})(?!\d)"
    rf"|[，,]?\s?(?:是|为)(?:一部|部|一本)?({YEAR})年|[，,]?\s?于?({YEAR})年.{{0,6}}?(?:上映|播出|出版|发行|首播|公开|公開)"
)
_BEFORE = re.compile(rf"({YEAR})年(?:的|[^\s，。；《》「」『』0-9]{{0,12}})$|\b({YEAR})\s(?:[\w-]{{1,20}}\s){{0,4}}$")


@dataclass(frozen=True, kw_only=True)
class Bracket:
    """What brackets after a name say: the year of the item, or at least that it is an item of the wanted kind."""

    year: int | None
    end: int


def bracket_at(text: str, place: int, cues: KindCues) -> Bracket | None:
    """The brackets that open at `place` (a space before them allowed), where they hold a year or a kind of item."""
    while text[place : place + 1] in ("*", "_", " ", "\u00a0"):
        place += 1
    match = BRACKET.match(text, place)
    return None if match is None else read_bracket(match, cues)


def read_bracket(match: re.Match[str], cues: KindCues) -> Bracket | None:
    """The reading of brackets matched by `BRACKET`; None where they say nothing of the kind."""
    inside = match["inside"]
    if cues.words.fullmatch(inside) or re.fullmatch(r"tv (?:mini-?)?series|miniseries", inside, re.IGNORECASE):
        return Bracket(year=None, end=match.end())
    year = _year_inside(inside, cues)
    return None if year is None else Bracket(year=year, end=match.end())


def year_after(text: str, place: int) -> int | None:
    """The year that follows a name outside brackets: "..., released in 1999", 是1999年的."""
    return _first(_AFTER.match(text, place))


def year_before(text: str, place: int, cues: KindCues) -> int | None:
    """The year that leads to a name: "the 1999 horror film ...", 1999年的动画电影《...》."""
    before = text[max(0, place - 60) : place].rstrip('《『“"«〈「 ')
    noun = next((m for m in cues.words.finditer(before) if m.end() == len(before)), None)
    if noun is None:
        return _first(_BEFORE.search(before)) if before.endswith("的") else None
    return _first(_BEFORE.search(before[: noun.start()]))


def year_in_words(text: str) -> int | None:
    """The only year of a stretch of text."""
    years = {int(match[1]) for match in _ANY.finditer(text)}
    return years.pop() if len(years) == 1 else None


def year_cell(text: str) -> int | None:
    """The year that is all of a line, as in a table."""
    return _first(_CELL.fullmatch(text.strip()))


def labelled_year(text: str, following: str) -> int | None:
    """The year of a line "Year: 1999", or of a line "Released" with its value on the following line."""
    if is_line(text, "lines.years"):
        return year_in_words(following) if len(following) <= 60 else None
    match = _LABELLED.match(text) if len(text) <= 80 else None
    return int(match[3]) if match and is_line(match["label"], "lines.years") else None


def _year_inside(inside: str, cues: KindCues) -> int | None:
    if cue("names.not_release").search(inside):
        return None
    first = _YEAR_FIRST.fullmatch(inside)
    if first:
        last = first[2]
        ends = int(last) if last and len(last) == 4 and last.isdigit() else int(first[1])
        return int(first[1]) if 0 <= ends - int(first[1]) < LIFETIME else None
    last_of = _YEAR_LAST.fullmatch(inside)
    if last_of is None:
        return None
    before = last_of["before"].strip()
    names = is_capital(before) or has_cjk(before) or before.casefold().startswith(("dir", "d. ", "by "))
    return int(last_of[2]) if names or cues.words.match(before) else None


def _first(match: re.Match[str] | None) -> int | None:
    return None if match is None else next((int(group) for group in match.groups() if group), None)
