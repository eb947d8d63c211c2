"""What marks phrases that stand already: a "must" or a refusal after them, a negation of their list, a permission."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pdgf.constraints.diets import need_of
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
_EXCEPTS = re.compile(r"(?:but )?(?:except|other than|apart from|aside from|besides|unless)\b", re.IGNORECASE)
_UNLESS = re.compile(
    r",?\s+unless\s+(?:(?:it|they|that|there)(?:['’]s|['’]re| is| are)?|it has|it['’]s about)?\s*(?:really "
    r"|very |all |also |some |an? )*",
    re.IGNORECASE,
)
_SAID_OF = re.compile(r"\b(?:in|about|during|on|at|between|against|after|around) (?:an? |the )?$", re.IGNORECASE)
_I_AM_NOT = re.compile(
    r"\b(?:i|we)(?:['’]m|['’]re| am| are)(?: both| all)?(?: not|n['’]t)(?: (?:strictly|really|actually|an?|both"
    r"|all))*\s+$"
    r"|\b(?:i|we) (?:am|are)n['’]t(?: (?:strictly|really|actually|an?|both|all))*\s+$",
    re.IGNORECASE,
)
_ANOTHER_IS = re.compile(
    r"s?,?\s+(?:but|though|however)\s+(?!(?:i|we)\b)(?:[\w'’-]+\s+){1,4}?(?:is|are|does|do)\b", re.IGNORECASE
)
_IN_A_PART = re.compile(r"\s+as\s+(?:(?:an?|the|its|his|her|their)\s+)?", re.IGNORECASE)  # "no kids as pilots"


def with_exceptions(text: str, found: tuple["Phrase", ...]) -> tuple["Phrase", ...]:
    """What is excepted from a refusal is not refused, and the refusal is no condition then: "no horror except
    psychological horror" wishes for less horror, and has nothing against the psychological."""
    result = list(found)
    for index in range(1, len(result)):
        phrase, before = result[index], result[index - 1]
        refuses = before.avoid and not before.generic and before.sentence == phrase.sentence
        excepted = phrase.avoid and _EXCEPTS.match(phrase.strength)
        if refuses and (excepted or _UNLESS.fullmatch(text[before.end : phrase.start])):
            result[index] = replace(phrase, avoid=False, indifferent=True, link=None)
            result[index - 1] = replace(before, soft=True, hard_cue=False)
    return tuple(result)


def with_last_word(text: str, found: tuple["Phrase", ...]) -> tuple["Phrase", ...]:
    """What is wished for and then refused in the same words is refused: "I love horror but my girlfriend doesn't, so
    no horror"."""
    result = list(found)
    last: dict[str, int] = {}
    for index, phrase in enumerate(result):
        if phrase.generic or phrase.indifferent or phrase.reference or phrase.quantity or phrase.permitted:
            continue
        words = text[phrase.start : phrase.end].casefold()
        earlier = last.get(words)
        if earlier is None or result[earlier].avoid or not phrase.avoid:
            last[words] = index
            continue
        if not any(_SAID_OF.search(text, 0, p.said_from) for p in (phrase, result[earlier])):
            result[earlier] = replace(result[earlier], indifferent=True, link=None)
            result[index] = replace(phrase, link=None)
        last[words] = index
    return tuple(result)


def with_own_diets(text: str, found: tuple["Phrase", ...]) -> tuple["Phrase", ...]:
    """What somebody says not to be, "I'm not vegetarian", refuses nothing; somebody else of the company may be it, "but
    our guest is"."""
    result = list(found)
    for index, phrase in enumerate(result):
        if not phrase.avoid or phrase.generic or not _I_AM_NOT.search(text, 0, phrase.start):
            continue
        if need_of(text[phrase.start : phrase.end]) is None:
            continue
        other = _ANOTHER_IS.match(text, phrase.end) is not None
        result[index] = replace(phrase, avoid=False, indifferent=not other, strength="", said_from=phrase.start)
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
