"""What marks phrases that stand already: a "must" or a refusal after them, a negation of their list, a permission."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pdgf.engines.builtin.cue_units import Unit
from pdgf.engines.builtin.permissions import Permission

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from pdgf.engines.builtin.phrases import Phrase

_OTHER_SUBJECT = re.compile(
    r"[,;:]|\b(?:but|and|or|because|that|which|who|it|they|this|he|she|i|we|you)\b", re.IGNORECASE
)

_OF_ITS_OWN = re.compile(r"\band\s+(?:an?|some|lots of|plenty of|a lot of|much|more)\b", re.IGNORECASE)
_SPEAKS_OF = re.compile(r"\s+(?:about|on the subject of|to do with)\s+(?:an?\s+|the\s+)?", re.IGNORECASE)
_LIST_ENDS = re.compile(r"[;:]|\beither\b", re.IGNORECASE)
# "Nothing where a parent dies or is ill", "no film in which ...": all of the clause is unwanted
_ITEMS = r"(?:films?|movies?|books?|novels?|stor(?:y|ies)|series|shows?|anime|scenes?|moments?|places?|restaurants?)"
_REFUSED_CLAUSE = re.compile(
    r"\b(?:(?:nothing|not (?:any|some)thing|not (?:an?y? )?one|none"
    rf"|(?:no|not an?|not any|without an?|without any) (?:[\w-]+ )?{_ITEMS}"
    r"|(?:avoid|skip|hate|dislike|(?:can|do|ca|does)(?:n['’]t|not| not) (?:want|like|stand|bear|watch|read|take))"
    rf" (?:to (?:see|watch|read) )?(?:(?:an?|any|the|those) )?(?:(?:[\w-]+ )?{_ITEMS}|anything|something|ones?))"
    r" (?:where|in which|during which)|no(?= one where\b) one where)\s+"
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
_EXCEPTS = re.compile(r"(?:but )?(?:except|other than|apart from|aside from|besides|unless)\b", re.IGNORECASE)
_IN_A_PART = re.compile(r"\s+as\s+(?:(?:an?|the|its|his|her|their)\s+)?", re.IGNORECASE)  # "no kids as pilots"
_DENIES = re.compile(r"\b(?:no|not|never|nobody|nothing|without|cannot|hardly)\b|n['’]t\b", re.IGNORECASE)


def with_refused_clauses(text: str, found: tuple["Phrase", ...]) -> tuple["Phrase", ...]:
    """The phrases of a clause that no item may have as what is unwanted, those of one member as one: of "nothing where
    a parent dies or is ill" that a parent dies, and "ill". What the clause itself denies is left as it is, but that
    somebody in it comes to harm ("no parent dies", "where the mother doesn't die")."""
    result = list(found)
    for match in (*_REFUSED_CLAUSE.finditer(text), *_NOBODY_HARMED.finditer(text)):
        if _DENIES.search(match["clause"]):
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


def with_exceptions(found: tuple["Phrase", ...]) -> tuple["Phrase", ...]:
    """What is excepted from a refusal is not refused, and the refusal is no condition then: "no horror except
    psychological horror" wishes for less horror, and has nothing against the psychological."""
    result = list(found)
    for index in range(1, len(result)):
        phrase, before = result[index], result[index - 1]
        refuses = before.avoid and not before.generic and before.sentence == phrase.sentence
        if refuses and phrase.avoid and _EXCEPTS.match(phrase.strength):
            result[index] = replace(phrase, avoid=False, indifferent=True, link=None)
            result[index - 1] = replace(before, soft=True, hard_cue=False)
    return tuple(result)


def with_permissions(found: tuple["Phrase", ...], given: Sequence[Permission]) -> tuple["Phrase", ...]:
    """Mark the phrases that name what is permitted."""
    if not given:
        return found
    meant = [next((p for p in given if p.span[0] <= phrase.start < p.span[1]), None) for phrase in found]
    return tuple(
        phrase if permission is None else replace(phrase, permitted=permission, alternative=False, avoid=False)
        for phrase, permission in zip(found, meant, strict=True)
    )


def required(found: list["Phrase"], text: str, end: int) -> list["Phrase"]:
    """The phrases with those made conditions that "... is a must" is said of: the last, and what "and" joins to it."""
    result, joint = list(found), r"\s*"
    for place in range(len(result) - 1, -1, -1):
        phrase = result[place]
        if not re.fullmatch(joint, text[phrase.end : end], re.IGNORECASE):
            break
        result[place] = replace(phrase, hard_cue=True, soft=False)
        end, joint = phrase.said_from, r"\s*,?\s*(?:and|&)\s*" if joint == r"\s*" else r"\s*,\s*"
    return result


def refused(found: list["Phrase"], text: str, unit: Unit, sentence: int) -> list["Phrase"]:
    """The phrases with the last one unwanted where it is what words such as "bore me" are said of."""
    last = found[-1] if found else None
    if last is None or last.sentence != sentence or last.avoid or _OTHER_SUBJECT.search(text[last.end : unit.start]):
        return found
    said = text[unit.start : unit.end].lower()
    return [
        *found[:-1],
        replace(last, avoid=True, strength=said, link=None, said_to=None if said.startswith("that ") else unit.end),
    ]


def with_shared_negation(doc: "Doc", found: tuple["Phrase", ...], units: Sequence[Unit]) -> tuple["Phrase", ...]:
    """Carry a negation over its list: "no gore or jump scares", "without violence, gore or swearing"."""
    result = list(found)
    for index in range(1, len(result)):
        phrase, before = result[index], result[index - 1]
        if phrase.avoid or not before.avoid or phrase.sentence != before.sentence or phrase.strength:
            continue
        if phrase.quantity or phrase.reference or before.form:  # "not a series, gentle"
            continue
        between = [unit for unit in units if before.end <= unit.start < phrase.start]
        if not between or any("joins.list" not in unit.kinds for unit in between):
            continue
        if _LIST_ENDS.search(doc.text[before.end : phrase.start]):  # "no seafood; Thai or Chinese"
            continue
        closes_with_or = any(p.alternative for p in result[index:] if p.sentence == phrase.sentence)
        bare_and = (
            not before.strength.startswith(("not", "isn't", "aren't", "nothing too", "too"))  # "not boring and funny"
            and len(between) == 1
            and between[0].kinds
            and doc.text[between[0].start : between[0].end].lower() == "and"
            and not _OF_ITS_OWN.search(doc.text[before.end : phrase.start])  # "no gore and a happy ending"
        )
        if closes_with_or or bare_and:
            result[index] = replace(
                phrase,
                avoid=True,
                hard_cue=before.hard_cue,
                alternative=False,
                strength=before.strength,
                link=before.link,
            )
    return tuple(result)


def _is_in_a_part(one: "Phrase", other: "Phrase", text: str) -> bool:
    between, words = text[one.end : other.start], text[other.start : other.end]
    return bool(_IN_A_PART.fullmatch(between)) and not re.match(r"possible\b", words, re.IGNORECASE)


def with_refused_topics(text: str, found: tuple["Phrase", ...]) -> tuple["Phrase", ...]:
    """Of what is unwanted about something it is that something: "no jokes about sex" refuses no jokes. What is unwanted
    as something is both: "no kids as pilots" wishes for no pilots."""
    result = list(found)
    for index in range(1, len(result)):
        phrase, before = result[index], result[index - 1]
        if not before.avoid or before.generic or before.reference or phrase.avoid or phrase.reference:
            continue
        if phrase.sentence == before.sentence and _is_in_a_part(before, phrase, text):
            tokens = (*before.tokens, *phrase.tokens)
            result[index - 1] = replace(before, end=phrase.end, tokens=tokens, is_clause=True)
            result[index] = replace(phrase, indifferent=True, link=None)
        elif phrase.sentence == before.sentence and _SPEAKS_OF.fullmatch(text[before.end : phrase.start]):
            result[index - 1] = replace(before, generic=True)
            result[index] = replace(
                phrase,
                avoid=True,
                said_from=before.said_from,
                strength=re.sub(r"\bfew(?:er)?\b", "little", before.strength),
                hard_cue=before.hard_cue,
                soft=before.soft,
                link=None,
            )
    return tuple(result)
