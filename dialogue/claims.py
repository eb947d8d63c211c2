"""What a sentence claims by its words alone, as far as code can tell: numbers, names, wishes, and that something is not
known. Pure.

None of this understands a sentence. It finds what a text either holds or does not hold, so that what a model adds of
its own (a year, a price, a director, a sequel, a verdict) can be noticed.
"""

import re
import unicodedata
from collections.abc import Iterator

from pdgf.models import normalised

LONGEST_ENDING = 3  # letters by which a name may differ from its form in another sentence ("Japan", "Japanese")
SHORTEST_STEM = 4

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
_CJK_RUN = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+")
_WORD = re.compile(r"[^\W\d_][\w'’]*")
_BEGINS = re.compile(r"(?:^|[.!?:;…–—]|\s-)[\s(\[\"'“”‘’«»]*$")
_POSSESSIVE = re.compile(r"['’]s?$")
# Two of these words tell a language that writes every noun with a capital.
_CAPITAL_NOUNS = re.compile(r"\b(?:der|die|das|und|ist|nicht|ein|eine|mit|von|dem|den|im)\b", re.IGNORECASE)

_FILLER = frozenset(
    re.findall(
        r"\w+",
        "the and not but for with from that this are was were has have its any some too very really just less more most"
        " without never nothing something mostly you your asked",
    )
)
_DENIAL = re.compile("^(?:不要|不想|没有|不是|别|不|没|无|非|有|要|很)+")

_NOT_KNOWN = re.compile(
    r"(?:\bnot|n['’]t|\bcannot|\bnever)\s+(?:\w+\s+){0,2}"
    r"(?:known|clear|sure|sa(?:y|id)|mention(?:ed|s)?|stated?|addressed|covered|specified|confirmed|spoken|tell|told"
    r"|check(?:ed)?|recorded|noted)\b(?! for\b)"
    r"|\bunknown\b|\bunclear\b|\bno\s+(?:word|mention|information|notes?|reviews?|sources?|evidence|quotes?|one|record)\b"
    r"|\b(?:nothing|none|nobody|neither)\b[^.]*\b(?:known?|knows|sa(?:y|id)s?|mentions?|speaks?|spoken|about|tells?)\b"
    r"|不清楚|不知道|未知|没有?(?:提到|提及|说明|说)|未(?:提到|提及|说明)|无从|不得而知|尚不|不详|不明"
    r"|わから|分から|触れ(?:て|られて)い?な|言及(?:され)?て?い?な"
    r"|nicht (?:\w+ )?(?:bekannt|erwähnt|gesagt|klar)|unbekannt|unklar|nichts (?:\w+ )?(?:bekannt|gesagt)"
    r"|ne sait|n['’]est pas (?:connue?|précisée?|mentionnée?)|inconnue?s?\b|ne (?:dit|mentionne|précise)"
    r"|no se (?:sabe|menciona|indica|dice|especifica)|se desconoce|desconocid",
    re.IGNORECASE,
)
_SAYS_ONLY_THAT = re.compile(
    r"(?:(?:however|but|and|still|also|otherwise|beyond that|as (?:for|to) [^,]{1,60}),?\s+)*"
    r"(?:whether|how|what|if|nothing|none of|nobody|neither|unknown|unclear|not known"
    r"|no (?:word|mention|information|notes?|reviews?|sources?|evidence|quotes?|one|record)"
    r"|it(?: is|['’]s) (?:not (?:known|clear|said)|unknown|unclear)"
    r"|there is (?:nothing|no (?:word|mention|information))"
    r"|i (?:do not|don['’]t|could not|couldn['’]t|cannot) (?:know|say|tell|check))\b"
    r"|(?:但|不过|另外|此外|目前)?，?(?:至于|关于|对于|是否|有没有|不清楚|不知道|没有(?:提到|提及|说明)|未(?:提到|提及|说明))",
    re.IGNORECASE,
)
_TURNS = re.compile(r"(?<!^)\b(?:but|yet|although|though|while|whereas|because)\b|[;:；：]|.[，]?但", re.IGNORECASE)


def numbers(text: str) -> frozenset[str]:
    """The numbers written in figures, without marks between thousands."""
    plain = unicodedata.normalize("NFKC", text)
    return frozenset(_THOUSANDS.sub("", number) for number in _NUMBER.findall(plain))


def names(sentence: str) -> Iterator[str]:
    """The words that a capital marks as names: those inside the sentence, where its language writes nouns small."""
    if len({word.casefold() for word in _CAPITAL_NOUNS.findall(sentence)}) > 1:
        return
    spaced = _apart(sentence)
    for match in _WORD.finditer(spaced):
        word = _POSSESSIVE.sub("", match[0])
        pronoun = word == "I" or word.startswith(("I'", "I’"))
        if word[:1].isupper() and not pronoun and not _BEGINS.search(spaced, 0, match.start()):
            yield word


def words(text: str) -> frozenset[str]:
    """The words of a text, folded, possessive endings left out."""
    return frozenset(_POSSESSIVE.sub("", word) for word in _WORD.findall(_apart(normalised(text))))


def is_among(name: str, known: frozenset[str]) -> bool:
    """Whether a name, or another form of it, is one of the known words."""
    folded = normalised(name)
    stem = folded[: max(SHORTEST_STEM, len(folded) - LONGEST_ENDING)]
    return folded in known or (len(folded) > SHORTEST_STEM and any(word.startswith(stem) for word in known))


def phrase(text: str) -> str:
    """The words of a text between single spaces, so that whole words can be looked up as `phrase(a) in phrase(b)`."""
    found = re.findall(r"[^\W_]+", _apart(normalised(text)))
    return f" {' '.join(found)} "


def names_wish(text: str, wish: str) -> bool:
    """Whether all that a wish names, its negation aside, stands in a text."""
    named = _content(_DENIAL.sub("", wish))
    return bool(named) and named <= _content(text)


def touches(text: str, other: str) -> bool:
    """Whether two texts share a number or a content word."""
    return bool(numbers(text) & numbers(other) or _content(text) & _content(other))


def says_not_known(text: str) -> bool:
    """Whether a sentence says of something that it is not known."""
    return bool(_NOT_KNOWN.search(text))


def says_only_not_known(text: str) -> bool:
    """Whether a sentence does nothing but say that something is not known; told by its first words, in English and
    Chinese."""
    return bool(says_not_known(text) and _SAYS_ONLY_THAT.match(text) and not _TURNS.search(text))


def _apart(text: str) -> str:
    """The text with the words of scripts without spaces set apart from the others."""
    return _CJK_RUN.sub(r" \g<0> ", text)


def _content(text: str) -> frozenset[str]:
    """The content words without the endings of number, tense and manner, and the pairs of neighbouring ideographs."""
    folded = normalised(text)
    found = {word for word in re.findall(r"[^\W_]{3,}", _CJK_RUN.sub(" ", folded)) if word not in _FILLER}
    stems = {re.sub(r"(?:ing|ed|es|s|ly|y|e)$", "", word) or word for word in found}
    pairs = {run[at : at + 2] for run in _CJK_RUN.findall(folded) for at in range(max(1, len(run) - 1))}
    return frozenset(stems | pairs)
