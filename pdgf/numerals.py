"""One way of writing the numbers of a title: Roman, spelled and Chinese ones become Arabic (METHOD 6.3).

Only what is surely a number is touched. A title that is nothing but number words stays ("Nine" and "9" are two films
of one year), and a Roman numeral counts only where a number stands: at the end, before a subtitle, around "part".
"""

import re
from itertools import pairwise


def counted(words: str, first: int, step: int = 1) -> dict[str, int]:
    """The words of a row of numbers with their values."""
    return {word: first + step * place for place, word in enumerate(words.split())}


UNITS = counted("zero one two three four five six seven eight nine", 0)
TEENS = counted("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen", 10)
TENS = counted("twenty thirty forty fifty sixty seventy eighty ninety", 20, 10)
SCALES = {"hundred": 100, "thousand": 1000}
PART_WORDS = {
    *("part", "chapter", "volume", "episode", "book", "season", "series", "act", "phase"),
    *("teil", "folge", "staffel", "partie", "chapitre", "tome", "saison"),
    *("parte", "capitulo", "temporada", "capitolo", "stagione"),
}
SHORT_PART_WORDS = {"pt": "part", "vol": "volume", "ep": "episode", "ch": "chapter"}
# One to ten after a word for "part"; elsewhere too many of these are ordinary words of another language.
PART_NUMBERS = {
    **counted("eins zwei drei vier funf sechs sieben acht neun zehn", 1),
    **counted("un deux trois quatre cinq six sept huit neuf dix", 1),
    **counted("uno dos tres cuatro cinco seis siete ocho nueve diez", 1),
    **counted("uno due tre quattro cinque sei sette otto nove dieci", 1),
    **counted("um dois tres quatro cinco seis sete oito nove dez", 1),
}
ROMAN = re.compile(r"(x{0,3})(ix|iv|v?i{0,3})")  # 1 to 39; larger ones are words ("mix") or years
CHINESE_COUNT = re.compile(r"第\s*([一二三四五六七八九十]{1,3})\s*(?=[部季集章卷回篇期话話幕])")
FRACTION = re.compile(r"(?<![\d/])([1-9])\s*/\s*([2-9])(?![\d/])")
TOKEN = re.compile(r"([^\W_]+(?:['’][^\W_]+)*)")
SUBTITLE = re.compile(r"\s*[:,(|]|\s+[-–—/]\s")


def with_arabic_numerals(title: str) -> str:
    """The title, given in lower case and without accents, with every number in Arabic digits."""
    title = re.sub(r"(?<=\d)[,'](?=\d{3}(?!\d))", "", title)
    title = FRACTION.sub(r" \1over\2 ", title)
    title = CHINESE_COUNT.sub(lambda found: f"第{_chinese(found[1])}", title)
    pieces = TOKEN.split(title)  # separator, word, separator, word, ..., separator
    words, gaps = pieces[1::2], pieces[2::2]
    for place, (word, following) in enumerate(pairwise(words)):
        if word in SHORT_PART_WORDS and (_is_number_word(following) or _roman(following)):
            words[place] = SHORT_PART_WORDS[word]
    if any(not _is_number_word(word) for word in words):
        words, gaps = _spelled(words, gaps)
        words = [_in_position(words, gaps, place) for place in range(len(words))]
    return pieces[0] + "".join(word + gap for word, gap in zip(words, gaps, strict=True))


def _is_number_word(word: str) -> bool:
    return word in UNITS or word in TEENS or word in TENS or word in SCALES or word.isdecimal()


def _spelled(words: list[str], gaps: list[str]) -> tuple[list[str], list[str]]:
    """Runs of English number words as one number each: "one hundred and one" is 101, "one two" stays two numbers."""
    found_words: list[str] = []
    found_gaps: list[str] = []
    place = 0
    while place < len(words):
        value, after = _number_at(words, place)
        found_words.append(words[place] if value is None else str(value))
        place = max(after, place + 1)
        found_gaps.append(gaps[place - 1])
    return found_words, found_gaps


def _number_at(words: list[str], place: int) -> tuple[int | None, int]:
    """The number that starts at a word and the place after it; None where none starts."""
    value, place = _below_hundred(words, place)
    if value is None:
        return None, place
    for scale in ("hundred", "thousand"):
        if value and words[place : place + 1] == [scale]:
            value, place = value * SCALES[scale], place + 1
            joined = words[place : place + 1] == ["and"]
            rest, after = _below_hundred(words, place + joined)
            if rest:
                value, place = value + rest, after
    return value, place


def _below_hundred(words: list[str], place: int) -> tuple[int | None, int]:
    word = words[place] if place < len(words) else ""
    if word in TENS:
        unit = UNITS.get(words[place + 1], 0) if place + 1 < len(words) else 0
        return TENS[word] + unit, place + (2 if unit else 1)
    value = UNITS.get(word, TEENS.get(word))
    return value, place + (value is not None)


def _in_position(words: list[str], gaps: list[str], place: int) -> str:
    """A word that stands where a number stands, as that number."""
    word, before = words[place], words[place - 1] if place else ""
    if before in PART_WORDS and word in PART_NUMBERS:
        return str(PART_NUMBERS[word])
    value = _roman(word)
    if value is None or not place:
        return word
    last = place == len(words) - 1
    ends = last or SUBTITLE.match(gaps[place]) is not None or words[place + 1] in PART_WORDS
    # "i" is the pronoun or a conjunction's neighbour almost everywhere else ("The King and I").
    return str(value) if before in PART_WORDS or (ends and value > 1) else word


def _roman(word: str) -> int | None:
    """The value of a Roman numeral from 1 to 39 in lower case."""
    found = ROMAN.fullmatch(word) if word else None
    if not found:
        return None
    units = {"": 0, "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9}
    return 10 * len(found[1]) + units[found[2]]


def _chinese(count: str) -> int:
    """The value of a Chinese numeral from 1 to 99."""
    digits = {digit: n for n, digit in enumerate("一二三四五六七八九", start=1)}
    tens, ten, units = count.partition("十")
    if not ten:
        return int("".join(str(digits[digit]) for digit in count))
    return 10 * digits.get(tens, 1) + digits.get(units, 0)
