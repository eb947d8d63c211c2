"""Which language a text is in by its script, and Chinese spelt one way: simplified, half width. Pure.

Everything here keeps positions: a folded text has one character for each of the text, so that spans stay true.
"""

import re
import unicodedata
from functools import cache, lru_cache
from importlib import resources

HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff]")  # without the middle dot, which names borrow
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:['’-][A-Za-z\u00c0-\u024f]+)*")
_OTHER_LETTER = re.compile(r"[^\W\d_A-Za-z\u00aa\u00b5\u00ba\u00c0-\u02af\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
# What is named in quotation marks is nobody's language: a Japanese title in a Chinese sentence
_QUOTED = re.compile(
    r"《[^》\n]{1,80}》|〈[^〉\n]{1,80}〉|「[^」\n]{1,80}」|『[^』\n]{1,80}』|“[^”\n]{1,80}”|\"[^\"\n]{1,80}\""
)
HAN_A_WORD = 2.0  # characters of Chinese that say as much as an English word
BINDING = 0.4  # of a clause's Latin words, that its other script must weigh to be its language
_BINDS = re.compile(r"[的了是想要看不别没很太少在吃讲找]")
_ENGLISH_BINDS = re.compile(r"\b(?:I|a|an|and|but|for|in|is|like|loved|not|of|or|similar|the|to|with)\b", re.IGNORECASE)
KANA_SHARE = 0.15  # of kana among the characters of Chinese and Japanese, from which a text is Japanese
_CLAUSE_END = re.compile(r"[，。！？；、,;!?\n]|\.\s")


def has_han(text: str) -> bool:
    """Whether a text holds a Chinese character at all."""
    return not text.isascii() and bool(HAN.search(text))


@lru_cache(maxsize=65_536)
def language_of(text: str) -> str:
    """ "zh", "ja", "en" or "other": the language that says most of a text, words in quotation marks aside.

    A text without a letter is "en". Kana make a text Japanese; letters that are neither Latin nor Chinese, "other".
    """
    if text.isascii():
        return "en"
    text = folded(text)
    plain = _QUOTED.sub(" ", text)
    if not any(character.isalpha() for character in plain):
        plain = text
    said: dict[str, float] = {}
    for clause in _CLAUSE_END.split(plain):
        language, weight = _said_in(clause)
        if weight:
            said[language] = said.get(language, 0.0) + weight
    if "ja" in said and said["ja"] >= 0.5 * said.get("zh", 0.0) and said["ja"] > said.get("en", 0.0):
        return "ja"  # a clause of Japanese may hold no kana
    return max(said, key=lambda language: said[language], default="en")


def _said_in(clause: str) -> tuple[str, float]:
    """The language of a clause and how much it says; among as much Latin, Chinese words are those that bind it."""
    han, kana = len(HAN.findall(clause)), len(_KANA.findall(clause))
    latin = sum(map(_weight, _LATIN_WORD.findall(clause)))
    other = len(_OTHER_LETTER.findall(clause)) / HAN_A_WORD
    cjk = (han + kana) / HAN_A_WORD
    if other > cjk and other > BINDING * latin:
        return "other", other + latin
    bound = cjk >= BINDING * latin and _BINDS.search(clause) and not _ENGLISH_BINDS.search(clause)
    if cjk and (cjk > latin or bound):
        return ("ja" if kana >= KANA_SHARE * (han + kana) else "zh"), cjk + latin
    return "en", latin


def _weight(word: str) -> float:
    """How much a Latin word says of the language of a text: names and long words no more than others."""
    return 1.0 if len(word) > 1 else 0.5


def is_chinese(text: str) -> bool:
    """Whether a text is Chinese, to be met by a Chinese encoder: a note, a sentence, a wish."""
    return has_han(text) and language_of(text) == "zh"


@lru_cache(maxsize=65_536)
def folded(text: str) -> str:
    """The text in lower case, half width and simplified characters, one character for each."""
    if text.isascii():
        return text.lower()
    return "".join(map(_folded, text))


@lru_cache(maxsize=65_536)
def _folded(character: str) -> str:
    if character.isascii():
        return character.lower()
    simplified = _simplified().get(character)
    if simplified is not None:
        return simplified
    plain = unicodedata.normalize("NFKC", character).lower()
    return plain if len(plain) == 1 else character


@cache
def _simplified() -> dict[str, str]:
    """Traditional characters by their simplified ones, for the characters that our words are written with."""
    table = resources.files(__name__.rpartition(".")[0]).joinpath("traditional.zh.md").read_text(encoding="utf-8")
    rows = (pair for line in table.splitlines() if not line.startswith("#") for pair in line.split())
    return {traditional: pair[-1] for pair in rows for traditional in pair[:-1]}
