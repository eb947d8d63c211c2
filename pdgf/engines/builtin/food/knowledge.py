"""The lexicon of food as concepts, and which of them a text names (METHOD 12: world knowledge an LLM would have).

A concept is a food, a kind of dish, or a quality of one. `is_of` leads to what it always is or holds ("lasagna" is
pasta and holds gluten), `often` to what it mostly is, `rules_out` to what it excludes.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import resources
from typing import Any

LONGEST = 6  # words of an expression
_SHOWING = frozenset({"ingredient", "dish", "preparation", "texture"})  # what may be an example of something else
_SYNONYM = 2  # the rank of an expression that is not the first or only one of its concept
# The perspective of the concepts of a file that state none of their own
_FILES: Mapping[str, str] = {
    "foods.toml": "ingredient",
    "dishes.toml": "dish",
    "food_cuisines.toml": "cuisine",
    "food_qualities.toml": "quality",
    "food_customs.toml": "occasion",
    "food_needs.toml": "style",
    "food_occasions.toml": "occasion",
}
_WORD = re.compile(r"[^\W_]+(?:['’.&][^\W_]+)*")
_APART = re.compile(r"[.,;:!?()|\n]|\s[-–—]\s")


@dataclass(frozen=True, kw_only=True)
class FoodConcept:
    """One thing of the lexicon. With `silent` a description that names nothing it rules out is some support for it;
    with `few` one that names few foods is; `only_held` marks what a dish merely has in it."""

    name: str
    perspective: str
    is_of: tuple[str, ...] = ()
    often: tuple[str, ...] = ()
    rules_out: tuple[str, ...] = ()
    silent: bool = False
    few: bool = False
    only_held: bool = False


@dataclass(frozen=True, kw_only=True)
class FoodMention:
    """Concepts that a text names, or shows by an example (`shown`), at half-open offsets."""

    concepts: tuple[str, ...]
    shown: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class FoodLexicon:
    """Concepts by name; the expressions that name and that show them, each a tuple of words; all words of these."""

    concepts: Mapping[str, FoodConcept]
    naming: Mapping[tuple[str, ...], tuple[str, ...]]
    wished: Mapping[tuple[str, ...], tuple[str, ...]]
    showing: Mapping[tuple[str, ...], tuple[str, ...]]
    shows: Mapping[str, tuple[str, ...]]  # by a concept's name what it is an example of
    words: frozenset[str]
    whole: frozenset[tuple[str, ...]]  # expressions that are not made of their parts ("chicken broth" is no chicken)

    def above(self, name: str) -> frozenset[str]:
        """What a concept always is or holds, itself included."""
        return _above(name)


@cache
def food_lexicon() -> FoodLexicon:
    """The lexicon of the files."""
    rows = [(name, row, perspective) for file, perspective in _FILES.items() for name, row in _rows(file).items()]
    said = [words for _, row, _ in rows for words in _expressions(row)]
    known = frozenset(word for words in said for word in _split(words))
    concepts: dict[str, FoodConcept] = {}
    named: dict[tuple[str, ...], list[tuple[int, str]]] = {}
    wished: dict[tuple[str, ...], list[tuple[int, str]]] = {}
    shown: dict[tuple[str, ...], list[str]] = {}
    whole: set[tuple[str, ...]] = set()
    for name, row, perspective in rows:
        concepts[name] = _concept(name, row, perspective, concepts.get(name))
        for place, words in enumerate(row.get("words", ())):
            named.setdefault(_key(words, known), []).append((1 if place == 0 else _SYNONYM, name))
        for words in row.get("wish", ()):
            wished.setdefault(_key(words, known), []).append((_SYNONYM, name))
        for words in row.get("shown", ()):
            shown.setdefault(_key(words, known), []).append(name)
            whole |= {_key(words, known)} if row.get("whole") else set()
        for kind in row.get("kinds", ()):
            own = [part.strip() for part in kind.split("|")]
            key = own[0].replace(" ", "_")
            before = concepts.get(key) or FoodConcept(name=key, perspective=perspective)
            concepts[key] = _also_of(before, name, perspective)
            for words in own:
                named.setdefault(_key(words, known), []).append((0, key))
    return _lexicon(concepts, named, wished, shown, frozenset(whole), known)


def _lexicon(
    concepts: dict[str, FoodConcept],
    named: dict[tuple[str, ...], list[tuple[int, str]]],
    wished: Mapping[tuple[str, ...], list[tuple[int, str]]],
    shown: Mapping[tuple[str, ...], list[str]],
    whole: frozenset[tuple[str, ...]],
    known: frozenset[str],
) -> FoodLexicon:
    for words in [words for words, found in named.items() if _is_of_two(words, found, named, concepts)]:
        del named[words]
    naming = {words: _most_own(found) for words, found in named.items()}
    shows: dict[str, list[str]] = {}
    for words, found in shown.items():
        own = (name for rank, name in named.get(words, ()) if rank < _SYNONYM)
        for one in (name for name in own if concepts[name].perspective in _SHOWING):
            shows.setdefault(one, []).extend(name for name in found if name != one)
    return FoodLexicon(
        concepts=concepts,
        shows={name: tuple(dict.fromkeys(found)) for name, found in shows.items()},
        naming=naming,
        wished={words: _most_own(found) for words, found in wished.items() if words not in naming},
        showing={
            words: tuple(dict.fromkeys([*(n for _, n in named.get(words, ())), *shown.get(words, ())]))
            for words in {*named, *shown}
        },
        whole=whole,
        words=known,
    )


def _rows(file: str) -> dict[str, Any]:
    return tomllib.loads(resources.files("pdgf.engines.builtin.lexicon").joinpath(file).read_text(encoding="utf-8"))


def _expressions(row: Mapping[str, Any]) -> Iterator[str]:
    for field in ("words", "wish", "shown", "kinds"):
        for words in row.get(field, ()):
            yield from words.split("|")


def _concept(name: str, row: Mapping[str, Any], perspective: str, before: FoodConcept | None) -> FoodConcept:
    """A concept as its table says, besides what it is of by being a kind of another."""
    return FoodConcept(
        name=name,
        perspective=row.get("of", perspective),
        is_of=(*row.get("is", ()), *(before.is_of if before else ())),
        often=tuple(row.get("often", ())),
        rules_out=tuple(row.get("not", ())),
        silent=row.get("silent", False),
        few=row.get("few", False),
        only_held=row.get("only_held", False),
    )


def _key(words: str, known: frozenset[str]) -> tuple[str, ...]:
    return tuple(known_form(word, known) for word in _split(words))


def _also_of(concept: FoodConcept, parent: str, perspective: str) -> FoodConcept:
    """The concept as one of another too; what is a dish somewhere is a dish."""
    wider = concept if parent in (*concept.is_of, concept.name) else replace(concept, is_of=(*concept.is_of, parent))
    return replace(wider, perspective="dish") if perspective == "dish" and wider.perspective == "ingredient" else wider


def _is_of_two(
    words: tuple[str, ...],
    found: Iterable[tuple[int, str]],
    named: Mapping[tuple[str, ...], Iterable[tuple[int, str]]],
    concepts: Mapping[str, FoodConcept],
) -> bool:
    """Whether an expression for a dish is a food and a form that are known on their own ("apple pie")."""
    if any(concepts[name].perspective != "dish" for _, name in found):
        return False
    return any(
        _all_are("ingredient", named.get(words[:cut], ()), concepts)
        and _all_are("dish", named.get(words[cut:], ()), concepts)
        for cut in range(1, len(words))
    )


def _all_are(perspective: str, found: Iterable[tuple[int, str]], concepts: Mapping[str, FoodConcept]) -> bool:
    names = _most_own(found) if found else ()
    return bool(names) and all(concepts[name].perspective == perspective for name in names)


def _most_own(found: Iterable[tuple[int, str]]) -> tuple[str, ...]:
    """The concepts that an expression names most plainly: its own, then those first called by it, then others."""
    pairs = list(found)
    best = min(rank for rank, _ in pairs)
    return tuple(dict.fromkeys(name for rank, name in pairs if rank == best))


@cache
def _above(name: str) -> frozenset[str]:
    concepts = food_lexicon().concepts
    reached, waiting = {name}, [name]
    while waiting:
        for parent in concepts[waiting.pop()].is_of:
            if parent not in reached:
                reached.add(parent)
                waiting.append(parent)
    return frozenset(reached)


def _split(words: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(words.casefold().replace("’", "'").replace("-", " ")))


@lru_cache(maxsize=8_192)
def known_form(word: str, known: frozenset[str]) -> str:
    """A word as the lexicon has it, in the singular where that is how."""
    low = word.casefold().replace("’", "'")
    for ending, instead in (("ies", "y"), ("ves", "f"), ("es", ""), ("s", ""), ("'s", "")):
        if low.endswith(ending) and (form := low.removesuffix(ending) + instead) in known and len(form) > 2:
            return form
    return low


@lru_cache(maxsize=16_384)
def food_mentions(text: str, *, wish: bool = False) -> tuple[FoodMention, ...]:
    """The mentions in a text, the longest expression first at each word, in order. In a wish expressions that only
    people who ask use count too, and none merely shows something."""
    lexicon = food_lexicon()
    return tuple(_mentions(text, lexicon, wish=wish))


def names_food(text: str) -> bool:
    """Whether a text names a food or a dish."""
    concepts = food_lexicon().concepts
    return any(concepts[name].perspective in ("ingredient", "dish") for m in food_mentions(text) for name in m.concepts)


def _mentions(text: str, lexicon: FoodLexicon, *, wish: bool) -> Iterator[FoodMention]:
    words = [(known_form(word[0], lexicon.words), *word.span()) for word in _WORD.finditer(text)]
    yield from _among(words, text, lexicon, wish=wish, longest=LONGEST)


def _among(
    words: Sequence[tuple[str, int, int]], text: str, lexicon: FoodLexicon, *, wish: bool, longest: int
) -> Iterator[FoodMention]:
    at = 0
    while at < len(words):
        for length in range(min(longest, len(words) - at), 0, -1):
            key = tuple(form for form, _, _ in words[at : at + length])
            start, end = words[at][1], words[at + length - 1][2]
            named = lexicon.naming.get(key, ()) or lexicon.wished.get(key, ())
            shown = () if wish else tuple(n for n in lexicon.showing.get(key, ()) if n not in named)
            if (named or shown) and not _APART.search(text, start, end):
                yield FoodMention(concepts=named, shown=shown, start=start, end=end)
                if not named and length > 1 and key not in lexicon.whole:
                    yield from _among(words[at : at + length], text, lexicon, wish=wish, longest=length - 1)
                at += length - 1
                break
        at += 1
