"""The form of an item, named by the noun for it: in a catalogue of films and series "a film" is a wish (METHOD 4.2).

What nearly every item of a catalogue is ("a novel" among books) is a wish only beside a form that is refused.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pdgf.constraints.words import either
from pdgf.engines.builtin.vocabulary import Vocabulary

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from pdgf.engines.builtin.phrases import Phrase

# Determiners of something spoken of already, or of all there is
_OF_ONE_KNOWN = either("the|this|that|these|those|my|your|his|her|its|our|their|every|each|which|what|both|whose|such")
_TALK = either("talk|chat|speak|discuss")  # "let's talk about films"
_GOES_ON = re.compile(r"\s*(?:[,.;:!?()]|$)|\s+(?:but|and|or|please|though)\b", re.IGNORECASE)
REFUSED = re.compile(
    r"(?:but )?(?:and )?(?:not|no|nothing|(?:any|every)thing (?:but(?: for)?|except|apart from|other than)"
    r"|except(?: for)?|other than|(?:apart|aside) from|(?:i )?hated?|without(?: any)?|never|avoid|isn't|is not"
    r"|rather than|instead of|as opposed to)(?: (?:at all|whatsoever|of any kind))?"
)


@dataclass(frozen=True, kw_only=True)
class FormWish:
    """A wish for a form or against one: where its noun stands, where it begins, and whether it is a condition."""

    span: tuple[int, int]
    said_from: int
    avoid: bool
    hard: bool
    permitted: bool
    strength: str
    sentence: int


def form_at(doc: "Doc", position: int, vocabulary: Vocabulary) -> tuple[int, int] | None:
    """Where the noun stands, if this token is one that names a form and no item that was spoken of."""
    token = doc[position]
    if token.lemma_.lower() not in vocabulary.formats | vocabulary.usual_formats or token.pos_ not in ("NOUN", "PROPN"):
        return None
    known = any(child.dep_ in ("det", "poss") and child.lower_ in _OF_ONE_KNOWN for child in token.children)
    owned = any(child.dep_ == "poss" for child in token.children)
    part = token.dep_ == "compound" or (position + 1 < len(doc) and doc[position + 1].lower_ == "of")
    spoken_of = token.dep_ == "pobj" and token.head.head.lemma_.lower() in _TALK
    return None if known or owned or part or spoken_of else (token.idx, token.idx + len(token))


def form_wishes(
    phrases: Sequence["Phrase | None"], narrative: str, vocabulary: Vocabulary, refused: Sequence[int]
) -> Mapping[int, FormWish]:
    """The forms wished by phrases, by their indices. `refused` are the sentences in which a form is refused flatly by
    another word than such a noun; beside a refusal a form is a condition."""
    named = {i: phrase for i, phrase in enumerate(phrases) if phrase is not None and phrase.form is not None}
    against = {i for i, phrase in named.items() if _is_refused(phrase, phrases[i + 1 : i + 2], narrative)}
    contrasted = {*refused, *(named[i].sentence for i in against)}
    found: dict[int, FormWish] = {}
    for index, phrase in named.items():
        if phrase.form is None or phrase.indifferent or (phrase.avoid and index not in against):
            continue
        noun = narrative[slice(*phrase.form)]
        beside = phrase.sentence in contrasted
        usual = _singular(noun) in vocabulary.usual_formats
        if _one_of_several(index, named) or (usual and not beside and not (phrase.generic and phrase.hard_cue)):
            continue
        avoid = index in against
        hard = avoid or (not phrase.soft and (beside or (phrase.generic and phrase.hard_cue)))
        said_from = phrase.said_from if avoid else phrase.form[0]
        found[index] = FormWish(
            span=phrase.form,
            said_from=said_from,
            avoid=avoid,
            hard=hard,
            permitted=phrase.permitted is not None,
            strength=phrase.strength if avoid else "",
            sentence=phrase.sentence,
        )
    return found


def _is_refused(phrase: "Phrase", later: Sequence["Phrase | None"], narrative: str) -> bool:
    """Whether a form itself is refused ("not a series"), and not a form with something ("not a series about war")."""
    if phrase.form is None or not phrase.generic or not phrase.avoid:
        return False
    if not REFUSED.fullmatch(phrase.strength.strip()):
        return False
    following = [other for other in later if other is not None and other.sentence == phrase.sentence]
    return not following or bool(_GOES_ON.match(narrative, phrase.form[1]))


def _one_of_several(index: int, named: Mapping[int, "Phrase"]) -> bool:
    """Whether another form is as welcome: "a film or a series"."""
    later = named.get(index + 1)
    return (named[index].alternative and index - 1 in named) or (later is not None and later.alternative)


def _singular(noun: str) -> str:
    low = noun.casefold()
    return low if low == "series" else low.removesuffix("s")
