"""The wishes of a request for something to cook or eat: each food, form, cuisine or quality on its own (METHOD 4.2).

"A spicy Korean soup without kimchi" is four wishes. What the lexicon of food does not know is left to the words that
stay over: names, and nouns with their adjectives.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from pdgf.engines.builtin.asides import Told, told_of_teller
from pdgf.engines.builtin.food.judging import DETAIL
from pdgf.engines.builtin.food.knowledge import FoodMention, food_lexicon, food_mentions
from pdgf.engines.builtin.mentions import Quantity, quantities
from pdgf.ports import Span

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_ENDS_SCOPE = re.compile(
    r"[.;:!?\n]|\s[-–—]\s|\b(?:but|however|though|although|so|because|since|when|while|if|which|who|where|for)\b"
    r"|,?\s*\b(?:and|then)\s+(?:i|i['’]\w+|we|it|it['’]s|make|want|need|would|can|could|my|what|please)\b"
    r"|,\s*(?:i|i['’]\w+|we|what|can|could|please|any|how|is|do|give|make|some)\b",
    re.IGNORECASE,
)
_ALLERGY = re.compile(r"\s*(?:-?\s*free\b|(?:allerg(?:y|ies)|intolerance)\b)", re.IGNORECASE)
_LEFT_OUT_AFTER = re.compile(
    r"\s*(?:(?:is|are) (?:not (?:ok|okay|allowed)|out of the question|off limits)"
    r"|(?:(?:is|['’]s|has been|just|has) )?(?:broken|broke|not working|out of order|busted|stopped working|died)"
    r"|(?:isn['’]?t|doesn['’]?t) work(?:ing)?)\b",
    re.IGNORECASE,
)
_LIKENED = re.compile(r"\btast(?:es?|ing) (?:just |exactly |a lot )?like (?:an? )?$", re.IGNORECASE)
_UNIT = re.compile(r"[$€£]|\b(?:dollars?|euros?|pounds?|bucks|minutes?|mins?|hours?)\b", re.IGNORECASE)
_PLENTY = re.compile(r"too\s+(?:much|many)", re.IGNORECASE)  # "I have too many courgettes": they are to be used
_AT_HAND = re.compile(
    r"\b(?:have|has|got|bought|made|grew|picked|there (?:is|are))\b(?:\s+\w+){0,2}\s*$", re.IGNORECASE
)
_QUALIFIED = re.compile(r"\s+(?:that|which|who)\b", re.IGNORECASE)
_PEOPLE = re.compile(
    r"\s+(?:friends?|guests?|family|in-laws|colleagues?|girlfriend|boyfriend|wife|husband|roommates?|relatives)\b"
)
_NAME_BEFORE = re.compile(r"(?<![.!?]\s)(?<!^)\b([A-Z][\w'’]+)\s+$")
_NAME_AFTER = re.compile(r"\s+([A-Z][\w'’]+)")
_OR = re.compile(r"\s*,?\s*\bor\b\s*(?:an?\s+|some\s+|maybe\s+)?", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class FoodWish:
    """A wish at `span`, said from `said_from` on (its "without" included)."""

    span: Span
    said_from: int
    perspective: str
    avoid: bool = False
    hard: bool = False
    strength: str = ""


@dataclass(frozen=True, kw_only=True)
class _Cue:
    """Words that refuse: where they stand, and how far they reach."""

    start: int
    end: int
    until: int
    kind: str


def food_wishes(doc: "Doc", *, priced: bool = False, asked: Sequence[Quantity] = ()) -> tuple[FoodWish, ...]:
    """The wishes of a parsed request, in its order. Where dishes are `priced`, a number alone may be a price. What is
    `asked` of the columns of a person's own catalogue is said by those words alone ("under 400 calories")."""
    text = doc.text
    cues = [_before(cue, asked) for cue in _cues(text)]
    found: list[tuple[FoodWish, FoodMention | None]] = []
    named = [m for m in food_mentions(text, wish=True) if all(m.end <= q.start or m.start >= q.end for q in asked)]
    for mention in named:
        cue = next((c for c in reversed(cues) if c.end <= mention.start < c.until), None)
        if (cue is not None and cue.kind == "beside") or _is_no_food(text, mention):
            continue
        if (likened := _LIKENED.search(text[: mention.start])) is not None:
            wish = FoodWish(span=(likened.start(), mention.end), said_from=likened.start(), perspective=DETAIL)
            found.append((wish, mention))
            continue
        if cue is not None and _QUALIFIED.match(text, mention.end):
            continue  # "desserts that ...": those alone
        found.append((_wish(text, mention, cue), mention))
    found = _together(text, _without_general(found))
    known = [mention for _, mention in found if mention is not None]
    taken = [(m.start, m.end) for m in named] + [(c.start, c.end) for c in cues] + [(q.start, q.end) for q in asked]
    rest = _left_over(doc, taken, cues) if known else []
    measured = [one for one in _measured(text, priced=priced) if all(_apart(one.span, q) for q in asked)]
    wishes = [*(wish for wish, _ in found), *rest, *measured, *map(_asked, asked)]
    return tuple(_joined(text, sorted(wishes, key=lambda wish: wish.span)))


def _before(cue: _Cue, asked: Sequence[Quantity]) -> _Cue:
    """A refusal that ends where a number is asked for: "without nuts, at most 500 calories, quick"."""
    ends = [quantity.start for quantity in asked if quantity.start >= cue.end]
    return replace(cue, until=min([cue.until, *ends]))


def _apart(span: Span, quantity: Quantity) -> bool:
    return span[1] <= quantity.start or span[0] >= quantity.end


def _asked(quantity: Quantity) -> FoodWish:
    """The wish for a number of a column."""
    return FoodWish(
        span=(quantity.start, quantity.end),
        said_from=quantity.start,
        perspective=quantity.perspective,
        hard=not quantity.rough,
    )


def _measured(text: str, *, priced: bool) -> list[FoodWish]:
    """Limits in numbers that have a unit: prices, times."""
    return [
        FoodWish(
            span=(found.start, found.end), said_from=found.start, perspective=found.perspective, hard=not found.rough
        )
        for found in quantities(text, priced=priced)
        if found.perspective != "audience" and _UNIT.search(text, found.start, found.end)
    ]


def _wish(text: str, mention: FoodMention, cue: _Cue | None) -> FoodWish:
    concept = food_lexicon().concepts[mention.concepts[0]]
    after = _ALLERGY.match(text, mention.end) or _LEFT_OUT_AFTER.match(text, mention.end)
    avoid = cue is not None or after is not None
    return FoodWish(
        span=(mention.start, mention.end),
        said_from=cue.start if cue else mention.start,
        perspective=concept.perspective,
        avoid=avoid,
        hard=avoid and (cue is None or cue.kind != "mildly"),
        strength=text[cue.start : cue.end].casefold() if cue else "no" if after else "",
    )


def _is_no_food(text: str, mention: FoodMention) -> bool:
    """Whether the words are part of a name ("Burger King"), or say where somebody is from."""
    of_people = food_lexicon().concepts[mention.concepts[0]].perspective == "cuisine"
    if of_people and _PEOPLE.match(text, mention.end):
        return True
    if not text[mention.start].isupper() or mention.start == 0:
        return False
    before, after = _NAME_BEFORE.search(text[: mention.start]), _NAME_AFTER.match(text, mention.end)
    return any(found is not None and not food_mentions(found[1], wish=True) for found in (before, after))


def _cues(text: str) -> list[_Cue]:
    """The refusing words of a text, in order; what looks like some and is none is left out."""
    kept = [match.span() for match in _pattern("keep").finditer(text)]
    found: list[_Cue] = []
    for kind in ("beside", "strictly", "mildly", "flatly"):
        for match in _pattern(kind).finditer(text):
            if any(
                match.start() < end and start < match.end()
                for start, end in (*kept, *((c.start, c.end) for c in found))
            ):
                continue
            if _PLENTY.fullmatch(match[0]) and _AT_HAND.search(text, 0, match.start()):
                continue
            ends = _ENDS_SCOPE.search(text, match.end())
            until = ends.start() if ends else len(text)
            found.append(_Cue(start=match.start(), end=match.end(), until=until, kind=kind))
    return sorted(found, key=lambda cue: cue.start)


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    data = _cue_words()
    phrases = sorted(data[kind], key=len, reverse=True)
    words = "|".join(re.escape(phrase).replace("'", "['’]?").replace(r"\ ", r"\s+") for phrase in phrases)
    return re.compile(rf"(?<![\w'’-])(?:{words})(?![\w'’-])", re.IGNORECASE)


@cache
def _cue_words() -> Mapping[str, tuple[str, ...]]:
    text = resources.files("pdgf.engines.builtin.lexicon").joinpath("food_cues.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    avoid = {kind: tuple(words) for kind, words in data["avoid"].items()}
    return {
        **avoid,
        "talk": tuple(data["talk"]["words"]),
        "keep": tuple(data["keep"]["words"]),
        "beside": tuple(data["beside"]["words"]),
    }


@cache
def _talk() -> frozenset[str]:
    return frozenset(_cue_words()["talk"])


def _without_general(
    found: Sequence[tuple[FoodWish, FoodMention | None]],
) -> list[tuple[FoodWish, FoodMention | None]]:
    """The wishes without those that say again, or more generally, what another one says ("a dessert ... ice cream")."""
    lexicon = food_lexicon()
    result: list[tuple[FoodWish, FoodMention | None]] = []
    seen: set[tuple[tuple[str, ...], bool]] = set()
    for wish, mention in found:
        if mention is None:
            continue
        own = mention.concepts if wish.perspective != DETAIL else ()
        if wish.perspective == DETAIL:
            result.append((wish, mention))
            continue
        if (own, wish.avoid) in seen:
            continue
        seen.add((own, wish.avoid))
        others = [
            name
            for other, said in found
            if said is not None and said is not mention and not other.avoid and other.perspective != DETAIL
            for name in said.concepts
        ]
        said_more_closely = any(set(own) <= lexicon.above(name) - {name} for name in others)
        if not wish.avoid and said_more_closely:
            continue
        result.append((wish, mention))
    return result


def _together(
    text: str, found: Sequence[tuple[FoodWish, FoodMention | None]]
) -> list[tuple[FoodWish, FoodMention | None]]:
    """What is refused in one breath ("no raw onions") as one: onions that are not raw are not refused."""
    result: list[tuple[FoodWish, FoodMention | None]] = []
    for wish, mention in found:
        before = result[-1][0] if result else None
        if before is None or not (wish.avoid and before.avoid) or text[before.span[1] : wish.span[0]].strip("- "):
            result.append((wish, mention))
        else:
            result[-1] = (replace(wish, span=(before.span[0], wish.span[1]), said_from=before.said_from), mention)
    return result


def _left_over(doc: "Doc", taken: Sequence[Span], cues: Sequence[_Cue]) -> list[FoodWish]:
    """Names and nouns with their adjectives that no mention and no cue covers."""
    found: list[FoodWish] = []
    run: list[Token] = []
    for token in [*doc, None]:
        if token is not None and _may_be_wished(token, taken) and (not run or token.i == run[-1].i + 1):
            run.append(token)
            continue
        if run and told_of_teller(doc, [t.i for t in run]) is Told.NOT:
            start, end = run[0].idx, run[-1].idx + len(run[-1])
            cue = next((c for c in reversed(cues) if c.end <= start < c.until), None)
            if cue is None or cue.kind != "beside":
                found.append(
                    FoodWish(
                        span=(start, end),
                        said_from=cue.start if cue else start,
                        perspective=DETAIL,
                        avoid=cue is not None or _ALLERGY.match(doc.text, end) is not None,
                        hard=cue is not None and cue.kind != "mildly",
                        strength=doc.text[cue.start : cue.end].casefold() if cue else "",
                    )
                )
        run = [token] if token is not None and _may_be_wished(token, taken) else []
    return found


def _may_be_wished(token: "Token", taken: Sequence[Span]) -> bool:
    if any(start < token.idx + len(token) and token.idx < end for start, end in taken):
        return False
    if token.pos_ not in ("NOUN", "PROPN", "ADJ") or not token.is_alpha or token.is_stop or len(token) < 3:
        return False
    return token.lower_ not in _talk() and token.lemma_.lower() not in _talk()


def _joined(text: str, wishes: Iterable[FoodWish]) -> list[FoodWish]:
    """Wishes with "or" between them as one: one of them is enough."""
    result: list[FoodWish] = []
    for wish in wishes:
        before = result[-1] if result else None
        if (
            before is not None
            and not (wish.avoid or before.avoid)
            and _OR.fullmatch(text, before.span[1], wish.span[0])
        ):
            result[-1] = FoodWish(
                span=(before.span[0], wish.span[1]), said_from=before.said_from, perspective=before.perspective
            )
        else:
            result.append(wish)
    return result
