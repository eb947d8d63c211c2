"""The words of a wish: what it names, and whether it names it as unwanted. Pure."""

import re

from pdgf.constraints.amounts import amounts
from pdgf.constraints.refusals import refusals, without_refusal
from pdgf.constraints.spelling import respelt
from pdgf.glossary import folded, gloss, has_han, limits
from pdgf.models import normalised

DENIED = re.compile(
    r"(?:(?:not|nothing)\b(?! (?:but|only|just|less)\b)|(?:no|never|without|less|avoid|other than|except(?: for)?"
    r"|(?:any|every)thing (?:but|except|apart from|other than)|(?:apart|aside) from|but for|hate[ds]?"
    r"|dislike[ds]?|too|instead of|rather than|\w+n['’]t|cannot"
    r"|(?:can|do|did|does|would|could|is|are) not)\b)",
    re.IGNORECASE,
)
_DENIED_IN_CHINESE = re.compile(
    r"(?:绝对|千万|坚决|一定|真的|请|最好|尽量|希望|也|都|就|我们?|实在|完全|一点都?|其实|还是|再|结局|节奏|画面)*"
    r"(?:不(?!超过|到|少于|低于|高于|多于|错|同|限|介意|管|论|仅|只|但|光|断)|别(?!致|具|的)|没有?(?!关系|问题)|无(?!障碍|论|麸质|乳|线|所谓|厘头|敌|限)"
    r"|除了|讨厌|拒绝|避免|避开|排除|受不了|反感|远离|太(?!空|阳|平)|过于)|.+(?:除外|免谈|不要)$"
)
_DENIAL = re.compile(
    r"(?:(?:not|nothing)\b(?! (?:but|only|just|less)\b)|no(?! one\b)|never|without|avoid(?:ing)?|other than"
    r"|except(?: for)?|(?:any|every)thing (?:but|except|apart from|other than)|(?:apart|aside) from"
    r"|hate[ds]?|dislike[ds]?|instead of|rather than"
    r"|(?:(?:i|we)\s+)?(?:do not|does not|don['’]?t|doesn['’]?t|can(?:no|['’])?t)"
    r"\s+(?:want|like|need|stand|bear|enjoy|care for|eat|drink|watch|read))\b(?:\s+(?:any|an?|the)\b)?\s*",
    re.IGNORECASE,
)
_DENIAL_IN_CHINESE = re.compile(
    r"(?:请|最好|千万|绝对|坚决|我们?|都|也|再)*(?:不(?:想|喜欢|爱|愿意?)(?:要|看|吃|读|去)|不(?:要有?|想|喜欢|吃|看|含|带|能有)"
    r"|不(?!同|错)|别(?:有|太(?=太))?|没有?|无|避免|避开|拒绝|讨厌|排除|远离|除了)"
)
_DENIES_IN_CHINESE = re.compile(r"[不没别无非太]|讨厌|反感|拒绝|避|除了|免谈|难看|失望|烂|过于|受够|腻")
_DENIAL_BEHIND = re.compile(r"(?:都|就|也)?(?:除外|免谈|不要了?|不行|以外|之外)$")
_SMALL_IN_CHINESE = re.compile(
    r"一点儿?|一些|有点|有些|那么|这么|非常|特别|片|类|系|小说|电影|番|[不太很要有是的了别没更最过于偏想看吃去些点]"
)
_MEASURE = re.compile(
    r"\b(?:stand|like|bear|want|enjoy|mostly|mainly|too|very|really|overly|just|much|many|actually|rather|fan of|at all"
    r"|a bit|a little|bits? of|super|extremely|incredibly|kind of|sort of|kinda|quite|pretty|fairly|slightly|truly"
    r"|totally|absolutely|so|that|than|after all|whatsoever|of any kind|some|any)\b",
    re.IGNORECASE,
)
_FILLER = frozenset(
    re.findall(
        r"\w+",
        "the a an of for in on with to and or it its any some that this is are was be have has having film films"
        " movie movies book books restaurant restaurants place places food anime wish thing things about more anymore"
        " part bit requirement ideally preferably maybe perhaps hopefully please sorry thanks hmm guess all either"
        " fine okay alright",
    )
)
_COMPARING = re.compile(r"(?:less|fewer)\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")


def denied(words: str) -> bool:
    """Whether a value's own words say that something is unwanted."""
    if has_han(words):
        return bool(_DENIED_IN_CHINESE.match(folded(words.strip())))
    return bool(DENIED.match(words.strip()) or refusals(words))


def refuses(words: str) -> bool:
    """Whether a value refuses a thing as such ("no romance", "not from Ghibli"), so that another wish leaves it alone:
    a limit ("not older than 1990") or a comparison ("less noisy") gives way to what is asked for instead."""
    said = words.strip()
    if has_han(said):
        return denied(said) and not (limits(said) or _DIGIT.search(said))
    return denied(said) and not (_COMPARING.match(said) or _DIGIT.search(said) or amounts(said))


def bare(words: str) -> str:
    """What words refuse, without those that deny it ("romance" of "no romance"), to stand where that is said already.
    A degree stays ("too scary"), and so do words that deny in another way."""
    said = words.strip()
    if has_han(said):
        denial = _DENIAL_IN_CHINESE.match(said)
        return _DENIAL_BEHIND.sub("", said[denial.end() :] if denial else said).strip() or said
    while (denial := _DENIAL.match(said)) and denial.end() < len(said):
        said = said[denial.end() :]
    return said


def denies(words: str) -> bool:
    """Whether words deny anything themselves, wherever in them."""
    return bool(_DENIES_IN_CHINESE.search(words) if has_han(words) else DENIED.search(words) or refusals(words))


def refused(words: str) -> str:
    """Words that name something, as something unwanted."""
    return f"不要{words}" if has_han(words) else f"not {words}"


def stems(words: str) -> set[str]:
    """The content words without the endings of number, so that "musical" meets "musicals"."""
    if has_han(words):
        rest = _SMALL_IN_CHINESE.sub("", folded(words))
        meant = gloss(words)
        return stems(re.sub(r"\bmade in\b|\bno\b|\btoo\b", " ", meant)) if meant else {rest} - {""}
    found = re.findall(r"\w+", normalised(respelt(words).text))
    return {re.sub(r"(?:es|s)$", "", word) for word in found if word not in _FILLER and len(word) > 2}


def named_by(words: str) -> set[str]:
    """What a value names, its negation and strength aside; a Chinese one by its English words where they are known."""
    if has_han(words):
        return stems(words)
    return stems(_MEASURE.sub(" ", DENIED.sub(" ", without_refusal(words))))
