"""Wishes that do not hold now: one that a later sentence takes back by another of its kind ("a slow film. Actually, a
fast one"), and what is only liked as a rule (METHOD 4.2, 12). Pure."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pdgf.engines.builtin.lexicon import Mention, concept_mentions

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from pdgf.engines.builtin.phrases import Phrase

_TURNS = re.compile(
    r"(?:^|(?<=[.!?;\n]))\s*(?:(?:oh|no|hmm+|well|sorry|wait|hold on)\b[,.!\s]*)*"
    r"(?:actually|on second thoughts?|come to think of it|scratch that|(?:i(?:['’]ve| have)? )?changed my mind)"
    r"\b(?P<rest>[^.!?;\n]*)",
    re.IGNORECASE,
)
# "I usually like horror, but tonight I'd rather have romance": horror is what is not wished for now
_USUALLY = re.compile(
    r"\b(?:i|we|he|she|they|(?:my|our) \w+) (?:usually|normally|generally|mostly|often|always|typically|tends? to) "
    r"(?:like|love|prefer|watch|read|enjoy|go for|eat|want|choose|pick)s?\s+(?P<clause>[^.;!?\n]*?),?\s+but\b"
    r"(?=[^.;!?\n]*\b(?:tonight|today|now|this time|rather|instead|for once|something (?:else|different|new))\b)",
    re.IGNORECASE,
)
# "I used to hate westerns, but now I'm into them"
_USED_TO = re.compile(
    r"\bused to (?:really |absolutely )?(?:hate|dislike|avoid|loathe|not like"
    r"|detest)\s+(?P<clause>[^.;!?\n]*?),?\s+but\b"
    r"(?=[^.;!?\n]*\b(?:into|like|love|enjoy|come round|come around|want|fancy|got|have changed|changed"
    r"|can['’]t get enough"
    r"|appreciate)\b)",
    re.IGNORECASE,
)
_BESIDES = re.compile(r"\b(?:too|also|as well|and|plus|with|both|still)\b", re.IGNORECASE)
# Of these an item has one; of tones or themes it may have several
_ONE_OF_A_KIND = frozenset({"pace", "length", "noise", "price", "genre", "prominence"})


def with_changed_minds(doc: "Doc", found: Sequence["Phrase"]) -> tuple["Phrase", ...]:
    """The phrases without what a later sentence that takes back has another of its kind for: such a phrase asks for
    nothing, and "a warm comedy" only for what is warm. What is wished for besides takes nothing back. What is liked as
    a rule, "but tonight" something else, asks for nothing either; what was disliked, "but now" is liked, is a wish."""
    result = list(found)
    for usual in _USUALLY.finditer(doc.text):
        start, end = usual.start(), usual.end("clause")
        result = [replace(p, indifferent=True, link=None) if start <= p.start < end else p for p in result]
    for once in _USED_TO.finditer(doc.text):
        start, end = once.span("clause")
        result = [
            replace(p, avoid=False, indifferent=False, strength="", hard_cue=False, said_from=p.start)
            if start <= p.start < end
            else p
            for p in result
        ]
    for turn in _TURNS.finditer(doc.text):
        if _BESIDES.search(turn["rest"]):
            continue
        start, end = turn.span("rest")
        kinds = {m.concept.perspective for p in result if start <= p.start < end and not p.avoid for m in _of(doc, p)}
        for index, phrase in enumerate(result):
            if phrase.start < turn.start() and not phrase.avoid:
                result[index] = _left(doc, phrase, kinds)
    return tuple(result)


def _left(doc: "Doc", phrase: "Phrase", kinds: Collection[str]) -> "Phrase":
    taken = [mention for mention in _of(doc, phrase) if mention.concept.perspective in kinds]
    if not taken:
        return phrase
    words = doc.text[phrase.start : phrase.end]
    before = words[: taken[0].start].rstrip()
    if len(taken) > 1 or taken[0].end < len(words) or not before:
        return replace(phrase, indifferent=True, link=None)
    end = phrase.start + len(before)
    tokens = tuple(token for token in phrase.tokens if doc[token].idx < end)
    return replace(phrase, end=end, tokens=tokens, headless=True, link=None)


def _of(doc: "Doc", phrase: "Phrase") -> list[Mention]:
    mentions = concept_mentions(doc.text[phrase.start : phrase.end])
    return [mention for mention in mentions if mention.concept.perspective in _ONE_OF_A_KIND]
