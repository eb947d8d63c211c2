"""Clauses that say what is not to happen: "nothing where a parent dies", "the mother doesn't die", "don't kill the
dog", "I hate it when nothing happens" (METHOD 4.2, 12). Pure."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pdgf.engines.builtin.phrases import Phrase

# "Nothing where a parent dies or is ill", "no film in which ...": all of the clause is unwanted
_ITEMS = r"(?:films?|movies?|books?|novels?|stor(?:y|ies)|series|shows?|anime|scenes?|moments?|places?|restaurants?)"
_REFUSED_CLAUSE = re.compile(
    r"\b(?:(?:nothing|not (?:any|some)thing|not (?:an?y? )?one|none"
    rf"|(?:no|not an?|not any|without an?|without any) (?:[\w-]+ )?{_ITEMS}"
    r"|(?:avoid|skip|hate|dislike|(?:can|do|ca|does)(?:n['’]t|not| not) (?:want|like|stand|bear|watch|read|take))"
    rf" (?:to (?:see|watch|read) )?(?:(?:an?|any|the|those) )?(?:(?:[\w-]+ )?{_ITEMS}|anything|something|ones?))"
    r" (?:where|in which|during which)|no(?= one where\b) one where"
    r"|(?:hate|dislike|detest|loathe|(?:can|do|ca|does)(?:n['’]t|not| not) (?:like|stand|bear)) it when)\s+"
    r"(?P<clause>[^,.;:!?\n]+?(?:(?:,\s*(?!(?:but|and|no|not|nothing|with|something|please|just)\b)[^,.;:!?\n]+)*"
    r",?\s+or\s+[^,.;:!?\n]+?)?)(?=\s*(?:[,.;:!?\n]|\bbut\b|\bplease\b|$))",
    re.IGNORECASE,
)
# "No parent dies", "the mother doesn't die": that it happens is unwanted, and not the parent
_COMES_TO_HARM = (
    r"(?:dies?|perish(?:es)?|suffers?|comes? to harm|(?:is|are|gets?|being|ends? up) (?:\w+ly )?"
    r"(?:dead|killed|murdered|hurt|harmed|injured|abused|tortured|kidnapped|left behind))\b"
)
_NOBODY_HARMED = re.compile(
    r"\b(?:no|none of the|not one|not a single)\s+"
    rf"(?P<clause>(?:(?!(?:who|that|where|is|are)\b)[\w'’-]+\s+){{1,3}}?{_COMES_TO_HARM})",
    re.IGNORECASE,
)
_NOT_HARMED = re.compile(
    r"\b(?:where|in which)\s+(?P<whom>(?:(?:the|an?|his|her|their) )?[\w'’-]+)\s+"
    r"(?:(?:do|does|did|is|are)(?:n['’]t|\s+not)|never)\s+"
    r"(?P<clause>dies?|suffers?|come to harm|(?:gets? |being )?(?:killed|murdered|hurt|harmed|injured|tortured))\b",
    re.IGNORECASE,
)
# "Don't kill the dog", "do not let an animal die", "the dog has to survive": what is not to happen to whom
_WHOM = r"(?:(?:the|an?|any|his|her|their|its|my|that) )?(?P<{}>(?:(?:little|old|pet|main|poor|cute) )?[a-z][\w'’-]*)"
_NEVER = r"(?:\b(?:do|does|did|can|could|must|should|wo|will)(?:n['’]t| not)|\bcannot|\bnever)"
_BIDDEN = re.compile(
    rf"{_NEVER}\s+(?:ever\s+)?(?P<clause>(?P<harm>kill|murder|hurt|harm|torture|injure|drown|shoot|abuse)(?:\s+off)?"
    rf"\s+{_WHOM.format('object')})\b"
    rf"|{_NEVER}\s+(?:ever\s+)?(?:let|have|make|see|watch|want|show"
    rf"|like it when)\s+(?:me\s+)?(?P<let>{_WHOM.format('let_whom')}"
    r"\s+(?:to\s+)?(?:die|dies|dying|suffer|(?:get|be|being|getting|gets)\s+(?:killed|hurt|harmed|murdered|injured)))\b"
    rf"|(?P<lives>\b(?=(?:the|his|her|their|our|my|that)\s){_WHOM.format('survivor')}\s+(?:has to|have to|must"
    rf"|needs? to|(?:had )?better|should|gotta"
    rf"|got to)\s+"
    r"(?:survive|live|make it|stay alive|not (?:die|get hurt|be killed)|be (?:ok|okay|fine|alright|all right|safe)"
    r"(?: (?:in|at|by|until|till) the end)?))(?=\s*(?:[.,;!?)]|$|\b(?:and|but|please|though|or|so)\b))",  # no "live on"
    re.IGNORECASE,
)
_NOBODYS = re.compile(
    r"(?:it|that|this|there|they|time|anything|something|everything|nothing|story|film|movie|book|plot|bit"
    r"|chances?|vibe|mood|pace|eyes|ears|head|wallet|momentum|romance|tension|fun|joy)$",
    re.IGNORECASE,
)
_HURTS = re.compile(r"\b(?:hurt|harm|torture|injure|abuse|suffer)", re.IGNORECASE)
_DENIES = re.compile(r"\b(?:no|not|never|nobody|nothing|without|cannot|hardly)\b|n['’]t\b", re.IGNORECASE)
_IDIOM = re.compile(r"\bnothing (?:really |much |ever |actually )?happens\b", re.IGNORECASE)


def with_refused_clauses(text: str, found: tuple["Phrase", ...]) -> tuple["Phrase", ...]:
    """The phrases of a clause that no item may have as what is unwanted, those of one member as one: of "nothing where
    a parent dies or is ill" that a parent dies, and "ill". What the clause itself denies is left as it is, but that
    somebody in it comes to harm ("no parent dies", "where the mother doesn't die")."""
    result = list(found)
    for match in (*_REFUSED_CLAUSE.finditer(text), *_NOBODY_HARMED.finditer(text)):
        if _DENIES.search(_IDIOM.sub("", match["clause"])):
            continue
        start, end = match.span("clause")
        ends = [start + cut.start() for cut in re.finditer(r",|\bor\b", match["clause"])] + [end]
        for begin, stop in zip([start, *ends], ends, strict=False):
            inside = [
                i
                for i, p in enumerate(result)
                if begin <= p.start < stop and not (p.generic or p.quantity or p.reference)
            ]
            if inside:
                first, last = result[inside[0]], result[inside[-1]]
                result[inside[0]] = replace(
                    first,
                    end=last.end,
                    tokens=tuple(token for i in inside for token in result[i].tokens),
                    is_clause=first.is_clause or len(inside) > 1,
                    words="uneventful" if _IDIOM.fullmatch(text[begin:stop].strip()) else "",
                    avoid=True,
                    indifferent=False,
                    repeats=None,
                    link=None,
                    alternative=False,
                    strength="no",
                    said_from=match.start() if begin == start else first.start,
                )
                for index in inside[1:]:
                    result[index] = replace(result[index], indifferent=True, link=None)
    for match in _NOT_HARMED.finditer(text):
        whom, harm = match.span("whom"), match.span("clause")
        for index, phrase in enumerate(result):
            if whom[0] <= phrase.start < whom[1] and phrase.end <= whom[1]:
                result[index] = replace(phrase, indifferent=True, link=None)
            elif harm[0] <= phrase.start < harm[1]:
                result[index] = replace(phrase, avoid=True, strength="no", said_from=whom[0], link=None)
    return tuple(result)


def with_bidden_harm(text: str, found: tuple["Phrase", ...]) -> tuple["Phrase", ...]:
    """The phrases with what is bidden not to happen to somebody as one refusal, in the words for it: of "don't kill the
    dog" and "the dog has to survive" that the dog dies."""
    result = list(found)
    for start, end, words in _harms(text):
        inside = [i for i, p in enumerate(result) if start <= p.start < end and not (p.quantity or p.reference)]
        if not inside:
            continue
        tokens = tuple(token for i in inside for token in result[i].tokens)
        result[inside[0]] = replace(
            result[inside[0]],
            start=start,
            end=end,
            said_from=start,
            said_to=None,
            tokens=tokens,
            words=words,
            is_clause=True,
            generic=False,
            avoid=True,
            indifferent=False,
            hard_cue=True,
            soft=False,
            repeats=None,
            link=None,
            alternative=False,
            strength="no",
        )
        for index in inside[1:]:
            result[index] = replace(result[index], indifferent=True, link=None)
    return tuple(result)


def _harms(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _BIDDEN.finditer(text):
        group = next(name for name in ("clause", "let", "lives") if match[name] is not None)
        whom = match["object"] or match["let_whom"] or match["survivor"]
        if _NOBODYS.match(whom):
            continue
        harmed = "is hurt" if _HURTS.search(match[group]) else "dies"
        yield match.start(), match.end(group), f"{whom} {harmed}"
