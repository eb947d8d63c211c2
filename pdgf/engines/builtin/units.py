"""What each stretch of a narrative is: content, a cue, a reference, a quantity, a frame around wishes, or an end.

The longest match of the cue lists wins, unless a longer fixed expression of a concept or of the catalogue starts at
the same word ("small town", "not expensive").
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pdgf.constraints.refusals import Refusal, refusals
from pdgf.constraints.words import either
from pdgf.engines.builtin.asides import asides
from pdgf.engines.builtin.column_mentions import wished_quantities
from pdgf.engines.builtin.compared import compared
from pdgf.engines.builtin.content import content_end, content_unit, fixed_expression
from pdgf.engines.builtin.cue_units import Unit, cue_unit, longest_cue
from pdgf.engines.builtin.lexicon import concept_mentions, cues
from pdgf.engines.builtin.mentions import references
from pdgf.engines.builtin.same_maker import said_again
from pdgf.engines.builtin.vocabulary import Vocabulary

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


_NO_TIE = either("up|out|over|off|down|without")
_COMPARED = 5  # tokens before a "than" among which what is compared begins
_BESIDE_COMPARED = either("it|is|they|are|about|on|to|from|of|a|an|the")
_NO_COMPARISON = either(
    "usual|average|expected|normal|most|many|other|others|year|years|time|life|ever|film|films|book|books"
)
_STAYING = either("stay|remain|keep|seem|feel|become")
_ENDS = frozenset(".!?\u2026")
_A_MUST = re.compile(  # "parking is a must"
    r"\b(?:is|are)\s+(?:really |absolutely |strictly |simply )?(?:an? )?(?:absolute |definite |real )?"
    r"(?:must(?:[- ]have)?|essential|mandatory|compulsory|obligatory|indispensable|non-negotiable|required|necessary"
    r"|needed|crucial|vital|imperative)\b(?!\s+(?:that|to|for))",
    re.IGNORECASE,
)
# Said after what is unwanted: "no romance at all"
_UTTERLY = re.compile(r"\b(?:at all|whatsoever|of any kind)\b", re.IGNORECASE)


def units_of(doc: "Doc", text: str, vocabulary: Vocabulary, skip: Sequence[tuple[int, int]]) -> list[Unit]:
    """Cut a parsed narrative into units, in order; spans in `skip` are years. Asides are in none."""
    named: dict[int, Unit] = {}
    said = doc.text  # put together anew at each look
    referred = references(said, vocabulary)
    for each in compared(said, referred, vocabulary):
        named[each.start] = Unit(role="aside", start=each.start, end=each.end)
    beside = [reference for reference in referred if all(reference.end != each.end for each in named.values())]
    for reference in beside:
        named[reference.start] = Unit(role="reference", start=reference.start, end=reference.end, reference=reference)
    for quantity in wished_quantities(said, vocabulary):
        if all(quantity.end <= u.start or quantity.start >= u.end for u in named.values()):
            named[quantity.start] = Unit(role="quantity", start=quantity.start, end=quantity.end, quantity=quantity)
    for start, end in skip:
        named.setdefault(start, Unit(role="year", start=start, end=end))
    for refusal in refusals(said):
        if all(refusal.end <= unit.start or refusal.start >= unit.end for unit in named.values()):
            named[refusal.start] = _refusing(refusal)
    for start, end, _ in said_again(said):
        named.setdefault(start, Unit(role="aside", start=start, end=end))
    for start, end in asides(said, vocabulary.english):
        for left in _left_of((start, end), [(unit.start, unit.end) for unit in named.values()]):
            named.setdefault(left[0], Unit(role="aside", start=left[0], end=left[1]))
    for match in _UTTERLY.finditer(said):
        named.setdefault(match.start(), Unit(role="utterly", start=match.start(), end=match.end()))
    for match in _A_MUST.finditer(said):
        named.setdefault(match.start(), Unit(role="must", start=match.start(), end=match.end()))
    starts, at = sorted(named), _by_place(named.values())
    units: list[Unit] = []
    position = 0
    while position < len(doc):
        token = doc[position]
        inside = at.get(token.idx)
        if inside is not None:
            if inside.role != "aside" and (not units or units[-1] is not inside):
                units.append(inside)
            position += 1
            continue
        after = bisect_right(starts, token.idx)
        until = starts[after] if after < len(starts) else len(said)
        unit, position = _next_unit(doc, position, vocabulary, until)
        if unit is not None and unit.role == "content" and _is_heading(doc, position, units):
            unit = replace(unit, role="frame")
        if unit is not None:
            units.append(unit)
    return units


def _by_place(units: Iterable[Unit]) -> dict[int, Unit]:
    """The first unit over each character: looked up here, a long text is read in a time that grows as it does."""
    at: dict[int, Unit] = {}
    for unit in units:
        for place in range(unit.start, unit.end):
            at.setdefault(place, unit)
    return at


def _is_own_subject(doc: "Doc", position: int, vocabulary: Vocabulary) -> bool:
    """Whether a value of a person's own catalogue stands here that an item is about, and no frame: "about space for a
    child"."""
    own = vocabulary.columns is not None and doc[position].lower_ in vocabulary.values
    return own and position > 0 and doc[position - 1].lower_ in ("about", "on", "theme")


def _refusing(refusal: Refusal) -> Unit:
    """The unit of refusing words: a cue for what follows, or a mark on what stands before."""
    kinds = ("avoids.negation", "strength.hard") if refusal.food else ("avoids.negation",)
    role = "refused" if refusal.after else "cue"
    return Unit(role=role, start=refusal.start, end=refusal.end, kinds=kinds, said=refusal.said)


def _is_heading(doc: "Doc", after: int, units: Sequence[Unit]) -> bool:
    """Whether the content just read only names what follows a colon ("Mood: cosy. Type of meal: brunch.")."""
    starts = not units or units[-1].role in ("end", "frame", "year") or "joins.list" in units[-1].kinds
    return starts and after < len(doc) and doc[after].text == ":"


def _left_of(span: tuple[int, int], taken: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The parts of a span that nothing takes."""
    start, end = span
    for first, last in sorted(pair for pair in taken if pair[0] < end and start < pair[1]):
        if start < first:
            yield start, first
        start = max(start, last)
    if start < end:
        yield start, end


def _next_unit(doc: "Doc", position: int, vocabulary: Vocabulary, until: int) -> tuple[Unit | None, int]:
    """The unit that starts at a token, and the token behind it; content ends before the character `until`."""
    token = doc[position]
    if set(token.text) <= _ENDS or "\n" in token.text:
        return Unit(role="end", start=token.idx, end=token.idx + len(token)), position + 1
    kinds, length = longest_cue(doc, position)
    fixed = fixed_expression(doc, position, vocabulary)
    if "frames.phrases" in kinds and _is_own_subject(doc, position, vocabulary):
        kinds, length = (), 0
    if not length or fixed - position > length:
        if not fixed and _links_by_verb(doc, position):
            end = position + 1 + max(1, longest_cue(doc, position + 1)[1])  # "built by means of"
            return Unit(
                role="cue",
                start=token.idx,
                end=doc[end - 1].idx + len(doc[end - 1]),
                kinds=("qualifies.manner",),
                tokens=tuple(range(position, end)),
            ), end
        content = _first_from(doc, position, until, content_end(doc, position, vocabulary))
        if content > position:
            return content_unit(doc, position, content, vocabulary), content
    if length:
        return cue_unit(doc, position, length, kinds), position + length
    if _compares(doc, position):
        return Unit(
            role="cue", start=token.idx, end=token.idx + len(token), kinds=("avoids.negation",), tokens=(position,)
        ), position + 1
    if _is_copula(token):
        return Unit(role="copula", start=token.idx, end=token.idx + len(token)), position + 1
    if token.pos_ in ("VERB", "AUX") and token.lemma_.lower() in cues().frame_verbs:
        return Unit(role="frame", start=token.idx, end=token.idx + len(token)), position + 1
    return None, position + 1


def _is_copula(token: "Token") -> bool:
    """Whether a verb only ties what it says to its subject ("the comedy stays gentle", "deaths stay off the page")."""
    if token.lemma_ == "be":
        return token.pos_ in ("AUX", "VERB")
    if token.pos_ != "VERB" or token.lemma_ not in _STAYING:
        return False
    return any(
        child.i > token.i and (child.dep_ in ("acomp", "attr") or (child.dep_ == "prep" and token.lemma_ != "feel"))
        for child in token.children
    )


def _compares(doc: "Doc", position: int) -> bool:
    """Whether a "than" stands here after which comes what is wanted less: "more awkward than sweet"."""
    if doc[position].lower_ != "than" or position + 1 >= len(doc):
        return False
    more = any(
        token.lower_ not in ("less", "fewer") and (token.lower_ == "more" or token.tag_ in ("JJR", "RBR"))
        for token in doc[max(0, position - _COMPARED) : position]
    )
    after = next((token for token in doc[position + 1 :] if token.lower_ not in _BESIDE_COMPARED), None)
    return more and after is not None and after.pos_ in ("ADJ", "NOUN") and after.lower_ not in _NO_COMPARISON


def _first_from(doc: "Doc", position: int, until: int, most: int) -> int:
    """The first token from `position` on that stands at or behind a character; `most` where none does before it."""
    while position < most and doc[position].idx < until:
        position += 1
    return min(position, most)


def _links_by_verb(doc: "Doc", position: int) -> bool:
    """Whether a verb and its preposition stand here that tie two wishes ("develops through", "leads to")."""
    token = doc[position]
    if token.pos_ != "VERB" or position == 0 or position + 1 >= len(doc) or concept_mentions(token.text):
        return False
    tie = doc[position + 1]
    if any(child.dep_ == "pobj" and child.pos_ == "PRON" for child in tie.children):
        return False  # "nobody dies in it"
    return tie.pos_ in ("ADP", "PART") and tie.lower_ not in _NO_TIE
