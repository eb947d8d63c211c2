"""The units of a narrative that are content: runs of words that can be a wish, without generic ones at the edges."""

import re
from typing import TYPE_CHECKING

from pdgf.constraints.words import either
from pdgf.engines.builtin.cue_units import Unit, longest_cue
from pdgf.engines.builtin.forms import form_at
from pdgf.engines.builtin.lexicon import concept_mentions, cues
from pdgf.engines.builtin.vocabulary import Vocabulary

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_TIMES = either("day|days|week|weeks|weekend|weekends|month|months|year|years|hour|hours|minute|minutes")


def content_end(doc: "Doc", position: int, vocabulary: Vocabulary) -> int:
    """Where the run of content that starts here ends; `position` itself when no content starts here."""
    fixed = fixed_expression(doc, position, vocabulary)
    if fixed:
        end = fixed
    elif _is_content(doc[position]):
        end = position + 1
    else:
        return position
    while end < len(doc):
        fixed = fixed_expression(doc, end, vocabulary)
        joined = doc[end - 1].idx + len(doc[end - 1]) == doc[end].idx  # hyphenated and the like
        if fixed and not joined and doc[end].pos_ == "VERB" and longest_cue(doc, end)[1]:
            break  # "a comedy | set at work"
        if fixed:
            end = fixed
        elif joined and doc[end].text == "-" and end + 1 < len(doc) and doc[end].idx + 1 == doc[end + 1].idx:
            end += 2
        elif _starts_predicate(doc, end) or _leads_to_means(doc, end) or (longest_cue(doc, end)[1] and not joined):
            break
        elif _is_content(doc[end]) or (
            doc[end].lower_ in cues().linkers and _content_follows(doc, end + 1, vocabulary)
        ):
            end += 1
        else:
            break
    return end


def _leads_to_means(doc: "Doc", position: int) -> bool:
    """Whether a participle stands here that words for a means follow ("fear | built by way of whispers")."""
    if (
        doc[position].tag_ not in ("VBN", "VBD")
        or doc[position].dep_ not in ("acl", "ROOT")
        or position + 1 >= len(doc)
    ):
        return False
    kinds, length = longest_cue(doc, position + 1)
    through = doc[position + 1].lower_ in ("through", "via")
    return (length > 1 or through) and "qualifies.manner" in kinds


def _content_follows(doc: "Doc", position: int, vocabulary: Vocabulary) -> bool:
    while position < len(doc) and doc[position].lower_ in cues().linkers:
        position += 1
    if position >= len(doc) or _starts_predicate(doc, position):
        return False
    return _is_content(doc[position]) and not longest_cue(doc, position)[1]


def fixed_expression(doc: "Doc", position: int, vocabulary: Vocabulary) -> int:
    """The end of a concept's or the catalogue's expression of several words that starts at this token, or 0."""
    if doc[position].is_space:
        return 0
    for end in range(min(len(doc), position + 7), position + 1, -1):
        span = doc[position:end].text
        if "," in span or "." in span or "\n" in span:
            continue
        words = " ".join(span.casefold().replace("-", " ").split())
        whole = any(m.start == 0 and m.end == len(span) for m in concept_mentions(span))
        if words in vocabulary.values or whole:
            return end
    return 0


def _starts_predicate(doc: "Doc", position: int) -> bool:
    """Whether a finite verb with a subject of its own stands here ("characters | talk to each other")."""
    token = doc[position]
    return token.pos_ == "VERB" and token.tag_ in ("VBZ", "VBP", "VBD", "VB") and token.dep_ not in ("amod", "compound")


def _is_content(token: "Token") -> bool:
    lower, lemma = token.lower_, token.lemma_.lower()
    if _praises_a_participle(token) or _is_of_an_age(token.doc, token.i):
        return True
    if token.lemma_ == "set" and token.pos_ == "VERB" and token.dep_ not in ("amod", "compound"):
        return False  # "a novel set somewhere by the sea"
    if (
        not any(ch.isalpha() for ch in token.text)
        or lower in cues().weak_adverbs
        or token.pos_ in ("PRON", "DET", "AUX", "INTJ", "CCONJ", "SCONJ", "PART", "PUNCT")
    ):
        return bool(concept_mentions(token.text)) and token.pos_ not in (
            "PRON",
            "DET",
            "AUX",
            "CCONJ",
            "SCONJ",
            "PUNCT",
        )
    if token.pos_ == "VERB":
        return lemma not in cues().frame_verbs or bool(concept_mentions(token.text))
    if token.pos_ == "ADP":
        return False
    return token.pos_ in ("NOUN", "PROPN", "ADJ", "NUM", "ADV", "X")


def content_unit(doc: "Doc", position: int, end: int, vocabulary: Vocabulary) -> Unit:
    """A run of content without the generic words at its edges; generic when nothing else is left."""
    kept = [i for i in range(position, end)]
    fixed: set[int] = set()
    for i in kept:
        stop = fixed_expression(doc, i, vocabulary)
        fixed.update(range(i, stop))
    form = None
    while kept and kept[-1] not in fixed and (_is_generic(doc[kept[-1]]) or _names_item(doc, kept, vocabulary)):
        form = form or form_at(doc, kept[-1], vocabulary)
        kept.pop()
    of_a_thing = len(kept) > 1 and kept[-1] not in fixed and doc[kept[-1]].lower_ in cues().heads
    if of_a_thing:
        kept.pop()
    while (
        kept and kept[0] not in fixed and (_is_generic(doc[kept[0]]) or _is_weak(doc[kept[0]]) or _counts(doc, kept[0]))
    ):
        kept.pop(0)
    role = "generic" if all(doc[i].lower_ in _TIMES for i in kept) else "content"
    if kept and _starts_predicate(doc, position) and any(child.dep_ == "nsubj" for child in doc[position].children):
        role = "predicate"
    tokens = kept or list(range(position, end))
    return Unit(
        role=role,
        start=doc[tokens[0]].idx,
        end=doc[tokens[-1]].idx + len(doc[tokens[-1]]),
        tokens=tuple(tokens),
        headless=doc[tokens[-1]].pos_ not in ("NOUN", "PROPN") and tokens[-1] not in fixed,
        of_a_thing=of_a_thing,
        form=form,
    )


def _praises_a_participle(token: "Token") -> bool:
    """Whether "well" or its like says how something is done ("well written", "well-acted"), and nothing for itself."""
    if token.lower_ not in ("well", "badly", "poorly") or token.i + 1 >= len(token.doc):
        return False
    after = token.nbor(1)
    after = token.nbor(2) if after.text == "-" and token.i + 2 < len(token.doc) else after
    return bool(after.tag_ in ("VBN", "VBD")) or bool(after.pos_ == "ADJ" and after.lower_.endswith(("ed", "en")))


def _is_weak(token: "Token") -> bool:
    """Whether an adjective says nothing of a thing: "I am happy with anything", but not "a happy film", nor where it is
    the beginning of a name ("New York")."""
    after = token.nbor(1) if token.i + 1 < len(token.doc) else token
    if token.lower_ == "new" and token.is_title and after.is_title and after.pos_ == "PROPN":
        return False
    return token.lower_ in cues().weak_adjectives and not (token.lower_ == "happy" and token.dep_ == "amod")


def _counts(doc: "Doc", position: int) -> bool:
    """Whether a number stands here that is no part of a word ("two sisters", not "a twelve-year-old sister")."""
    part = doc[position + 1 : position + 2].text == "-" or _is_of_an_age(doc, position)
    return bool(doc[position].pos_ == "NUM") and not part


def _is_of_an_age(doc: "Doc", position: int) -> bool:
    """Whether a number says how old somebody is ("an 80 year old man")."""
    after = doc[position + 1 : position + 6].text
    return bool(doc[position].pos_ == "NUM" and re.match(r"[\s-]*years?[\s-]+old\b", after, re.IGNORECASE))


def _names_item(doc: "Doc", kept: list[int], vocabulary: Vocabulary) -> bool:
    """Whether the last word says what the items of a person's own catalogue are ("a cooperative game"), and no more
    than that: beside words that the catalogue does not know it is a part of them ("a haunted house")."""
    if doc[kept[-1]].lower_ not in vocabulary.nouns:
        return False
    known = vocabulary.value_words | vocabulary.nouns | cues().weak_adjectives
    return all(
        doc[i].lower_ in known or not doc[i].is_alpha or _is_generic(doc[i]) or bool(concept_mentions(doc[i].text))
        for i in kept[:-1]
    )


def _is_generic(token: "Token") -> bool:
    if token.lower_ == "kind" and token.pos_ == "ADJ":
        return False  # "the parents are kind"
    if _praises_a_participle(token):
        return False
    return token.lower_ in cues().generic_nouns or token.lower_ in cues().weak_adverbs or token.lower_ in cues().linkers
