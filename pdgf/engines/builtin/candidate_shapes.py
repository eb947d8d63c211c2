"""What a title looks like in a line of text: capitals, small words, numbers; and what looks like one and is none.

Offsets are those of the text given. No text is looked at further than `REACH` characters from a place.
"""

import re

from pdgf.engines.builtin.candidate_cues import CJK, cue, is_line, words

Span = tuple[int, int]

REACH = 120  # characters: longer than any title worth reading out of running text
LONGEST_CJK = 30  # characters of a title in Chinese or Japanese
YEAR = r"(?:1[5-9][0-9]{2}|20[0-9]{2})"

_IN_TEXT = re.compile(r"\S{1,120}")
_LINES = ("inside", "ends", "links", "chrome", "columns", "remarks", "title_columns")
_NAME_MARKS = str.maketrans(dict.fromkeys(".-’"))
_OPENING = "\"'“‘„«([{*_"
_CLOSING = "\"'”’»)]}*_"
_DASHES = frozenset({"-", "–", "—", "―", "|", "/", "•", "·"})
_HAS_CJK = re.compile(f"[{CJK}]")
_CJK_BREAK = re.compile('[，。；：！？、,;:!?（）()\\s《》「」『』“”"|]')
_CJK_SENTENCE = re.compile("[，。；,;]|[？?].")
_PERSONAL = re.compile(r"(?:[A-Z][\w.-]{0,20}\s){1,2}[A-Z][\w-]{1,20}(?:['’]s|s['’])\s")
_LED_BY_MAKER = re.compile(r"\w{2,5}\sthe\s[A-Z][\w-]{1,20}(?:['’]s|s['’])\s(?=[A-Z])")  # In the Safdies' ...
_VERB = re.compile(r"\s(?!(?:this|its|his|always)\b)[a-z]{2,14}[a-rt-z]s\b(?!\s(?:is|are|was|were|had)\b)")
_ARTICLE = re.compile(r"(?:the|a|an)\s[A-Z]")
_WITHIN = re.compile(r"\s(?:in|as|from|at|to)\s(?=(The\s)?[A-Z])")
_AND = re.compile(r",?\s(?:and|&|with)\s|,\s")
_BY = re.compile(r",?\s(?:written\s|directed\s)?by\s")
_RATING = re.compile(r"[\d.,]{1,5}\s?(?:/\s?\d{1,3}|%|stars?|★|分|out of \d{1,3})|[★☆⭐]{1,10}", re.IGNORECASE)
_MONEY = re.compile(r"[$€£¥]\s?\d|\d\s?(?:€|£|元|円|USD|EUR)")
_DATE = re.compile(
    r"\d{1,4}[-/.年]\d{1,2}(?:[-/.月]\d{1,4}日?)?|(?:\d{1,2}(?:st|nd|rd|th)?\s)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct"
    r"|nov|dec)[a-z]{0,6}\.?\s\d{1,2}(?:st|nd|rd|th)?(?:,?\s\d{2,4})?|\d{1,2}\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep"
    r"|oct|nov|dec)[a-z]{0,6}\.?(?:\s\d{2,4})?",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"https?:|www\.|@\w|\w\.(?:com|org|net|co\.uk|cn|jp|io)\b", re.IGNORECASE)
_PART = re.compile(
    r"(?:.{1,80}\s)?(?:season|series)\s[\divx]{1,4}|(?:episode|chapter|section|figure|table|issue)\s[\divx]{1,4}",
    re.IGNORECASE,
)
_ASKS = re.compile(r"(?:what|which|who|why|how|where|when|do|does|did|is|are|can|should|has|have)\b.{0,110}\?$", re.I)


def has_cjk(text: str) -> bool:
    """Whether a text has a Chinese or Japanese character."""
    return _HAS_CJK.search(text) is not None


def is_capital(word: str) -> bool:
    """Whether a word, without opening punctuation, is written as a word of a title: a capital or a number first."""
    core = word.lstrip(_OPENING)
    return bool(core) and (core[0].isupper() or core[0].istitle() or core[0].isnumeric() or core[0] == "&")


def is_small(word: str) -> bool:
    """Whether a word is one that titles write small."""
    return word.strip(",:").casefold() in words("names.small")


def title_like(text: str) -> bool:
    """Whether a whole text is written like a title: at most 12 words, each with a capital, a number or small; in
    Chinese and Japanese at most 30 characters of one clause."""
    text = text.strip()
    if not text or len(text) > 90 or not any(character.isalnum() for character in text):
        return False
    if has_cjk(text):
        return len(text) <= LONGEST_CJK and not _CJK_SENTENCE.search(text) and len(text) > 1
    parts = [part for part in text.split() if part not in _DASHES]
    stops = sum(part[-1] in ".!?" and not is_abbreviation(part) for part in parts[:-1])
    rest = [part for part in parts[1:] if not is_small(part)]
    return len(parts) <= 12 and stops <= 1 and is_capital(parts[0]) and all(map(is_capital, rest))


def is_abbreviation(word: str) -> bool:
    """Whether a word with a full stop does not end a sentence ("Vol.", "J.")."""
    core = word.strip(_OPENING + ".").casefold()
    return word.endswith(".") and (core in words("names.abbreviations") or len(core) == 1)


def person_like(text: str) -> bool:
    """Whether a text is written like the name of a person: two to four capitalised words and particles, no number."""
    parts = text.strip(" ,.").split()
    first = parts[0].casefold() if parts else ""
    if not 2 <= len(parts) <= 5 or first in ("the", "a", "an") or first in words("names.openers"):
        return False
    names = [part for part in parts if part not in words("names.particles")]
    plain = all(part[0].isupper() and part.translate(_NAME_MARKS).isalpha() for part in names)
    return plain and 2 <= len(names) <= 4


def persons_like(text: str) -> bool:
    """Whether a text is written like one or several names of persons."""
    return all(person_like(name) for name in _AND.split(text))


def never_title(name: str, *, dated: bool = False) -> bool:
    """Whether a text is surely no title: a section, a label, a site, a date, a price, a rating, an address, an event,
    a heading over a list, a question. With a year beside it a word such as "Contact" or "Home" may be one, and so may
    "What's Up, Doc?" and "John Wick: Chapter 4"."""
    text = name.strip(" \t*_.,:;–—-")
    if not text or len(text) > 110 or not any(character.isalnum() for character in text):
        return True
    kinds = ("columns",) if dated and " " not in text else _LINES
    if text[:3].casefold() == "by " and person_like(text[3:]):
        return True
    if text.casefold() in words("names.never") or any(is_line(text, f"lines.{kind}") for kind in kinds):
        return True
    if any(pattern.fullmatch(text) for pattern in (_RATING, _DATE)) or _MONEY.search(text) or _ADDRESS.search(text):
        return True
    if dated and title_like(text) and " " in text and not _PART.fullmatch(text):
        text = cue("names.parts").sub(" ", text).rstrip("?")
    return bool(cue("names.events").search(text) or _ASKS.fullmatch(text) or cue("lists.other").match(text))


def run_before(text: str, low: int, end: int, *, whole: bool) -> Span | None:
    """The title that ends at `end`: the words back to the last break that are written like a title.

    `whole` says that the name may reach over commas to `low`, as at the start of a list line.
    """
    low = max(low, end - REACH)
    parts = [(m.start() + low, m[0]) for m in _IN_TEXT.finditer(text[low:end])]
    start: int | None = None
    for place in range(len(parts) - 1, -1, -1):
        at, word = parts[place]
        following = parts[place + 1][1] if place + 1 < len(parts) else ""
        if following and _breaks(word, following, whole=whole):
            break
        if is_capital(word):
            start = at + len(word) - len(word.lstrip(_OPENING.replace("(", "")))
            if word[0] in '“"«':
                break
        elif not is_small(word):
            break
    return None if start is None else trimmed(text, start, end)


def run_after(text: str, start: int, end: int) -> Span | None:
    """The words from `start` that are written like a title, ending before punctuation."""
    last: int | None = None
    for match in _IN_TEXT.finditer(text[start : min(end, start + REACH)]):
        word = match[0]
        core = word.rstrip(_CLOSING + ".,;:!?…")
        core = core[:-2] if core.endswith(("'s", "’s")) and last is None else core
        if is_capital(word) and core:
            last = start + match.start() + len(core)
        elif last is None or not is_small(word):
            break
        if word[-1] in _CLOSING + ".,;!?…" and not is_abbreviation(word):
            break
    return None if last is None else trimmed(text, start, last)


def cjk_before(text: str, low: int, end: int) -> Span | None:
    """The characters back to the last break, without the verb that leads to the title."""
    low = max(low, end - LONGEST_CJK - 6)
    breaks = [match.end() for match in _CJK_BREAK.finditer(text, low, end)]
    start = breaks[-1] if breaks else low
    for opener in sorted(words("unread.openers_cjk"), key=len, reverse=True):
        if text.startswith(opener, start) and end - start > len(opener) + 1:
            start += len(opener)
            break
    return trimmed(text, start, end) if 2 <= end - start <= LONGEST_CJK else None


def without_opener(text: str, span: Span, after: str, *, begins: bool) -> Span:
    """A title in a sentence, which it `begins` or not, without the word that only leads to it ("In Alien (1979) the
    crew ..."), without who is in it ("Buster Keaton in The General") and without whose it is ("Ridley Scott's Alien"),
    unless the text has both together again. "In Bruges (2008) is ..." keeps its preposition."""
    start, end = span
    pointed = cue("refers.before").match(text, start, end)
    start = pointed.end() + 1 if pointed and text[pointed.end() : pointed.end() + 1] == " " else start
    first, _, rest = text[start:end].partition(" ")
    word = first.casefold().strip(",")
    led = _LED_BY_MAKER.match(text, start, end)
    if begins and led:
        return led.end(), end
    if begins and word in words("names.prepositions") and _ARTICLE.match(rest):  # In the Mood for Love
        return start, end
    being = cue("around.verbs_of_being").match(after.lstrip()) or (
        after[:4] == " by " and word not in ("in", "on", "at")
    )
    if begins and rest.startswith("The ") and word in words("names.before_the"):
        return start + len(first) + 1, end
    part = (being and word in words("names.prepositions")) or _begins_title(word, rest, after, bool(being))
    if begins and rest and word in words("names.openers") and not part:
        start = next((m.start() for m in _IN_TEXT.finditer(text, start + len(first), end) if is_capital(m[0])), start)
    within = _WITHIN.search(text, start, end)
    if within is not None:
        acted = person_like(text[start : within.start()]) and " " in text[within.end() : end]
        start = within.end() if within[1] or acted else start
    personal = _PERSONAL.match(text, start, end)
    owned = personal is not None and personal.end() < end and text.count(text[start:end]) == 1
    return (personal.end(), end) if personal and owned else (start, end)


def _begins_title(word: str, rest: str, after: str, being: bool) -> bool:
    """Whether a word that often only leads to a title is rather its first: "My Neighbor Totoro", "What We Do in ...",
    "Once Upon ...", and "Before Sunrise walks ..." as the subject of its sentence."""
    second = rest.split()[0].casefold() if rest else ""
    clause = word in words("names.opens_clause") and second in words("names.clause") and " " in rest
    two = word in words("names.opens_two") and " " in rest
    subject = word in words("names.opens_subject") and (being or second == "upon" or _VERB.match(after) is not None)
    return word in words("names.opens_any") or clause or two or subject


def without_maker(text: str, span: Span) -> Span | None:
    """A title without "by" and the name after it; None where only a maker is named ("Directed by Ridley Scott")."""
    start, end = span
    by = next((m for m in _BY.finditer(text, start, end) if persons_like(text[m.end() : end])), None)
    if by is None:
        return span
    return None if never_title(text[start : by.start()] + " by x") else trimmed(text, start, by.start())


def trimmed(text: str, start: int, end: int) -> Span | None:
    """A span without outer space and loose punctuation; None where nothing is left."""
    while start < end and (text[start].isspace() or text[start] in ",:;–—-|*_"):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in ",:;–—-|*_"):
        end -= 1
    return (start, end) if start < end else None


def stripped(text: str, low: int, end: int) -> int:
    """`end` without the white space before it."""
    while end > low and text[end - 1].isspace():
        end -= 1
    return end


def _breaks(word: str, following: str, *, whole: bool) -> bool:
    """Whether a title cannot go on over this word's end to the following word."""
    if word in _DASHES:
        return not whole
    if word[0] == "(" and len(word) < 6 and word[1:-1].isdigit():  # (500) Days of Summer
        return False
    if word[-1] in ";)]}|>”»…" or (word[-1] in ".!?" and not is_abbreviation(word)):
        return not (whole and word[-1] in "!?)")
    if word[-1] == ":":
        if word == "or:":  # Dr. Strangelove or: How I Learned ...
            return False
        return is_line(word, "labels.picks") or not is_capital(word)
    return word[-1] == "," and not whole and not is_small(following) and word != "I,"
