"""The words of a question: several questions in one, and what a yes-or-no question says of its item. Pure."""

import re
from collections.abc import Iterable, Sequence

from pdgf.models import Value

_ASKING = r"(?:how|what|what['’]s|when|where|who|who['’]s|which|why)"
_AUX = r"(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|might|may)"
_NOT = r"n['’]?t"
_LEAD = r"^\W*(?:(?:and|but|so|also|well|ok|okay|then|oh|hmm+|please|now|by the way|just)\W+)*"
_BETWEEN = re.compile(
    rf"\?+\s+(?=\S)|\s*(?:;|,?\s+(?:and|but|or|plus)(?:\s+also)?)\s+(?={_ASKING}\b|{_AUX}(?:{_NOT})?\s+(?:it|they|there|the|this"
    rf"|that|these|those|any|either|i|we|you|one|both|all)\b)|\s*,\s+(?=how\b|{_AUX}(?:{_NOT})?\s+(?:it|they|there)\b)"
)
_MOST = r"(?:(?:most|least|fewest) \w+|\w+est)"
_TWO_ENDS = re.compile(
    rf"^(?P<lead>\W*(?:which|who|what)\b.*?\bthe )(?P<one>{_MOST})(?:,? and |, )(?:which (?:one )?(?:is )?)?"
    rf"(?:the )?(?P<two>{_MOST})(?P<tail>\W*)$",
    re.IGNORECASE,
)
_POLAR = re.compile(rf"{_LEAD}(?P<aux>{_AUX})(?P<nt>{_NOT})?\s+(?P<rest>\S.*)$", re.IGNORECASE | re.DOTALL)
_NOUN = r"(?:ones?|options?|places?|picks?|films?|movies?|books?|novels?|shows?|series|anime|restaurants?)"
_WHICH = re.compile(
    rf"{_LEAD}which(?: {_NOUN})?(?: of (?:them|these|those|the \w+))?\s+(?P<verb>is|are|was|were|\w+)"
    r"\s+(?P<rest>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_SUBJECT = re.compile(
    rf"(?:(?:it|they|this|that|these|those|there|i|we|you|one|people|anyone|someone)\b(?!['’])(?: {_NOUN}\b)?"
    r"|(?:any|either|both|all|none|one|each|some)(?: of (?:them|these|those|the \w+))?\b"
    rf"|the (?:first|second|third|fourth|fifth|sixth|last|other|latter|former)\b(?: (?:two|three))?(?: {_NOUN}\b)?"
    rf"|(?:number|option) \w+\b|the {_NOUN}\b)\s*",
    re.IGNORECASE,
)
_COMPARED_ON = re.compile(
    r"(?P<lead>\W*(?:please )?compare\b.*\b(?:on|by|for|in))\s+(?:the )?(?P<one>[\w -]+?),? and (?P<two>[\w -]+?)\W*$",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"(?:really )?not\b(?! (?:only|just)\b)\s*", re.IGNORECASE)
_VERB = re.compile(
    r"(?:(?:actually|really|also|at all|even|by any chance|happen to|usually|normally|still)\s+)*"
    r"(?:(?:have|has|had|got|get|be|been|being|do|offers?|serves?|provides?|includes?|features?|contains?|comes? with"
    r"|shows?|takes?|accepts?|sells?|find|like|set up with)\b\s*)?"
    r"(?:(?:a lot of|a bit|a little|any|a|an|some|the|much|many|lots of|actually|really|very|quite|all that|that|pretty"
    r"|rather|so|all|both|kind of|good|decent)\b\s+)*",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"(?:no|without|(?:totally |completely |entirely )?(?:free (?:of|from)|devoid of)|lack(?:s|ing)?|short on|missing"
    r"|avoids?|spares? (?:me|us)(?: the)?)\b\s+(?:in |any |a |an |the )*",
    re.IGNORECASE,
)
_UNFIT = re.compile(
    r"(?:too )?(?:bad|wrong|unsuitable|inappropriate|unfit|off[- ]limits|no good"
    r"|not (?:good|suitable|right|ok|fit)) for\b",
    re.IGNORECASE,
)
_FREE = re.compile(r"(?P<what>[\w ]+)[- ]free$", re.IGNORECASE)
_TOO = re.compile(r"(?:a bit |a little |far |way |much )*(?:too|overly|excessively)\s+(?:much |many )?", re.IGNORECASE)
_TAIL = re.compile(
    r"(?:[\s,]+(?:or not|at all|please|then|though|in it|in there|there|as well|too|by any chance|actually|here))+$",
    re.IGNORECASE,
)


class Asked(Value):
    """A yes-or-no question taken apart: what it says of its item (`body`), whether as something the item has (`has`),
    whether the words deny it ("free of gore", "lack parking", "bad for children") and whether they ask for too much of
    it. A bare "not" or "n't" denies nothing: both forms of "is(n't) it violent?" are answered alike."""

    body: str
    has: bool = False
    denied: bool = False
    too: bool = False


def split(text: str) -> tuple[str, ...]:
    """The single questions of a text, in order: "how long is it, and who directed it?" are two, and so are "which is
    the cheapest and the quietest?"."""
    found = [part.strip(" ,;") for part in _BETWEEN.split(text)]
    return tuple(each for part in found if re.search(r"\w", part) for each in _ends(part))


def split_all(texts: Iterable[str]) -> tuple[str, ...]:
    """The single questions of several texts, each once."""
    return tuple(dict.fromkeys(each for text in texts for each in split(text)))


def polar(question: str, titles: Iterable[str] = ()) -> Asked | None:
    """A yes-or-no question taken apart; None for any other. `titles` are names of what it may be about. Asked of one
    item, "which of them has parking?" is a question of yes or no."""
    which = _WHICH.match(question.strip())
    if which:
        plain = which["verb"].lower() in ("is", "are", "was", "were")
        question = f"is it {which['rest']}" if plain else f"does it {which['verb']} {which['rest']}"
    for title in sorted(titles, key=len, reverse=True):
        question = re.sub(rf"(?<!\w){re.escape(title)}(?!\w)", "it", question)
    match = _POLAR.match(question.strip())
    if match is None:
        return None
    rest = match["rest"].strip()
    subject = _SUBJECT.match(rest)
    rest = rest[subject.end() :] if subject else rest
    negated = _NEGATED.match(rest)
    rest = _bare(rest[negated.end() :] if negated else rest)
    has = match["aux"].lower() not in ("is", "are", "was", "were", "should") or subject is None
    has = has or (subject is not None and subject[0].lower().startswith("there"))
    return _asked(rest, has=has)


def chooses(question: str) -> bool:
    """Whether it asks which of several ("which is the shortest?"), and so for more than a yes or a no of each."""
    return _WHICH.match(question.strip()) is not None


def halves(question: str, titles: Iterable[str] = ()) -> tuple[str, str] | None:
    """A question for two things as two questions ("does it have parking and wifi?", "compare them on noise and price"),
    where it is one of yes or no or compares; None for any other.
    Whether the things are two is for those to say who know what they are."""
    if compared := _COMPARED_ON.match(question.strip()):
        return f"{compared['lead']} {compared['one']}", f"{compared['lead']} {compared['two']}"
    asked = polar(question, titles)
    at = question.rfind(asked.body) if asked and asked.body else -1
    one, joint, two = asked.body.partition(" and ") if asked else ("", "", "")
    if at < 0 or not joint or " and " in two:
        return None
    return f"{question[:at]}{one.rstrip(' ,')}?", f"{question[:at]}{two}?"


def _asked(rest: str, *, has: bool) -> Asked:
    denied = False
    if unfit := _UNFIT.match(rest):
        return Asked(body=f"good for{rest[unfit.end() :]}", has=has, denied=True)
    for _ in range(2):
        if no := _DENIAL.match(rest):
            rest, denied = rest[no.end() :], True
        if not denied and (verb := _VERB.match(rest)):
            rest = rest[verb.end() :]
    too = _TOO.match(rest)
    if too:
        rest = rest[too.end() :]
    return Asked(body=rest.strip(), has=has, denied=denied, too=too is not None)


def without_free(body: str) -> str | None:
    """What "gore-free" is free of; None for other words."""
    match = _FREE.fullmatch(body)
    return match["what"] if match else None


def _bare(words: str) -> str:
    """The words without what only closes a question."""
    return _TAIL.sub("", words.rstrip(" .!?？。"))


def _ends(question: str) -> Sequence[str]:
    """A question for both ends of two scales as two questions."""
    match = _TWO_ENDS.match(question)
    return [f"{match['lead']}{match[end]}{match['tail']}" for end in ("one", "two")] if match else [question]
