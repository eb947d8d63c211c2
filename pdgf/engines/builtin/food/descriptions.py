"""What the description of a dish says of it: what it is, holds, mostly is, and is said not to hold.

A short description names its dish first ("beef stew with carrots"): what stands after "with", "made from" and the like
is in the dish and not the dish. What is "imitation", "vegan" or "shaped like" a food is none of it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from pdgf.engines.builtin.food.knowledge import FoodConcept, FoodLexicon, FoodMention, food_lexicon, food_mentions

SURE, SOMEWHAT = 2, 1
LISTED = "made with "  # before a list of what a dish is made of, which says not what it is
# What a dish is as a whole, so that a part of it says little
_OF_THE_WHOLE = frozenset({"dish", "course", "meal", "temperature", "cuisine", "audience"})
# What an example only suggests
_SUGGESTED = frozenset({"meal", "course", "diet", "cost", "effort", "amount", "style", "season", "audience"})
# What an example has in it for sure: "french toast" holds egg, while it need not be crunchy
_IN_IT = frozenset({"ingredient", "dish", "taste"})
_INTO_PARTS = re.compile(
    r"\b(?:with|made|containing|contains?|topped|served|from|using|fill(?:ed|ing)|stuffed|covered|wrapped|dipped"
    r"|cooked in|flavou?red (?:with|by|using)|seasoned with|mixed|on top of|on (?!the)|that|in an?|for|consisting"
    r"|garnished|paired|suitable)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:no|not|without(?: using| any)*|non|zero|minus|free (?:of|from)|lacking|lacks|hold the|instead of"
    r"|rather than|forgot(?: the)?|never|not from|excluding|omits|low|lower|less|reduced|replaces?)\s*[- ]?$",
    re.IGNORECASE,
)
_DENIED_LIST = re.compile(
    r"\b(?:no|without|free of|free from)\b(?:\s+(?:any|using|added))*"
    r"\s+(?P<list>[\w' -]+?(?:,\s*[\w' -]+)*(?:\s+or\s+[\w' -]+)?)"
    r"(?=$|[.;:!?()]|\s(?:and|but|with|in|on|made|made with)\b|,\s*(?:and|but|with)\b)",
    re.IGNORECASE,
)
_FREE_AFTER = re.compile(
    r"^[\s-]*(?:free|less)\b|^[\s-]*(?:substitute|alternative|replacement|analogue)s?\b", re.IGNORECASE
)
_NOT_REALLY = re.compile(
    r"\b(?:imitation|mock|faux|fake|vegan|vegetarian|meatless|plant[- ]based|dairy[- ]free|nut[- ]free|gluten[- ]free"
    r"|egg[- ]free|substitute)\s+(?:[\w'-]+\s+)?$"
    r"|\b(?:looks?|looking|shaped|tastes?|tasting|resembl\w+|copying|reminiscent)\b(?:\s+[\w']+){0,3}?\s*$",
    re.IGNORECASE,
)
# Words after a food that make it a flavour or a part of something else
_ONLY_A_FLAVOUR = re.compile(
    r"^[\s-]*(?:flavou?r(?:ed|ing|s)?|style|seasoning|powder|broth|stock|bouillon|dressing|extract|essence|liqueur"
    r"|themed|based (?:sauce|dressing)|tasting)\b",
    re.IGNORECASE,
)
_GOES_WITH = re.compile(
    r"\b(?:goes|go|serve|pairs|pair|great|good|perfect|side) (?:well )?(?:with|for|on)\b[^.;]*$", re.IGNORECASE
)
_NO_DESCRIPTION = re.compile(
    r"\b(?:i|i['’]m|we|my|our|us|you|your|he|she|his|her|they|staff|waiters?|waitress|restaurant|cafe|café|place|menu"
    r"|table|seats?|was|were|had|came|tried|loved|visit|visited|service|prices?|portions?|film|movie|book|novel|story|stories|plot|characters?|chapter|episode|series|here|there|order(?:ed)?"
    r"|allerg\w+|intoleran\w+)\b",
    re.IGNORECASE,
)
# What a sentence about a place says and no name of a dish does
_TELLS = re.compile(
    r"^(?:the|this|that|these|those|there|it|everything|nothing|everyone|expect|try|ask)\b"
    r"|(?<!that )(?<!which )\b(?:is|are|isn['’]t|aren['’]t|has|have|hasn['’]t|haven['’]t|can|cannot|can['’]t|will"
    r"|won['’]t|would|could|should|must|may|do|does|don['’]t|doesn['’]t|serves?|offers?|brings?|keeps?|runs?|opens?|stocks?)\b",
    re.IGNORECASE,
)
_LONGEST = 60  # words of a description


@dataclass(frozen=True, kw_only=True)
class Description:
    """The concepts of a dish: how sure each is, what it holds or may hold, what is denied, what is said outright."""

    sure: dict[str, int]
    held: frozenset[str]
    maybe: frozenset[str]
    denied: frozenset[str]
    stated: frozenset[str]
    foods: int


@lru_cache(maxsize=20_000)
def describes_a_dish(text: str) -> bool:
    """Whether a text is the description of a dish and no opinion of a place, a film or a book."""
    if _NO_DESCRIPTION.search(text) or _TELLS.search(text) or len(text.split()) > _LONGEST:
        return False
    return any(_is_food(mention) for mention in food_mentions(text))


def _is_food(mention: FoodMention) -> bool:
    concepts = food_lexicon().concepts
    return any(concepts[name].perspective in ("ingredient", "dish") for name in (*mention.concepts, *mention.shown))


def _is_ingredient(mention: FoodMention) -> bool:
    concepts = food_lexicon().concepts
    return any(concepts[name].perspective == "ingredient" for name in mention.concepts)


@lru_cache(maxsize=20_000)
def description_of(text: str) -> Description:
    """Read a description."""
    lexicon = food_lexicon()
    mentions = food_mentions(text)
    found = _Found(lexicon)
    end_of_head = _head(text, mentions)
    denied_lists = [match.span("list") for match in _DENIED_LIST.finditer(text)]
    for mention in mentions:
        before, after = text[max(0, mention.start - 60) : mention.start], text[mention.end : mention.end + 24]
        if _denied(mention, before, after, denied_lists):
            found.deny(mention)
        elif _GOES_WITH.search(before):
            continue
        elif _NOT_REALLY.search(before) and _is_food(mention):
            found.resembled(mention)
        else:
            weak = bool(_ONLY_A_FLAVOUR.match(after))
            found.add(mention, in_head=mention.start < end_of_head, weak=weak)
    return found.described(sum(map(_is_ingredient, mentions)))


def _head(text: str, mentions: Iterable[FoodMention]) -> int:
    """Where what names the dish ends."""
    if text.startswith(LISTED):
        return 0
    first = next((m.start for m in mentions if _is_food(m)), 0)
    parts = _INTO_PARTS.search(text, first)
    return parts.start() if parts else len(text)


def _denied(mention: FoodMention, before: str, after: str, lists: Iterable[tuple[int, int]]) -> bool:
    if _DENIES.search(before) or _FREE_AFTER.match(after):
        return True
    return any(start <= mention.start < end for start, end in lists)


class _Found:
    """What has been read so far."""

    def __init__(self, lexicon: FoodLexicon) -> None:
        self._lexicon = lexicon
        self._sure: dict[str, int] = {}
        self._held: set[str] = set()
        self._maybe: set[str] = set()
        self._denied: set[str] = set()
        self._stated: set[str] = set()

    def deny(self, mention: FoodMention) -> None:
        self._denied.update(mention.concepts or mention.shown)

    def resembled(self, mention: FoodMention) -> None:
        for name in mention.concepts:
            self._rate(name, SURE if self._lexicon.concepts[name].perspective == "dish" else SOMEWHAT)

    def add(self, mention: FoodMention, *, in_head: bool, weak: bool) -> None:
        for name in mention.concepts:
            self._stated.add(name)
            self._take(name, in_head=in_head, weak=weak, shown=False)
        for name in mention.shown:
            self._take(name, in_head=in_head, weak=weak, shown=True)

    def _take(self, name: str, *, in_head: bool, weak: bool, shown: bool) -> None:
        concepts = self._lexicon.concepts
        if concepts[name].only_held:
            self._held |= self._lexicon.above(name)
            return
        for one in self._lexicon.above(name):
            self._note(concepts[one], in_head=in_head, weak=weak, shown=shown)
            for quality in self._lexicon.shows.get(one, ()):
                for upper in self._lexicon.above(quality):
                    self._note(concepts[upper], in_head=in_head, weak=weak, shown=True)
            for usual in concepts[one].often if in_head else ():
                for upper in self._lexicon.above(usual):
                    self._rate(upper, SOMEWHAT)
                    self._maybe.add(upper)

    def _note(self, concept: FoodConcept, *, in_head: bool, weak: bool, shown: bool) -> None:
        part = concept.perspective in _OF_THE_WHOLE and not in_head
        suggested = shown and concept.perspective in _SUGGESTED
        self._rate(concept.name, SOMEWHAT if weak or part or suggested else SURE)
        if part or suggested or (shown and concept.perspective not in _IN_IT):
            self._maybe.add(concept.name)
        else:
            self._held.add(concept.name)

    def _rate(self, name: str, sure: int) -> None:
        self._sure[name] = max(sure, self._sure.get(name, 0))

    def described(self, foods: int) -> Description:
        """What is said to be free of a food holds none of it, whatever dish it is; a "vegan pizza" is a pizza."""
        concepts = self._lexicon.concepts
        diets = [name for name in self._stated if concepts[name].silent and concepts[name].perspective == "diet"]
        left_out = self._denied.union(*(concepts[name].rules_out for name in diets))
        gone = {
            name
            for name, concept in (concepts.items() if left_out else ())
            if name in left_out or (concept.perspective == "ingredient" and self._lexicon.above(name) & left_out)
        }
        gone -= set() if diets else self._stated & self._held  # "no cheese" on a dish with feta
        return Description(
            sure={name: sure for name, sure in self._sure.items() if name not in gone},
            held=frozenset(self._held - gone),
            maybe=frozenset(self._maybe - gone),
            denied=frozenset(gone),
            stated=frozenset(self._stated - gone),
            foods=foods,
        )


def excluders(description: Description, name: str, *, seen: bool = False) -> Iterator[str]:
    """What is said of the dish, or seen of it where `seen` is set, that rules a concept out."""
    lexicon = food_lexicon()
    for stated in (*description.stated, *(description.sure if seen else ())):
        for one in lexicon.above(stated):
            concept = lexicon.concepts[one]
            ruled = lexicon.above(name) if concept.silent and concept.perspective == "diet" else {name}
            if set(concept.rules_out) & ruled:
                yield one
