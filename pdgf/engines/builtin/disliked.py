"""Words before or after a title that say it was disliked, so that no dislike is ever read as a wish for more. Pure."""

import re

_DENIED = r"(?:(?:ca|could|did|do|does|would)n['’]?t|(?:can|could|did|do|does|would)\s*(?:not|never))"
_VERDICT_VERB = (
    r"(?:(?:really|absolutely|truly|just|also|always|both|have|had|['’]ve|['’]d)\s+)*"
    r"(?:hated?|dislike[ds]?|loathed?|despised?|regret(?:ted)?"
    rf"|{_DENIED}\s+(?:even\s+|really\s+)?(?:stand|bear|stomach|finish|like|enjoy|care for|warm to"
    r"|(?:get|sit)\s+(?:in|through)(?:to)?)"
    r"|never\s+(?:really\s+)?(?:liked|enjoyed|cared for|got into|warmed to)"
    r"|walked out of|fell asleep (?:in|during|over)|gave up on"
    r"|(?:was|were|am|are|['’]m)(?:n['’]t|\s+not)\s+(?:really\s+)?(?:a\s+fan|fans|keen|fond)"
    r"|(?:was|were|am|got)\s+(?:so\s+|really\s+|very\s+)?"
    r"(?:bored|disappointed|annoyed|irritated|let down|put off|tired|sick))"
)
_SOMEBODY = r"(?:i|we|he|she|they|my \w+|everyone)(?:['’](?:ve|d|m))?"
_OPENING_MARK = r"\s*[\"“'‘*_]?$"
_BEFORE = re.compile(
    rf"\b{_SOMEBODY}\s+{_VERDICT_VERB}"
    rf"(?:\s+(?:of|by|with|on|watching|reading|the (?:film|movie|book)))*{_OPENING_MARK}"
    rf"|\b(?:not|never)\s+(?:really\s+)?(?:a\s+)?(?:big\s+|huge\s+)?fans?\s+of{_OPENING_MARK}"
    rf"|\b(?:sick|tired|bored)\s+of{_OPENING_MARK}",
    re.IGNORECASE,
)
_SOMETHING = (
    r"(?:at all|remotely|really|too|much|quite|very|anything|something|somewhere|another|a|an|the|be|feel|want|need"
    r"|please|films?|movies?|books?|novels?|shows?|series|anime|places?|restaurants?|one|looking for|after)"
)
_LIKE = r"(?:like|similar to|akin to|in the (?:vein|style|spirit) of|along the lines of|reminiscent of|close to)"
_UNLIKE = re.compile(
    rf"(?<!not )\bunlike{_OPENING_MARK}"
    rf"|(?<!there['’]s )(?<!there is )(?<!there was )\b(?:not|nothing|never|anything but|\w+n['’]t)"
    rf"(?:\s+{_SOMETHING})*\s+{_LIKE}{_OPENING_MARK}",
    re.IGNORECASE,
)
_OPINION = (
    r"(?:(?:so|too|really|just|very|rather|pretty|quite|absolutely|a bit|a little|far too|plain|simply)\s+)*"
    r"(?:awful|terrible|dreadful|horrible|boring|dull|tedious|rubbish|trash|garbage|unbearable|unwatchable"
    r"|unreadable|overrated|disappointing|annoying|bad|the worst"
    r"|a (?:real |huge |big )?(?:bore|chore|disappointment|let-?down|mess|waste of (?:time|money))"
    r"|not (?:really )?(?:for (?:me|us)|good|great|my (?:thing|cup of tea|kind|style|taste)))\b"
)
_WORKS = r"(?:films?|movies?|books?|novels?|shows?|series|anime|places?|restaurants?|ones?|things?)"
_AFTER = re.compile(
    rf"[\"”'’*_]?(?:,?\s+(?:which|that)\s+{_SOMEBODY}\s+{_VERDICT_VERB}"
    rf"|\s+(?:is|was|are|were)\s+(?:a|an|the|two|both|some)?\s*(?:\w+\s+)?{_WORKS}\s+"
    rf"(?:that\s+|which\s+)?{_SOMEBODY}\s+{_VERDICT_VERB}"
    rf"|\s+(?:(?:is|was|are|were)(?:n['’]t\s+(?:for (?:me|us)|good|my (?:thing|cup of tea))\b|\s+{_OPINION}))"
    r"|\s+(?:really |just |totally )?(?:bored|annoyed|disappointed|irritated|bugged|disgusted) (?:me|us)\b"
    r"|,?\s+(?:(?:so|and|but|please|therefore),?\s+)*(?:nothing|not|no more)(?:\s+(?:at all|remotely|anything"
    r"|something|too"
    r"|much|really))*\s+(?:like|similar to) (?:that|it|this|them|those)\b(?: again)?"
    r"|\s+left (?:me|us) cold\b|\s+let (?:me|us) down\b"
    r"|\s+did(?:n['’]?t| not) (?:really )?(?:work|do (?:it|anything|much)) for (?:me|us)\b)",
    re.IGNORECASE,
)
_NAME = r"(?:the\s+)?[A-Z0-9][\w'’:.-]*(?:\s+(?:of|the|and|in|a|to)\s+[A-Z][\w'’:.-]*|\s+[A-Z0-9][\w'’:.-]*)*"
_JOINED = re.compile(rf"(?:,\s*{_NAME})*,?\s+(?:and|or|&)\s+(?-i:{_NAME})")


def dislike_before(text: str, start: int) -> int | None:
    """Where the words begin that lead up to a title and say that it was disliked ("I couldn't finish Heat"), or the
    title itself where nothing like it is wanted; None where no words do."""
    begin = max((match.end() for match in re.finditer(r"[.!?;]\s", text[:start])), default=0)
    sentence = text[begin:start]
    told = _BEFORE.search(sentence)
    if told is not None:
        return begin + told.start()
    return start if _UNLIKE.search(sentence) else None


def dislike_after(text: str, end: int) -> int:
    """Where the words end that follow a title and say that it was disliked ("Heat bored me"); 0 where none do."""
    match = _AFTER.match(text, end)
    return match.end() if match else 0


def dislike_after_several(text: str, end: int) -> bool:
    """Whether a title is joined to others of which all that follows them says so ("Heat and Jaws are films I hate")."""
    joined = _JOINED.match(text, end)
    return any(dislike_after(text, stop) for stop in _stops(text, joined)) if joined else False


def _stops(text: str, joined: re.Match[str]) -> list[int]:
    """Where a run of joined names may end: at any of its words, for a name may swallow a word too many."""
    return [joined.start() + word.end() for word in re.finditer(r"[\w'’:.-]+", joined[0])]
