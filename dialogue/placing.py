"""Where an item stands in the last ranking, and why it stands above another: by what labels say of the wishes and by
the paths that made the score (METHOD 7), in words. Pure."""

import re
from collections.abc import Iterable, Sequence

from dialogue import wording
from dialogue.domain import Domain
from dialogue.models import Answer, ItemRef, QuotedSource
from dialogue.standings import Standing, citable, source_of, standings, wish_of
from pdgf.models import Label, PreferenceGraph, RankedItem, Recommendation
from pdgf.scoring import DIGITS

NAMED = 2  # wishes that are told of what sets two items apart
LOWER = (
    (Label.CONTRADICTS, "placing.lower_against"),
    (Label.PARTIAL, "placing.lower_partly"),
    (Label.NOT_ADDRESSED, "placing.lower_silent"),
)
WORTH = {Label.SUPPORT: 2, Label.PARTIAL: 1, Label.NOT_ADDRESSED: 0, Label.CONTRADICTS: -1}

_UP = r"above|before|ahead of|higher|over|better than|on top|number one|at the top|rank(?:ed|s)?|first"
_DOWN = r"below|behind|after|lower|under|at the bottom|last"
_PLACE = re.compile(rf"\b(?:why|how come|what makes|what puts)\b.*\b(?P<place>{_UP}|{_DOWN})\b", re.IGNORECASE)
_BETWEEN = re.compile(r"\b(?:above|below|before|ahead of|higher|lower|behind|better than)\b", re.IGNORECASE)
_LOWER = re.compile(rf"(?:{_DOWN})$", re.IGNORECASE)
_BEST = re.compile(
    r"\b(?:which|what|who)\b.*?\b(?:is|are|['’]s|was)\b(?: the| your| my)?(?: very)? (?:best|better|favou?rite|top)"
    r"(?: (?:one|choice|pick|option|bet|of (?:the|these|those|them|all)\b.*|film|movie|book|anime"
    r"|place|restaurant))*\W*$"
    r"|\b(?:which|what)(?: (?:ones?|film|movie|book|anime|place|restaurant|of (?:these|those|them|the \w+)))?"
    r" (?:would|do|should|shall|could) (?:you|i|we)(?: personally| rather)?"
    r" (?:recommend|suggest|pick|choose|take|go (?:for|with)|prefer"
    r"|(?:watch|read|see|try|visit)(?: first| tonight)?)\b",
    re.IGNORECASE,
)
_IS_PLACE = re.compile(
    r"(?<!\bthe )\b(?:first|last)\W*$|\b(?:on top|number one|at the top|at the bottom)\W*$", re.IGNORECASE
)


def asks_for_place(question: str) -> bool:
    """Whether the question is why an item stands where it stands in the list ("why is A above B?", "why this one
    first?"); "why the first?" only points at an item."""
    placed = _PLACE.search(question) is not None
    return placed and bool(_BETWEEN.search(question) or _IS_PLACE.search(question))


def asks_for_best(question: str) -> bool:
    """Whether the question is which item is the best, in no named respect, or which one to take."""
    return bool(_BEST.search(question))


def best_of(question: str, items: Sequence[ItemRef], ranking: Recommendation | None, domain: Domain) -> Answer | None:
    """The one of several items that fits the wishes best, and what puts it above the next one: its whole reasons stand
    in the list already. None where fewer than two are ranked."""
    known = [(found, item) for item in items if (found := ranked(item, ranking)) is not None]
    if ranking is None or len(known) < 2:
        return None
    (_, best), (_, second), *_ = sorted(known, key=lambda pair: place_of(pair[0], ranking))
    why = why_above(question, best, second, ranking, domain)
    text = wording.told([wording.say("placing.best", title=best.title), why.text if why else ""])
    return Answer(item=best, question=question, text=text, known=True, quotes=why.quotes if why else ())


def in_question(
    question: str, items: Sequence[ItemRef], shown: Sequence[ItemRef]
) -> tuple[ItemRef | None, ItemRef | None]:
    """The item that is said to stand above, and the one below: the two that are named, or one and its neighbour in the
    list; of a list as a whole its first two."""
    match = _PLACE.search(question)
    lower = match is not None and _LOWER.match(match["place"]) is not None
    if len(items) == 2:
        return (items[1], items[0]) if lower else (items[0], items[1])
    if len(items) != 1:
        return (shown[0], shown[1]) if len(shown) > 1 and not lower else (None, None)
    place = shown.index(items[0]) if items[0] in shown else -1
    if place < 0 or len(shown) < 2:
        return None, None
    if lower or place + 1 == len(shown):
        return (shown[place - 1], items[0]) if place else (None, None)
    return items[0], shown[place + 1]


def ranked(item: ItemRef, ranking: Recommendation | None) -> RankedItem | None:
    """The item as the ranking holds it; None where it does not."""
    return next((found for found in ranking.items if found.candidate.id == item.id), None) if ranking else None


def place_of(item: RankedItem, ranking: Recommendation) -> int:
    """The place of an item among all that were ranked, from 1."""
    return [found.candidate.id for found in ranking.items].index(item.candidate.id) + 1


def quoted_parts(standings: Iterable[Standing], *, last: str = "and") -> str:
    """Wishes in the user's words, each with the first quote that shows how an item stands to it."""
    parts = [
        wording.say("explain.part", wish=s.wish, quote=wording.quoted(s.quotes[0]))
        if s.quotes
        else wording.say("explain.named", wish=s.wish)
        for s in standings
    ]
    return wording.listed(parts, last=last)


def sources_of(item: RankedItem, told: Iterable[Standing]) -> tuple[QuotedSource, ...]:
    """The quotes that `quoted_parts` gives."""
    found = (source_of(item, standing.quotes[0]) for standing in told if standing.quotes)
    return tuple(dict.fromkeys(source for source in found if source is not None))


def apart(
    upper: RankedItem, lower: RankedItem, graph: PreferenceGraph
) -> tuple[list[tuple[Standing, Standing]], list[tuple[Standing, Standing]]]:
    """The wishes to which two items stand differently: those for which the first is better, and the others; those that
    weigh most in the scores come first."""
    pairs = list(zip(standings(upper, graph), standings(lower, graph), strict=True))
    gained = {wish_of(graph.node_by_id[node]): _gain(node, upper, lower) for node in graph.order}
    ordered = sorted(pairs, key=lambda pair: -gained.get(pair[0].wish, 0.0))
    better = [(one, two) for one, two in ordered if WORTH[one.label] > WORTH[two.label]]
    worse = [(one, two) for one, two in reversed(ordered) if WORTH[one.label] < WORTH[two.label]]
    return better, worse


def why_above(
    question: str, one: ItemRef, other: ItemRef, ranking: Recommendation | None, domain: Domain
) -> Answer | None:
    """What puts the first item above the second, or the second above the first; None where one is not ranked."""
    first, second = ranked(one, ranking), ranked(other, ranking)
    if ranking is None or first is None or second is None:
        return None
    upper, lower = sorted((first, second), key=lambda item: place_of(item, ranking))
    titles = {"upper": upper.candidate.title, "lower": lower.candidate.title}
    said = [wording.say("placing.other_way")] if upper is not first else []
    graph = citable(ranking.graph, domain)
    better, worse = apart(upper, lower, graph)
    sources: list[QuotedSource] = []
    if lower.demoted is not None and upper.demoted is None:
        said.append(wording.say("placing.demoted", title=lower.candidate.title, reason=wording.reason(lower.demoted)))
        better, worse = better[: NAMED - 1], []
    if better:
        top = better[:NAMED]
        said += [
            wording.say("placing.more", parts=quoted_parts(up for up, _ in top), **titles),
            *_of_lower(top, titles),
        ]
        sources += sources_of(upper, (up for up, _ in top))
        sources += sources_of(lower, (low for _, low in top if low.label is not Label.NOT_ADDRESSED))
    elif not said or upper is not first:
        said.append(_path(upper, lower, graph, titles))
    if worse:
        gains = [low if place < NAMED else low._replace(quotes=()) for place, (_, low) in enumerate(worse)]
        said.append(wording.say("placing.but", parts=quoted_parts(gains), **titles))
        sources += sources_of(lower, gains)
    return Answer(
        item=one, question=question, text=wording.told(said), known=True, quotes=tuple(dict.fromkeys(sources))
    )


def _of_lower(pairs: Sequence[tuple[Standing, Standing]], titles: dict[str, str]) -> list[str]:
    """How the lower item stands to the wishes for which the upper one is better."""
    said = []
    for label, key in LOWER:
        found = [low for _, low in pairs if low.label is label]
        if found:
            parts = quoted_parts(found, last="or" if label is Label.NOT_ADDRESSED else "and")
            said.append(wording.say(key, parts=parts, **titles))
    return said


def _path(upper: RankedItem, lower: RankedItem, graph: PreferenceGraph, titles: dict[str, str]) -> str:
    """What sets apart two items that stand alike to every wish: the longer run of wishes that build on one another, or
    else nothing but how much is known."""
    best = max(upper.paths, key=lambda path: path.score, default=None)
    level = round(upper.score, DIGITS) == round(lower.score, DIGITS)
    known = [node for node in best.path if node in graph.node_by_id] if best else []
    if level or len(known) < 2:
        return wording.say("placing.alike", **titles)
    wishes = wording.listed([wording.say("explain.named", wish=wish_of(graph.node_by_id[n])) for n in known])
    return wording.say("placing.path", wishes=wishes, **titles)


def _gain(node: str, upper: RankedItem, lower: RankedItem) -> float:
    """How much more the record at a node adds to the score of the first item."""
    one, two = ({path.node: path.score for path in item.paths} for item in (upper, lower))
    return one.get(node, 0.0) - two.get(node, 0.0)
