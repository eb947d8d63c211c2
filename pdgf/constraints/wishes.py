"""Reads the constraints that a preference node puts on metadata. Pure; precise rather than eager.

A node is read only when its words are used up by what the pool's metadata records: "Italian food" asks for a
cuisine, "an Italian girl growing up" asks for none, and a word that merely occurs in free text is none either. Where
a value belongs to several keys and no word says which is meant, nothing is asked (METHOD 7.5).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pdgf.constraints import levels as scales
from pdgf.constraints import words as said
from pdgf.constraints.amounts import amounts
from pdgf.constraints.checks import MetadataConstraint, Requirement
from pdgf.constraints.chinese import in_words_of
from pdgf.constraints.column_wishes import column_constraints
from pdgf.constraints.diets import diets_of
from pdgf.constraints.formats import formats_of
from pdgf.constraints.header_wishes import header_constraints
from pdgf.constraints.limits import limits_of
from pdgf.constraints.makers import makers_of
from pdgf.constraints.meanings import Facet, known_form, lexicon_of
from pdgf.constraints.metadata import MetadataKey, MetadataSchema, fold
from pdgf.constraints.spelling import respelt
from pdgf.constraints.words import tokens_of, without
from pdgf.models import Node, Polarity

MAX_PHRASE_WORDS = 6
MAX_REMEMBERED = 4_096  # nodes whose constraints one schema keeps


@dataclass(frozen=True)
class _Found:
    """A phrase of a node, tokens [start, end), with its meaning; None where it is ambiguous."""

    start: int
    end: int
    facet: Facet | None


def constraints_of(node: Node, schema: MetadataSchema) -> tuple[MetadataConstraint, ...]:
    """What a node asks of metadata; empty for a node that asks nothing a pool of this schema could answer."""
    question = (node.id, node.instantiation, node.perspective, node.strength, node.polarity)
    memo = schema.memo
    if question not in memo:
        if len(memo) > MAX_REMEMBERED:
            memo.clear()
        worded = in_words_of(node, schema)
        asked = formats_of(worded, schema) or makers_of(worded, schema) or diets_of(worded, schema)
        asked = asked or _named(worded, schema)
        of_headers = list(header_constraints(node, schema))
        named = {constraint.key for constraint in of_headers}
        asked = [constraint for constraint in asked if constraint.key not in named]
        of_columns = [*column_constraints(node, schema), *of_headers]
        columns = {constraint.key for constraint in of_columns}
        limits = (limit for limit in limits_of(worded, schema) if limit.key not in columns)
        memo[question] = tuple(dict.fromkeys([*of_columns, *limits, *asked]))
    constraints: tuple[MetadataConstraint, ...] = memo[question]
    return constraints


def _named(node: Node, schema: MetadataSchema) -> list[MetadataConstraint]:
    """Truths, levels and values that the instantiation names."""
    text = respelt(without(node.instantiation, [amount.span for amount in amounts(node.instantiation)])).text
    tokens = tokens_of(text)
    if set(tokens) & said.LIKENESS or "similar" in node.perspective.casefold():
        return []
    if any(pair in (("not", "just"), ("not", "only")) for pair in pairwise(tokens)):
        return []
    hints = {*tokens, *tokens_of(node.perspective), *tokens_of(node.strength)}
    found = [_chosen(phrase, tokens, hints, schema) for phrase in _phrases(tokens, schema)]
    kept = [phrase for phrase in found if phrase.facet is not None]
    if _leftover(tokens, found):
        kept = [phrase for phrase in kept if _stands_alone(phrase, tokens)]
    return _joined(node, kept, tokens, hints)


def _phrases(tokens: Sequence[str], schema: MetadataSchema) -> Iterator[tuple[int, int, tuple[Facet, ...]]]:
    """The phrases that the schema knows, the longest first at each place, without overlap."""
    lexicon = lexicon_of(schema)
    start = 0
    while start < len(tokens):
        for length in range(min(MAX_PHRASE_WORDS, len(tokens) - start), 0, -1):
            facets = lexicon.get(known_form(" ".join(tokens[start : start + length]), lexicon))
            if facets:
                yield start, start + length, facets
                start += length
                break
        else:
            start += 1


_OF_DIFFICULTY = said.either("difficulty|skill|grade|suitable|easier|harder|most")  # beside its levels
_NEEDLESS = said.either("need|needed|required|necessary")


def _chosen(
    phrase: tuple[int, int, tuple[Facet, ...]], tokens: Sequence[str], hints: set[str], schema: MetadataSchema
) -> _Found:
    """The one meaning that the other words of the node leave, or none."""
    start, end, facets = phrase
    around = {*tokens[:start], *tokens[end:], *(hints - set(tokens))}
    possible = [facet for facet in facets if _allowed(facet, end - start, tokens[:start], around)]
    own_key = said.KEYS_OF_VALUE.get(" ".join(tokens[start:end]), frozenset())
    possible = [facet for facet in possible if facet.key.words in own_key] or possible
    if len({facet.key.key for facet in possible}) > 1:
        meant = [facet for facet in possible if around & _cues(facet.key)]
        possible = meant or [facet for facet in possible if facet.key.words not in said.NEVER_COMPLETE]
    return _Found(start, end, possible[0] if len({facet.key.key for facet in possible}) == 1 else None)


def _cues(key: MetadataKey) -> set[str]:
    """The words that say that this key is meant."""
    words = {form for word in key.words.split() for form in (word, word.removesuffix("s"))}
    if key.words in said.PLACE_KEYS:
        words |= said.PLACE_KEYS | {"place", "where"}
    return words | said.PERSON_CUES.get(key.words.removesuffix("s"), frozenset())


def _allowed(facet: Facet, length: int, before: Sequence[str], around: set[str]) -> bool:
    """Whether the words around admit a meaning that a bare mention does not prove."""
    words = facet.key.words
    if facet.value is None:
        return True
    if words in said.COUNTRY_KEYS:
        return bool(around & said.COUNTRY_CUES) and "setting" not in around
    if words == "language" and "setting" in around:
        return False
    if words in said.SERIES_KEYS:
        return bool(around & said.SERIES_CUES)
    if words in said.PLACE_KEYS:
        return not set(before) & said.NEARNESS
    cues = said.PERSON_CUES.get(words.removesuffix("s"))
    return cues is None or length > 1 or bool(around & cues)


def _leftover(tokens: Sequence[str], found: Sequence[_Found]) -> bool:
    """Whether words remain that ask for more than the phrases found."""
    covered = {position for phrase in found for position in range(phrase.start, phrase.end)}
    ends = {phrase.end for phrase in found}
    silent = said.FILLERS | said.NEGATORS | said.SOFTENERS | said.UTTERLY
    if any(phrase.facet is not None and phrase.facet.scale == scales.DIFFICULTY for phrase in found):
        silent |= _OF_DIFFICULTY
    return any(
        token not in silent and not (token == "free" and position in ends)  # noqa: S105
        for position, token in enumerate(tokens)
        if position not in covered
    )


def _stands_alone(phrase: _Found, tokens: Sequence[str]) -> bool:
    """Whether a phrase is meant whatever else the node says: "... in Old Harbour", "... directed by Ang Lee"."""
    if phrase.facet is None or phrase.facet.value is None or phrase.start == 0:
        return False
    before, words = tokens[phrase.start - 1], phrase.facet.key.words
    if words in said.PLACE_KEYS:
        article = before in ("the", "old") and phrase.start > 1
        return (tokens[phrase.start - 2] if article else before) in ("in", "at", "within")
    person = words.removesuffix("s") in said.PERSON_CUES
    return person and phrase.end - phrase.start > 1 and before in ("by", "starring", "director", "author")


def _joined(node: Node, kept: Sequence[_Found], tokens: Sequence[str], hints: set[str]) -> list[MetadataConstraint]:
    """The constraints of the phrases; alternatives ("Thai or Lao") become one, alternatives of two keys none."""
    signed = [(phrase.facet, _avoided(node, phrase, tokens)) for phrase in kept if phrase.facet is not None]
    keys = {facet.key.key for facet, _ in signed}
    alternatives = "or" in tokens and len(signed) > 1 and not all(avoided for _, avoided in signed)
    if alternatives and (len(keys) > 1 or (len({facet.truth for facet, _ in signed}) > 1)):
        return []
    if alternatives and any(facet.levels is not None for facet, _ in signed):
        return []
    made: list[MetadataConstraint] = []
    for facet, avoided in signed:
        constraint = _constraint(node, facet, avoided, tokens, hints)
        if constraint is None:
            continue
        asked = (constraint.key, Requirement.ONE_OF)
        same = [c for c in made if (c.key, c.requirement) == asked == (constraint.key, constraint.requirement)]
        if same and (alternatives or not facet.key.listed):
            made[made.index(same[0])] = same[0].model_copy(update={"values": (*same[0].values, *constraint.values)})
        else:
            made.append(constraint)
    return made


def _avoided(node: Node, phrase: _Found, tokens: Sequence[str]) -> bool:
    """Whether what a phrase names is to be kept away; a "no" inside a node to avoid is the same "no"."""
    before = list(tokens[: phrase.start])
    for stop in ("but", "with"):
        if stop in before:
            before = before[len(before) - before[::-1].index(stop) :]
    levels = phrase.facet is not None and phrase.facet.levels is not None
    after_free = levels and tokens[phrase.end : phrase.end + 1] == ["free"]
    return node.polarity is Polarity.AVOID or bool(set(before) & said.NEGATORS) or after_free


def _constraint(
    node: Node, facet: Facet, avoided: bool, tokens: Sequence[str], hints: set[str]
) -> MetadataConstraint | None:
    """The test that a meaning stands for; None where "not mostly X" asks for nothing that X alone decides."""
    key, soft = facet.key, bool(hints & said.SOFTENERS)
    if facet.levels is not None:
        return _level_constraint(node, facet, avoided, soft=soft, utterly=bool(hints & said.UTTERLY))
    if avoided and soft:
        return None
    if facet.truth is not None:
        wanted = facet.truth is not avoided
        if not wanted and _NEEDLESS & set(tokens):
            return None  # "no reservations needed" does not mind that they are taken
        return MetadataConstraint(node=node.id, key=key.key, requirement=Requirement.YES if wanted else Requirement.NO)
    value = facet.value or ""
    if avoided:
        values = (value, *facet.others)
        return MetadataConstraint(node=node.id, key=key.key, requirement=Requirement.NONE_OF, values=values)
    values = (value, *facet.others, *said.IMPLIED_BY.get(fold(value), ()))
    return MetadataConstraint(
        node=node.id, key=key.key, requirement=Requirement.ONE_OF, values=values, complete=facet.complete
    )


def _level_constraint(
    node: Node, facet: Facet, avoided: bool, *, soft: bool, utterly: bool
) -> MetadataConstraint | None:
    levels = facet.levels
    if levels is None:
        return None
    limits = levels.wanted
    if avoided:
        limits = levels.softly if soft else levels.utterly if utterly else levels.avoided
    lowest, highest = limits
    if lowest is None and highest is None:
        return None
    if lowest is not None and highest is not None and facet.scale is not None:
        named = scales.LEVELS[facet.scale].items()
        within = tuple(name for name, level in named if lowest <= level <= highest)
        return MetadataConstraint(node=node.id, key=facet.key.key, requirement=Requirement.ONE_OF, values=within)
    requirement, number = (Requirement.AT_LEAST, lowest) if lowest is not None else (Requirement.AT_MOST, highest)
    return MetadataConstraint(
        node=node.id, key=facet.key.key, requirement=requirement, number=float(number or 0), scale=facet.scale
    )
