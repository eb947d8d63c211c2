"""What of a narrative is said to the system, or is no language at all: orders, insults, laughter, keyboard junk."""

import re
from collections.abc import Iterator

from pdgf.corrections import ANSWERING_NO

Span = tuple[int, int]

SHORTEST_JUNK = 5  # letters in a row of keys
_LINE = r"[^.!?\n]*"
_ADVERBS = r"(?:(?:really|so|very|such an?|just|actually|quite|truly|totally|a bit|an?|the|not|no)\s+)*"
_TALK = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # orders to a machine
        r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|everything|the|your|my|every|of|these|those)\s+)*"
        rf"(?:previous|prior|above|earlier|preceding|foregoing|system|initial)\s+(?:\w+\s+)?(?:instructions?|prompts?|rules?"
        rf"|commands?|messages?|directions?|text)\b{_LINE}",
        r"\b(?:ignore|disregard|forget|override)\s+(?:(?:all|any|of|the)\s+)*your\s+(?:instructions|rules|programming"
        rf"|guidelines|prompt)\b{_LINE}",
        r"\b(?:print|reveal|show|output|repeat|display|leak|tell me)\s+(?:(?:me|us|out|all|of|the|your|its|full)\s+)*"
        rf"(?:(?:system|hidden|secret|initial)\s+(?:prompts?|instructions?|messages?)|your (?:prompt"
        rf"|instructions))\b{_LINE}",
        r"\b(?:you are|act as|pretend to be|pretend you are) (?:now )?(?:an? )?(?:dan|jailbroken|unrestricted)\b"
        + _LINE,
        # of the system
        rf"\byou(?:['’]re| (?:really |just |all )?are| r)\s+{_ADVERBS}(?:funny|hilarious|stupid|dumb|useless"
        rf"|useful|smart"
        r"|clever|great"
        rf"|amazing|awesome"
        r"|nice|kind|cute|good|bad|terrible|awful|rude|wrong|right|slow|helpful|unhelpful|annoying|boring|crazy|idiots?|bots?"
        r"|robots?|machines?|genius|the best|the worst|welcome|sweet|brilliant|rubbish|crap|joking|kidding|weird)\b"
        r"(?: (?:bot|at this|you know))?",
        r"\byou\s+(?:really |so |totally |kinda |all )*(?:suck|stink|rock|rule)\b",
        r"\b(?:this|it|that) (?:app |thing |system |bot |site )?(?:really |so |totally )*sucks\b",
        r"\b(?:stupid|dumb|useless|silly|bloody) (?:bot|robot|machine|computer|app|thing|system)\b",
        r"\b(?:f+u+c+k(?: (?:you|off|this|it))?|wtf|omg|lmf?ao|rofl|shut up|screw (?:you|this)|damn(?: it)?)\b",
        r"\b(?:(?:b|mu)?(?:w?a)?(?:ha){2,}h?|(?:he){2,}|(?:hi){3,}|(?:lo){2,}l|x+d+)\b",
        # the choice is left to the system
        r"\b(?:please )?(?:just )?(?:surprise me|(?:you|u) (?:choose|pick|decide)|(?:pick|choose"
        r"|decide)(?: (?:something|anything"
        r"|one|whatever))?(?: you like)? for (?:me|us)|up to you|your (?:choice|call|pick)|dealer['’]?s choice"
        r"|(?:just )?(?:pick|choose) (?:something|anything|one|whatever|any)(?: you like)?)\b(?! (?:funny|else"
        r"|with|about|that))",
        r"\bno (?:offen[cs]e|kidding|joke|worries|problem|pressure|rush|doubt|thanks?|thank you)\b"
        r"(?= ?(?:[.,;!?]|but\b|and\b|i\b|$))",
        r"\b(?:never ?mind|nvm|cancel (?:that|it|this|everything|all that)|scrap that|drop it|stop that)\b(?! about)",
        # where something stands in a list that was shown
        r"\b(?:the (?:one|film|movie|book|place|anime|restaurant)s? )?(?:you |that was |that is |which was )?(?:just )?"
        r"(?:listed|showed|shown|named|mentioned|gave|suggested|recommended)(?: me)? (?:first|second|third|last"
        r"|at the top)\b"
        r"(?: at the (?:very )?(?:beginning|start|top|end))?",
        r"\bat the (?:very )?(?:beginning|start|top|end) of (?:the|your|this|that) (?:list|chat|conversation)\b",
    )
)
_KEY_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "1234567890")
_MOSTLY = 0.75  # of the pairs of letters are then neighbours
_NEIGHBOURS = frozenset(
    row[at : at + 2] for row in (*_KEY_ROWS, *(r[::-1] for r in _KEY_ROWS)) for at in range(len(row))
)


def system_talk(text: str, english: frozenset[str] = frozenset()) -> Iterator[Span]:
    """The stretches that are said to the system or are junk. `english` are words that are right as they are."""
    for pattern in _TALK:
        yield from (match.span() for match in pattern.finditer(text))
    yield from (match.span("no") for match in ANSWERING_NO.finditer(text))
    for word in re.finditer(r"(?<![\w'’-])[A-Za-z]+(?![\w'’-])", text):
        if word[0].lower() not in english and is_keyboard_junk(word[0]):
            yield word.span()


def is_keyboard_junk(word: str) -> bool:
    """Whether a word is a run of neighbouring keys ("asdfgh"), one piece again and again ("sdfsdf") or no syllable."""
    low = word.lower()
    if len(low) < SHORTEST_JUNK:
        return low in ("asdf", "qwer", "zxcv", "hjkl", "jkl")
    near = [low[at : at + 2] in _NEIGHBOURS for at in range(len(low) - 1)]
    if "111" in "".join("01"[one] for one in near) and sum(near) >= _MOSTLY * len(near):
        return True
    if re.fullmatch(r"([b-df-hj-np-tv-z]{2,4})\1+", low):
        return True
    return not word.isupper() and not re.search(r"[aeiouy]", low)
