"""What a text says of animals at a place to somebody who keeps away from them: 不想去有狗的地方 (METHOD 7.1, 12).

A dish is no animal that is there: hot dogs and 热狗 say nothing.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from pdgf.engines.builtin.chinese.evidence import denied_at
from pdgf.engines.builtin.chinese.wording import read_chinese_feature
from pdgf.engines.builtin.findings import Finding
from pdgf.glossary import entries, folded, gloss, has_han

LET_IN = "pet friendly"  # of the word list
HERE = "店里有"  # before the animals of such a wish, which is not about a theme


@dataclass(frozen=True, kw_only=True)
class Animals:
    """Animals that guests bring: what Chinese and English texts call them, and whether they are to be let in."""

    chinese: re.Pattern[str]
    english: re.Pattern[str]
    wanted: bool = False


_PETS = r"宠物|毛孩子|动物"
_ANIMALS = {
    "dogs": Animals(
        chinese=re.compile(rf"(?<!热)(?<!单身)(?<!加班)(?<!撒)狗(?!血|粮|不理|尾|年)|{_PETS}"),
        english=re.compile(
            r"(?<!hot )(?<!corn )(?<!kimchi )(?<!chili )(?<!sausage )\b(?:dogs?|pupp(?:y|ies)|pets?)\b"
            r"(?! biscuits?| bags?| food)",
            re.IGNORECASE,
        ),
    ),
    "cats": Animals(
        chinese=re.compile(rf"(?<!熊)猫(?!耳朵|腻|山王|屎咖啡)|{_PETS}"),
        english=re.compile(r"\b(?:cats?|kittens?|pets?)\b(?! food)", re.IGNORECASE),
    ),
}
_ANIMALS["animals"] = Animals(
    chinese=re.compile("|".join(animals.chinese.pattern for animals in _ANIMALS.values())),
    english=re.compile("|".join(animals.english.pattern for animals in _ANIMALS.values()), re.IGNORECASE),
)
_KEPT_OUT = re.compile(r"(?:禁止|谢绝|不让|不许|不准|不能|不可以?|不欢迎|不接待|不接受|勿|莫)[^,。;!?]{0,4}$")
_KEPT_OUT_AFTER = re.compile(r"^[^,。;!?]{0,4}(?:禁止|不得|不能|不可以?|不让|不准|莫|勿)(?:入内|进|带)")
_OUT_BEFORE = re.compile(
    r"(?:(?<!\bhave )(?<!\bhas )\bno|\bwithout|\bnever any|\bbans?|\bforbids?|\brefuses?)(?: any| other)? $",
    re.IGNORECASE,
)
_OUT_AFTER = re.compile(
    r"^(?:[- ]free\b|(?: \w+){0,2} (?:are|is|were) (?:not|never|no longer|refused|banned|forbidden|turned away)"
    r"|(?: \w+){0,2} (?:are|is)n['’]t|(?: \w+){0,2} (?:must|have to) (?:wait|stay|remain|be left) outside"
    r"|[^:]{0,20}: (?:no|none|false)\b)",
    re.IGNORECASE,
)
_LACKING = re.compile(r"\bno (?:dog|cat|pet)[- ]free\b", re.IGNORECASE)


def is_animal(words: str) -> bool:
    """Whether Chinese words name animals that guests bring, and nothing else."""
    return words in entries() and gloss(words) in _ANIMALS


@lru_cache(maxsize=4_096)
def animals_meant(feature: str) -> Animals | None:
    """The animals that a wish in Chinese keeps away from at a place, or wants let in; None for any other wish."""
    if not has_han(feature):
        return None
    read = read_chinese_feature(feature)
    meant = gloss(read.focus)
    if meant == LET_IN:
        return replace(_ANIMALS["animals"], wanted=not read.avoid)
    return _ANIMALS.get(meant) if read.avoid and read.focus.startswith(HERE) else None


@lru_cache(maxsize=100_000)
def animal_finding(sentence: str, animals: Animals) -> Finding | None:
    """What one sentence says to somebody who keeps away from animals, or brings one; None where it names none."""
    found = _out_of_sight(sentence, animals)
    return None if found is None else Finding.FOR if found is not animals.wanted else Finding.AGAINST


def _out_of_sight(sentence: str, animals: Animals) -> bool | None:
    """Whether a sentence says that there are none; None where it names none."""
    if sentence.startswith("Dishes:"):
        return None
    if has_han(sentence):
        return _in_chinese(folded(sentence), animals)
    found = [_out(sentence, m.start(), m.end()) for m in animals.english.finditer(sentence)]
    if not found:
        return None
    return all(found) and not _LACKING.search(sentence)


def _in_chinese(plain: str, animals: Animals) -> bool | None:
    found = list(animals.chinese.finditer(plain))
    if not found:
        return None
    out = [
        bool(
            _KEPT_OUT.search(plain[: m.start()])
            or _KEPT_OUT_AFTER.match(plain[m.end() :])
            or denied_at(plain, m.start(), m.end())
        )
        for m in found
    ]
    return all(out)


def _out(sentence: str, start: int, end: int) -> bool:
    return bool(_OUT_BEFORE.search(sentence[:start]) or _OUT_AFTER.match(sentence[end:]))
