"""What a text says to somebody who wants no child to die: a boy who dies is one, a grandfather is none (METHOD 7.1)."""

import re
from functools import lru_cache

from pdgf.engines.builtin.chinese.evidence import denied_at
from pdgf.engines.builtin.chinese.wording import read_chinese_feature
from pdgf.engines.builtin.findings import Finding
from pdgf.glossary import folded, gloss, has_han

CHILD_DIES = "child dies"  # of the word list
_CHILD = (
    r"(?:child(?:ren)?|kids?|boys?|girls?|bab(?:y|ies)|infants?|toddlers?|newborns?|sons?|daughters?|orphans?"
    r"|schoolboys?|schoolgirls?|(?:little|younger|baby) (?:brother|sister)s?)(?!['’]s?\b)"
)
_DIES = (
    r"(?:die[sd]?|dying|dead|deaths?|killed|kills|murder(?:s|ed)?|drown(?:s|ed)?|perish\w*|starv\w+|funeral|buried"
    r"|suicide|executed|terminally)"
)
_ENGLISH = re.compile(rf"\b{_CHILD}[^.;!?]{{0,40}}\b{_DIES}\b|\b{_DIES}\b[^.;!?]{{0,40}}\b{_CHILD}", re.IGNORECASE)
_NOBODY = re.compile(
    r"\b(?:nobody|no one|no child(?:ren)?|none of the children|no kids?)\b[^.;!?]{0,20}\b(?:die[sd]?|dying|killed)\b"
    r"|\bevery(?:one|body| child) (?:lives|survives)|\bchildren (?:all )?survive",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:no|not|never|without|nobody|none)\b|n['’]t\b", re.IGNORECASE)
_CHINESE_CHILD = r"(?:孩子|小孩|儿童|男孩|女孩|婴儿|宝宝|女儿|儿子|弟弟|妹妹|少年|少女|孙子|孙女|幼子|幼女)"
_CHINESE_DIES = r"(?:死(?!党|板|对头|宅|缠|磕|活)|去世|夭折|丧命|遇害|被杀|离世|身亡|溺亡|病逝|自杀|丧生|牺牲)"
_CHINESE = re.compile(
    rf"{_CHINESE_CHILD}[^,。;!?]{{0,8}}?(?P<dies>{_CHINESE_DIES})|(?P<dies2>{_CHINESE_DIES})[^,。;!?]{{0,4}}{_CHINESE_CHILD}"
    r"|(?P<dies3>丧子|丧女|夭折)"
)
_NOBODY_CHINESE = re.compile(r"(?:没有?人|谁都没有?|无人)(?:会)?(?:死|丧命)|不死人|全员存活")


def wants_no_child_to_die(feature: str) -> bool:
    """Whether a wish in Chinese is that no child dies."""
    if not has_han(feature):
        return False
    read = read_chinese_feature(feature)
    return read.avoid and gloss(read.focus) == CHILD_DIES


@lru_cache(maxsize=100_000)
def child_death_finding(sentence: str) -> Finding | None:
    """What one sentence says to whoever wants no child to die; None where it tells of no such death."""
    if has_han(sentence):
        return _in_chinese(folded(sentence))
    if _NOBODY.search(sentence):
        return Finding.FOR
    match = _ENGLISH.search(sentence)
    if match is None:
        return None
    return Finding.FOR if _NOT.search(sentence, max(0, match.start() - 12), match.end()) else Finding.AGAINST


def _in_chinese(plain: str) -> Finding | None:
    if _NOBODY_CHINESE.search(plain):
        return Finding.FOR
    match = _CHINESE.search(plain)
    if match is None:
        return None
    name = next(name for name in ("dies", "dies2", "dies3") if match[name])
    return Finding.FOR if denied_at(plain, *match.span(name)) else Finding.AGAINST
