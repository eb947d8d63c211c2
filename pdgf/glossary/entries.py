"""The bilingual word list: Chinese forms with the English words that mean the same (METHOD 12)."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from pdgf.glossary.nations import nation_forms
from pdgf.glossary.script import folded
from pdgf.glossary.segmentation import bounds

# What stands around a word of one character even where a dictionary joins them: 太辣, 很甜的 ("" is an end of the text)
_BEFORE_ONE = frozenset(["", *"太很更最够超偏挺真不别较好又、，,。想要吃喝点么是"])
_AFTER_ONE = frozenset(["", *"的了点一些、，,。吗吧呢啊又也和但就"])

WORDS = "words"  # the section of what asks for nothing by itself
MAKER = "creator"  # the section of those who make items, several spellings of a name joined by "or"
_FILES = ("glossary.zh.toml", "people.zh.toml")


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A Chinese form, its English words, and the perspective of a wish for it; "words" where it is none."""

    form: str
    english: str
    perspective: str


@dataclass(frozen=True, kw_only=True)
class Named:
    """An entry at half-open offsets of a text."""

    entry: Entry
    start: int
    end: int


@cache
def entries() -> Mapping[str, Entry]:
    """Every entry by its form."""
    folder = resources.files(__name__.rpartition(".")[0])
    found: dict[str, Entry] = {}
    for file in _FILES:
        for perspective, rows in tomllib.loads(folder.joinpath(file).read_text(encoding="utf-8")).items():
            for english, forms in rows.items():
                for form in forms.split():
                    found.setdefault(folded(form), Entry(form=form, english=english, perspective=perspective))
    for form, english, perspective in nation_forms():
        found.setdefault(folded(form), Entry(form=form, english=english, perspective=perspective))
    return found


@cache
def makers() -> Mapping[str, tuple[str, ...]]:
    """The names that makers known by a Chinese one bear in metadata, by the Chinese one."""
    return {form: tuple(e.english.split(" or ")) for form, e in entries().items() if e.perspective == MAKER}


@cache
def chinese_of() -> Mapping[str, str]:
    """The first Chinese form of English words, by the words in lower case."""
    found: dict[str, str] = {}
    for entry in entries().values():
        if entry.perspective != WORDS:
            found.setdefault(entry.english.casefold(), entry.form)
    return found


@cache
def _lengths() -> Mapping[str, tuple[int, ...]]:
    """The lengths of the forms that begin with a character, longest first."""
    lengths: dict[str, set[int]] = {}
    for form in entries():
        lengths.setdefault(form[0], set()).add(len(form))
    return {first: tuple(sorted(found, reverse=True)) for first, found in lengths.items()}


@lru_cache(maxsize=65_536)
def named(text: str) -> tuple[Named, ...]:
    """The entries that a text names, the longest at each place, left to right, without overlap.

    A form of one character must be a word of the text: 长 is none in 长大.
    """
    plain = folded(text)
    found: list[Named] = []
    place = 0
    while place < len(plain):
        entry = _entry_at(plain, place)
        if entry is None:
            place += 1
            continue
        end = place + len(entry.form)
        found.append(Named(entry=entry, start=place, end=end))
        place = end
    return tuple(found)


def _entry_at(plain: str, place: int) -> Entry | None:
    for length in _lengths().get(plain[place], ()):
        entry = entries().get(plain[place : place + length])
        if entry is not None and _is_a_word(plain, place, length):
            return entry
    return None


def _is_a_word(plain: str, place: int, length: int) -> bool:
    if plain[place].isascii():  # part of a longer word in Latin letters
        around = plain[place - 1 : place] + plain[place + length : place + length + 1]
        return not any(character.isascii() and character.isalnum() for character in around)
    if length == len(plain):
        return True
    ends = {place, place + length} & bounds(plain)
    if len(ends) == 2 or (length > 1 and ends):
        return True
    if length > 1:  # over the border of two words: 有爱 in 没有爱情
        return False
    return plain[place - 1 : place] in _BEFORE_ONE and plain[place + 1 : place + 2] in _AFTER_ONE
