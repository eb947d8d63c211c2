"""Wishes for what is between two people ("mother-daughter", 母女关系, "an old man and a child").

A text that names one of them, or only "family", does not speak of the two (METHOD 7.1, 12).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from pdgf.engines.builtin.features import FeatureReading
from pdgf.engines.builtin.findings import Finding, unwanted
from pdgf.engines.builtin.polarity import Degree, literal_events

# A person of a pair: what names them in a wish, and what else names them in a text of either language
_PERSONS: Mapping[str, tuple[str, str]] = {
    "mother": (r"mothers?|mums?|moms?", r"mummy|mommy|母亲|妈妈|母(?=[女子])|娘(?!子)"),
    "father": (r"fathers?|dads?", r"daddy|父亲|爸爸|父(?=[女子])|爹"),
    "daughter": (r"daughters?", r"女儿|闺女|(?<=[母父])女"),
    "son": (r"sons?", r"儿子|(?<=[母父])子"),
    "brother": (r"brothers?", r"兄弟|哥哥|弟弟|兄妹|姐弟"),
    "sister": (r"sisters?", r"姐妹|姊妹|姐姐|妹妹|兄妹|姐弟"),
    "grandparent": (
        r"grand(?:mothers?|fathers?|parents?)",
        r"grand(?:ma|pa|dad)|granny|祖父|祖母|爷爷|奶奶|外公|外婆|祖孙|爷孙",
    ),
    "grandchild": (r"grand(?:sons?|daughters?|child(?:ren)?)", r"孙子|孙女|祖孙|爷孙|外孙"),
    "husband": (r"husbands?", r"married couple|丈夫|老公|夫妻|夫妇"),
    "wife": (r"wi(?:fe|ves)", r"married couple|妻子|老婆|夫妻|夫妇"),
    "teacher": (r"teachers?|masters?", r"mentors?|tutors?|schoolmasters?|coach|老师|教师|师父|师傅|师生|师徒"),
    "pupil": (
        r"pupils?|students?|apprentices?",
        r"disciples?|prot[eé]g[eé]e?s?|schoolboys?|schoolgirls?|学生|徒弟|弟子|学徒|师生|师徒",
    ),
    "old person": (
        r"(?:old|elderly|older) (?:man|men|woman|women|person|lady)",
        r"grand(?:fathers?|mothers?|pa|ma)|pensioners?|widowers?|老人|老头|老太|爷爷|奶奶",
    ),
    "child": (
        r"child(?:ren)?|kids?|(?:little |small |young )?(?:boys?|girls?)",
        r"toddlers?|orphans?|\w+-year-old|grand(?:sons?|daughters?)|孩子|小孩|男孩|女孩|儿童|孤儿",
    ),
}
_CHINESE: Mapping[str, tuple[str, str]] = {
    "母女": ("mother", "daughter"), "母子": ("mother", "son"), "父女": ("father", "daughter"),
    "父子": ("father", "son"), "兄妹": ("brother", "sister"), "姐弟": ("brother", "sister"),
    "祖孙": ("grandparent", "grandchild"), "爷孙": ("grandparent", "grandchild"), "夫妻": ("husband", "wife"),
    "师生": ("teacher", "pupil"), "师徒": ("teacher", "pupil"),
}  # fmt: skip
_SMALL = (
    r"(?:an?|the|his|her|their|two|relationships?|bonds?|stor(?:y|ies)|friendships?|love|tales?|dynamics?|between|of"
    r"|about|strong|difficult|complicated|complex|close|real|family)"
)
_OF_COMPANY = frozenset({"audience", "occasion", "atmosphere", "amenity"})
_JOINED = r"\s*(?:[-–/&]|\band\b)\s*(?:an?\s+|the\s+|his\s+|her\s+)?"


@dataclass(frozen=True)
class Pair:
    """Two persons of a wish."""

    one: str
    other: str

    @property
    def english(self) -> str:
        """The pair in English words that are read back as itself."""
        return f"{self.one}-{self.other} relationship"


@lru_cache(maxsize=4_096)
def pair_of(words: str) -> Pair | None:
    """The pair that a wish is for, in English or Chinese words; None where it names none, or says more than that."""
    for name, persons in _CHINESE.items():
        if re.fullmatch(rf"(?:一对|关于)?{name}(?:之间)?(?:的)?(?:关系|情|感情|情感|亲情|故事|题材|羁绊|友情)?", words):
            return Pair(*persons)
    plain = words.casefold()
    for one, other in combinations(_PERSONS, 2):
        first, second = _PERSONS[one][0], _PERSONS[other][0]
        for a, b in ((first, second), (second, first)):
            if re.fullmatch(rf"(?:{_SMALL}\s+)*(?:{a}){_JOINED}(?:{b})(?:\s+{_SMALL})*", plain):
                return Pair(one, other)
    return None


def pair_wished(words: str, perspective: str) -> Pair | None:
    """The pair that a wish of some perspective is for: who comes along is no relation in a story."""
    return None if perspective in _OF_COMPANY else pair_of(words)


@lru_cache(maxsize=100_000)
def persons_named(pair: Pair, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of a text that name the one and the other of a pair."""
    return _words_for(pair.one, text), _words_for(pair.other, text)


def pair_finding(reading: FeatureReading, pair: Pair, text: str) -> Finding | None:
    """What a text says of two people and what is between them: nothing, unless it names both."""
    found = persons_named(pair, text)
    if not all(found):
        return None
    said = (event.degree for words in found for word in words for event in literal_events(text, word))
    degree = min(said, default=Degree.PLAIN)
    if reading.avoid:
        return unwanted(reading, degree)
    return Finding.AGAINST if degree is Degree.NONE else Finding.FOR


def _words_for(person: str, text: str) -> tuple[str, ...]:
    named, also = _PERSONS[person]
    return tuple(match[0] for match in re.finditer(rf"(?<![A-Za-z])(?:{named}|{also})(?![A-Za-z])", text, re.I))
