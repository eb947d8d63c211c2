"""The words of a wish: what it names, and whether it names it as unwanted. Pure."""

import re

from pdgf.constraints.amounts import amounts
from pdgf.constraints.spelling import respelt
from pdgf.models import normalised

DENIED = re.compile(
    r"(?:(?:not|nothing)\b(?! (?:but|only|just|less)\b)|(?:no|never|without|less|avoid|other than|except(?: for)?"
    r"|(?:any|every)thing (?:but|except|apart from|other than)|(?:apart|aside) from|but for|hate[ds]?"
    r"|dislike[ds]?|too|instead of|rather than|\w+n['’]t|cannot"
    r"|(?:can|do|did|does|would|could|is|are) not)\b)",
    re.IGNORECASE,
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
    return bool(DENIED.match(words.strip()))


def refuses(words: str) -> bool:
    """Whether a value refuses a thing as such ("no romance", "not from Ghibli"), so that another wish leaves it alone:
    a limit ("not older than 1990") or a comparison ("less noisy") gives way to what is asked for instead."""
    said = words.strip()
    return denied(said) and not (_COMPARING.match(said) or _DIGIT.search(said) or amounts(said))


def stems(words: str) -> set[str]:
    """The content words without the endings of number, so that "musical" meets "musicals"."""
    found = re.findall(r"\w+", normalised(respelt(words).text))
    return {re.sub(r"(?:es|s)$", "", word) for word in found if word not in _FILLER and len(word) > 2}


def named_by(words: str) -> set[str]:
    """What a value names, its negation and strength aside."""
    return stems(_MEASURE.sub(" ", DENIED.sub(" ", words)))
