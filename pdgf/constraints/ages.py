"""Ages of children in a wish: "for my six-year-old", "the youngest is 7", "rated 12". Pure."""

import re

from pdgf.constraints.amounts import WORD_NUMBERS, number_said, plainly

_CHILD = (
    r"(?:(?:the\s+)?(?:youngest|eldest|oldest|elder|younger|little)(?:\s+(?:one|kid|child|of (?:them|us|the \w+)))?"
    r"|(?:grand)?(?:sons?|daughters?|child(?:ren)?)|kids?|nieces?|nephews?|boys?|girls?|toddler|little one|twins)"
)
_IS = (
    r"(?:\(|,?\s*(?:(?:who|that|and)\s+)?(?:is|are|['’]s|['’]re|being|turns?|turning|(?:has |have |['’]s )?just turned"
    r"|aged?|of)\s+(?:only\s+|just\s+|about\s+|nearly\s+|almost\s+|turning\s+)?(?!not\b))"
)
_COUNTED = sorted((word for word in WORD_NUMBERS if len(word) > 2 and word.isalpha() and word != "hundred"), key=len)
_YEARS = rf"(?:\d{{1,2}}|{'|'.join(reversed(_COUNTED))})"
_MORE_AGES = rf"(?:{_YEARS}(?:\s*,\s*|\s*,?\s*(?:and|or|&)\s+))*"
_AGE = re.compile(
    rf"\b(?P<age>{_MORE_AGES}{_YEARS})[\s-](?:years?[\s-]olds?|y/?o)\b|\b(?P<yo>\d{{1,2}})y/?o\b"
    rf"|\b(?:aged?|ages)\s+(?P<aged>{_MORE_AGES}{_YEARS})\b"
    rf"|\b(?:rated|rating(?: of)?|certificate|age rating(?: of)?)\s+(?:pg[\s-]?|an?\s+)?(?P<rated>{_YEARS})a?\b"
    r"(?:\s+(?:or|and)\s+(?:below|under|lower|less|younger|down))?"
    rf"|\b(?P<kind>{_CHILD})\s*{_IS}(?P<told>{_MORE_AGES}{_YEARS})\b"
    r"(?:\s+years?(?:\s+old)?\b)?(?!\s*(?:%|minutes?|hours?|days?|weeks?|of\b|people|adults|friends|pages|episodes))\)?"
    rf"|\b(?P<who>he|she|they|both)\s*{_IS}(?P<later>{_MORE_AGES}{_YEARS})\b(?:\s+years?\s+old\b)?(?:\s+now\b)?"
    r"(?=\s*(?:$|[.,;:!?)\n]|and\b|so\b|but\b|-))"
)
_CHILD_MEANT = re.compile(rf"\bfor\b[^.!?\n]{{0,30}}\b{_CHILD}\b|\b(?:my|our)\s+(?:[\w'-]+\s+){{0,2}}{_CHILD}\b")
OLDEST_CHILD = 17


def child_ages(text: str) -> tuple[tuple[int, tuple[int, int]], ...]:
    """The ages of children that a text names ("six-year-old", "the youngest is 7"), each with its characters; of
    several children the age of the youngest. Who "she is 7" is about has to be named before it, where anything is."""
    found, plain = [], plainly(text)
    for match in _AGE.finditer(plain):
        if match["who"] and plain[: match.start()].strip() and not _CHILD_MEANT.search(plain, 0, match.start()):
            continue
        said = next(said for name in ("age", "yo", "aged", "rated", "told", "later") if (said := match.group(name)))
        age = min(number_said(number) for number in re.findall(_YEARS, said))
        if 0 < age <= OLDEST_CHILD:
            found.append((int(age), match.span()))
    return tuple(found)
