"""A first message that names the kind of another domain outright ("a quiet book about food" among films). Pure.

Only the noun that is asked for counts: "a film about a book" asks for a film, "a book lover" for no book. Where the
kind of the chosen domain is asked for too, nothing moves.
"""

import re
from functools import cache
from typing import Final

from dialogue.chinese_topics import names_a_kind
from dialogue.domain import Domain
from dialogue.domain_nouns import LEAD, NO_KIND, NOUNS, WORDS
from dialogue.spans import clauses, sentences
from pdgf.glossary import folded, has_han

_HELLO: Final = r"(?:(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there)?[,.!\s]+)?"
_ASKING: Final = (
    r"(?:(?:please )?(?:help me (?:to )?(?:find|choose|pick)|(?:recommend|suggest|find|give|show)(?: me| us)?"
    r"|(?:i|we) (?:really )?(?:want|need|would like|would love|feel like|fancy|could use)"
    r"|(?:i|we)['’]d (?:like|love)"
    r"|(?:(?:i|we)(?:['’]m| am|['’]re| are) )?(?:looking for|searching for|after|in search of|in the mood for)"
    r"|need|want|fancy)\s+)?"
    r"(?:to (?:read|watch|see|find|try|reserve|book|go to|eat (?:at|in))\s+)?"
)
_STOPS: Final = (  # words at which what is said of the thing asked for ends
    r"about|of|with|in|on|for|from|like|than|based|the|that|a|an|my|our|your|his|her|their|its|and|or|to|it|no|not"
    r"|without|who|whose|which|where|when|is|are|was|were|has|have|had|i|we|he|she|they|you|by|at"
)
_ADJECTIVES: Final = (
    rf"(?P<kind>(?:(?!(?:{_STOPS})\b)[\w'’-]+,?\s+(?:and\s+(?!(?:{_STOPS})\b)(?=[\w'’-]+\s))?){{0,6}}?)"
)
# Of several without an article: no verbs ("someone writes books for children")
_FEW: Final = rf"(?P<kind>(?:(?!(?:{_STOPS})\b)(?![\w-]*(?:ing|ed|[^'’]s)\b)[\w'’-]+\s+){{0,2}}?)"
_GOES_ON: Final = (
    r"(?=\s*(?:$|[,.!?;:(–—]|(?:about|for|with|that|which|of|in|by|set|to|on|where|whose|from|like|written|similar|under"
    r"|at|not|but|without|please|around|near|between|as|i|we|open|serving|within|along|so|based|before|during|after"
    r"|while|tonight)\b))"
)
_MEANT_AS_SUBJECT: Final = (
    r"\b(?:about|on|of|like|than|to|from|by|for|not|no|as|with|in|can|could)\s+(?:(?!(?:or|and)\b)\S+\s+){0,4}$"
)
_FIRST_CHINESE: Final = (
    r"(?:(?:你好|您好|嗨|请问|请|麻烦|帮我|给我|能不能|可以|我们?|还|很|最近|今晚|睡前|周末)[,，。！\s]*)*"
    r"(?:(?:想要|想|要|需要|打算|求|推荐|介绍|找|来|有没有|有什么)(?:找|看|读|去|吃|订|听|推荐|买)?)?"
)
_MEASURES: Final = {"movies": "部|个", "books": "本|部", "anime": "部|个", "restaurants": "家|个|间"}
_CHINESE_STOP: Final = r"(?!改编|原著|里的|中的|电影|影片|动画|城|店|馆里|迷|友|作者|作家)"
_CHINESE_END: Final = r"(?=$|[,，。.;；:：!！?？\s(（]|吧|呢|吗|啊|推荐|可以吗|看看|读读|最好)"
_SUBJECT_CHINESE: Final = r"(?:关于|讲|写|说|像|类似|不是|不要|不想看|跟|和)[^,，。]{0,8}$"


def asked_first(text: str, domain: Domain, current: Domain | None) -> re.Match[str] | None:
    """Where a first message asks for the kind of a domain, with its groups `kind` and `noun`; None where it does not,
    or asks for the kind of the current one as well."""
    if domain.name not in NOUNS or current is None or current.name not in NOUNS:
        return None
    found = _chinese(text, domain) if has_han(text) else _english(text, domain.name)
    if found is None or _own_kind_asked(text, found, current):
        return None
    return found


def _english(text: str, name: str) -> re.Match[str] | None:
    shapes = _shapes(name)
    matches = (shape.match(text, start) for start, _ in sentences(text) for shape in shapes)
    return next((match for match in matches if match), None)


@cache
def _shapes(name: str) -> tuple[re.Pattern[str], ...]:
    one, many = NOUNS[name]
    words = WORDS.get(name, "(?!)")
    forms = (
        rf"(?:a|an|another|one|some|any|(?:a )?good)\s+{_ADJECTIVES}(?P<noun>(?:(?<=\s)(?:{one})){NO_KIND})",
        rf"(?:any |some |good |a few )*{_FEW}(?P<noun>(?:{many}){NO_KIND})",
        rf"(?P<kind>)(?P<noun>{words})",
    )
    return tuple(re.compile(rf"\W*{_HELLO}{LEAD}{_ASKING}{form}{_GOES_ON}", re.IGNORECASE) for form in forms)


def _chinese(text: str, domain: Domain) -> re.Match[str] | None:
    if domain.chinese is None or not domain.chinese.nouns:
        return None
    words = folded(text)
    for start, _ in clauses(words):
        for shape in _chinese_shapes(domain.name, domain.chinese.nouns):
            if (match := shape.match(words, start)) and names_a_kind(match):
                return match
    return None


@cache
def _chinese_shapes(name: str, nouns: str) -> tuple[re.Pattern[str], ...]:
    kind = r"(?P<kind>[^,，。;；.!！?？《》]{0,24}?)"
    noun = rf"(?P<noun>{nouns}){_CHINESE_STOP}{_CHINESE_END}"
    lead = rf"{_FIRST_CHINESE}(?<=[想要求荐绍找来有么看读去吃订])(?:点|些)?(?![看读去吃想要])"
    measured = rf"{lead}[一几两]?(?:{_MEASURES[name]}){kind}的?{noun}"
    told = rf"{lead}{kind}的{noun}"
    bare = rf"[一几两](?:{_MEASURES[name]}){kind}的{noun}"
    read = rf"{_FIRST_CHINESE}(?P<kind>)(?P<noun>(?<=[想要求荐找看读来])[一几两]?本)(?![书子来地身人])"
    shapes = [measured, told, bare, *([read] if name == "books" else [])]
    return tuple(re.compile(rf"\W*{shape}", re.IGNORECASE) for shape in shapes)


def _own_kind_asked(text: str, found: re.Match[str], current: Domain) -> bool:
    """Whether the words ask for the kind of the current domain too, other than as what the thing asked for is about,
    like or not."""
    if has_han(text):
        nouns, subject = (current.chinese.nouns if current.chinese else "(?!)"), _SUBJECT_CHINESE
        words = folded(text)
    else:
        one, many = NOUNS[current.name]
        nouns, subject, words = rf"\b(?:{one}|{many})\b", _MEANT_AS_SUBJECT, text
    own = re.compile(nouns, re.IGNORECASE)
    hits = [hit for hit in own.finditer(words) if not found.start("noun") <= hit.start() < found.end("noun")]
    return any(not re.search(subject, words[: hit.start()], re.IGNORECASE) for hit in hits)
