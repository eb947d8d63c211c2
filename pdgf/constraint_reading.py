"""Reads the constraints that a preference node puts on metadata. Pure; precise rather than eager.

A node is read only when its words are used up by what the pool's metadata records: "Italian food" asks for a
cuisine, "an Italian girl growing up" asks for none, and a word that merely occurs in free text is none either. Where
a value belongs to several keys and no word says which is meant, nothing is asked (METHOD 7.5).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pdgf import constraint_words as said
from pdgf.amounts import DOLLARS, EPISODES, MINUTES, OTHER_MONEY, PAGES, Amount, Comparison, amounts, child_ages
from pdgf.metadata import KeyKind, MetadataKey, MetadataSchema, fold
from pdgf.models import Node, Polarity, Value

MAX_PHRASE_WORDS = 6
MAX_REMEMBERED = 4_096  # nodes whose constraints one schema keeps
_TOKEN = re.compile(r"\w+|\$+")


class Test(StrEnum):
    """What a metadata value is tested for."""

    LESS = Comparison.LESS.value
    AT_MOST = Comparison.AT_MOST.value
    AT_LEAST = Comparison.AT_LEAST.value
    MORE = Comparison.MORE.value
    YES = "yes"
    NO = "no"
    ONE_OF = "one_of"
    NONE_OF = "none_of"


class MetadataConstraint(Value):
    """One test of one metadata key that the node `node` asks for.

    `number` goes with the comparisons: a quantity in the key's own unit, or a level where `scale` names one.
    `values` goes with ONE_OF and NONE_OF. `complete` says that a value missing from an item's list is not there;
    otherwise it is merely not known.
    """

    node: str
    key: str
    test: Test
    number: float = 0.0
    scale: str | None = None
    values: tuple[str, ...] = ()
    complete: bool = True


@dataclass(frozen=True)
class _Facet:
    """What a phrase can mean: a key, and a truth, a stretch of a scale, or a value of it."""

    key: MetadataKey
    truth: bool | None = None
    levels: said.LevelWords | None = None
    scale: str | None = None
    value: str | None = None


@dataclass(frozen=True)
class _Found:
    """A phrase of a node, tokens [start, end), with its meaning; None where it is ambiguous."""

    start: int
    end: int
    facet: _Facet | None


def constraints_of(node: Node, schema: MetadataSchema) -> tuple[MetadataConstraint, ...]:
    """What a node asks of metadata; empty for a node that asks nothing a pool of this schema could answer."""
    question = (node.id, node.instantiation, node.perspective, node.strength, node.polarity)
    memo = schema.memo
    if question not in memo:
        if len(memo) > MAX_REMEMBERED:
            memo.clear()
        memo[question] = tuple(dict.fromkeys([*_limits(node, schema), *_named(node, schema)]))
    constraints: tuple[MetadataConstraint, ...] = memo[question]
    return constraints


def scale_of(key: MetadataKey) -> str | None:
    """The scale whose levels are the values of a key."""
    if key.kind is KeyKind.NUMBER:
        return said.PRICE if said.SCALE_OF_KEY.get(key.words) == said.PRICE and key.words != "price" else None
    if key.kind is not KeyKind.CATEGORY or not key.values:
        return None
    scale = said.SCALE_OF_KEY.get(key.words, said.INTENSITY)
    return scale if all(value in said.LEVELS[scale] for value in key.values) else None


def _limits(node: Node, schema: MetadataSchema) -> Iterator[MetadataConstraint]:
    """Numeric limits and ages of children."""
    text = node.instantiation if node.strength in node.instantiation else f"{node.strength} {node.instantiation}"
    words = set(_tokens(text))
    if words & said.STORY_WORDS:
        return
    for amount in amounts(text):
        flip = node.polarity is Polarity.AVOID and not amount.negated
        comparison = _FLIPPED[amount.comparison] if flip else amount.comparison
        yield from _limit(node, amount, comparison, schema)
    ages = child_ages(text)
    rest = set(_tokens(_without(text, [span for _, span in ages])))
    age_key = next((schema.by_words[name] for name in said.AGE_KEYS if name in schema.by_words), None)
    if ages and age_key and age_key.kind is KeyKind.NUMBER and rest & said.CHILD_CUES:
        if rest <= said.CHILD_WORDS | said.CHILD_CUES | said.FILLERS and node.polarity is Polarity.WANT:
            yield MetadataConstraint(node=node.id, key=age_key.key, test=Test.AT_MOST, number=min(ages)[0])


_FLIPPED = {
    Comparison.LESS: Comparison.AT_LEAST,
    Comparison.MORE: Comparison.AT_MOST,
    Comparison.AT_MOST: Comparison.MORE,
    Comparison.AT_LEAST: Comparison.LESS,
}


def _limit(node: Node, amount: Amount, comparison: Comparison, schema: MetadataSchema) -> Iterator[MetadataConstraint]:
    """The limit on the key that is counted in the amount's unit."""
    if amount.unit == OTHER_MONEY:  # metadata names no currency to convert from
        return
    for unit, factor in ((amount.unit, 1.0), ("hour", 60.0)) if amount.unit == MINUTES else ((amount.unit, 1.0),):
        names = said.KEYS_OF_UNIT.get(unit, ())
        key = next((schema.by_words[name] for name in names if _is_number(schema, name)), None)
        if key:
            number = amount.number / factor
            yield MetadataConstraint(node=node.id, key=key.key, test=Test(comparison.value), number=number)
            return
    if amount.unit == PAGES:
        yield from _pages(node, amount.number, comparison, schema)
    elif amount.unit not in (MINUTES, DOLLARS, EPISODES):
        keys = [key for key in schema.keys if key.kind is KeyKind.NUMBER and _counts(key, amount.unit)]
        if len(keys) == 1:
            yield MetadataConstraint(
                node=node.id, key=keys[0].key, test=Test(comparison.value), number=amount.number
            )


def _pages(
    node: Node, pages: float, comparison: Comparison, schema: MetadataSchema
) -> Iterator[MetadataConstraint]:
    """A limit in pages against length categories: those that lie wholly beyond it are ruled out."""
    key = schema.by_words.get("length")
    if key is None or scale_of(key) != said.LENGTH:
        return
    upper = comparison in (Comparison.LESS, Comparison.AT_MOST)
    out = [
        name
        for name, (fewest, most) in said.PAGES_OF_LENGTH.items()
        if (fewest >= pages and fewest > 0 if upper else most <= pages)
    ]
    if out:
        yield MetadataConstraint(node=node.id, key=key.key, test=Test.NONE_OF, values=tuple(out))


def _is_number(schema: MetadataSchema, name: str) -> bool:
    return name in schema.by_words and schema.by_words[name].kind is KeyKind.NUMBER


def _counts(key: MetadataKey, noun: str) -> bool:
    return any(word.removesuffix("s") == noun for word in key.words.split())


def _named(node: Node, schema: MetadataSchema) -> list[MetadataConstraint]:
    """Truths, levels and values that the instantiation names."""
    text = _without(node.instantiation, [amount.span for amount in amounts(node.instantiation)])
    tokens = _tokens(text)
    if set(tokens) & said.LIKENESS or "similar" in node.perspective.casefold():
        return []
    if any(pair in (("not", "just"), ("not", "only")) for pair in zip(tokens, tokens[1:], strict=False)):
        return []
    hints = {*tokens, *_tokens(node.perspective), *_tokens(node.strength)}
    found = [_chosen(phrase, tokens, hints, schema) for phrase in _phrases(tokens, schema)]
    kept = [phrase for phrase in found if phrase.facet is not None]
    if _leftover(tokens, found):
        kept = [phrase for phrase in kept if _stands_alone(phrase, tokens)]
    return _joined(node, kept, tokens, hints)


def _phrases(tokens: Sequence[str], schema: MetadataSchema) -> Iterator[tuple[int, int, tuple[_Facet, ...]]]:
    """The phrases that the schema knows, the longest first at each place, without overlap."""
    lexicon = _lexicon(schema)
    start = 0
    while start < len(tokens):
        for length in range(min(MAX_PHRASE_WORDS, len(tokens) - start), 0, -1):
            facets = lexicon.get(_same(" ".join(tokens[start : start + length]), lexicon))
            if facets:
                yield start, start + length, facets
                start += length
                break
        else:
            start += 1


def _same(phrase: str, lexicon: dict[str, tuple[_Facet, ...]]) -> str:
    """The form under which the lexicon knows a phrase: itself, an equal, or its singular."""
    forms = [phrase, said.SAME_VALUE.get(phrase, phrase)]
    if phrase.endswith("ies"):
        forms.append(f"{phrase[:-3]}y")
    if phrase.endswith("s") and len(phrase) > 3:
        forms.append(phrase[:-1])
    return next((form for form in forms if form in lexicon), phrase)


def _lexicon(schema: MetadataSchema) -> dict[str, tuple[_Facet, ...]]:
    """Every phrase that this schema gives a meaning, with all its meanings."""
    if "lexicon" not in schema.memo:
        lexicon: dict[str, dict[_Facet, None]] = {}
        for key in schema.keys:
            for phrase, facet in _meanings(key):
                lexicon.setdefault(phrase, {})[facet] = None
        schema.memo["lexicon"] = {phrase: tuple(facets) for phrase, facets in lexicon.items()}
    known: dict[str, tuple[_Facet, ...]] = schema.memo["lexicon"]
    return known


def _meanings(key: MetadataKey) -> Iterator[tuple[str, _Facet]]:
    """The phrases by which one key can be asked for."""
    presence = next((p for p in said.PRESENCES if key.words in p.keys), None)
    scale = scale_of(key)
    if scale:
        own = said.CONTENT_OF_KEY.get(key.words)
        words = (own,) if own else said.WORDS_OF_SCALE.get(scale, ())
        for levels in words or (said.LevelWords(words=frozenset((key.words,)), **_CONTENT_LIMITS),):
            yield from ((word, _Facet(key, levels=levels, scale=scale)) for word in levels.words)
        return
    if presence and key.kind is not KeyKind.NUMBER:
        yield from ((word, _Facet(key, truth=True)) for word in presence.there)
        yield from ((word, _Facet(key, truth=False)) for word in presence.absent)
    elif key.kind is KeyKind.BOOLEAN:
        yield key.words.removeprefix("has ").removeprefix("is "), _Facet(key, truth=True)
    if key.kind is KeyKind.CATEGORY and not key.names_items:
        for value in key.values:
            phrase = " ".join(_TOKEN.findall(value))
            if phrase and phrase not in said.ITEM_WORDS and phrase not in _NO_VALUES:
                yield phrase, _Facet(key, value=value)


_CONTENT_LIMITS = {"wanted": (1, None), "avoided": (None, 1), "softly": (None, 2), "utterly": (None, 0)}
_NO_VALUES = said.either("no|none|yes|true|false|free|average|other|none at all|n a")


def _chosen(
    phrase: tuple[int, int, tuple[_Facet, ...]], tokens: Sequence[str], hints: set[str], schema: MetadataSchema
) -> _Found:
    """The one meaning that the other words of the node leave, or none."""
    start, end, facets = phrase
    around = {*tokens[:start], *tokens[end:], *(hints - set(tokens))}
    possible = [facet for facet in facets if _allowed(facet, end - start, tokens[:start], around)]
    if len({facet.key.key for facet in possible}) > 1:
        meant = [facet for facet in possible if around & _cues(facet.key)]
        possible = meant or [facet for facet in possible if facet.levels is None and facet.value is None]
    return _Found(start, end, possible[0] if len({facet.key.key for facet in possible}) == 1 else None)


def _cues(key: MetadataKey) -> set[str]:
    """The words that say that this key is meant."""
    words = {form for word in key.words.split() for form in (word, word.removesuffix("s"))}
    if key.words in said.PLACE_KEYS:
        words |= said.PLACE_KEYS | {"place", "where"}
    return words | said.PERSON_CUES.get(key.words.removesuffix("s"), frozenset())


def _allowed(facet: _Facet, length: int, before: Sequence[str], around: set[str]) -> bool:
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
    if alternatives and (len(keys) > 1 or any(facet.value is None for facet, _ in signed)):
        return []
    made: list[MetadataConstraint] = []
    for facet, avoided in signed:
        constraint = _constraint(node, facet, avoided, tokens, hints)
        if constraint is None:
            continue
        same = [c for c in made if c.key == constraint.key and c.test is constraint.test is Test.ONE_OF]
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
    after_free = phrase.facet is not None and phrase.facet.levels is not None and tokens[phrase.end : phrase.end + 1] == ["free"]
    return node.polarity is Polarity.AVOID or bool(set(before) & said.NEGATORS) or after_free


def _constraint(
    node: Node, facet: _Facet, avoided: bool, tokens: Sequence[str], hints: set[str]
) -> MetadataConstraint | None:
    """The test that a meaning stands for; None where "not mostly X" asks for nothing that X alone decides."""
    key, soft = facet.key, bool(hints & said.SOFTENERS)
    if facet.levels is not None:
        return _level_constraint(node, facet, avoided, soft=soft, utterly=bool(hints & said.UTTERLY))
    if avoided and soft:
        return None
    if facet.truth is not None:
        if not facet.truth != avoided and {"need", "needed", "required", "necessary"} & set(tokens):
            return None  # "no reservations needed" does not mind that they are taken
        return MetadataConstraint(node=node.id, key=key.key, test=Test.YES if facet.truth != avoided else Test.NO)
    value = facet.value or ""
    if avoided:
        return MetadataConstraint(node=node.id, key=key.key, test=Test.NONE_OF, values=(value,))
    complete = key.words not in said.NEVER_COMPLETE and (not key.listed or key.words in said.COMPLETE_LISTS)
    values = (value, *said.IMPLIED_BY.get(fold(value), ()))
    return MetadataConstraint(node=node.id, key=key.key, test=Test.ONE_OF, values=values, complete=complete)


def _level_constraint(
    node: Node, facet: _Facet, avoided: bool, *, soft: bool, utterly: bool
) -> MetadataConstraint | None:
    levels = facet.levels
    if levels is None:
        return None
    limits = levels.wanted
    if avoided:
        limits = levels.softly if soft else levels.utterly if utterly else levels.avoided
    lowest, highest = limits
    test, number = (Test.AT_LEAST, lowest) if lowest is not None else (Test.AT_MOST, highest)
    return MetadataConstraint(node=node.id, key=facet.key.key, test=test, number=float(number or 0), scale=facet.scale)


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(fold(text))


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with some spans blanked."""
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text
