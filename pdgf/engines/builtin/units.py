"""What each stretch of a narrative is: content, a cue, a reference, a quantity, a frame around wishes, or an end.

The longest match of the cue lists wins, unless a longer fixed expression of a concept or of the catalogue starts at
the same word ("small town", "not expensive").
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pdgf.engines.builtin.lexicon import concept_mentions, cues
from pdgf.engines.builtin.mentions import Quantity, Reference, quantities, references
from pdgf.engines.builtin.vocabulary import Vocabulary

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


_SPEAKERS = frozenset(
    {"i", "we", "she", "he", "they", "you"}
)  # whose dislikes are wishes; "who dislike each other" is none
_ENDS = frozenset(".!?\u2026")


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A stretch of the narrative with one part to play: content, a cue, a reference, a quantity, a frame or an end."""

    role: str
    start: int
    end: int
    kinds: tuple[str, ...] = ()
    tokens: tuple[int, ...] = ()
    reference: Reference | None = None
    quantity: Quantity | None = None
    headless: bool = False


def units_of(doc: "Doc", text: str, vocabulary: Vocabulary, skip: Sequence[tuple[int, int]]) -> list[Unit]:
    """Cut a parsed narrative into units, in order; spans in `skip` are years."""
    named: dict[int, Unit] = {}
    for reference in references(doc.text, vocabulary):
        named[reference.start] = Unit(role="reference", start=reference.start, end=reference.end, reference=reference)
    for quantity in quantities(doc.text):
        if all(quantity.end <= u.start or quantity.start >= u.end for u in named.values()):
            named[quantity.start] = Unit(role="quantity", start=quantity.start, end=quantity.end, quantity=quantity)
    for start, end in skip:
        named.setdefault(start, Unit(role="year", start=start, end=end))
    units: list[Unit] = []
    position = 0
    while position < len(doc):
        token = doc[position]
        inside = next((u for u in named.values() if u.start <= token.idx < u.end), None)
        if inside is not None:
            if not units or units[-1] is not inside:
                units.append(inside)
            position += 1
            continue
        unit, position = _next_unit(doc, position, vocabulary)
        if unit is not None and unit.role == "content" and _is_heading(doc, position, units):
            unit = replace(unit, role="frame")
        if unit is not None:
            units.append(unit)
    return units


def _is_heading(doc: "Doc", after: int, units: Sequence[Unit]) -> bool:
    """Whether the content just read only names what follows a colon ("Mood: cosy. Type of meal: brunch.")."""
    starts = not units or units[-1].role in ("end", "frame", "year") or "joins.list" in units[-1].kinds
    return starts and after < len(doc) and doc[after].text == ":"


def _next_unit(doc: "Doc", position: int, vocabulary: Vocabulary) -> tuple[Unit | None, int]:
    token = doc[position]
    if set(token.text) <= _ENDS or "\n" in token.text:
        return Unit(role="end", start=token.idx, end=token.idx + len(token)), position + 1
    kinds, length = _longest_cue(doc, position)
    if not length or _fixed_expression(doc, position, vocabulary) - position > length:
        if _links_by_verb(doc, position):
            end = position + 2
            return Unit(
                role="cue",
                start=token.idx,
                end=doc[end - 1].idx + len(doc[end - 1]),
                kinds=("qualifies.manner",),
                tokens=(position, position + 1),
            ), end
        content = _content_end(doc, position, vocabulary)
        if content > position:
            return _content_unit(doc, position, content, vocabulary), content
    if length:
        return _cue_unit(doc, position, length, kinds), position + length
    if token.lemma_ == "be" and token.pos_ in ("AUX", "VERB"):
        return Unit(role="copula", start=token.idx, end=token.idx + len(token)), position + 1
    if token.pos_ in ("VERB", "AUX") and token.lemma_.lower() in cues().frame_verbs:
        return Unit(role="frame", start=token.idx, end=token.idx + len(token)), position + 1
    return None, position + 1


def _links_by_verb(doc: "Doc", position: int) -> bool:
    """Whether a verb and its preposition stand here that tie two wishes ("develops through", "leads to")."""
    token = doc[position]
    if token.pos_ != "VERB" or position == 0 or position + 1 >= len(doc) or concept_mentions(token.text):
        return False
    return doc[position + 1].pos_ in ("ADP", "PART") and doc[position + 1].lower_ not in (
        "up",
        "out",
        "over",
        "off",
        "down",
    )


def _longest_cue(doc: "Doc", position: int) -> tuple[tuple[str, ...], int]:
    """The kinds of the longest cue that starts here and how many tokens it takes."""
    words = [t.lower_ for t in doc[position : position + cues().longest + 3]]
    for length in range(len(words), 0, -1):
        for candidate in (tuple(words[:length]), tuple(_joined(words[:length]))):
            kinds = cues().kinds.get(candidate)
            if kinds and _cue_fits(doc[position], length, kinds):
                return kinds, length
    return (), 0


def _joined(words: list[str]) -> list[str]:
    """Tokens as the cue lists write them: "I 'd" is "i'd", "ca n't" is "can't"."""
    joined: list[str] = []
    for word in words:
        if joined and (word.startswith("'") or word == "n't"):
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def _cue_fits(token: "Token", length: int, kinds: tuple[str, ...]) -> bool:
    """Rule out a cue word in another part of speech: "that" as a determiner, "like" as a verb."""
    if length == 1 and token.lower_ in ("that", "which", "who", "where", "when"):
        return token.tag_ in ("WDT", "WP", "WRB") or token.dep_ == "nsubj"
    if length == 1 and "references.disliked" in kinds:
        return all(child.lower_ in _SPEAKERS for child in token.children if child.dep_ == "nsubj")
    return not (length == 1 and token.lower_ in ("like", "so"))


def _cue_unit(doc: "Doc", position: int, length: int, kinds: tuple[str, ...]) -> Unit:
    last = doc[position + length - 1]
    if "references.disliked" in kinds:
        kinds = (*kinds, "avoids.negation")  # "I hated Paper Lanterns" names a title, "I hate seafood" what to avoid
    role = (
        "frame"
        if all(
            k.startswith(("frames", "references", "joins.turn")) or k in ("strength.hard", "strength.soft")
            for k in kinds
        )
        and any(k.startswith(("frames", "references", "joins.turn")) for k in kinds)
        else "cue"
    )
    if kinds == ("strength.hard",) and doc[position].pos_ in ("VERB", "AUX"):
        role = "frame"
    return Unit(
        role=role,
        start=doc[position].idx,
        end=last.idx + len(last),
        kinds=kinds,
        tokens=tuple(range(position, position + length)),
    )


def _content_end(doc: "Doc", position: int, vocabulary: Vocabulary) -> int:
    """Where the run of content that starts here ends; `position` itself when no content starts here."""
    fixed = _fixed_expression(doc, position, vocabulary)
    if fixed:
        end = fixed
    elif _is_content(doc[position]):
        end = position + 1
    else:
        return position
    while end < len(doc):
        fixed = _fixed_expression(doc, end, vocabulary)
        joined = doc[end - 1].idx + len(doc[end - 1]) == doc[end].idx  # hyphenated and the like
        if fixed:
            end = fixed
        elif joined and doc[end].text == "-" and end + 1 < len(doc) and doc[end].idx + 1 == doc[end + 1].idx:
            end += 2
        elif _starts_predicate(doc, end) or (_longest_cue(doc, end)[1] and not joined):
            break
        elif _is_content(doc[end]) or (
            doc[end].lower_ in cues().linkers and _content_follows(doc, end + 1, vocabulary)
        ):
            end += 1
        else:
            break
    return end


def _content_follows(doc: "Doc", position: int, vocabulary: Vocabulary) -> bool:
    while position < len(doc) and doc[position].lower_ in cues().linkers:
        position += 1
    if position >= len(doc) or _starts_predicate(doc, position):
        return False
    return _is_content(doc[position]) and not _longest_cue(doc, position)[1]


def _fixed_expression(doc: "Doc", position: int, vocabulary: Vocabulary) -> int:
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


def _content_unit(doc: "Doc", position: int, end: int, vocabulary: Vocabulary) -> Unit:
    """A run of content without the generic words at its edges; generic when nothing else is left."""
    kept = [i for i in range(position, end)]
    fixed: set[int] = set()
    for i in kept:
        stop = _fixed_expression(doc, i, vocabulary)
        fixed.update(range(i, stop))
    while kept and kept[-1] not in fixed and _is_generic(doc[kept[-1]]):
        kept.pop()
    if len(kept) > 1 and kept[-1] not in fixed and doc[kept[-1]].lower_ in cues().heads:
        kept.pop()
    while (
        kept
        and kept[0] not in fixed
        and (_is_generic(doc[kept[0]]) or doc[kept[0]].lower_ in cues().weak_adjectives or doc[kept[0]].pos_ == "NUM")
    ):
        kept.pop(0)
    role = "content" if kept else "generic"
    if kept and _starts_predicate(doc, position) and any(child.dep_ == "nsubj" for child in doc[position].children):
        role = "predicate"
    tokens = kept or list(range(position, end))
    return Unit(
        role=role,
        start=doc[tokens[0]].idx,
        end=doc[tokens[-1]].idx + len(doc[tokens[-1]]),
        tokens=tuple(tokens),
        headless=doc[tokens[-1]].pos_ not in ("NOUN", "PROPN") and tokens[-1] not in fixed,
    )


def _is_generic(token: "Token") -> bool:
    return token.lower_ in cues().generic_nouns or token.lower_ in cues().weak_adverbs or token.lower_ in cues().linkers
